import FoundationEssentials
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Seats for friends of the driver, at once.
@Suite struct SeatFriendsTests {
    /// Lin is a friend of Maya's.
    private final class Auth: Sendable {
        let asked = Mutex(0)
        let isAway = Mutex(false)

        var areFriends: @Sendable (PersonID, PersonID) async throws -> Bool {
            { one, other in
                self.asked.withLock { $0 += 1 }
                if self.isAway.withLock(\.self) { throw ServiceError(.unavailable, "Auth is away.") }
                return Set([one, other]) == [maya, lin]
            }
        }
    }

    @Test func a_friend_gets_a_seat_at_once_and_others_are_looked_at() async throws {
        let auth = Auth()
        try await Rides.with(areFriends: auth.areFriends) { rides in
            try await rides.name(tom, "Tom", campus: "hill")
            let ride = try await rides.posted { $0.accepts = .friends }.id
            #expect(try await rides.ask(ride, by: lin).state == .accepted)
            #expect(try await rides.ask(ride, by: tom).state == .pending)
            #expect(await rideRefusal { try await rides.ask(ride, by: maya) } == .yourOwn)
            #expect(auth.asked.withLock(\.self) == 2, "not of the driver")
        }
    }

    @Test func auth_is_asked_only_where_it_matters() async throws {
        let auth = Auth()
        try await Rides.with(areFriends: auth.areFriends) { rides in
            for accepts in [RideAcceptance.nobody, .verified, .everybody] {
                let ride = try await rides.posted { draft in
                    draft.accepts = accepts
                    let hours = [RideAcceptance.nobody: 100.0, .verified: 200, .everybody: 300][accepts]!
                    draft.departsAt = WireJSON.text(of: after(hours: hours))
                }.id
                #expect(try await rides.ask(ride, by: lin).state == (accepts == .everybody ? .accepted : .pending))
            }
            #expect(auth.asked.withLock(\.self) == 0)
        }
    }

    @Test func where_auth_does_not_answer_a_friend_is_looked_at() async throws {
        let auth = Auth()
        auth.isAway.withLock { $0 = true }
        try await Rides.with(areFriends: auth.areFriends) { rides in
            let ride = try await rides.posted { $0.accepts = .friends }.id
            #expect(try await rides.ask(ride, by: lin).state == .pending)
        }
    }

    /// Promoted without a look is who was a friend when they asked.
    @Test func who_waits_keeps_what_was_true_when_they_asked() async throws {
        let auth = Auth()
        try await Rides.with(areFriends: auth.areFriends) { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .friends) }.id
            let first = try await rides.ask(ride, by: tom)
            try await rides.act(first.id, .accept)
            let lins = try await rides.ask(ride, by: lin) { $0.waitlist = true }
            #expect(lins.state == .waiting && lins.isApproved)
            rides.clock.advance(by: .seconds(1))
            let kims = try await rides.ask(ride, by: kim) { $0.waitlist = true }
            #expect(kims.state == .waiting && !kims.isApproved)
            auth.isAway.withLock { $0 = true }
            try await rides.act(first.id, .leave, by: tom)
            #expect(try await rides.states([lins.id, kims.id]) == [.accepted, .waiting])
            try await rides.act(lins.id, .leave, by: lin)
            #expect(try await rides.states([kims.id]) == [.pending])
        }
    }

    @Test func a_ride_says_that_it_is_for_friends_and_may_change_that() async throws {
        let auth = Auth()
        try await Rides.with(areFriends: auth.areFriends) { rides in
            let ride = try await rides.posted { $0.accepts = .friends }
            #expect(ride.accepts == .friends)
            _ = try await rides.rides.change(ride.id, to: RideDraft(accepts: .nobody), .from(maya))
            #expect(try await rides.ask(ride.id, by: lin).state == .pending)
            #expect(try await rides.stored(ride.id)?.accepts == .nobody)
        }
    }
}
