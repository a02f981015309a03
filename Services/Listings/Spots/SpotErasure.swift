import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

extension SpotTransaction {
    /// What becomes of the spots of somebody who erases themselves: what they hold is given back to who is there, what nobody else has to do with is
    /// deleted, and what somebody else posted or claimed stays without them.
    func erase(
        _ person: PersonID, within limits: SpotLimits
    ) async throws -> (records: [ErasedRecords], photos: [String]) {
        let photos: [String] = try await transaction.query(
            "SELECT DISTINCT photo FROM spots WHERE posted_by = \(person) AND photo IS NOT NULL"
        ).map { try $0.get("photo") }
        let released = try await sweep(
            Self.all(
                """
                claimed_by = \(person) AND posted_by <> \(PersonID.nobody) AND parked_at IS NULL
                AND claimed_at > \(now - limits.claimLifetime)
                """)
        ) { try $0.release(by: person, at: now) }
        _ = try await sweep(Self.all("posted_by = \(person) AND state = 'free' AND expires_at > \(now)")) {
            try $0.remove(by: person, at: now)
        }
        let changes = try await transaction.pipeline([
            """
            DELETE FROM spots
            WHERE posted_by = \(person) AND (claimed_by IS NULL OR claimed_by = \(PersonID.nobody))
            """,
            "DELETE FROM spots WHERE claimed_by = \(person) AND posted_by = \(PersonID.nobody)",
            "UPDATE spots SET posted_by = \(PersonID.nobody), photo = NULL WHERE posted_by = \(person)",
            "UPDATE spots SET claimed_by = \(PersonID.nobody) WHERE claimed_by = \(person)",
            "DELETE FROM observations WHERE person = \(person)",
        ]).map(\.affected)
        let records = [
            ErasedRecords(.spots, changes[0]), ErasedRecords(.unnamed, changes[2]),
            ErasedRecords(.claims, released + changes[1] + changes[3]), ErasedRecords(.observations, changes[4]),
        ]
        return (records.filter { $0.count > 0 }, photos)
    }

    private static func all(_ condition: SQLQuery) -> SQLQuery {
        "SELECT \(ParkingSpot.columns) FROM spots WHERE \(condition) FOR NO KEY UPDATE"
    }
}
