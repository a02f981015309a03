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

    /// As two windows fill in one draft, step by step.
    @Test func whoChangesOnePartTakesNothingBackOfAnother() async throws {
        try await Listings.with { listings in
            let draft = try await listings.posted(ThingDraft(kind: .space, place: "Tampines", isComplete: false))
            let seen = try #require(draft.version)
            let parts = [
                ThingDraft(title: "Dry cellar", size: 12), ThingDraft(region: "East", address: "Blk 9"),
                ThingDraft(price: Money(amount: 300, currency: "SGD"), longest: 7),
                ThingDraft(photos: [String(repeating: "0a", count: 32)]),
            ]
            for var part in parts {
                part.version = seen
                _ = try await listings.rentals.amend(draft.id, with: part, .from(maya))
            }
            let now = try await listings.rentals.thing(draft.id, for: Caller(person: maya))
            #expect(now.title == "Dry cellar" && now.address == "Blk 9" && now.terms.longest == 7)
            let late = [
                ThingDraft(title: "Wet cellar"), ThingDraft(place: "Bedok"), ThingDraft(isInstant: true),
                ThingDraft(photos: []), ThingDraft(title: "Dry cellar", place: "Bedok"),
            ]
            for var part in late {
                part.version = seen
                let second = part
                let refused = await rentalRefusal {
                    try await listings.rentals.amend(draft.id, with: second, .from(maya))
                }
                #expect(refused == .changedMeanwhile(now.version), "\(second)")
                part.version = "\(seen)0"
                let made = part
                let unknown = await rentalRefusal {
                    try await listings.rentals.amend(draft.id, with: made, .from(maya))
                }
                #expect(unknown == .changedMeanwhile(now.version), "\(made)")
            }
            // Who says all of it again compares all of it.
            var whole = spaceDraft()
            whole.version = seen
            let all = whole
            let refused = await rentalRefusal { try await listings.rentals.change(draft.id, to: all, .from(maya)) }
            #expect(refused == .changedMeanwhile(now.version))
            let kept = try await listings.rentals.thing(draft.id, for: Caller(person: maya))
            #expect(kept.version == now.version)
            let again = ThingDraft(title: "Wet cellar", version: now.version)
            #expect(try await listings.rentals.amend(draft.id, with: again, .from(maya)).title == "Wet cellar")
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
