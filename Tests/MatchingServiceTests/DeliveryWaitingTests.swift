import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What waits for somebody, as Home says it.
@Suite struct DeliveryWaitingTests {
    private func waiting(_ person: PersonID, _ deliveries: Deliveries) async throws -> [WaitingItem] {
        try await deliveries.useCases.waiting(for: Caller(person: person))
    }

    @Test func an_offer_waits_for_its_answer_and_a_delivery_for_both() async throws {
        try await Deliveries.with { deliveries in
            let asked = try await deliveries.requested(of: try await deliveries.bringing()).match
            let offer = try #require(try await waiting(maya, deliveries).first)
            #expect(offer.kind == .matchOffered && offer.subject == Subject(asked) && offer.with?.id == tom)
            #expect(offer.title == "Unicafe → Exactum" && offer.at == noon + limits.request)
            for person in [tom, kim] { #expect(try await waiting(person, deliveries).isEmpty) }
            let accepted = try await deliveries.act(.accept, on: asked, by: maya)
            let bringing = try #require(try await waiting(maya, deliveries).first)
            #expect(bringing.kind == .bringing && bringing.at == accepted.expectedAt)
            let awaited = try #require(try await waiting(tom, deliveries).first)
            #expect(awaited.kind == .awaited && awaited.with?.id == maya && awaited.at == accepted.expectedAt)
            try await deliveries.act(.pickUp, on: asked, by: maya, MatchActDraft(spent: euros(1000)))
            try await deliveries.act(.complete, on: asked, by: maya)
            #expect(try await waiting(maya, deliveries).isEmpty)
            let there = try #require(try await waiting(tom, deliveries).first)
            #expect(there.kind == .matchToConfirm && there.at == noon + MatchCondition.unheard)
            try await deliveries.act(.complete, on: asked, by: tom)
            #expect(try await waiting(tom, deliveries).isEmpty)
        }
    }

    @Test func who_alone_was_to_be_asked_can_not_so_the_orderer_says_whom_next() async throws {
        try await Deliveries.with { deliveries in
            let asked = try await deliveries.requested(of: try await deliveries.bringing())
            try await deliveries.act(.decline, on: asked.match, by: maya)
            let item = try #require(try await waiting(tom, deliveries).first)
            #expect(item.kind == .orderToAsk && item.subject == Subject(asked.order) && item.title == "Exactum")
            #expect(item.at == after(minutes: 60))
            deliveries.advance(minutes: 60)
            #expect(try await waiting(tom, deliveries).isEmpty)
        }
    }

    @Test func an_offer_that_has_expired_waits_for_nobody() async throws {
        try await Deliveries.with { deliveries in
            _ = try await deliveries.requested(of: try await deliveries.bringing())
            deliveries.advance(minutes: 2)
            #expect(try await waiting(maya, deliveries).isEmpty)
        }
    }
}
