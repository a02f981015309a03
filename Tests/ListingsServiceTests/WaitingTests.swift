import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What waits for somebody, as Home says it.
@Suite struct WaitingTests {
    private func rentals(_ person: PersonID, by page: Int = 100, _ listings: Listings) async throws -> [WaitingItem] {
        try await listings.rentals.waiting(for: Caller(person: person), by: page)
    }

    @Test func an_agreement_waits_for_whoever_has_something_to_do_about_it() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let asked = try await listings.ask(car)
            let question = try #require(try await rentals(maya, listings).first)
            #expect(question.kind == .requested && question.subject == Subject(asked.id) && question.day == nil)
            #expect(
                question.with?.id == tom && question.title == "Jazz for the weekend" && question.at == asked.answerBy)
            #expect(try await rentals(tom, listings).isEmpty)

            try await listings.act(asked.id, .accept, by: maya)
            listings.clock.advance(by: .seconds(7 * 86_400))
            #expect(try await rentals(maya, listings).isEmpty, "two days before it something is said")
            listings.clock.advance(by: .seconds(86_400))
            for person in [maya, tom] {
                let begins = try #require(try await rentals(person, listings).first)
                #expect(begins.kind == .begins && begins.at == asked.startsAt && begins.thing == .car)
                #expect(begins.day == WaitingItem.Day("2026-10-01", in: "Asia/Singapore"))
            }
            listings.clock.advance(by: .seconds(2 * 86_400))
            try await listings.act(asked.id, .handOver, by: maya)
            #expect(try await rentals(tom, listings).isEmpty)
            listings.clock.advance(by: .seconds(2 * 86_400))
            let ends = try #require(try await rentals(tom, listings).first)
            #expect(ends.kind == .ends && ends.at == asked.endsAt && ends.day?.date == "2026-10-04")
            #expect(try await rentals(maya, listings).isEmpty, "who lets it waits for nothing in time")
            listings.clock.advance(by: .seconds(2 * 86_400))
            #expect(try await rentals(maya, listings).map(\.kind) == [.overdue])
            #expect(try await rentals(tom, listings).map(\.kind) == [.ends])
            #expect(try await rentals(lin, listings).isEmpty)
        }
    }

    @Test func what_is_due_first_comes_first_however_long_ago_it_was_asked_for() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            for day in ["2026-10-01", "2026-10-02", "2026-10-03"] { _ = try await listings.ask(car, day, day) }
            listings.clock.advance(by: .seconds(9 * 86_400))
            let days = try await rentals(tom, by: 1, listings).map(\.day?.date)
            #expect(days == ["2026-10-01", "2026-10-02"], "found on the last page, and what is far is not said")
        }
    }

    @Test func so_much_of_each_kind_is_said() async throws {
        try await Listings.with { listings in
            for number in 1...11 {
                let space = try await listings.posted(spaceDraft("Space \(number)")).id
                _ = try await listings.ask(space, by: number < 7 ? tom : lin)
            }
            #expect(try await rentals(maya, listings).map(\.kind) == Array(repeating: .requested, count: 10))
        }
    }

    @Test func spots_wait_for_their_two_until_the_driver_has_long_parked() async throws {
        try await Listings.with { listings in
            func waiting(_ person: PersonID) async throws -> [WaitingItem] {
                try await listings.spots.waiting(for: Caller(person: person))
            }
            let spot = try await listings.posted(draft("By the library"))
            let free = try #require(try await waiting(maya).first)
            #expect(free.kind == .posted && free.at == spot.expiresAt && free.title == "By the library")
            #expect(free.subject == Subject(spot.id) && free.with == nil)
            _ = try await listings.spots.claim(spot.id, .from(tom))
            let taken = try #require(try await waiting(maya).first)
            #expect(taken.kind == .taken && taken.with?.id == tom && taken.at == listings.clock.now)
            #expect(try await waiting(tom).map(\.kind) == [.claimed])
            #expect(try await waiting(lin).isEmpty)
            listings.clock.advance(by: .seconds(2 * 3600))
            for person in [maya, tom] { #expect(try await waiting(person).isEmpty) }
        }
    }
}
