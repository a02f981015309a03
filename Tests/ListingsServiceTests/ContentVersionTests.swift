import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Of two who change the same thing, having read the same of it, the second one is told.
@Suite struct ContentVersionTests {
    @Test func theSecondOfTwoWindowsIsToldAndMaySaveAnyway() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft())
            let seen = try #require(car.version)
            #expect(try await listings.rentals.thing(car.id, for: Caller(person: tom)).version == nil)
            #expect(try await listings.rentals.thing(car.id, for: Caller(person: maya)).version == seen)
            let first = ThingDraft(title: "Jazz for the week", version: seen)
            let changed = try await listings.rentals.amend(car.id, with: first, .from(maya))
            var late = carDraft("Jazz for a trip")
            late.version = seen
            let stale = late
            let refused = await rentalRefusal { try await listings.rentals.change(car.id, to: stale, .from(maya)) }
            #expect(refused == .changedMeanwhile(changed.version) && changed.version != seen)
            #expect(refused?.serviceError == .changedMeanwhile(changed.version))
            late.version = changed.version
            let kept = try await listings.rentals.change(car.id, to: late, .from(maya))
            #expect(kept.title == "Jazz for a trip")
            // What changes nothing takes nothing back, and who does not say what they saw changes what there is.
            late.version = seen
            #expect(try await listings.rentals.change(car.id, to: late, .from(maya)).version == kept.version)
            #expect(try await listings.rentals.change(car.id, to: carDraft(), .from(maya)).version == seen)
        }
    }

    @Test func ofManyAtOnceOneChangesIt() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft())
            let results = await atOnce(Array(1...8)) { number -> String in
                let draft = ThingDraft(title: "Jazz \(number)", version: car.version)
                return try await listings.rentals.amend(car.id, with: draft, .from(maya)).title
            }
            let kept = results.compactMap { try? $0.get() }
            #expect(kept.count == 1)
            #expect(try await listings.rentals.thing(car.id, for: Caller(person: maya)).title == kept.first)
        }
    }

    @Test func whatModeratorsDoIsNoChangeOfWhatItSays() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft())
            try await listings.rentals.withdraw(car.id, .from(maya))
            let withdrawn = try await listings.rentals.thing(car.id, for: Caller(person: maya))
            #expect(withdrawn.version == car.version)
        }
    }

    @Test func aSpotIsNotTakenBackToWhatItSaidBefore() async throws {
        try await Listings.with { listings in
            let spot = try await listings.posted()
            let seen = try #require(spot.version)
            #expect(try await listings.spots.spot(spot.id, for: Caller(person: tom)).version == nil)
            // Passers-by make it live longer; its poster may go on with the form.
            _ = try await listings.spots.observe(spot.id, .there, .from(lin))
            var first = draft("At the well")
            first.version = seen
            let changed = try await listings.spots.change(spot.id, to: first, .from(maya))
            var second = draft("By the well")
            second.version = seen
            let stale = second
            await #expect(throws: SpotError.changedMeanwhile(changed.version)) {
                try await listings.spots.change(spot.id, to: stale, .from(maya))
            }
            second.version = changed.version
            #expect(try await listings.spots.change(spot.id, to: second, .from(maya)).name == "By the well")
        }
    }
}
