import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Who can't leave the community yet.
@Suite struct DeliveriesInHandTests {
    private func kept(_ deliveries: Deliveries) async throws -> [[Subject]] {
        var kept: [[Subject]] = []
        for person in [maya, tom, kim] {
            kept.append(try await deliveries.useCases.commitments(of: person).items.map(\.subject))
        }
        return kept
    }

    @Test func both_stay_from_the_acceptance_until_it_is_over() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing()
            let asked = try await deliveries.requested(of: there)
            #expect(try await kept(deliveries) == [[], [], []], "who is only asked may go")
            try await deliveries.act(.accept, on: asked.match, by: maya)
            let both = [[Subject(asked.match)], [Subject(asked.match)], []]
            #expect(try await kept(deliveries) == both)
            try await deliveries.act(.pickUp, on: asked.match, by: maya, MatchActDraft(spent: euros(1000)))
            try await deliveries.act(.complete, on: asked.match, by: maya)
            #expect(try await kept(deliveries) == both)
            try await deliveries.act(.complete, on: asked.match, by: tom)
            #expect(try await kept(deliveries) == [[], [], []])
            try await deliveries.act(.dispute, on: asked.match, by: tom, MatchActDraft(reason: "It was cold."))
            #expect(try await kept(deliveries) == both)
        }
    }

    @Test func what_nobody_has_heard_of_for_hours_keeps_nobody() async throws {
        try await Deliveries.with { deliveries in
            _ = try await deliveries.accepted()
            deliveries.advance(minutes: 180)
            #expect(try await kept(deliveries) == [[], [], []], "whether or not the rounds came by")
        }
    }

    @Test func of_one_who_is_gone_the_other_is_free() async throws {
        try await Deliveries.with { deliveries in
            _ = try await deliveries.pickedUp()
            _ = try await deliveries.store.transaction { try await $0.erase(maya).photos }
            #expect(try await kept(deliveries) == [[], [], []])
        }
    }
}
