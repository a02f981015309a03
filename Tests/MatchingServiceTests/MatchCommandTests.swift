import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What the two of a match do, and moderators.
@Suite struct MatchCommandTests {
    @Test func it_is_brought_and_both_say_so() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing()
            let asked = try await deliveries.requested(of: there)
            let offered = try await deliveries.store.match(asked.match)
            #expect(try await deliveries.act(.accept, on: asked.match, by: maya).door == "Room 4")
            #expect(try await deliveries.act(.accept, on: asked.match, by: maya).state == .accepted)
            let spent = MatchActDraft(spent: euros(1000))
            #expect(try await deliveries.act(.pickUp, on: asked.match, by: maya, spent).owed == euros(1200))
            #expect(try await deliveries.store.availability(there.id)?.taken == 1)
            #expect(try await deliveries.act(.complete, on: asked.match, by: maya).state == .delivered)
            #expect(try await deliveries.store.availability(there.id)?.taken == 0)
            #expect(try await deliveries.act(.complete, on: asked.match, by: tom).state == .completed)
            #expect(try await deliveries.store.order(asked.order)?.state == .completed)
            #expect(
                try await deliveries.act(.tip, on: asked.match, by: tom, MatchActDraft(amount: euros(100))).owed
                    == euros(1300))
            #expect(try await deliveries.updates() == [.accepted, .pickedUp, .delivered, .completed, .tipped])
            let encounter = try #require(try await deliveries.told(EncounterCompleted.self).first)
            #expect(encounter.subject == Subject(asked.match) && Set(encounter.people) == [maya, tom])
            #expect(try await deliveries.told(EncounterCompleted.self).count == 1)
            let header = try #require(try await deliveries.headers(of: MatchUpdate.self).first)
            #expect(header.audience == .people([maya, tom]) && header.aggregate == "match/\(asked.match)")
            #expect(try await deliveries.told(RoomSubjectChanged.self).map(\.facts.isOpen) == [true, false])
            let code = try #require(offered?.code)
            let payloads = try await deliveries.database.query("SELECT payload::text AS payload FROM outbox").map {
                try $0.get("payload", as: String.self)
            }
            #expect(
                payloads.allSatisfy {
                    !$0.contains("Room 4") && !$0.contains("\"\(code)\"") && !$0.contains("latitude")
                })
        }
    }

    @Test func the_digits_complete_it_for_both() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            let code = try #require(try await deliveries.seen(id, by: tom).code)
            let wrong = code == "0000" ? "1111" : "0000"
            #expect(
                await refusalCode { try await deliveries.act(.complete, on: id, by: maya, MatchActDraft(code: wrong)) }
                    == .invalid)
            #expect(
                try await deliveries.act(.complete, on: id, by: maya, MatchActDraft(code: code)).state == .completed)
            #expect(try await deliveries.told(EncounterCompleted.self).count == 1)
        }
    }

    @Test func the_digits_are_not_to_be_guessed() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            let code = try #require(try await deliveries.seen(id, by: tom).code)
            let (wrong, right) = (MatchActDraft(code: code == "0000" ? "1111" : "0000"), MatchActDraft(code: code))
            for _ in 0..<DeliveryLimits.wrongCodes {
                let refusal = await deliveryRefusal { try await deliveries.act(.complete, on: id, by: maya, wrong) }
                #expect(refusal == .wrongCode)
            }
            #expect(await refusalCode { try await deliveries.act(.complete, on: id, by: maya, right) } == .invalid)
            #expect(try await deliveries.act(.complete, on: id, by: maya).state == .delivered)
        }
    }

    @Test func what_the_deliverer_cannot_bring_goes_on_to_the_next() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            let order = try await deliveries.seen(id, by: tom).order
            try await deliveries.bringing(by: kim)
            try await deliveries.act(.giveUp, on: id, by: maya, MatchActDraft(reason: "It is closed."))
            #expect(try await deliveries.seen(order).state == .waiting)
            try await deliveries.decide()
            #expect(try await deliveries.seen(order).asked?.person.id == kim)
            #expect(try await deliveries.miscounted() == 0)
        }
    }

    @Test func the_orderer_cancels_before_it_is_picked_up() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            let order = try await deliveries.seen(id, by: tom).order
            #expect(try await deliveries.act(.cancel, on: id, by: tom).state == .cancelled)
            #expect(try await deliveries.seen(order).state == .cancelled)
            #expect(await deliveryRefusal { try await deliveries.act(.pickUp, on: id, by: maya) } == .wrongState([]))
        }
    }

    @Test func a_higher_limit_is_the_orders_too() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            try await deliveries.act(.raiseLimit, on: id, by: tom, MatchActDraft(amount: euros(2000)))
            let match = try #require(try await deliveries.store.match(id))
            #expect(match.terms.limit == euros(2000))
            #expect(try await deliveries.store.order(match.order)?.terms.limit == euros(2000))
        }
    }

    @Test func what_is_over_by_its_time_is_over_whether_or_not_the_rounds_came_by() async throws {
        try await Deliveries.with { deliveries in
            let asked = try await deliveries.requested(of: try await deliveries.bringing())
            deliveries.advance(minutes: 2)
            let late = await deliveryRefusal { try await deliveries.act(.accept, on: asked.match, by: maya) }
            #expect(late == .offerGone(.expired))
            #expect(await deliveryRefusal { try await deliveries.act(.decline, on: asked.match, by: maya) } == late)
        }
    }

    @Test func who_is_apart_by_now_does_not_begin() async throws {
        try await Deliveries.with { deliveries in
            let asked = try await deliveries.requested(of: try await deliveries.bringing())
            try await deliveries.part(maya, tom)
            let refusal = await deliveryRefusal { try await deliveries.act(.accept, on: asked.match, by: maya) }
            #expect(refusal == .offerGone(.ended))
            #expect(try await deliveries.act(.decline, on: asked.match, by: maya).state == .declined)
        }
    }

    @Test func a_match_is_of_the_two_and_a_dispute_of_moderators_too() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            #expect(await deliveryRefusal { try await deliveries.act(.accept, on: id, by: kim) } == .matchNotFound)
            func settle(_ roles: Set<PersonRole>) async throws -> DeliveryMatch {
                try await deliveries.useCases.actOnMatch(
                    MatchActReference(id: id, act: .settle), MatchActDraft(reason: "Half of it.", share: 50),
                    .from(lin, roles: roles))
            }
            #expect(await deliveryRefusal { try await settle([.moderator]) } == .matchNotFound)
            try await deliveries.act(.dispute, on: id, by: tom, MatchActDraft(reason: "It is cold."))
            #expect(await deliveryRefusal { try await settle([]) } == .matchNotFound)
            let settled = try await settle([.moderator])
            #expect(settled.state == .settled && settled.owed == euros(600) && settled.door == nil)
            #expect(try await deliveries.told(EncounterCompleted.self).count == 1)
            let match = try #require(try await deliveries.store.match(id))
            #expect(try await deliveries.store.order(match.order)?.state == .completed)
        }
    }

    @Test func who_expected_something_else_is_told() async throws {
        try await Deliveries.with { deliveries in
            let asked = try await deliveries.requested(of: try await deliveries.bringing())
            let expecting = MatchActDraft(expected: MatchExpectation(fee: 500))
            let refusal = await refusalCode { try await deliveries.act(.accept, on: asked.match, by: maya, expecting) }
            #expect(refusal == .termsChanged)
            #expect(try await deliveries.store.match(asked.match)?.state == .offered)
        }
    }
}
