import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Changing a part of a thing, and what it must be to be found")
struct ThingAmendTests {
    @Test func whatIsAbsentStays() async throws {
        try await Listings.with { listings in
            var whole = carDraft()
            whole.longest = 7
            whole.available = AvailableDays(from: "2026-09-25", until: "2026-12-24")
            let posted = try await listings.posted(whole)
            let same = try await listings.rentals.amend(posted.id, with: ThingDraft(), .from(maya))
            #expect(try WireJSON.encode(same) == WireJSON.encode(posted))
            #expect(try await listings.told(ThingChanged.self).isEmpty)
            let change = ThingDraft(title: "Jazz", price: Money(amount: 0, currency: "SGD"))
            let amended = try await listings.rentals.amend(posted.id, with: change, .from(maya))
            var expected = posted
            expected.title = "Jazz"
            expected.terms.price = nil
            #expect(amended.version != posted.version)
            expected.version = amended.version
            #expect(try WireJSON.encode(amended) == WireJSON.encode(expected))
            let read = try await listings.rentals.thing(posted.id, for: Caller(person: maya))
            #expect(try WireJSON.encode(read) == WireJSON.encode(expected))
            #expect(try await listings.told(ThingChanged.self).map(\.thing.title) == ["Jazz"])
            let cleared = try await listings.rentals.amend(
                posted.id, with: ThingDraft(description: "", available: AvailableDays()), .from(maya))
            #expect(cleared.description == nil && cleared.available == nil && cleared.plate == "SBA1234G")
            #expect(cleared.terms.longest == 7)
            let usual = try await listings.rentals.amend(posted.id, with: ThingDraft(longest: 0), .from(maya))
            #expect(usual.terms.longest == nil && usual.title == "Jazz")
        }
    }

    @Test func itIsJudgedAsAWhole() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let bare = await rentalRefusal {
                try await listings.rentals.amend(car, with: ThingDraft(place: " "), .from(maya))
            }
            #expect(bare == .invalid([FieldError("place", "required", "Say where it is: the street, or the quarter.")]))
            let toms = await rentalRefusal {
                try await listings.rentals.amend(car, with: ThingDraft(title: "Mine"), .from(tom))
            }
            #expect(toms == .notYours)
            let draft = try await listings.posted(ThingDraft(kind: .space, isComplete: false)).id
            let begun = try await listings.rentals.amend(draft, with: ThingDraft(title: "Half a garage"), .from(maya))
            #expect(begun.state == .draft && begun.title == "Half a garage")
            let wrong = await rentalRefusal {
                try await listings.rentals.amend(draft, with: ThingDraft(size: 0), .from(maya))
            }
            #expect(wrong == .invalid([FieldError("size", "out_of_range", "Between 1 and 100000 square metres.")]))
            let all = ThingDraft(size: 12, region: "East", place: "Tampines", address: "Blk 9")
            _ = try await listings.rentals.amend(draft, with: all, .from(maya))
            #expect(try await listings.rentals.publish(draft, .from(maya)).state == .listed)
        }
    }

    /// A space that is asked for as a car is not there, whatever is wanted of it.
    @Test func anotherKindIsNotFound() async throws {
        try await Listings.with { listings in
            let (rentals, space) = (listings.rentals, try await listings.posted(spaceDraft()).id)
            let days = RentalDraft(from: "2026-10-01", until: "2026-10-02")
            let period = PeriodDraft(from: "2026-10-01", until: "2026-10-02")
            func refused(_ body: () async throws -> some Any) async -> Bool { await rentalRefusal(body) == .notFound }
            #expect(await refused { try await rentals.thing(space, as: .car, for: Caller(person: tom)) })
            #expect(await refused { try await rentals.change(space, as: .car, to: spaceDraft(), .from(maya)) })
            #expect(await refused { try await rentals.amend(space, as: .car, with: ThingDraft(), .from(maya)) })
            #expect(await refused { try await rentals.publish(space, as: .car, .from(maya)) })
            #expect(await refused { try await rentals.withdraw(space, as: .parking, .from(maya)) })
            #expect(await refused { try await rentals.block(space, as: .car, period, .from(maya)) })
            #expect(await refused { try await rentals.ask(space, as: .car, days, .from(tom)) })
            #expect(
                await refused {
                    try await rentals.calendar(CalendarQuery(id: space, kind: .car), for: Caller(person: tom))
                })
            #expect(
                await refused {
                    try await rentals.quote(
                        RentalQuoteQuery(id: space, kind: .car, from: "2026-10-01", until: "2026-10-02"),
                        for: Caller(person: tom))
                })
            #expect(try await rentals.thing(space, as: .space, for: Caller(person: tom)).id == space)
            #expect(try await rentals.ask(space, as: .space, days, .from(tom)).state == .requested)
        }
    }
}
