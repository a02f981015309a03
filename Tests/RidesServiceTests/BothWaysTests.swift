import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Both ways or none, in the tables.
@Suite struct BothWaysTests {
    @Test func a_quote_says_what_both_would_be() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning { $0.seats = 2 } }.id
            let draft = SeatDraft(together: TogetherDraft(to: SeatPointDraft(stop: 1)))
            let quote = try await rides.rides.quoteSeat(there, draft, for: Caller(person: tom))
            let other = try #require(quote.together)
            #expect(quote.free == 4 && other.free == 2 && other.leaving.name == "Salinas")
            #expect(other.ride.from == "San Francisco" && other.cost?.amount == 881)
            let alone = try await rides.posted(by: lin).id
            #expect(
                await refusalCode { try await rides.rides.quoteSeat(alone, draft, for: Caller(person: tom)) }
                    == .invalid)
        }
    }

    @Test func both_are_asked_for_and_answered_at_once() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }.id
            let both = try await rides.asked(both: there)
            #expect(try await rides.told(SeatRequested.self).map(\.request.together) == [both[1], both[0]])
            #expect(await rideRefusal { try await rides.ask(there) } == .alreadyAsked(both[0]))
            try await rides.act(both[1], .accept)
            #expect(try await rides.states(both) == [.accepted, .accepted])
            #expect(try await rides.seen(both[0], by: tom).together == both[1])
            // Each is a seat by itself from now on.
            try await rides.act(both[0], .leave, by: tom)
            #expect(try await rides.states(both) == [.left, .accepted])
            #expect(try await rides.wrongSums() == 0)
        }
    }

    @Test(arguments: [(SeatAct.reject, maya, SeatState.rejected), (.withdraw, tom, .withdrawn)])
    func what_becomes_of_one_becomes_of_both(_ act: SeatAct, _ person: PersonID, _ state: SeatState) async throws {
        try await Rides.with { rides in
            let both = try await rides.asked(both: try await rides.posted { $0.returnRide = Example.returning() }.id)
            try await rides.act(both[0], act, by: person)
            #expect(try await rides.states(both) == [state, state])
        }
    }

    @Test func an_acceptance_that_fails_on_one_way_fails_on_both() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning { $0.seats = 1 } }
            let back = try #require(there.other).id
            let both = try await rides.asked(both: there.id)
            _ = try await rides.seated(lin, in: back)
            #expect(await rideRefusal { try await rides.act(both[0], .accept) } == .soldOut(free: 0, isOtherWay: true))
            #expect(await rideRefusal { try await rides.act(both[1], .accept) } == .soldOut(free: 0))
            #expect(try await rides.states(both) == [.pending, .pending])
            #expect(
                await rideRefusal { try await rides.ask(both: there.id, by: kim) }
                    == .soldOut(free: 0, isOtherWay: true))
            #expect(try await rides.stored(there.id)?.load.people == [])
        }
    }

    @Test func both_expire_at_one_moment() async throws {
        try await Rides.with { rides in
            let both = try await rides.asked(both: try await rides.posted { $0.returnRide = Example.returning() }.id)
            rides.advance(hours: 24)
            try await rides.pass()
            #expect(try await rides.states(both) == [.expired, .expired])
            #expect(try await rides.told(SeatAnswered.self).count == 2)
        }
    }

    @Test func where_one_way_is_over_the_other_is_not_asked_for_any_more() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            let both = try await rides.asked(both: there.id)
            let lins = try await rides.asked(both: there.id, by: lin)
            try await rides.act(lins[0], .accept)
            try await rides.rides.remove(there.id, RideRemoval(), .from(maya))
            #expect(try await rides.states(both) == [.removed, .withdrawn])
            #expect(try await rides.states(lins) == [.removed, .accepted], "a seat by itself")
            #expect(try await rides.changes().sorted() == ["lin rideRemoved", "tom ended", "tom rideRemoved"])
            #expect(try await rides.stored(both[1])?.changedBy == nil)
        }
    }

    @Test func a_ride_that_leaves_early_ends_both() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            rides.advance(hours: 47)
            let both = try await rides.asked(both: there.id)
            rides.advance(hours: 0.6)
            _ = try await rides.rides.depart(there.id, .from(maya))
            #expect(try await rides.states(both) == [.expired, .withdrawn])
        }
    }

    @Test func who_is_apart_or_gone_has_neither() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }.id
            let both = try await rides.asked(both: there)
            try await rides.block(maya, tom)
            #expect(try await rides.states(both) == [.withdrawn, .withdrawn])
            #expect(try await rides.changes().isEmpty, "without a word")
            let lins = try await rides.asked(both: there, by: lin)
            try await rides.suspend(lin, until: nil)
            #expect(try await rides.states(lins) == [.withdrawn, .withdrawn])
            #expect(try await rides.changes() == ["lin ended", "lin ended"])
            let kims = try await rides.asked(both: there, by: kim)
            try await rides.erase(maya)
            #expect(try await rides.states(kims) == [.removed, .removed])
        }
    }

    @Test func who_has_a_seat_elsewhere_asks_for_neither() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }.id
            let both = try await rides.asked(both: there)
            let elsewhere = try await rides.posted(by: lin) { $0.departsAt = WireJSON.text(of: after(hours: 97)) }.id
            let seat = try await rides.ask(elsewhere)
            try await rides.act(seat.id, .accept, by: lin)
            #expect(try await rides.states(both) == [.withdrawn, .withdrawn], "the way back is at that time")
            let told = try await rides.told(SeatChanged.self).filter { $0.what == .withdrawn }
            #expect(told.count == 2 && told.allSatisfy { $0.request.by == nil })
            #expect(await rideRefusal { try await rides.ask(both: there) } == .overlaps(elsewhere))
        }
    }

    @Test func a_way_that_moves_leaves_both_one_time_to_answer() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            let both = try await rides.asked(both: there.id)
            let sooner = RideDraft(departsAt: WireJSON.text(of: after(hours: 5)))
            _ = try await rides.rides.change(there.id, to: sooner, .from(maya))
            #expect(try await rides.stored(both[0])?.answerBy == after(hours: 4))
            #expect(try await rides.stored(both[1])?.answerBy == after(hours: 4))
            rides.advance(hours: 4)
            try await rides.pass()
            #expect(try await rides.states(both) == [.expired, .expired])
        }
    }

    // MARK: What the tables refuse

    @Test func the_table_lets_none_of_two_be_answered_alone() async throws {
        try await Rides.with { rides in
            let both = try await rides.asked(both: try await rides.posted { $0.returnRide = Example.returning() }.id)
            func refused(_ statements: SQLQuery...) async -> String? {
                await constraint {
                    try await rides.database.transaction { transaction in
                        for statement in statements { _ = try await transaction.query(statement) }
                    }
                }
            }
            for state in ["accepted", "withdrawn", "expired"] {
                let alone = await refused("UPDATE seat_requests SET state = \(state) WHERE id = \(both[0])")
                #expect(alone == "requests_both_or_none", "\(state)")
            }
            let mixed = await refused(
                """
                UPDATE seat_requests SET state = CASE WHEN id = \(both[0]) THEN 'accepted' ELSE 'withdrawn' END
                WHERE id = ANY(\(both))
                """)
            #expect(mixed == "requests_both_or_none")
            let half = await refused(
                "UPDATE seat_requests SET together = NULL WHERE id = \(both[1])",
                "UPDATE seat_requests SET state = 'accepted' WHERE id = \(both[0])")
            #expect(half == "requests_both_or_none")
        }
    }
}
