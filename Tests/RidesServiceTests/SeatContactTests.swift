import FoundationEssentials
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// How the two of a seat reach each other.
@Suite struct SeatContactTests {
    private static let numbers: [PersonID: String] = [maya: "+14155550100", tom: "+14155550101"]

    private func phone(_ seat: SeatRequestID, for person: PersonID?, on rides: Rides) async throws -> String? {
        try await rides.rides.contact(seat, for: Caller(person: person)).phone
    }

    @Test func only_the_two_and_from_the_acceptance_until_a_day_after_the_arrival() async throws {
        try await Rides.with(phone: { Self.numbers[$0] }) { rides in
            let ride = try await rides.posted()
            let seat = try await rides.ask(ride.id).id
            func exchanged() async throws -> [String?] {
                [try await phone(seat, for: maya, on: rides), try await phone(seat, for: tom, on: rides)]
            }
            func refused(_ person: PersonID) async -> RideError? {
                await rideRefusal { try await phone(seat, for: person, on: rides) }
            }
            let both = [Self.numbers[tom], Self.numbers[maya]]
            #expect(await refused(maya) == .wrongState([.accept, .reject]))
            #expect(await refused(tom) == .wrongState([.withdraw]))
            try await rides.act(seat, .accept)
            #expect(try await exchanged() == both)
            #expect(await refused(lin) == .notFound)
            let moderator = Caller(person: lin, roles: [.moderator])
            #expect(await rideRefusal { try await rides.rides.contact(seat, for: moderator) } == .notFound)
            #expect(await refusalCode { try await phone(seat, for: nil, on: rides) } == .unauthenticated)
            rides.advance(hours: 48)
            try await rides.pass()
            _ = try await rides.rides.arrive(ride.id, .from(maya))
            #expect(try await exchanged() == both, "something was left in the car")
            let last = ride.arrivesAt.timeIntervalSince(rides.clock.now) + 86_400
            rides.advance(hours: (last - 1) / 3600)
            #expect(try await exchanged() == both)
            rides.advance(hours: 1.0 / 3600)
            #expect(await refused(tom) == .wrongState([.dispute]))
        }
    }

    @Test func whoever_left_calls_nobody() async throws {
        try await Rides.with(phone: { Self.numbers[$0] }) { rides in
            let seat = try await rides.seated(in: try await rides.posted().id).id
            try await rides.act(seat, .leave, by: tom)
            for person in [maya, tom] {
                #expect(await rideRefusal { try await phone(seat, for: person, on: rides) } == .wrongState([]))
            }
        }
    }

    @Test func who_has_none_and_who_is_apart_is_asked_for_nobody() async throws {
        let asked = Mutex<[PersonID]>([])
        try await Rides.with(phone: { person in
            asked.withLock { $0.append(person) }
            return nil
        }) { rides in
            let seat = try await rides.seated(in: try await rides.posted().id).id
            #expect(try await phone(seat, for: tom, on: rides) == nil)
            #expect(asked.withLock { $0 } == [maya])
            try await rides.part(maya, tom)
            #expect(try await phone(seat, for: tom, on: rides) == nil)
            #expect(try await phone(seat, for: maya, on: rides) == nil)
            #expect(asked.withLock { $0 } == [maya])
        }
    }
}
