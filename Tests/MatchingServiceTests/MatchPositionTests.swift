import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Where deliverers are", .serialized)
struct MatchPositionTests {
    private func move(
        _ match: MatchID, to position: Position, by person: PersonID = maya, in deliveries: Deliveries
    ) async throws {
        try await deliveries.useCases.movePosition(
            match, to: MatchPositionDraft(position: position, accuracy: 10), .from(person))
    }

    private func shown(_ match: MatchID, to person: PersonID = tom, in deliveries: Deliveries) async throws -> Int {
        try await deliveries.useCases.position(match, for: Caller(person: person)).metres
    }

    private func kept(in deliveries: Deliveries) async throws -> Int {
        try await deliveries.database.query("SELECT FROM positions").count
    }

    @Test func the_orderer_sees_it_from_the_pick_up_on_and_hears_of_it_every_five_seconds() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.accepted()
            #expect(await refusalCode { try await move(id, to: position(100), in: deliveries) } == .wrongState)
            try await deliveries.act(.pickUp, on: id, by: maya, MatchActDraft(spent: euros(1000)))
            #expect(await refusalCode { try await shown(id, in: deliveries) } == .notFound)
            try await move(id, to: position(100), in: deliveries)
            #expect(try await shown(id, in: deliveries) == 900)
            #expect(try await deliveries.seen(id, by: tom).isShared)
            deliveries.clock.advance(by: .seconds(4))
            try await move(id, to: position(300), in: deliveries)
            #expect(try await shown(id, in: deliveries) == 700)
            #expect(try await deliveries.told(MatchMoved.self).count == 1)
            deliveries.clock.advance(by: .seconds(1))
            try await move(id, to: position(400), in: deliveries)
            #expect(try await deliveries.told(MatchMoved.self).map(\.at) == [noon, noon + 5])
            #expect(try await deliveries.told(MatchUpdate.self).map(\.what) == [.accepted, .pickedUp, .shared])
            #expect(try await kept(in: deliveries) == 1)
        }
    }

    @Test func it_is_gone_as_soon_as_it_is_there_or_hidden_or_long_ago() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            try await move(id, to: position(100), in: deliveries)
            try await deliveries.useCases.hidePosition(id, .from(maya))
            #expect(try await kept(in: deliveries) == 0)
            try await deliveries.useCases.hidePosition(id, .from(maya))
            #expect(try await deliveries.told(MatchUpdate.self).suffix(2).map(\.what) == [.shared, .hidden])
            try await move(id, to: position(200), in: deliveries)
            deliveries.clock.advance(by: .seconds(601))
            try await deliveries.pass()
            #expect(try await kept(in: deliveries) == 0)
            try await move(id, to: position(900), in: deliveries)
            try await deliveries.act(.complete, on: id, by: maya)
            #expect(try await kept(in: deliveries) == 0)
            #expect(await refusalCode { try await move(id, to: position(900), in: deliveries) } == .wrongState)
            #expect(await refusalCode { try await shown(id, in: deliveries) } == .wrongState)
        }
    }

    @Test func others_see_nothing_and_the_orderer_moves_nobody() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            try await move(id, to: position(100), in: deliveries)
            #expect(await refusalCode { try await shown(id, to: kim, in: deliveries) } == .notFound)
            #expect(await refusalCode { try await move(id, to: position(1), by: kim, in: deliveries) } == .notFound)
            #expect(await refusalCode { try await move(id, to: position(1), by: tom, in: deliveries) } == .forbidden)
            let far = MatchPositionDraft(position: Position(latitude: 86, longitude: 0), accuracy: -1)
            let refusal = await deliveryRefusal {
                try await deliveries.useCases.movePosition(id, to: far, .from(maya))
            }
            var errors: [FieldError] = []
            if case .invalid(let found)? = refusal { errors = found }
            #expect(errors.map(\.field) == ["position", "accuracy"])
        }
    }

    @Test func who_are_apart_by_now_do_not_see_where_the_other_one_is() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            try await move(id, to: position(100), in: deliveries)
            try await deliveries.block(maya, tom)
            #expect(await refusalCode { try await shown(id, in: deliveries) } == .notFound)
        }
    }

    @Test func nothing_that_is_told_or_remembered_has_a_point_of_it() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            let here = Position(latitude: 1.0012345, longitude: 25.0054321)
            try await move(id, to: here, in: deliveries)
            let rows = try await deliveries.database.query(
                """
                SELECT count(*) AS found FROM (
                    SELECT payload::text || header::text AS text FROM outbox UNION ALL SELECT requests::text FROM requests
                ) AS kept WHERE text LIKE '%0012345%' OR text LIKE '%0054321%'
                """)
            #expect(try rows[0].get("found", as: Int.self) == 0)
        }
    }

    @Test func the_number_is_told_while_it_is_in_hand_and_the_two_are_not_apart() async throws {
        try await Deliveries.with(phone: { _ in "+358 40 1" }) { deliveries in
            let id = try await deliveries.accepted()
            func phone(_ person: PersonID) async throws -> String? {
                try await deliveries.useCases.contact(id, for: Caller(person: person)).phone
            }
            #expect(try await phone(tom) == "+358 40 1")
            #expect(try await phone(maya) == "+358 40 1")
            #expect(await refusalCode { try await phone(kim) } == .notFound)
            try await deliveries.part(tom, maya)
            #expect(try await phone(tom) == nil)
            try await deliveries.act(.cancel, on: id, by: tom)
            #expect(await refusalCode { try await phone(maya) } == .wrongState)
        }
    }
}
