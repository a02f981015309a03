import FoundationEssentials
import Messaging
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Outward and return, in the tables.
@Suite struct ReturnRideTests {
    @Test func both_are_posted_or_neither() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            let other = try #require(there.other)
            #expect(other.isReturn && other.state == .open && other.departsAt == Example.departure + 48 * 3600)
            let back = try await rides.seen(other.id, by: tom)
            #expect(back.other.map { [$0.id] } == [there.id] && back.other?.isReturn == false)
            #expect(try await rides.told(RidePosted.self).map(\.ride.id) == [there.id, other.id])
            // The way back is driven already.
            let again = await rideRefusal {
                try await rides.posted {
                    $0.departsAt = WireJSON.text(of: Example.departure + 3600)
                    $0.returnRide = Example.returning()
                }
            }
            #expect(again == .duplicate(other.id))
            #expect(try await rides.store.driving(of: maya).rides.count == 2)
        }
    }

    @Test func lists_name_the_other_way_where_it_can_be_seen() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            let back = try #require(there.other).id
            func others(_ person: PersonID?) async throws -> [RideID?] {
                try await rides.rides.rides(RideQuery(), for: Caller(person: person)).items.map { $0.other?.id }
            }
            #expect(try await others(nil) == [back, there.id])
            #expect(try await others(tom) == [back, there.id])
            let mine = try await rides.rides.myRides(MyRidesQuery(), for: Caller(person: maya)).items
            #expect(mine.map { $0.ride.other?.id } == [back, there.id])
            try await rides.rides.remove(back, RideRemoval(), .from(maya))
            #expect(try await others(tom) == [nil])
            #expect(try await rides.seen(there.id, by: tom).other == nil)
            #expect(try await rides.seen(there.id, by: maya).other?.state == .removed, "it is hers")
        }
    }

    @Test func both_are_removed_at_once_where_that_is_said() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            let back = try #require(there.other).id
            let both = try await rides.asked(both: there.id)
            try await rides.rides.remove(back, RideRemoval(reason: "Flat tyre", withOther: true), .from(maya))
            #expect(try await [rides.stored(there.id)?.state, rides.stored(back)?.state] == [.removed, .removed])
            #expect(try await rides.states(both) == [.removed, .removed])
            #expect(try await rides.changes() == ["tom rideRemoved", "tom rideRemoved"])

            let next = try await rides.posted { $0.returnRide = Example.returning() }
            try await rides.rides.remove(next.id, RideRemoval(), .from(maya))
            #expect(try await rides.stored(try #require(next.other).id)?.state == .open)
        }
    }

    @Test func erasure_leaves_the_way_back_where_somebody_else_has_to_do_with_it() async throws {
        try await Rides.with { rides in
            let there = try await rides.posted { $0.returnRide = Example.returning() }
            let back = try #require(there.other).id
            _ = try await rides.seated(tom, in: back)
            try await rides.erase(maya)
            #expect(try await rides.stored(there.id) == nil)
            let left = try await rides.stored(back)
            #expect(left?.returnOf == nil && left?.state == .removed)
        }
    }
}

extension Rides {
    func ask(
        both ride: RideID, by person: PersonID = tom, _ change: (inout SeatDraft) -> Void = { _ in }
    ) async throws -> SeatRequest {
        try await ask(ride, by: person) {
            $0.together = TogetherDraft()
            change(&$0)
        }
    }

    /// - Returns: of the ride, and of its other way.
    func asked(
        both ride: RideID, by person: PersonID = tom, _ change: (inout SeatDraft) -> Void = { _ in }
    ) async throws -> [SeatRequestID] {
        let asked = try await ask(both: ride, by: person, change)
        return [asked.id, asked.together].compactMap(\.self)
    }
}
