import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What is agreed to is what was seen.
@Suite struct RentalTermsTests {
    private static let terms = RentalTerms(
        price: Money(amount: 5500, currency: "SGD"), unit: .day, longest: 14, cancellation: .moderate,
        zone: "Asia/Singapore")

    private func changes(_ change: (inout RentalTerms) -> Void) -> [String] {
        var now = Self.terms
        change(&now)
        return now.changes(since: Self.terms).map { "\($0.field) \($0.code)" }
    }

    @Test func eachPartOfTheTermsIsComparedAndSaidAsItIsNow() {
        #expect(changes { _ in }.isEmpty)
        // What is too long is refused as that.
        #expect(changes { $0.longest = 3 }.isEmpty)
        #expect(changes { $0.price = Money(amount: 6000, currency: "SGD") } == ["expected.price 6000 SGD"])
        #expect(changes { $0.price = nil } == ["expected.price 0"])
        #expect(changes { $0.unit = .hour } == ["expected.unit hour"])
        #expect(changes { $0.isInstant = true } == ["expected.isInstant true"])
        let both = changes {
            $0.cancellation = .strict
            $0.zone = "Asia/Tokyo"
        }
        #expect(both == ["expected.cancellation strict", "expected.zone Asia/Tokyo"])
    }

    @Test func whoSaysWhatTheySawAsksForNothingElse() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft())
            let dearer = ThingDraft(price: Money(amount: 9900, currency: "SGD"))
            _ = try await listings.rentals.amend(car.id, with: dearer, .from(maya))
            var draft = RentalDraft(from: "2026-10-01", until: "2026-10-04", expected: car.terms)
            let refused = await rentalRefusal { try await listings.rentals.ask(car.id, draft, .from(tom)) }
            #expect(refused == .termsChanged([FieldError("expected.price", "9900 SGD", "This has changed.")]))
            #expect(refused?.serviceError.code == .termsChanged)
            #expect(try await listings.told(RentalRequested.self).isEmpty)
            draft.expected?.price = dearer.price
            #expect(try await listings.rentals.ask(car.id, draft, .from(tom)).cost?.amount == 39600)
        }
    }
}
