import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// What waits for somebody, as Home says it.
@Suite struct RidesWaitingTests {
    private func waiting(_ person: PersonID, _ rides: Rides) async throws -> [WaitingItem] {
        try await rides.rides.waiting(for: Caller(person: person))
    }

    @Test func a_request_waits_for_its_driver_and_a_ride_for_both() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            let asked = try await rides.ask(ride.id)
            let question = try #require(try await waiting(maya, rides).first)
            #expect(question.kind == .seatAsked && question.subject == Subject(asked.id))
            #expect(question.title == "San Luis Obispo → San Francisco" && question.with?.id == tom)
            #expect(question.at == asked.answerBy)
            #expect(question.day == WaitingItem.Day("2026-09-23", in: "America/Los_Angeles"))
            for person in [tom, lin] { #expect(try await waiting(person, rides).isEmpty) }

            try await rides.act(asked.id, .accept)
            rides.advance(hours: 24)
            #expect(try await waiting(maya, rides).isEmpty, "a day before it something is said")
            rides.advance(hours: 0.1)
            let driving = try #require(try await waiting(maya, rides).first)
            #expect(driving.kind == .driving && driving.subject == Subject(ride.id) && driving.at == ride.departsAt)
            let riding = try #require(try await waiting(tom, rides).first)
            #expect(riding.kind == .riding && riding.subject == Subject(asked.id) && riding.with?.id == maya)
            rides.advance(hours: 24)
            try await rides.pass()
            #expect(try await waiting(tom, rides).map(\.kind) == [.riding], "they are on the way")
            _ = try await rides.rides.arrive(ride.id, .from(maya))
            for person in [maya, tom] { #expect(try await waiting(person, rides).isEmpty) }
        }
    }

    @Test func who_got_a_seat_has_to_say_that_they_keep_it() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { ($0.seats, $0.accepts) = (1, .everybody) }.id
            let seat = try await rides.ask(ride).id
            let listed = try await rides.ask(ride, by: lin) { $0.waitlist = true }.id
            #expect(try await waiting(maya, rides).isEmpty, "nobody waits for her answer")
            try await rides.act(seat, .leave, by: tom)
            let item = try #require(try await waiting(lin, rides).first)
            #expect(item.kind == .seatToKeep && item.subject == Subject(listed))
            #expect(item.at == rides.clock.now + 2 * 3600)
            try await rides.act(listed, .keep, by: lin)
            #expect(try await waiting(lin, rides).isEmpty)
        }
    }

    @Test func so_much_of_each_kind_is_said_what_is_due_first_coming_first() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.seats = 8 }.id
            for person in crowd(10) { _ = try await rides.ask(ride, by: person) }
            let first = try await rides.ask(ride, by: tom) { $0.answerWithin = 3 }
            let items = try await waiting(maya, rides)
            #expect(items.count == 10 && items.first?.subject == Subject(first.id))
        }
    }
}
