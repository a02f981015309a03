package import DurableMessaging
import FoundationEssentials
package import Messaging
package import Postgres
package import WireProtocol

/// Who moderates, in a service's own schema, so that moderators can be told of what waits for them, also while auth is away.
///
/// Auth's events feed it, and a snapshot brings who did before. It is for telling them: who may do what is looked up at auth
/// (`ModeratorCheck`).
package struct ModeratorProjection: Sendable {
    /// Runs beside the service, and fills the table with those who moderate already.
    package let snapshot: ModeratorSnapshot

    package init(database: Database, askAll: @escaping ModeratorSnapshot.Ask = { _ in Page(items: []) }) {
        snapshot = ModeratorSnapshot(database: database, ask: askAll)
    }

    package init(database: Database, asking client: RequestClient) {
        // They are few, and come as one page.
        self.init(database: database) { _ in
            try await client.call(
                AuthMethods.roleHolders, RoleQuery(role: .moderator), Nothing(), deadline: Date() + 5)
        }
    }

    /// Makes the table `moderators` in the schema of the service, which gives it a place among its own migrations.
    package static func migration(number: Int) -> Migration {
        Migration(number, "moderators", ModeratorContents.tables)
    }

    /// Keeps what auth says.
    /// - Parameter left: what else follows for somebody who does not moderate, or does so no more, in the same transaction.
    package func follow(
        on consumer: DurableConsumer,
        left: @escaping @Sendable (PersonID, CommandTransaction) async throws -> Void
    ) {
        snapshot.follow(on: consumer)
        consumer.on(RolesChanged.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            let moderates = event.roles.contains(.moderator)
            try await transaction.pipeline([
                Self.holdingPages,
                // Kept where they moderate no more, too: a page of a snapshot that was made before must not bring them back.
                """
                INSERT INTO moderators (person, moderates, generation)
                SELECT \(event.person), \(moderates), generation FROM moderators_snapshot
                ON CONFLICT (person) DO UPDATE SET moderates = excluded.moderates, generation = excluded.generation
                """,
            ])
            if !moderates { try await left(event.person, transaction) }
        }
    }

    /// Who moderates now. That one of them does so no more is heard after the end of this transaction, so that what it tells them is found then.
    package static func moderators(in transaction: CommandTransaction) async throws -> [PersonID] {
        try await transaction.query("SELECT person FROM moderators WHERE moderates ORDER BY person FOR SHARE").map {
            try $0.get("person")
        }
    }

    /// For the service's own part of an erasure (`PeopleErasure.follow`).
    package static func forget(_ person: PersonID, in transaction: CommandTransaction) async throws {
        try await transaction.pipeline([holdingPages, "DELETE FROM moderators WHERE person = \(person)"])
    }

    /// No page is taken over between this and the end of the transaction: it would not know of what is done here.
    private static let holdingPages: SQLQuery = "SELECT FROM moderators_snapshot FOR SHARE"
}

/// Fills the table `moderators` with all whom auth knows.
package typealias ModeratorSnapshot = Snapshot<ModeratorContents>

package enum ModeratorContents: SnapshotContents {
    package typealias Place = PersonID

    package static let table = "moderators"

    static let tables = """
        CREATE TABLE moderators (
            person uuid PRIMARY KEY,
            moderates boolean NOT NULL,
            generation bigint NOT NULL
        );
        CREATE TABLE moderators_snapshot (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            generation bigint NOT NULL DEFAULT 1,
            -- The last one of the pages that are in the table.
            reached uuid,
            is_complete boolean NOT NULL DEFAULT false
        );
        INSERT INTO moderators_snapshot DEFAULT VALUES;
        """

    package static func place(of holder: RoleHolder) -> PersonID { holder.id }

    package static func insertion(of holders: [RoleHolder], in generation: Int64) -> SQLQuery {
        """
        INSERT INTO moderators (person, moderates, generation)
        SELECT person, true, \(generation) FROM unnest(\(holders.map(\.id))::uuid[]) AS page (person)
        WHERE NOT EXISTS (SELECT FROM people_erased WHERE id = person)
        ON CONFLICT (person) DO UPDATE SET moderates = excluded.moderates, generation = excluded.generation
        WHERE moderators.generation < excluded.generation
        """
    }
}
