import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresBlockStore: BlockStore {
    let statements: any Statements

    func block(between one: PersonID, and other: PersonID) async throws -> Block? {
        try await statements.query(
            """
            SELECT blocker, blocked, since FROM blocks WHERE blocker = \(one.uuid) AND blocked = \(other.uuid)
            UNION ALL SELECT blocker, blocked, since FROM blocks WHERE blocker = \(other.uuid) AND blocked = \(one.uuid)
            """
        ).first.map { row in
            Block(
                blocker: PersonID(try row.get("blocker")), blocked: PersonID(try row.get("blocked")),
                since: try row.get("since"))
        }
    }

    func count(by person: PersonID) async throws -> Int {
        try await statements.query("SELECT count(*) AS blocks FROM blocks WHERE blocker = \(person.uuid)")[0]
            .get("blocks")
    }

    func add(_ block: Block) async throws {
        try await statements.query(
            """
            INSERT INTO blocks (blocker, blocked, since)
            VALUES (\(block.blocker.uuid), \(block.blocked.uuid), \(block.since))
            """)
    }

    func remove(_ block: Block) async throws {
        try await statements.query(
            "DELETE FROM blocks WHERE blocker = \(block.blocker.uuid) AND blocked = \(block.blocked.uuid)")
    }

    // MARK: Lists

    func blocks(by person: PersonID, after: MomentCursor?, limit: Int) async throws -> [BlockedPerson] {
        let onwards: SQLQuery = after.map { "AND (since, blocked) < (\($0.time), \($0.id))" } ?? ""
        return try await statements.query(
            """
            SELECT \(PersonSummary.columns), since
            FROM (SELECT blocked, since FROM blocks WHERE blocker = \(person.uuid) \(onwards)
                ORDER BY since DESC, blocked DESC LIMIT \(unescaped: "\(limit)")) AS page
            JOIN accounts ON id = blocked
            ORDER BY since DESC, blocked DESC
            """
        ).map { BlockedPerson(person: try PersonSummary($0), since: try $0.get("since")) }
    }

    func apart(from person: PersonID, after: PersonID?, limit: Int) async throws -> [PersonID] {
        let (later, earlier): (SQLQuery, SQLQuery) =
            after.map { ("AND blocked > \($0.uuid)", "AND blocker > \($0.uuid)") } ?? ("", "")
        let limit: SQLQuery = "LIMIT \(unescaped: "\(limit)")"
        return try await statements.query(
            """
            SELECT person FROM (
                (SELECT blocked AS person FROM blocks WHERE blocker = \(person.uuid) \(later) ORDER BY blocked \(limit))
                UNION ALL
                (SELECT blocker FROM blocks WHERE blocked = \(person.uuid) \(earlier) ORDER BY blocker \(limit))
            ) AS both_sides ORDER BY person \(limit)
            """
        ).map { PersonID(try $0.get("person")) }
    }

    func pairs(after: BlockedPair?, limit: Int) async throws -> [BlockedPair] {
        let onwards: SQLQuery =
            after.map {
                """
                WHERE (least(blocker, blocked), greatest(blocker, blocked)) > (\($0.low.uuid)::uuid, \($0.high.uuid)::uuid)
                """
            } ?? ""
        return try await statements.query(
            """
            SELECT blocker, blocked FROM blocks \(onwards)
            ORDER BY least(blocker, blocked), greatest(blocker, blocked) LIMIT \(unescaped: "\(limit)")
            """
        ).map { BlockedPair(PersonID(try $0.get("blocker")), PersonID(try $0.get("blocked"))) }
    }
}
