import Argon2
import DurableMessaging
import Foundation
import Logging
import Postgres
import Reactor
import Synchronization
import TestKit
import WireProtocol

@testable import AuthService
@testable import Messaging

/// Auth on a schema of its own in a real PostgreSQL, asked as the bus asks it, with a clock that stands still.
final class AuthBench: Sendable {
    let reactor: Reactor
    let passwords: PasswordHasher
    let pool: PostgresPool
    let database: Database
    let clock: FixedClock
    let secrets: AuthSecrets
    let parts: AuthParts
    let stores: PostgresAuthDatabase
    let counts = WorkCounts()
    let posts = PostShelf()
    private let router: RequestRouter

    static let url =
        ProcessInfo.processInfo.environment["KAMPONG_TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1/kampong_test"

    /// - Parameter other: Another replica on the same database, with threads and connections of its own.
    private init(_ configuration: AuthConfiguration, besides other: AuthBench?) async throws {
        let schema = other?.pool.configuration.schema ?? "auth_" + UUID().uuidString.prefix(8).lowercased()
        var settings = try PostgresConfiguration(url: Self.url, schema: schema)
        settings.poolSize = 6
        // Hundreds of tests share two processors: who waits for a row because of them is not what any of these is about.
        settings.lockTimeout = .seconds(30)
        settings.statementTimeout = .seconds(60)
        settings.waitingTimeout = .seconds(40)
        let logger = Logger(label: "auth") { _ in SwiftLogNoOpLogHandler() }
        let clock = other?.clock ?? FixedClock(Date(timeIntervalSince1970: 1_795_232_513.123))
        reactor = Reactor(name: "auth")
        pool = PostgresPool(reactor: reactor, configuration: settings, logger: logger)
        secrets = other?.secrets ?? AuthSecrets(master: (0..<32).map { _ in UInt8.random(in: 0...255) })
        database = Database(
            pool: pool, service: "auth", digestKey: secrets.requestDigestKey, clock: clock.read, logger: logger)
        try await database.migrate(AuthSchema.migrations)
        let counts = self.counts
        stores = PostgresAuthDatabase(
            database: database, fields: secrets.fields,
            apart: Apartness(betweenCampuses: configuration.campuses.areApart)
        ) {
            CountedStatements(base: $0, counts: counts)
        }
        passwords = PasswordHasher(secrets: secrets, cost: .cheapest, atOnce: 4, waiting: 200)
        let hasher = CountedHasher(base: passwords, counts: counts)
        let posts = self.posts
        parts = AuthParts(
            configuration, secrets, stores, hasher: hasher, subject: { try posts.find($0) },
            messages: { try posts.messages($0) }, commitments: { try await posts.commitments(of: $0) }, logger: logger,
            now: clock.read)
        self.clock = clock
        var router = RequestRouter(service: "auth")
        parts.endpoint.answer(on: &router)
        self.router = router
        try await parts.keys.tend()
    }

    /// Runs a test on a fresh schema, which goes afterwards.
    static func run(
        _ configure: (inout AuthConfiguration) -> Void = { _ in }, _ test: (AuthBench) async throws -> Void
    ) async throws {
        var configuration = AuthConfiguration(secrets: "")
        configuration.rules.regions = ["Kent Ridge", "Clementi"]
        configure(&configuration)
        let bench = try await AuthBench(configuration, besides: nil)
        do {
            try await test(bench)
        } catch {
            try await bench.tearDown()
            throw error
        }
        try await bench.tearDown()
    }

    /// Runs with a second replica beside this one.
    func withReplica(
        _ configure: (inout AuthConfiguration) -> Void = { _ in }, _ test: (AuthBench) async throws -> Void
    ) async throws {
        var configuration = AuthConfiguration(secrets: "")
        configure(&configuration)
        let replica = try await AuthBench(configuration, besides: self)
        do {
            try await test(replica)
        } catch {
            await replica.close()
            throw error
        }
        await replica.close()
    }

    private func tearDown() async throws {
        _ = try await pool.query("DROP SCHEMA \(unescaped: pool.configuration.schema) CASCADE")
        await close()
    }

    private func close() async {
        await pool.close()
        passwords.stop()
        reactor.stop()
    }

    // MARK: Asking

    /// Asks as the gateway does: through bytes, the router and the endpoint.
    func call<P, B, R>(
        _ method: Method<P, B, R>, _ parameters: P, _ body: B, as caller: Caller = .anonymous, id: UUID = .version7()
    ) async throws -> R {
        try WireJSON.decode(from: try await bytes(method, parameters, body, as: caller, id: id))
    }

    func bytes<P, B, R>(
        _ method: Method<P, B, R>, _ parameters: P, _ body: B, as caller: Caller = .anonymous, id: UUID = .version7()
    ) async throws -> [UInt8] {
        let request = RequestEnvelope(
            id: id, method: method.name, deadline: Date() + 30, caller: caller,
            parameters: try WireJSON.encode(parameters), body: try WireJSON.encode(body))
        let context = RequestContext(request, from: .gateway)
        return try await router.routes[method.name]!.handle(request, context).bytes
    }

    func signUp(
        _ email: String, _ password: String = "quiet river stones", name: String = "Maya", username: String? = nil,
        from address: String? = "203.0.113.7", device: String? = nil, id: UUID = .version7()
    ) async throws -> NewAccount {
        try await call(
            AuthMethods.signUp, DeviceParameters(device: device),
            SignUp(email: email, password: password, name: name, username: username), as: Caller(address: address),
            id: id)
    }

    func newcomer(_ name: String) async throws -> PersonID {
        try await signUp("\(UUID())@example.org", name: name).person.id
    }

    /// As many at once as one likes, of whom nobody signs in.
    func newcomers(_ count: Int) async throws -> [PersonID] {
        let ids = (0..<count).map { _ in PersonID.new(at: clock.now) }
        _ = try await database.query(
            """
            INSERT INTO accounts (id, email, email_digest, password_hash, name, joined_at)
            SELECT id, id || '@example.org', uuid_send(id), uuid_send(id), 'Person ' || n, now()
            FROM unnest(\(ids.map(\.uuid))) WITH ORDINALITY AS person (id, n)
            """)
        return ids
    }

    func signIn(
        _ email: String, _ password: String = "quiet river stones", from address: String? = "203.0.113.7",
        device: String? = nil, id: UUID = .version7()
    ) async throws -> SignedIn {
        try await call(
            AuthMethods.signIn, DeviceParameters(device: device), SignIn(email: email, password: password),
            as: Caller(address: address), id: id)
    }

    func refresh(_ token: String, id: UUID = .version7()) async throws -> SignedIn {
        try await call(AuthMethods.refresh, Nothing(), Refresh(refreshToken: token), id: id)
    }

    // MARK: Looking

    func count(_ table: String) async throws -> Int {
        try await pool.query("SELECT count(*) AS count FROM \(unescaped: table)")[0].get("count")
    }

    /// The events of a type that were published so far.
    func events<E: Event>(_ type: E.Type) async throws -> [(header: EventHeader, event: E)] {
        let rows = try await pool.query(
            "SELECT header::text AS header, payload::text AS payload FROM outbox ORDER BY id")
        return try rows.compactMap { row in
            let header = try WireJSON.decode(EventHeader.self, from: Array(try row.get("header", as: String.self).utf8))
            guard header.type == E.type else { return nil }
            return (header, try WireJSON.decode(E.self, from: Array(try row.get("payload", as: String.self).utf8)))
        }
    }
}

/// How much work was done: what a stopwatch would see.
final class WorkCounts: Sendable {
    struct Work: Hashable, Sendable {
        var hashes = 0
        var statements: [String] = []
    }
    private let work = Mutex(Work())

    func add(hashes: Int) { work.withLock { $0.hashes += hashes } }
    func add(statement: String) { work.withLock { $0.statements.append(statement) } }

    /// What was done since the last time.
    func take() -> Work {
        work.withLock { work in
            defer { work = Work() }
            return work
        }
    }
}

private struct CountedStatements: Statements {
    let base: any Statements
    let counts: WorkCounts

    func query(_ query: SQLQuery) async throws -> PostgresRows {
        counts.add(statement: query.text)
        return try await base.query(query)
    }
}

private struct CountedHasher: PasswordHashing {
    let base: any PasswordHashing
    let counts: WorkCounts

    func hash(_ password: Password, for email: EmailAddress, before deadline: Date) async throws -> [UInt8] {
        counts.add(hashes: 1)
        return try await base.hash(password, for: email, before: deadline)
    }
}

/// The code of the refusal that `body` ends with; nil where it succeeds.
func refusal(of body: () async throws -> some Any) async throws -> ServiceError? {
    do {
        _ = try await body()
        return nil
    } catch let error as any Refusal {
        return error.serviceError
    }
}

extension AuthBench {
    /// Everything that the schema holds, as text.
    func dump(besides more: [String] = []) async throws -> String {
        var text = ""
        for table in [
            "keystone", "accounts", "sessions", "attempts", "known_addresses", "signing_keys", "requests", "outbox",
        ] + more {
            let rows = try await pool.query("SELECT t::text AS row FROM \(unescaped: table) t")
            text += try rows.map { try $0.get("row", as: String.self) }.joined(separator: "\n")
        }
        return text
    }
}
