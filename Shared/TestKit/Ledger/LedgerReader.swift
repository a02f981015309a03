import FoundationEssentials
import Messaging
import Postgres
import Reactor
import WireProtocol

/// Reads what the services have in their schemas, as a superuser and past all of their code.
struct LedgerReader: Sendable {
    let administrator: AdministratorPool
    let services: [String]
    private let reactor: Reactor

    init(url: String, services: [String]) throws {
        reactor = Reactor(name: "ledger")
        administrator = try AdministratorPool(url: url, reactor: reactor)
        self.services = services
    }

    func close() async {
        await administrator.close()
        await reactor.stopFromTask()
    }

    /// Has every change of these tables written down, in the transaction that makes it.
    func tap(_ tables: [String]) async throws {
        try await administrator.run("CREATE SCHEMA ledger")
        try await administrator.run(
            """
            CREATE TABLE ledger.taps (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transaction xid8 NOT NULL, name text NOT NULL,
                old jsonb, new jsonb)
            """)
        try await administrator.run(
            """
            CREATE FUNCTION ledger.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
            BEGIN
                INSERT INTO ledger.taps (transaction, name, old, new)
                VALUES (pg_current_xact_id(), TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME,
                    CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
                RETURN NULL;
            END $$
            """)
        for table in tables {
            try await administrator.run(
                """
                CREATE TRIGGER ledger AFTER INSERT OR UPDATE OR DELETE ON \(unescaped: table)
                FOR EACH ROW EXECUTE FUNCTION ledger.note()
                """)
        }
    }

    /// What the services have, but for the rows that subjects ask for.
    func services() async throws -> [String: ServiceEvidence] {
        try await inOneMoment { try await evidence(in: $0) }
    }

    func rows(_ queries: [String: String]) async throws -> [String: [String]] {
        try await inOneMoment { try await rows(queries, in: $0) }
    }

    /// What the services have, the rows that these queries select, and what was written down of changes.
    func moment(_ queries: [String: String]) async throws -> LedgerMoment {
        try await inOneMoment { transaction in
            LedgerMoment(
                services: try await evidence(in: transaction), rows: try await rows(queries, in: transaction),
                taps: try await taps(in: transaction))
        }
    }

    /// How far each stream is by now.
    func heads() async throws -> [String: Int64] {
        var heads: [String: Int64] = [:]
        for name in services {
            let rows = try await administrator.pool.query("SELECT head FROM \(unescaped: name).outbox_head")
            heads[name] = try rows[0].get("head", as: Int64.self)
        }
        return heads
    }

    /// Nothing that is committed meanwhile is seen, however long it takes.
    private func inOneMoment<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await administrator.pool.transaction { transaction in
            try await transaction.pipeline([
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                // What was read is decoded between two statements, and there may be much of it.
                "SET LOCAL idle_in_transaction_session_timeout = 0",
            ])
            return try await body(transaction)
        }
    }

    private func rows(
        _ queries: [String: String], in transaction: PostgresTransaction
    ) async throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (name, query) in queries {
            found[name] = try await transaction.query(
                "SELECT to_jsonb(found)::text AS row FROM (\(unescaped: query)) AS found"
            ).map { try $0.get("row") }
        }
        return found
    }

    private func taps(in transaction: PostgresTransaction) async throws -> [TappedChange] {
        try await transaction.query(
            "SELECT transaction::text::bigint AS transaction, name, old::text, new::text FROM ledger.taps ORDER BY number"
        ).map {
            TappedChange(
                transaction: try $0.get("transaction"), table: try $0.get("name"), old: try $0.get("old"),
                new: try $0.get("new"))
        }
    }

    /// What is committed and not yet numbered, or not applied by these; nil where nothing waits. Of a stream in which there is nothing nobody keeps a
    /// place.
    func unsettled(_ subscriptions: [(subscriber: String, publisher: String)]) async throws -> String? {
        for name in services {
            let rows = try await administrator.pool.query(
                "SELECT FROM \(unescaped: name).outbox WHERE position IS NULL LIMIT 1")
            if !rows.isEmpty { return "\(name) has events without a position" }
        }
        for (subscriber, publisher) in subscriptions {
            let rows = try await administrator.pool.query(
                """
                SELECT reader.position::text || ' of ' || stream.head AS place
                FROM \(unescaped: publisher).outbox_head AS stream
                LEFT JOIN \(unescaped: subscriber).offsets AS reader ON reader.publisher = \(publisher)
                WHERE (reader.epoch, reader.position) IS DISTINCT FROM (stream.epoch, stream.head)
                    AND (stream.head > 0 OR reader.position IS NOT NULL)
                """)
            if let row = rows.first {
                return
                    "\(subscriber) is at \(try row.get("place", as: String?.self) ?? "nothing") of \(publisher)'s events"
            }
        }
        return nil
    }

    private func evidence(in transaction: PostgresTransaction) async throws -> [String: ServiceEvidence] {
        var found: [String: ServiceEvidence] = [:]
        for name in services { found[name] = try await evidence(of: name, in: transaction) }
        return found
    }

    private func evidence(of name: String, in transaction: PostgresTransaction) async throws -> ServiceEvidence {
        let head = try await transaction.query("SELECT epoch, head, floor FROM \(unescaped: name).outbox_head")[0]
        var evidence = ServiceEvidence(
            epoch: try head.get("epoch"), head: try head.get("head"), floor: try head.get("floor"))
        evidence.events = try await transaction.query(
            """
            SELECT id, position, (extract(epoch FROM created_at) * 1000000)::bigint AS mark, header::text, payload::text
            FROM \(unescaped: name).outbox ORDER BY id
            """
        ).map { row in
            PublishedEvent(
                number: try row.get("id"), position: try row.get("position"), mark: try row.get("mark"),
                header: try WireJSON.decode(from: Array(try row.get("header", as: String.self).utf8)),
                payload: try row.get("payload"))
        }
        for row in try await transaction.query(
            "SELECT id, (extract(epoch FROM answered_at) * 1000000)::bigint AS mark FROM \(unescaped: name).requests")
        {
            evidence.requests[try row.get("id", as: UUID.self)] = try row.get("mark", as: Int64.self)
        }
        for row in try await transaction.query("SELECT publisher, epoch, position FROM \(unescaped: name).offsets") {
            evidence.offsets[try row.get("publisher", as: String.self)] = StreamOffset(
                epoch: try row.get("epoch"), position: try row.get("position"))
        }
        let dead = try await transaction.query("SELECT count(*) AS count FROM \(unescaped: name).dead_letters")
        evidence.deadLetters = Int(try dead[0].get("count", as: Int64.self))
        return evidence
    }
}
