import FoundationEssentials
import People
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What becomes of rides and seats by what auth says.
@Suite struct RidesHandlersTests {
    @Test func two_who_are_apart_have_nothing_ahead_of_them_together() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let (pending, seat) = (try await rides.ask(ride, by: lin).id, try await rides.seated(in: ride).id)
            try await rides.block(maya, lin)
            #expect(try await rides.changes().isEmpty, "what was only asked for ends without a word")
            #expect(try await rides.seen(pending, by: lin).state == .withdrawn)
            try await rides.block(tom, maya)
            #expect(try await rides.changes() == ["tom ended"])
            let ended = try await rides.seen(seat, by: tom)
            #expect(
                ended.state == .removed && ended.changedBy == nil && ended.driver.name == PersonSummary.nameOfUnknown)
            #expect(try await rides.seen(ride, by: maya).free == [4, 4])
            #expect(await rideRefusal { try await rides.ask(ride) } == .notFound)
        }
    }

    @Test func who_is_on_the_way_stays_in_the_car() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            rides.advance(hours: 48)
            try await rides.pass()
            try await rides.block(tom, maya)
            let seen = try await rides.seen(seat, by: tom)
            #expect(seen.state == .accepted && seen.driver.name == PersonSummary.nameOfUnknown)
            _ = try await rides.rides.arrive(ride, .from(maya))
            #expect(try await rides.seen(seat, by: tom).state == .rode)
        }
    }

    @Test func two_who_are_together_again_lose_nothing() async throws {
        try await Rides.with { rides in
            let seat = try await rides.seated(in: try await rides.posted().id).id
            try await rides.hear(PeopleUnblocked(pair: BlockedPair(maya, tom)))
            #expect(try await rides.seen(seat, by: tom).state == .accepted)
        }
    }

    @Test func moderators_hide_and_restore_what_they_have_seen() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let hiding = Hiding(at: noon, reason: "Advertising.")
            for subject in [Subject(kind: .spot, id: ID(ride.uuid)), Subject(RideID.new())] {
                try await rides.hear(SubjectHidden(subject: subject, hiding: hiding))
            }
            #expect(try await rides.seen(ride, by: tom).id == ride)
            try await rides.hear(SubjectHidden(subject: Subject(ride), hiding: hiding))
            #expect(await rideRefusal { try await rides.seen(ride, by: tom) } == .notFound)
            try await rides.hear(SubjectRestored(subject: Subject(ride)))
            #expect(try await rides.seen(ride, by: tom).id == ride)
        }
    }

    @Test func who_is_suspended_drives_and_rides_nowhere() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            try await rides.suspend(maya, until: after(hours: 24))
            #expect(try await rides.seen(seat, by: tom).state == .removed)
            #expect(await rideRefusal { try await rides.seen(ride, by: lin) } == .notFound)
            #expect(await refusalCode { try await rides.posted() } == .suspended)
            #expect(await refusalCode { try await rides.act(seat, .remove) } == .suspended)
        }
    }

    @Test func who_is_erased_leaves_no_ride_and_no_door() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            try await rides.erase(maya)
            let left = try await rides.seen(seat, by: tom)
            #expect(left.state == .removed && left.driver.id == .nobody && left.boarding.address == nil)
            #expect(try await rides.told(PersonalDataErased.self).count == 1)
            #expect(await refusalCode { try await rides.posted() } != nil)
        }
    }
}
