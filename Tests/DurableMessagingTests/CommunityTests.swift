import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import People

/// The bundle of what a service keeps of the community.
@Suite struct CommunityTests {
    /// As services made them that are older than the bundle.
    private static let steps = [
        PeopleProjection.migration(number: 1), PeopleProjection.snapshotMigration(number: 2),
        PeopleProjection.campusMigration(number: 3), PeopleProjection.reputationMigration(number: 4),
        BlockProjection.migration(number: 5), PeopleErasure.migration(number: 6),
        SuspensionProjection.migration(number: 7), ModeratorProjection.migration(number: 8),
    ]

    /// Columns, constraints and indexes of all tables, and how far each snapshot is.
    private func shape(after migrations: [Migration]) async throws -> [String] {
        try await TestDatabase.with(migrations: migrations) { test in
            let rows = try await test.pool.query(
                """
                SELECT concat_ws(' ', 'column', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
                    pg_get_expr(adbin, adrelid)) AS line
                FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
                LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                UNION ALL
                SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
                FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
                UNION ALL
                SELECT replace(indexdef, current_schema(), 'here') FROM pg_indexes WHERE schemaname = current_schema()
                UNION ALL
                SELECT concat_ws(' ', 'snapshots', people_snapshot, blocks_snapshot, suspensions_snapshot, moderators_snapshot)
                FROM people_snapshot, blocks_snapshot, suspensions_snapshot, moderators_snapshot
                ORDER BY line
                """)
            return try rows.map { try $0.get("line") }
        }
    }

    @Test func the_one_migration_makes_what_the_many_make() async throws {
        let many = try await shape(after: Self.steps)
        #expect(try await shape(after: [Community.migration(number: 1)]) == many)
        for table in ["people", "people_snapshot", "blocks", "people_erased", "suspensions", "moderators"] {
            #expect(many.contains { $0.hasPrefix("column \(table) 1 ") }, "\(table)")
        }
    }

    private func with(
        tellsModerators: Bool = true, _ body: (Database, DurableConsumer, Community) async throws -> Void
    ) async throws {
        try await Database.withCommunity("CREATE TABLE done (what text, person uuid)") { database in
            let community = Community(
                people: PeopleProjection(database: database, ask: { _ in nil }),
                blocks: BlockProjection(database: database) { _ in Page(items: []) },
                suspensions: SuspensionProjection(database: database),
                moderators: tellsModerators ? ModeratorProjection(database: database) : nil)
            try await body(database, DurableConsumer(database: database), community)
        }
    }

    @Test func what_auth_says_is_kept_and_what_follows_is_done_by_one_call() async throws {
        let (ada, ben) = (PersonID.new(), PersonID.new())
        try await with { database, consumer, community async throws in
            community.follow(
                on: consumer,
                erase: { person, transaction in
                    try await transaction.query(Self.note("erased", person))
                    return ([], [])
                },
                parted: { pair, transaction in try await transaction.query(Self.note("parted", pair.low)) },
                suspended: { person, transaction in try await transaction.query(Self.note("suspended", person)) },
                left: { person, transaction in try await transaction.query(Self.note("left", person)) })
            let (epoch, pair) = (UUID(), BlockedPair(ada, ben))
            let suspension = Suspension(since: Date(), until: nil, reason: "x")
            try await consumer.hear(PersonChanged(person: PersonSummary(id: ada, name: "Ada")), at: 1, of: epoch)
            try await consumer.hear(PeopleBlocked(pair: pair), at: 2, of: epoch)
            try await consumer.hear(PersonSuspended(person: ben, suspension: suspension), at: 3, of: epoch)
            try await consumer.hear(RolesChanged(person: ada, roles: [.moderator]), at: 4, of: epoch)
            try await consumer.hear(RolesChanged(person: ben, roles: []), at: 5, of: epoch)
            #expect(try await done(in: database) == ["left \(ben)", "parted \(pair.low)", "suspended \(ben)"])
            #expect(try await rows(of: ada, in: database) == [1, 2, 0, 1, 0])
            try await consumer.hear(PersonErased(erasure: .new(), person: ada), at: 6, of: epoch)
            #expect(try await done(in: database).contains("erased \(ada)"))
            #expect(try await rows(of: ada, in: database) == [0, 0, 0, 0, 1])
        }
    }

    @Test func who_moderates_is_kept_where_moderators_are_told_something() async throws {
        try await with { _, _, community async throws in #expect(community.snapshots.count == 4) }
        let ada = PersonID.new()
        try await with(tellsModerators: false) { database, consumer, community async throws in
            #expect(community.snapshots.count == 3)
            _ = try await database.query("DROP TABLE moderators")
            community.follow(on: consumer, erase: { _, _ in ([], []) })
            let epoch = UUID()
            try await consumer.hear(RolesChanged(person: ada, roles: [.moderator]), at: 1, of: epoch)
            try await consumer.hear(PersonErased(erasure: .new(), person: ada), at: 2, of: epoch)
            let erased = try await database.query("SELECT FROM people_erased WHERE id = \(ada)")
            #expect(erased.count == 1)
        }
    }

    private static func note(_ what: String, _ person: PersonID) -> SQLQuery {
        "INSERT INTO done (what, person) VALUES (\(what), \(person))"
    }

    private func done(in database: Database) async throws -> [String] {
        try await database.query("SELECT what || ' ' || person AS line FROM done ORDER BY line").map {
            try $0.get("line")
        }
    }

    /// How many rows are about somebody: of people, blocks, suspensions, moderators, and of the erased.
    private func rows(of person: PersonID, in database: Database) async throws -> [Int] {
        let counts = try await database.query(
            """
            SELECT (SELECT count(*) FROM people WHERE id = \(person)) AS people,
                (SELECT count(*) FROM blocks WHERE \(person) IN (person, other)) AS blocks,
                (SELECT count(*) FROM suspensions WHERE person = \(person)) AS suspensions,
                (SELECT count(*) FROM moderators WHERE person = \(person)) AS moderators,
                (SELECT count(*) FROM people_erased WHERE id = \(person)) AS erased
            """)[0]
        return try ["people", "blocks", "suspensions", "moderators", "erased"].map { try counts.get($0) }
    }
}
