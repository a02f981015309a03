import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

extension WantedTransaction {
    /// What somebody looked for goes, with what was found, and what is known of their own things. A look at each of these tells others who have found it.
    func erase(_ person: PersonID) async throws -> [ErasedRecords] {
        // In the order in which everybody locks them.
        try await transaction.pipeline([
            "SELECT FROM searchables WHERE owner = \(person) ORDER BY kind, subject FOR UPDATE",
            "SELECT FROM wanted WHERE person = \(person) ORDER BY id FOR UPDATE",
        ])
        let gone = try await transaction.pipeline([
            // First: a round that holds one of them keeps a hit after this, which the next statement sees.
            "DELETE FROM wanted WHERE person = \(person)",
            "DELETE FROM hits WHERE person = \(person)",
            """
            INSERT INTO looks (kind, subject, at, due_at)
            SELECT kind, subject, \(now), \(now) FROM searchables WHERE owner = \(person)
            """,
            "DELETE FROM invitations WHERE driver = \(person)",
            """
            DELETE FROM announcements USING searchables
            WHERE searchables.owner = \(person) AND searchables.kind = 'ride' AND announcements.ride = searchables.subject
            """,
            "DELETE FROM searchables WHERE owner = \(person)",
        ])[0].affected
        return gone > 0 ? [ErasedRecords(.wanted, gone)] : []
    }
}
