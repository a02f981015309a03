import FoundationEssentials
import WireProtocol

extension Visit {
    /// One's agreements that fit, in as many answers as a few: they come by when they were asked for, and what begins first may have been asked for
    /// long ago.
    func rentals(_ query: RentalQuery, within time: TimeInterval = 5) async throws -> [Rental] {
        var query = query
        query.limit = 100
        var found: [Rental] = []
        for _ in 0..<3 {
            let page = try await ask(ListingsMethods.rentals, query, Nothing(), within: time)
            found += page.items
            guard let next = page.next else { break }
            query.cursor = next
        }
        return found
    }
}
