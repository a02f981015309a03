import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import WireProtocol

// What is not over as far as the other one knows: who leaves the community now would be gone with it.

extension Agreement {
    /// Whether this person may not erase themselves yet. Both stay while one has what is the other's, or they are at odds about it. Who rents stays also
    /// once it has begun, and then as long as its owner may say that something is wrong and has not said that it is right.
    func keeps(_ person: PersonID, at now: Date) -> Bool {
        guard let role = role(of: person), owner != .nobody, renter != .nobody else { return false }
        if isInHand { return true }
        guard role == .renter else { return false }
        if state == .accepted { return now >= period.startsAt }
        let isRight = changedBy == owner || evidence.contains { $0.by == .owner && $0.at == .giveBack }
        return !isRight && possible(for: .owner, at: now).contains(.dispute)
    }
}

extension RentalStore {
    /// The latest request first.
    func inHand(of person: PersonID, at now: Date) async throws -> [Agreement] {
        // Each half from its own index.
        let rows = try await database.read(
            """
            SELECT \(Agreement.columns) FROM rentals WHERE owner = \(person) AND state IN ('handedOver', 'disputed')
            UNION ALL SELECT \(Agreement.columns) FROM rentals
            WHERE renter = \(person) AND (state IN ('accepted', 'handedOver', 'disputed')
                OR state IN ('returned', 'noShow', 'cancelled', 'lapsed') AND changed_at > \(now - RentalCondition.recent))
            """)
        return try await withEvidence(try rows.map(Agreement.init)).filter { $0.keeps(person, at: now) }
            .sorted { $0.id > $1.id }
    }
}

extension RentalUseCases {
    func commitments(of person: PersonID) async throws -> Page<Commitment> {
        Page(items: try await store.inHand(of: person, at: clock()).map { Commitment(Subject($0.id), title: $0.title) })
    }
}
