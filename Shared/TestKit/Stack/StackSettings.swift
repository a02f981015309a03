internal import Messaging
internal import WireProtocol
internal import ZeroMQ

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The settings of the processes of one local stack: ports, keys, directories, database.
struct StackSettings: Sendable {
    let baseURL: String
    let proxies: [PeerRole: (requests: FaultProxy, events: FaultProxy)]
    private let binaries: String
    private let directory: String
    private let database: StackDatabase
    private let overrides: [String: String]
    private let ports: [PeerRole: Ports]

    private struct Ports {
        var requests = FreePort.next()
        var events = FreePort.next()
        var health = FreePort.next()
    }

    private static let stateful: [PeerRole] = [.auth, .listings, .notification]

    /// Makes key pairs for all roles and picks the ports.
    init(
        binaries: String, directory: String, database: StackDatabase, hasProxies: Bool, overrides: [String: String]
    ) throws {
        self.binaries = binaries
        self.directory = directory
        self.database = database
        self.overrides = overrides
        for role in PeerRole.allCases { try BusKeys.create(role: role, in: "\(directory)/keys") }
        let ports = Dictionary(uniqueKeysWithValues: LocalStack.services.map { ($0, Ports()) })
        self.ports = ports
        baseURL = "http://127.0.0.1:\(FreePort.next())"
        proxies =
            !hasProxies
            ? [:]
            : Dictionary(
                uniqueKeysWithValues: Self.stateful.map { role in
                    (role, (FaultProxy(to: ports[role]!.requests), FaultProxy(to: ports[role]!.events)))
                })
    }

    func executable(of service: PeerRole) -> String { "\(binaries)/\(service.rawValue)" }

    func healthURL(of service: PeerRole) -> String { "http://127.0.0.1:\(ports[service]!.health)/health/ready" }

    func environment(of service: PeerRole) -> [String: String] {
        // Of the tests' own environment only what every program expects: a developer's KAMPONG_… must not reach the stack.
        var all = TestSetup.environment.filter {
            ["PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH"].contains($0.key)
        }
        all.merge(bus(service)) { _, new in new }
        all.merge(service == .gateway ? gateway() : stateful(service)) { _, new in new }
        all.merge(community) { _, new in new }
        return all.merging(overrides) { _, new in new }
    }

    private func bus(_ service: PeerRole) -> [String: String] {
        var settings = [
            "KAMPONG_BUS_SECRETKEY": "\(directory)/keys/secret/\(service.rawValue).key",
            "KAMPONG_BUS_PUBLICKEYS": "\(directory)/keys/public",
            "KAMPONG_HEALTH_PORT": String(ports[service]!.health),
            "KAMPONG_LOG_FORMAT": "text", "KAMPONG_LOG_LEVEL": "info",
        ]
        for peer in Self.stateful {
            let name = "KAMPONG_PEERS_\(peer.rawValue.uppercased())"
            settings["\(name)_REQUESTS"] = endpoint(proxies[peer]?.requests.port ?? ports[peer]!.requests)
            settings["\(name)_EVENTS"] = endpoint(proxies[peer]?.events.port ?? ports[peer]!.events)
        }
        return settings
    }

    private func stateful(_ service: PeerRole) -> [String: String] {
        [
            "KAMPONG_BUS_REQUESTS": endpoint(ports[service]!.requests),
            "KAMPONG_BUS_EVENTS": endpoint(ports[service]!.events),
            "KAMPONG_DATABASE_URL": database.url(of: service.rawValue),
            "KAMPONG_AUTH_SECRETS": "\(directory)/auth.secrets",
            // All the people of a test come from one address.
            "KAMPONG_AUTH_LIMITS_ADDRESS": "1000000",
            "KAMPONG_PUBLIC_URL": baseURL,
            "KAMPONG_MAIL_FOLDER": mailFolder,
        ]
    }

    private func gateway() -> [String: String] {
        let given = TestSetup.environment
        return [
            "KAMPONG_HTTP_HOST": "127.0.0.1", "KAMPONG_HTTP_PORT": String(baseURL.split(separator: ":").last!),
            "KAMPONG_PUBLIC_URL": baseURL, "KAMPONG_PHOTOS_DIRECTORY": folder("photos"),
            "KAMPONG_MAP_DIRECTORY": given["KAMPONG_MAP_DIRECTORY"] ?? folder("map"),
            "KAMPONG_VENDOR_DIRECTORY": given["KAMPONG_VENDOR_DIRECTORY"] ?? folder("vendor"),
        ]
    }

    private var community: [String: String] {
        [
            "KAMPONG_COMMUNITY_NAME": "Test", "KAMPONG_COMMUNITY_CURRENCY": "SGD",
            "KAMPONG_COMMUNITY_CENTER": "60.1711,24.9500", "KAMPONG_COMMUNITY_REGIONS": "North,South",
        ]
    }

    /// Where the stack's mails become files.
    var mailFolder: String { folder("mail") }

    private func endpoint(_ port: Int) -> String { "tcp://127.0.0.1:\(port)" }

    /// A directory of the stack's own, made if it is missing.
    private func folder(_ name: String) -> String {
        let path = "\(directory)/\(name)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}

/// Where the programs of the stack are.
enum StackBinaries {
    /// `KAMPONG_STACK_BINARIES`, or the directory of the test program itself, where the build puts them.
    static func directory() throws -> String {
        let directory: String
        if let named = TestSetup.environment["KAMPONG_STACK_BINARIES"], !named.isEmpty {
            directory = named
        } else {
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            directory = program.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" }
        }
        for service in LocalStack.services {
            guard FileManager.default.isExecutableFile(atPath: "\(directory)/\(service.rawValue)") else {
                throw TestSetupError(
                    """
                    The program \(directory)/\(service.rawValue) is missing. Build it (swift build), or name the directory of the \
                    programs by KAMPONG_STACK_BINARIES.
                    """)
            }
        }
        return directory
    }
}
