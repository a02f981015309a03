import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What is not over as far as the other one knows: who leaves the community now would be gone with it.

extension DeliveryStore {
    /// Something that one brings, or that is brought to one, or about which two are at odds. The latest first.
    func inHand(of person: PersonID, at now: Date) async throws -> [MatchAgreement] {
        // Each half from its own index.
        let rows = try await database.read(
            """
            SELECT \(MatchAgreement.columns) FROM matches
            WHERE deliverer = \(person) AND orderer <> \(PersonID.nobody) AND \(MatchAgreement.isInHand)
            UNION ALL SELECT \(MatchAgreement.columns) FROM matches
            WHERE orderer = \(person) AND deliverer <> \(PersonID.nobody) AND \(MatchAgreement.isInHand)
            """)
        return try rows.map { try MatchAgreement($0, words) }.filter { ($0.pass(at: now)?.match ?? $0).isInHand }
            .sorted { $0.id > $1.id }
    }
}

extension DeliveryUseCases {
    func commitments(of person: PersonID) async throws -> Page<Commitment> {
        Page(items: try await store.inHand(of: person, at: clock()).map { Commitment(Subject($0.id), title: $0.title) })
    }
}
