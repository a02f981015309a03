import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

extension WantedTransaction {
    /// What somebody looked for goes, with what was found, and what is known of their own things. A look at each of these tells others who have found it.
    func erase(_ person: PersonID) async throws -> [ErasedRecords] {
        let gone = try await transaction.pipeline([
            // First: a round that holds one of them keeps a hit after this, which the next statement sees.
            "DELETE FROM wanted WHERE person = \(person)",
            "DELETE FROM hits WHERE person = \(person)",
            """
            INSERT INTO looks (kind, subject, at, due_at)
            SELECT kind, subject, \(now), \(now) FROM searchables WHERE owner = \(person)
            """,
            "DELETE FROM searchables WHERE owner = \(person)",
        ])[0].affected
        return gone > 0 ? [ErasedRecords(.wanted, gone)] : []
    }
}
