import FoundationEssentials
import GatewayService
import Hummingbird
import Logging
import NIOCore
import TestKit
import WireProtocol

/// A gateway on a free port before services that a test plays.
struct TestDoor: Sendable {
    let port: Int
    let backend: FakeBackend
    let tokens: AccessTokens
    let issuer: TokenIssuer
    let relay: StreamRelay
    let parts: DoorParts
    let directory: String

    struct Options: Sendable {
        var limits: [LimitClass: Int] = [:]
        var streams = StreamRelay.Limits()
        var logCapacity = 2048
        var publicURL = "http://share.example"
        var times = ConnectionTimes()
        var connections = ConnectionLimits()
        var bodies = BodyMemory()
        var assets: [String: String] = [:]
        var maps = MapCatalog.none
    }

    static let csrfKey = Array("a secret of this test".utf8)
    /// As every replica of one gateway has them.
    static let ids = StreamIDs(secret: csrfKey, publishers: ["auth", "listings"])

    /// Runs a gateway as long as `body` does.
    static func run(
        _ options: Options = Options(), _ body: @Sendable @escaping (TestDoor) async throws -> Void
    ) async throws {
        let directory = "/tmp/gateway-tests-\(UUID.version7())"
        try FileManager.default.createDirectory(atPath: directory + "/assets", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for (name, text) in options.assets {
            try Data(text.utf8).write(to: URL(filePath: "\(directory)/assets/\(name)"))
        }
        let made = try await make(options, directory)
        try await LoopbackServer.run(made.parts) { port in
            try await body(
                TestDoor(
                    port: port, backend: made.backend, tokens: made.tokens, issuer: made.issuer,
                    relay: made.parts.relay, parts: made.parts, directory: directory))
        }
    }

    static var logger: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    private static func make(
        _ options: Options, _ directory: String
    ) async throws -> (parts: DoorParts, backend: FakeBackend, tokens: AccessTokens, issuer: TokenIssuer) {
        let backend = FakeBackend()
        let issuer = TokenIssuer()
        let relay = StreamRelay(
            ids: ids, limits: options.streams, logCapacity: options.logCapacity, logger: logger)
        let tokens = AccessTokens(backend: backend, logger: logger, ended: { relay.end(sessions: $0) })
        await tokens.adopt(SigningKeys(keys: [issuer.published]))
        let community = Community(
            name: "Testholm", regions: ["North"], currency: "SGD", center: Position(latitude: 1.3, longitude: 103.8),
            publicURL: options.publicURL)
        let csrf = CSRF(key: csrfKey, publicURL: options.publicURL)
        let photos = try PhotoStore(directory: directory + "/photos", logger: logger)
        let pages = PageServices(
            backend: PhotoCheck(backend, photos: photos), community: community, photos: photos,
            relay: relay,
            sessions: WebSessions(backend: backend, tokens: tokens, csrf: csrf, secure: community.isSecure), csrf: csrf,
            assets: AssetCatalog([("", directory + "/assets")]), maps: options.maps, resources: GatewayResources(),
            logger: logger)
        let parts = DoorParts(
            pages: pages, photos: photos, limits: RateLimits(perMinute: options.limits),
            connections: options.connections,
            times: options.times, bodies: options.bodies)
        return (parts, backend, tokens, issuer)
    }

    // MARK: Asking it

    func send(
        _ method: String, _ path: String, _ headers: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> RawResponse {
        try await RawHTTP.send(port: port, method, path, headers, body: body)
    }

    func get(_ path: String, _ headers: [(String, String)] = []) async throws -> RawResponse {
        try await send("GET", path, headers)
    }

    func json(
        _ method: String, _ path: String, _ text: String, _ headers: [(String, String)] = []
    ) async throws -> RawResponse {
        try await send(method, path, headers + [("Content-Type", "application/json")], body: Array(text.utf8))
    }

    func bearer(_ person: PersonID = .new(), session: SessionID = .new()) -> (String, String) {
        ("Authorization", "Bearer \(issuer.token(for: person, session: session))")
    }
}

extension LoopbackServer {
    /// Runs a door for as long as `body` does.
    static func run(_ parts: DoorParts, _ body: @Sendable @escaping (Int) async throws -> Void) async throws {
        try await run({
            try Door.application(
                parts, host: "127.0.0.1", port: 0, logger: TestDoor.logger, onServerRunning: $0)
        }) { port in
            // Streams that are open would keep it from ending.
            defer { parts.relay.stop() }
            try await body(port)
        }
    }
}
