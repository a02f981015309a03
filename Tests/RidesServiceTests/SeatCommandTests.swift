import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What the two of a seat, and moderators, do about it.
@Suite struct SeatCommandTests {
    // MARK: Acting

    @Test func the_driver_answers_once() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let (one, other) = (try await rides.ask(ride), try await rides.ask(ride, by: lin))
            #expect(try await rides.act(one.id, .accept).state == .accepted)
            #expect(try await rides.act(other.id, .reject, reason: "Full of boxes.").reason == "Full of boxes.")
            #expect(try await rides.told(SeatAnswered.self).map(\.request.state) == [.accepted, .rejected])
            let again = await rideRefusal { try await rides.act(one.id, .accept) }
            #expect(again == .wrongState([.remove]) && again?.serviceError.errors.map(\.code) == ["remove"])
            for (person, request) in [(lin, one), (kim, other)] {
                #expect(await rideRefusal { try await rides.act(request.id, .leave, by: person) } == .notFound)
            }
            #expect(await rideRefusal { try await rides.act(.new(), .accept) } == .notFound)
            #expect(await rideRefusal { try await rides.act(one.id, .accept, by: tom) } == .wrongState([.leave]))
        }
    }

    @Test func a_hidden_ride_takes_nobody_along_and_who_has_a_seat_keeps_it() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let (seat, pending) = (try await rides.seated(in: ride), try await rides.ask(ride, by: lin))
            try await rides.store.transaction { try await $0.hide(ride, Hiding(at: noon, reason: "Advertising.")) }
            #expect(await rideRefusal { try await rides.act(pending.id, .accept) } == .wrongState([.reject]))
            #expect(await rideRefusal { try await rides.ask(ride, by: kim) } == .notFound)
            #expect(try await rides.seen(seat.id, by: tom).state == .accepted)
            #expect(try await rides.seen(ride, by: maya).hidden?.reason == "Advertising.")
            #expect(try await rides.seen(ride, by: tom).hidden == nil)
            try await rides.store.transaction { try await $0.restore(ride) }
            #expect(try await rides.act(pending.id, .accept).state == .accepted)
        }
    }

    @Test func a_dispute_is_settled_by_a_moderator_who_is_none_of_the_two() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            rides.advance(hours: 48)
            try await rides.pass()
            rides.advance(hours: 1)
            #expect(try await rides.act(seat, .reportNoShow, reason: "I waited.").state == .noShow)
            #expect(await refusalCode { try await rides.act(seat, .dispute, by: tom) } == .invalid, "say why")
            #expect(try await rides.act(seat, .dispute, by: tom, reason: "I was there.").state == .disputed)
            let disputed = SeatRequestQuery(disputed: true)
            let moderator = Caller(person: kim, roles: [.moderator])
            #expect(try await rides.rides.requests(disputed, for: moderator).items.map(\.id) == [seat])
            #expect(
                await refusalCode { try await rides.rides.requests(disputed, for: Caller(person: kim)) } == .forbidden)
            let settling = SeatActDraft(reason: "There is a picture.", rode: true)
            #expect(
                await refusalCode {
                    try await rides.rides.act(seat, .settle, settling, .from(maya, roles: [.moderator]))
                } == .wrongState)
            let settled = try await rides.rides.act(seat, .settle, settling, .from(kim, roles: [.moderator]))
            #expect(settled.state == .settled && settled.role == nil)
            #expect(try await rides.told(EncounterCompleted.self).map(\.subject) == [Subject(seat)])
        }
    }

    // MARK: Lists

    @Test func requests_are_listed_to_those_whom_they_concern() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let one = try await rides.ask(ride)
            rides.advance(hours: 0.01)
            let other = try await rides.ask(ride, by: lin)
            func listed(_ person: PersonID, _ query: SeatRequestQuery = SeatRequestQuery()) async throws
                -> [SeatRequestID]
            {
                try await rides.rides.requests(query, for: Caller(person: person)).items.map(\.id)
            }
            #expect(try await listed(maya, SeatRequestQuery(ride: ride)) == [other.id, one.id])
            #expect(try await listed(tom, SeatRequestQuery(ride: ride)) == [one.id])
            #expect(try await listed(kim, SeatRequestQuery(ride: ride)).isEmpty)
            #expect(try await listed(maya, SeatRequestQuery(role: .rider)).isEmpty)
            #expect(try await listed(lin, SeatRequestQuery(state: .accepted)).isEmpty)
            let first = try await rides.rides.requests(SeatRequestQuery(limit: 1), for: Caller(person: maya))
            #expect(try await listed(maya, SeatRequestQuery(limit: 1, cursor: first.next)) == [one.id])
            #expect(await refusalCode { try await listed(maya, SeatRequestQuery(cursor: "x")) } == .invalid)
        }
    }

    /// However long the past of the two is.
    @Test(arguments: [.driver, .rider, nil] as [SeatRole?])
    func those_of_one_ride_come_from_its_index(role: SeatRole?) async throws {
        try await Rides.with { rides in
            let query = SeatRequestQuery(ride: try await rides.posted().id, role: role)
            let statement = try SeatPage(query, for: Caller(person: maya)).statement
            let plan = try await rides.database.transaction { transaction in
                try await transaction.query("SET LOCAL enable_seqscan = off")
                return try await transaction.query("EXPLAIN " + statement)
            }.map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
            #expect(plan.contains("requests_of_ride"), "\(plan)")
            #expect(!plan.contains("requests_of_driver") && !plan.contains("requests_of_rider"), "\(plan)")
        }
    }
}
