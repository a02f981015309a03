import FoundationEssentials
import Messaging
import Testing
import WireProtocol

@testable import ListingsService

extension Listings {
    func posted(_ draft: ThingDraft, by person: PersonID = maya) async throws -> Thing {
        try await rentals.post(draft, as: nil, .from(person))
    }

    /// Noon of the tests is on 21 September 2026 in Singapore.
    func ask(
        _ thing: ThingID, _ from: String = "2026-10-01", _ until: String = "2026-10-04", by person: PersonID = tom
    ) async throws -> Rental {
        try await rentals.ask(thing, RentalDraft(from: from, until: until, message: "Please"), .from(person))
    }

    @discardableResult
    func act(_ rental: RentalID, _ act: RentalAct, by person: PersonID, photos: [String]? = nil) async throws -> Rental
    {
        try await rentals.act(rental, act, RentalActDraft(reason: "So it was.", photos: photos), .from(person))
    }

    func found(_ query: ThingQuery, by person: PersonID? = nil) async throws -> [ThingID] {
        var (ids, query): ([ThingID], ThingQuery) = ([], query)
        repeat {
            let page = try await rentals.things(query, for: Caller(person: person))
            ids += page.items.map(\.id)
            query.cursor = page.next
        } while query.cursor != nil
        return ids
    }
}

/// What a refusal was.
func rentalRefusal(_ body: () async throws -> some Any) async -> RentalError? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? RentalError }
}
