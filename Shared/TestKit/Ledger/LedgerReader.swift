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

    /// What is there at this moment, but for the rows that subjects ask for.
    func services() async throws -> [String: ServiceEvidence] {
        var found: [String: ServiceEvidence] = [:]
        for name in services { found[name] = try await service(name) }
        return found
    }

    func rows(_ queries: [String: String]) async throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (name, query) in queries {
            found[name] = try await administrator.pool.query(
                "SELECT to_jsonb(found)::text AS row FROM (\(unescaped: query)) AS found"
            ).map { try $0.get("row") }
        }
        return found
    }

    func taps() async throws -> [TappedChange] {
        try await administrator.pool.query(
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

    private func service(_ name: String) async throws -> ServiceEvidence {
        let pool = administrator.pool
        let head = try await pool.query("SELECT epoch, head, floor FROM \(unescaped: name).outbox_head")[0]
        var evidence = ServiceEvidence(
            epoch: try head.get("epoch"), head: try head.get("head"), floor: try head.get("floor"))
        evidence.events = try await pool.query(
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
        for row in try await pool.query(
            "SELECT id, (extract(epoch FROM answered_at) * 1000000)::bigint AS mark FROM \(unescaped: name).requests")
        {
            evidence.requests[try row.get("id", as: UUID.self)] = try row.get("mark", as: Int64.self)
        }
        for row in try await pool.query("SELECT publisher, epoch, position FROM \(unescaped: name).offsets") {
            evidence.offsets[try row.get("publisher", as: String.self)] = StreamOffset(
                epoch: try row.get("epoch"), position: try row.get("position"))
        }
        let dead = try await pool.query("SELECT count(*) AS count FROM \(unescaped: name).dead_letters")
        evidence.deadLetters = Int(try dead[0].get("count", as: Int64.self))
        return evidence
    }
}
