package import DurableMessaging
import FoundationEssentials
package import Messaging
package import Postgres
package import WireProtocol

/// Who is apart from whom, in a service's own schema, so that it keeps them apart in one hop, and while auth is away.
///
/// Auth's events feed it, and a snapshot brings what was before. Both say pairs: which of two people blocked the other is not known
/// here, and so cannot be told.
package struct BlockProjection: Sendable {
    /// Runs beside the service, and fills the table with the blocks that were made before.
    package let snapshot: BlockSnapshot

    package init(database: Database, askAll: @escaping BlockSnapshot.Ask) {
        snapshot = BlockSnapshot(database: database, ask: askAll)
    }

    package init(database: Database, asking client: RequestClient) {
        self.init(database: database) { last in
            try await client.call(
                AuthMethods.blockedPairs, BlockedPairsQuery(after: last), Nothing(), deadline: Date() + 5)
        }
    }

    /// Makes the table `blocks` in the schema of the service, which gives it a place among its own migrations.
    package static func migration(number: Int) -> Migration { Migration(number, "blocks", BlockContents.tables) }

    /// Keeps what auth says.
    /// - Parameter changed: what else the service does in the same transaction, once the table says it.
    package func follow(
        on consumer: DurableConsumer,
        changed: @escaping @Sendable (BlockedPair, CommandTransaction) async throws -> Void = { _, _ in }
    ) {
        snapshot.follow(on: consumer)
        consumer.on(PeopleBlocked.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            try await transaction.pipeline(Self.beginning(event.pair))
            try await changed(event.pair, transaction)
        }
        consumer.on(PeopleUnblocked.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            try await transaction.pipeline(Self.ending(event.pair))
            try await changed(event.pair, transaction)
        }
    }

    // MARK: For the statements of services

    /// A condition on many rows: the one that `person` names (a column that is never NULL) is not apart from the one who asks.
    ///
    /// Those from whom they are apart are looked up once, index only, and kept in a hash table: people without blocks pay for one look. It
    /// stays a filter, which leaves a statement the order of its index: PostgreSQL makes no join of a `NOT IN`, as it does of a `NOT EXISTS`.
    package static func isTogether(_ person: SQLQuery, with viewer: PersonID) -> SQLQuery {
        "\(person) NOT IN (SELECT other FROM blocks WHERE person = \(viewer))"
    }

    /// The same of a row or two, by one look into the index for each.
    package static func isTogetherHere(_ person: SQLQuery, with viewer: PersonID) -> SQLQuery {
        "NOT EXISTS (SELECT FROM blocks WHERE blocks.person = \(viewer) AND other = \(person) OFFSET 0)"
    }

    // MARK: Statements

    /// No page is taken over between this and the end of the transaction: it would not know of what is done here.
    private static let holdingPages: SQLQuery = "SELECT FROM blocks_snapshot FOR SHARE"

    private static func beginning(_ pair: BlockedPair) -> [SQLQuery] {
        [
            holdingPages,
            """
            INSERT INTO blocks (person, other, generation)
            SELECT person, other, generation
            FROM blocks_snapshot, (VALUES (\(pair.low)::uuid, \(pair.high)::uuid), (\(pair.high), \(pair.low))) AS pair (person, other)
            ON CONFLICT (person, other) DO UPDATE SET generation = excluded.generation
            """,
            "DELETE FROM blocks_lifted WHERE low = \(pair.low) AND high = \(pair.high)",
        ]
    }

    private static func ending(_ pair: BlockedPair) -> [SQLQuery] {
        [
            holdingPages,
            "DELETE FROM blocks WHERE person = \(pair.low) AND other = \(pair.high)",
            "DELETE FROM blocks WHERE person = \(pair.high) AND other = \(pair.low)",
            """
            INSERT INTO blocks_lifted (low, high)
            SELECT \(pair.low)::uuid, \(pair.high)::uuid FROM blocks_snapshot WHERE NOT is_complete
            ON CONFLICT DO NOTHING
            """,
        ]
    }
}
