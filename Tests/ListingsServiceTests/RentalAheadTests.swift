import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Whoever takes one thing after another that nobody is asked about would come to know one door after another.
@Suite struct RentalAheadTests {
    @Test func whoHasMuchAheadTakesNothingMoreWithoutItsOwnersWord() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            var agreed: [RentalID] = []
            for day in 10...19 { agreed.append(try await listings.ask(car, "2026-10-\(day)", "2026-10-\(day)").id) }
            let more = await rentalRefusal { try await listings.ask(car, "2026-10-20", "2026-10-20") }
            #expect(more == .tooManyAhead(limit: 10) && more?.serviceError.code == .tooManyRentals)
            #expect(try await listings.ask(car, "2026-10-20", "2026-10-20", by: lin).state == .accepted)

            // An owner who looks at who it is may let it to them all the same.
            let space = try await listings.posted(spaceDraft()).id
            let asked = try await listings.ask(space, "2026-10-21", "2026-10-22").id
            #expect(try await listings.act(asked, .accept, by: maya).state == .accepted)

            // What is called off, or has begun, is not ahead.
            try await listings.act(agreed[9], .cancel, by: tom)
            #expect(
                await rentalRefusal { try await listings.ask(car, "2026-10-23", "2026-10-23") }
                    == .tooManyAhead(limit: 10))
            listings.clock.advance(by: .seconds(19 * 86400))
            #expect(try await listings.ask(car, "2026-10-23", "2026-10-23").state == .accepted)
        }
    }
}
