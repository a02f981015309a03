package import DurableMessaging
package import FoundationEssentials
package import Messaging
package import Postgres
package import WireProtocol

/// Who is suspended, and until when, in a service's own schema, so that it refuses them in one hop, and while auth is away.
///
/// Auth's events feed it, and a snapshot brings what was before. A suspension is over by its time alone.
package struct SuspensionProjection: Sendable {
    /// Runs beside the service, and fills the table with the suspensions that run already.
    package let snapshot: SuspensionSnapshot

    package init(database: Database, askAll: @escaping SuspensionSnapshot.Ask = { _ in Page(items: []) }) {
        snapshot = SuspensionSnapshot(database: database, ask: askAll)
    }

    package init(database: Database, asking client: RequestClient) {
        self.init(database: database) { last in
            try await client.call(
                AuthMethods.suspendedPeople, PeopleQuery(after: last), Nothing(), deadline: Date() + 5)
        }
    }

    /// Makes the table `suspensions` in the schema of the service, which gives it a place among its own migrations.
    package static func migration(number: Int) -> Migration {
        Migration(number, "suspensions", SuspensionContents.tables)
    }

    /// Keeps what auth says.
    /// - Parameter changed: what else the service does in the same transaction, once the table says it.
    package func follow(
        on consumer: DurableConsumer,
        changed: @escaping @Sendable (PersonID, CommandTransaction) async throws -> Void
    ) {
        snapshot.follow(on: consumer)
        consumer.on(PersonSuspended.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            let isForGood = event.suspension.until == nil
            let until: SQLQuery = isForGood ? "'infinity'" : "\(event.suspension.until)"
            try await transaction.pipeline(Self.keeping(event.person, until))
            try await changed(event.person, transaction)
        }
        // Kept as over, not forgotten: a page of a snapshot that was made before must not bring it back.
        consumer.on(PersonReinstated.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            try await transaction.pipeline(Self.keeping(event.person, "'-infinity'"))
            try await changed(event.person, transaction)
        }
    }

    /// A condition: the person may not take part at that time.
    package static func isSuspended(_ person: SQLQuery, at now: Date) -> SQLQuery {
        "EXISTS (SELECT FROM suspensions WHERE suspensions.person = \(person) AND suspensions.until > \(now))"
    }

    /// The same of a row or two, by one look into the index for each: a statement that is planned anew has nothing to weigh.
    package static func isSuspendedHere(_ person: SQLQuery, at now: Date) -> SQLQuery {
        "EXISTS (SELECT FROM suspensions WHERE suspensions.person = \(person) AND suspensions.until > \(now) OFFSET 0)"
    }

    /// The same of many rows: who is suspended is looked up once for all of them.
    package static func isAmongSuspended(_ person: SQLQuery, at now: Date) -> SQLQuery {
        "\(person) IN (SELECT suspensions.person FROM suspensions WHERE suspensions.until > \(now))"
    }

    private static func keeping(_ person: PersonID, _ until: SQLQuery) -> [SQLQuery] {
        [
            // No page is taken over between this and the end of the transaction: it would not know of what is done here.
            "SELECT FROM suspensions_snapshot FOR SHARE",
            """
            INSERT INTO suspensions (person, until, generation)
            SELECT \(person), \(until), generation FROM suspensions_snapshot
            ON CONFLICT (person) DO UPDATE SET until = excluded.until, generation = excluded.generation
            """,
        ]
    }
}

/// Fills the table `suspensions` with all that run.
package typealias SuspensionSnapshot = Snapshot<SuspensionContents>

package enum SuspensionContents: SnapshotContents {
    package typealias Place = PersonID

    package static let table = "suspensions"

    static let tables = """
        -- For good is infinity; what was lifted stays, as long over.
        CREATE TABLE suspensions (
            person uuid PRIMARY KEY,
            until timestamptz NOT NULL,
            generation bigint NOT NULL
        );
        CREATE INDEX suspensions_that_run ON suspensions (until);
        CREATE TABLE suspensions_snapshot (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            generation bigint NOT NULL DEFAULT 1,
            -- The last one of the pages that are in the table.
            reached uuid,
            is_complete boolean NOT NULL DEFAULT false
        );
        INSERT INTO suspensions_snapshot DEFAULT VALUES;
        """

    package static func place(of suspended: SuspendedPerson) -> PersonID { suspended.person }

    package static func insertion(of suspended: [SuspendedPerson], in generation: Int64) -> SQLQuery {
        let ends = suspended.map { $0.until.map { WireJSON.text(of: $0) } ?? "infinity" }
        return """
            INSERT INTO suspensions (person, until, generation)
            SELECT person, until::timestamptz, \(generation)
            FROM unnest(\(suspended.map(\.person))::uuid[], \(ends)::text[]) AS page (person, until)
            WHERE NOT EXISTS (SELECT FROM people_erased WHERE id = person)
            ON CONFLICT (person) DO UPDATE SET until = excluded.until, generation = excluded.generation
            WHERE suspensions.generation < excluded.generation
            """
    }
}
