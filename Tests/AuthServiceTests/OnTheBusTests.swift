import Foundation
import Logging
import Messaging
import Postgres
import Reactor
import ServiceKit
import ServiceLifecycle
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import AuthService

/// The service as it is wired, on a database of its own, asked over real sockets by peers with keys.
@Suite struct OnTheBusTests {
    @Test func theWholeServiceAnswers() async throws {
        try await Town.run { town in
            try await town.runService(secrets: "auth.secrets") {
                try await town.asking(as: .gateway) { gateway in
                    let caller = Caller(address: "203.0.113.7")
                    let new = try await gateway.call(
                        AuthMethods.signUp, DeviceParameters(device: "Firefox"),
                        SignUp(
                            email: "maya@example.org", password: "quiet river stones", name: "Maya",
                            region: "Kent Ridge"), as: caller)
                    let keys = try await gateway.call(AuthMethods.signingKeys, Nothing(), Nothing())
                    #expect(keys.keys.count == 1)
                    let again = try await gateway.call(
                        AuthMethods.refresh, Nothing(), Refresh(refreshToken: new.session.refreshToken))
                    #expect(again.person == new.person)
                    let events = try await town.events(gateway, atLeast: 2)
                    #expect(events.map(\.header.type) == ["signingKeysChanged", "personChanged"])

                    let wrong = try await refusal {
                        try await gateway.call(
                            AuthMethods.signIn, DeviceParameters(),
                            SignIn(email: "maya@example.org", password: "something else"), as: caller)
                    }
                    #expect(wrong?.code == .wrongCredentials)
                    let atlantis = try await refusal {
                        try await gateway.call(
                            AuthMethods.changeProfile, Nothing(), ProfileChange(region: "Atlantis"),
                            as: Caller(person: new.person.id))
                    }
                    #expect(atlantis?.errors.map(\.field) == ["region"])
                }
                // Listings may ask for a person, and for nothing that is a person's own.
                try await town.asking(as: .listings) { listings in
                    let nobody = try await refusal {
                        try await listings.call(AuthMethods.person, PersonReference(id: .new()), Nothing())
                    }
                    #expect(nobody?.code == .notFound)
                    let refused = try await refusal { try await listings.call(AuthMethods.me, Nothing(), Nothing()) }
                    #expect(refused?.code == .forbidden)
                    #expect(try await town.events(listings, atLeast: 1).isEmpty == false)
                }
                // An operator sees what was set aside, and is no subscriber.
                try await town.asking(as: .operator) { shell in
                    let common = CommonMethods(service: "auth")
                    #expect(try await shell.call(common.deadLetters, DeadLetterQuery(), Nothing()).items.isEmpty)
                    let refused = try await refusal {
                        try await shell.call(
                            common.eventsSince, EventsSince(epoch: nil, position: 0, limit: 1), Nothing())
                    }
                    #expect(refused?.code == .forbidden)
                }
            }
        }
    }

    /// The service's role may not make its tables: who owns them does, before.
    @Test func aStartOnTablesThatAreNotThereIsRefused() async throws {
        try await Town.run { town in
            let host = try await town.host(.auth, secrets: "auth.secrets")
            let problem = await #expect(throws: MigrationError.self) { try await AuthWiring.services(host) }
            #expect(problem?.description.contains("the verb migrate") == true)
            host.close()
            try await town.runService(secrets: "auth.secrets") {}
        }
    }

    /// After a start with the right secrets, a start without them is refused, and leaves no file to be mistaken for them.
    @Test func aStartWithoutTheSecretsIsRefused() async throws {
        try await Town.run { town in
            try await town.runService(secrets: "auth.secrets") {}
            let host = try await town.host(.auth, secrets: "lost.secrets")
            let problem = await #expect(throws: SecretsProblem.self) { try await AuthWiring.services(host) }
            #expect(problem?.description.contains("lost.secrets") == true)
            #expect(town.directory.read("lost.secrets").isEmpty)
            #expect(!town.directory.read("auth.secrets").isEmpty)
            host.close()
            // And with them, it starts again.
            try await town.runService(secrets: "auth.secrets") {}
        }
    }
}

/// A database, keys and ports for one test.
private struct Town {
    let directory: TemporaryDirectory
    let database: String
    let requests = FreePort.next()
    let publishes = FreePort.next()
    let notification = FreePort.next()

    static func run(_ test: (Town) async throws -> Void) async throws {
        let name = "auth_\(UUID().uuidString.prefix(8).lowercased())"
        let town = Town(directory: try TemporaryDirectory("auth"), database: name)
        for role in PeerRole.allCases { try BusKeys.create(role: role, in: town.directory.path) }
        try await administer("CREATE DATABASE \(unescaped: name)")
        do {
            try await test(town)
        } catch {
            try? await administer("DROP DATABASE \(unescaped: name) WITH (FORCE)")
            throw error
        }
        try await administer("DROP DATABASE \(unescaped: name) WITH (FORCE)")
    }

    private static func administer(_ statement: SQLQuery) async throws {
        let reactor = Reactor(name: "administrator")
        defer { reactor.stop() }
        var configuration = try PostgresConfiguration(url: AuthBench.url, schema: "public")
        configuration.statementTimeout = .seconds(60)
        let pool = PostgresPool(reactor: reactor, configuration: configuration, logger: .quiet)
        do {
            _ = try await pool.query(statement)
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    /// The same server, the database of this test.
    private var url: String {
        var parts = URLComponents(string: AuthBench.url)!
        parts.path = "/\(database)"
        return parts.string!
    }

    func host(_ role: PeerRole, secrets: String = "none") async throws -> ServiceHost {
        let environment = [
            "KAMPONG_AUTH_SECRETS": directory.file(secrets), "KAMPONG_DATABASE_URL": url,
            "KAMPONG_AUTH_ARGON2_MEMORY": "64", "KAMPONG_COMMUNITY_REGIONS": "Kent Ridge, Clementi",
            "KAMPONG_BUS_SECRETKEY": directory.file("secret/\(role.rawValue).key"),
            "KAMPONG_BUS_PUBLICKEYS": directory.file("public"),
            "KAMPONG_BUS_REQUESTS": "tcp://127.0.0.1:\(requests)", "KAMPONG_BUS_EVENTS": "tcp://127.0.0.1:\(publishes)",
            "KAMPONG_PEERS_AUTH_REQUESTS": "tcp://127.0.0.1:\(requests)", "KAMPONG_LOG_LEVEL": "critical",
        ]
        // Nobody is there: mails wait, and nobody tells of encounters.
        .merging(PeerRole.absent { notification }) { own, _ in own }
        let (config, _) = try await Settings.load(arguments: [], environment: environment)
        let telemetry = try Telemetry.start(service: role.rawValue, config: config)
        return try ServiceHost(name: role.rawValue, role: role, config: config, telemetry: telemetry)
    }

    /// Runs the service, wired as in its process, while `body` runs.
    func runService(secrets: String, _ body: () async throws -> Void) async throws {
        let host = try await host(.auth, secrets: secrets)
        try await AuthWiring.migrate(MigrationHost(config: host.config, reactor: host.reactor, logger: host.logger))
        try await running(try await AuthWiring.services(host), body)
        host.close()
    }

    func asking(as role: PeerRole, _ body: (RequestClient) async throws -> Void) async throws {
        let host = try await host(role)
        let client = try host.requestClient(to: [.auth])
        try await running([client]) { try await body(client) }
        host.close()
    }

    /// The events from the beginning, once there are as many.
    func events(_ client: RequestClient, atLeast count: Int) async throws -> [StoredEvent] {
        let method = CommonMethods(service: "auth").eventsSince
        var epoch: UUID?
        var found: [StoredEvent] = []
        try await eventually("\(count) events") {
            let batch = try await client.call(
                method, EventsSince(epoch: epoch, position: 0, limit: 100), Nothing())
            (epoch, found) = (batch.epoch, batch.events)
            return found.count >= count
        }
        return found
    }
}
