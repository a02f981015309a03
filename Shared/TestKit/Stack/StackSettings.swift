import FoundationEssentials
import Messaging
import WireProtocol
import ZeroMQ

/// The settings of the processes of one local stack: ports, keys, directories, database.
struct StackSettings: Sendable {
    /// One for each replica of the gateway.
    let baseURLs: [String]
    let proxies: [PeerRole: (requests: FaultProxy, events: FaultProxy)]
    private let binaries: String
    private let directory: String
    private let database: StackDatabase
    private let overrides: [String: String]
    private let ports: [StackMember: Ports]
    let members: [StackMember]

    private struct Ports {
        var requests = FreePort.next()
        var events = FreePort.next()
        var health = FreePort.next()
    }

    /// Makes key pairs for all roles and picks the ports.
    init(
        binaries: String, directory: String, database: StackDatabase, options: Stack.Options
    ) throws {
        self.binaries = binaries
        self.directory = directory
        self.database = database
        overrides = options.settings
        for role in PeerRole.allCases { try BusKeys.create(role: role, in: "\(directory)/keys") }
        let members = PeerRole.services.flatMap { role in
            (0..<(options.replicas[role] ?? 1)).map { StackMember(role, $0) }
        }
        let ports = Dictionary(uniqueKeysWithValues: members.map { ($0, Ports()) })
        self.members = members
        self.ports = ports
        baseURLs = members.filter { $0.role == .gateway }.map { _ in "http://127.0.0.1:\(FreePort.next())" }
        proxies =
            !options.hasProxies
            ? [:]
            : Dictionary(
                uniqueKeysWithValues: PeerRole.stateful.map { role in
                    let first = ports[StackMember(role)]!
                    return (role, (FaultProxy(to: first.requests), FaultProxy(to: first.events)))
                })
    }

    func executable(of member: StackMember) -> String { "\(binaries)/\(member.role.rawValue)" }

    var operatorTool: String { "\(binaries)/kampong" }

    func healthURL(of member: StackMember) -> String { "http://127.0.0.1:\(ports[member]!.health)/health/ready" }

    func environment(of member: StackMember) -> [String: String] {
        var all = inherited
        all.merge(bus(member)) { _, new in new }
        all.merge(member.role == .gateway ? gateway(member.number) : stateful(member)) { _, new in new }
        all.merge(community) { _, new in new }
        return all.merging(overrides) { _, new in new }
    }

    /// Of the tests' own environment only what every program expects: a developer's KAMPONG_… must not reach the stack.
    private var inherited: [String: String] {
        TestSetup.environment.filter { ["PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH"].contains($0.key) }
    }

    private func bus(_ member: StackMember) -> [String: String] {
        let settings = [
            "KAMPONG_BUS_SECRETKEY": secretKey(of: member.role), "KAMPONG_BUS_PUBLICKEYS": publicKeys,
            "KAMPONG_HEALTH_PORT": String(ports[member]!.health),
            "KAMPONG_LOG_FORMAT": "text", "KAMPONG_LOG_LEVEL": "info",
        ]
        return settings.merging(peers) { _, new in new }
    }

    /// Where everybody finds the services that answer.
    private var peers: [String: String] {
        var settings: [String: String] = [:]
        for peer in PeerRole.stateful {
            let name = "KAMPONG_PEERS_\(peer.rawValue.uppercased())"
            let replicas = members.filter { $0.role == peer }.map { ports[$0]! }
            let requests = (proxies[peer]?.requests.port).map { [$0] } ?? replicas.map(\.requests)
            let events = (proxies[peer]?.events.port).map { [$0] } ?? replicas.map(\.events)
            settings["\(name)_REQUESTS"] = requests.map(endpoint).joined(separator: ",")
            settings["\(name)_EVENTS"] = events.map(endpoint).joined(separator: ",")
        }
        return settings
    }

    /// What a service's program needs to bring its tables up to date, as their owner.
    func migrationEnvironment(of service: PeerRole) -> [String: String] {
        environment(of: StackMember(service)).merging(ownership(of: service)) { _, new in new }
    }

    /// What a service's program needs for another verb of its own.
    func verbEnvironment(of service: PeerRole) -> [String: String] {
        operatorEnvironment(database: nil).merging(ownership(of: service)) { _, new in new }
    }

    private func ownership(of service: PeerRole) -> [String: String] {
        ["KAMPONG_DATABASE_URL": database.ownerURL(of: service.rawValue)]
    }

    /// What `kampong` needs to act as the operator of this stack.
    func operatorEnvironment(database service: PeerRole?) -> [String: String] {
        var settings = [
            "KAMPONG_BUS_SECRETKEY": secretKey(of: .operator), "KAMPONG_BUS_PUBLICKEYS": publicKeys,
            "KAMPONG_STREETS_DIRECTORY": folder("streets"),
        ].merging(peers) { _, new in new }.merging(inherited) { own, _ in own }
        if let service { settings["KAMPONG_DATABASE_URL"] = database.url(of: service.rawValue) }
        return settings
    }

    private func secretKey(of role: PeerRole) -> String { "\(directory)/keys/secret/\(role.rawValue).key" }
    private var publicKeys: String { "\(directory)/keys/public" }

    private func stateful(_ member: StackMember) -> [String: String] {
        [
            "KAMPONG_BUS_REQUESTS": endpoint(ports[member]!.requests),
            "KAMPONG_BUS_EVENTS": endpoint(ports[member]!.events),
            "KAMPONG_DATABASE_URL": database.url(of: member.role.rawValue),
            "KAMPONG_AUTH_SECRETS": "\(directory)/auth.secrets",
            "KAMPONG_AUTH_PASSWORDS": TestSetup.environment["KAMPONG_AUTH_PASSWORDS"] ?? "",
            // All the people of a test come from one address.
            "KAMPONG_AUTH_LIMITS_ADDRESS": "1000000",
            "KAMPONG_PUBLIC_URL": baseURLs[0],
            "KAMPONG_MAIL_FOLDER": mailFolder,
            "KAMPONG_STREETS_DIRECTORY": folder("streets"),
        ]
    }

    private func gateway(_ number: Int) -> [String: String] {
        let baseURL = baseURLs[number]
        let given = TestSetup.environment
        return [
            "KAMPONG_HTTP_HOST": "127.0.0.1", "KAMPONG_HTTP_PORT": String(baseURL.split(separator: ":").last!),
            "KAMPONG_PUBLIC_URL": baseURL, "KAMPONG_PHOTOS_DIRECTORY": folder("photos"), "KAMPONG_PHOTOS_REST": "1",
            "KAMPONG_MAP_DIRECTORY": given["KAMPONG_MAP_DIRECTORY"] ?? folder("map"),
            "KAMPONG_VENDOR_DIRECTORY": given["KAMPONG_VENDOR_DIRECTORY"] ?? folder("vendor"),
        ]
    }

    private var community: [String: String] {
        [
            "KAMPONG_COMMUNITY_NAME": "Test", "KAMPONG_COMMUNITY_CURRENCY": "SGD",
            "KAMPONG_COMMUNITY_CENTER": "60.1711,24.9500", "KAMPONG_COMMUNITY_REGIONS": "North,South",
            "KAMPONG_COMMUNITY_CAMPUSES": "hill=Hill Campus:hill.example.org,bay=Bay Campus:.bay.example.org",
            "KAMPONG_TEXT_FOLDER": mailFolder,
        ]
    }

    /// Where the stack's mails and texts become files.
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
        for service in PeerRole.services {
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
