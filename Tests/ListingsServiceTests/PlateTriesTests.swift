import DurableMessaging
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Nobody finds out of many plates whether they are shared here.
@Suite struct PlateTriesTests {
    private static let tooMany = RentalError.tooManyPlates

    private static func renting(_ tries: Int) -> RentalLimits {
        var renting = rentalLimits
        renting.plates = AnyPlates()
        renting.plateTries = tries
        return renting
    }

    private func refusal(_ plate: String, by person: PersonID, on listings: Listings) async -> RentalError? {
        await rentalRefusal { try await listings.posted(carDraft(plate: plate), by: person) }
    }

    private func tries(on listings: Listings) async throws -> Int {
        try await listings.database.query("SELECT count(*) AS tries FROM plate_tries")[0].get("tries")
    }

    @Test func platesThatAreTakenCountAndAreForgottenAfterADay() async throws {
        try await Listings.with(renting: Self.renting(3)) { listings in
            for plate in ["A1", "A2", "A3"] { _ = try await listings.posted(carDraft(plate: plate)) }
            for plate in ["A1", "A2", "A3", "A3"] {
                #expect(await refusal(plate, by: tom, on: listings) == PlateTaken.refusal)
            }
            #expect(await refusal("A4", by: tom, on: listings) == Self.tooMany)
            #expect(Self.tooMany.serviceError.errors.map(\.field) == ["plate"])
            #expect(await refusal("A1", by: tom, on: listings) == PlateTaken.refusal, "that was told already")
            #expect(await refusal("A4", by: lin, on: listings) == nil)
            listings.clock.advance(by: .seconds(86400))
            #expect(await refusal("A5", by: tom, on: listings) == nil)
            _ = try await RentalRounds(store: listings.rentals.store, logger: .quiet).round()
            #expect(try await tries(on: listings) == 1)
        }
    }

    /// A car of one's own whose plate changes and changes finds out the same.
    @Test func platesThatAreFreeCountToo() async throws {
        try await Listings.with(renting: Self.renting(2)) { listings in
            let car = try await listings.posted(carDraft(plate: "A1")).id
            func change(to plate: String?) async -> RentalError? {
                await rentalRefusal {
                    try await listings.rentals.amend(car, with: ThingDraft(title: "Jazz", plate: plate), .from(maya))
                }
            }
            #expect(await change(to: "A2") == nil)
            #expect(await change(to: "A3") == Self.tooMany)
            #expect(await change(to: nil) == nil, "the rest may be changed")
            #expect(await change(to: "A1") == nil)
            #expect(try await tries(on: listings) == 2)
        }
    }

    @Test func whatIsWrongOtherwiseIsNoTryAndWhoIsGoneHasNone() async throws {
        try await Listings.with(renting: Self.renting(2)) { listings in
            var draft = carDraft(plate: "A1")
            draft.price?.amount = -1
            _ = await rentalRefusal { try await listings.posted(draft) }
            #expect(try await tries(on: listings) == 0)
            _ = try await listings.posted(carDraft(plate: "A1"))
            #expect(try await tries(on: listings) == 1)
            _ = try await listings.rentals.store.transaction { try await $0.erase(maya) }
            #expect(try await tries(on: listings) == 0)
        }
    }
}
