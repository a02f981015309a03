import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import Reactor
import TestKit
import WireProtocol

/// A service's database in a schema of the test's own.
struct ServiceDatabase: Sendable {
    let test: TestDatabase
    let database: Database

    static let digestKey = Array("a key that only tests use".utf8)
    static let logger = Logger.quiet

    var schema: String { test.schema }
    var url: String { test.url }

    /// The same schema as another process would see it; its pool has to be closed.
    func another(
        service: String = "here", url: String? = nil, on reactor: Reactor? = nil, waiting: Duration = .seconds(5)
    ) throws -> Database {
        var configuration = try PostgresConfiguration(url: url ?? test.url, schema: schema)
        configuration.waitingTimeout = waiting
        let pool = PostgresPool(reactor: reactor ?? test.reactor, configuration: configuration, logger: .quiet)
        return Database(pool: pool, service: service, digestKey: Self.digestKey, logger: .quiet)
    }

    /// Runs `body` on a schema with the common tables and `things (id text, n int8)`, and takes it away again.
    static func with(
        settings: DatabaseSettings = DatabaseSettings(), clock: @escaping @Sendable () -> Date = { Date() },
        _ body: (ServiceDatabase) async throws -> Void
    ) async throws {
        try await TestDatabase.with { test in
            let database = Database(
                pool: test.pool, service: "here", digestKey: digestKey, settings: settings, clock: clock, logger: .quiet
            )
            try await database.migrate([
                Migration(1, "things", "CREATE TABLE things (id text PRIMARY KEY, n int8 NOT NULL DEFAULT 0)")
            ])
            try await body(ServiceDatabase(test: test, database: database))
        }
    }

    func value(of thing: String) async throws -> Int? {
        try await database.pool.query("SELECT n FROM things WHERE id = \(thing)").first?.get("n")
    }
}

/// Something that happened to a thing: it became `n`.
struct Became: Event, Equatable {
    static let type = "became"
    var n: Int
}

/// One person's request with some content.
func request(
    _ id: UUID, person: PersonID? = ID(UUID(uuidString: "018f0000-0000-7000-8000-000000000001")!),
    content: String = "body"
) -> RequestContext {
    RequestContext(
        id: id, method: "here.do", deadline: Date() + 10, caller: Caller(person: person), peer: .gateway,
        content: Array(content.utf8))
}

/// Events of a publisher in a row.
func events(
    _ things: [(aggregate: String, n: Int)], from publisher: String = "there", epoch: UUID, after position: Int64 = 0
) throws -> [EventEnvelope] {
    try things.enumerated().map { index, thing in
        EventEnvelope(
            publisher: publisher, epoch: epoch, position: position + Int64(index) + 1,
            header: EventHeader(
                id: .version7(), type: Became.type, aggregate: thing.aggregate, audience: .nobody, occurredAt: Date()),
            payload: try WireJSON.encode(Became(n: thing.n)))
    }
}

/// The error of that type that `body` throws.
func thrown<E: Error, Value>(_ type: E.Type = E.self, _ body: () async throws -> Value) async -> E? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? E }
}
