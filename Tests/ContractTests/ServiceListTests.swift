import Foundation
import Testing
import WireProtocol

/// What a new service touches is listed in `Services/README.md`, and every service that there is went that way.
@Suite struct ServiceListTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// As `Package.swift` declares them: `Auth`.
    private static let services: [String] = {
        let package = (try? text("Package.swift")) ?? ""
        return package.matches(of: /\+ service\(\s*"(\w+)"/).map { String($0.1) }
    }()

    /// The paths that the list's items begin with: `Shared/WireProtocol/<Name>.swift`.
    private static func items() throws -> [String] {
        let page = try text("Services/README.md")
        let list = try #require(page.components(separatedBy: "## A service more").last)
        return list.matches(of: /(?m)^(\d+)\. `([^`]+)`/).map { String($0.2) }
    }

    @Test func every_declared_service_is_in_every_file_of_the_list() throws {
        let items = try Self.items()
        #expect(items.count >= 6 && Self.services.count >= 3)
        for service in Self.services {
            let name = service.lowercased()
            for item in items {
                let path = item.replacing("<Name>", with: service).replacing("<name>", with: name)
                if path.hasSuffix("/") {
                    for file in ["README.md", "\(service)Wiring.swift", "\(service)Configuration.swift", "Main"] {
                        #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: path + file).path()))
                    }
                } else {
                    let text = try Self.text(path)
                    #expect(text.contains(try Regex("\\b(\(name)|\(service))\\b")), "\(path) does not name \(name)")
                }
            }
        }
    }

    @Test func package_roles_and_scripts_name_the_same_services() throws {
        #expect(Set(PeerRole.services.map(\.rawValue)) == Set(Self.services.map { $0.lowercased() }))
        let script = try Self.text("deploy/lib/services.sh")
        let stateful = try #require(script.firstMatch(of: /(?m)^stateful_services=\((.*)\)$/)).1.split(separator: " ")
        #expect(stateful.map(String.init) == PeerRole.stateful.map(\.rawValue))
    }

    @Test func containers_are_told_of_every_service() throws {
        let compose = try Self.text("docker-compose.yml")
        for name in PeerRole.services.map(\.rawValue) {
            for line in ["  \(name):\n", "own-\(name):/handout/\(name)\n", "  own-\(name):\n"] {
                #expect(compose.contains(line), "docker-compose.yml lacks \(line)")
            }
        }
        for name in PeerRole.stateful.map(\.rawValue) {
            for (kind, port) in [("REQUESTS", 7101), ("EVENTS", 7102)] {
                let line = "KAMPONG_PEERS_\(name.uppercased())_\(kind): tcp://\(name):\(port)\n"
                #expect(compose.contains(line), "docker-compose.yml lacks \(line)")
            }
            #expect(compose.contains("\(name): {condition: service_healthy}"), "the gateway does not wait for \(name)")
            // Its tables have an owner, which is another container with a password of its own.
            for line in [
                "  \(name)-owner:\n    <<: *owner\n    image: kampong/\(name)\n", "      - owner-\(name):/own:ro\n",
                "owner-\(name):/handout/owner-\(name)\n", "  owner-\(name):\n",
                "      \(name)-owner: {condition: service_completed_successfully}\n",
            ] { #expect(compose.contains(line), "docker-compose.yml lacks \(line)") }
        }
    }

    /// Listings does all that services do for others, and whoever asks or hears it for that finds it by `Capabilities.swift`; so one more is found.
    /// It is named where it is asked for what it alone has.
    @Test func whoever_asks_all_services_names_none() throws {
        let own = [
            "Services/Listings/", "Shared/WireProtocol/Listings.swift", "Shared/WireProtocol/SpotMethods.swift",
            "Shared/WireProtocol/RentalMethods.swift", "Shared/WireProtocol/Caller.swift",
            "Shared/WireProtocol/Capabilities.swift",
            // Who may ask auth for somebody, and for a telephone number.
            "Shared/WireProtocol/Auth.swift", "Shared/WireProtocol/Contacts.swift",
            // Whose spot somebody held who is suspended; what it published before notices were events.
            "Services/Auth/PostgresAuthDatabase.swift", "Services/Notification/InboxFollowing.swift",
            // Its calls and its pages.
            "Services/Gateway/API/APIRoutes", "Services/Gateway/Pages/Me/MySpotsPage.swift",
            "Services/Gateway/Pages/Parking/", "Services/Gateway/Pages/Rentals/", "Services/Gateway/Pages/Sharing/",
            "Services/Gateway/Pages/Things/",
        ]
        let names = [".listings", "\"listings\"", "ListingsMethods", "ListingsEvents"]
        for folder in ["Services", "Shared"] {
            let files = try #require(FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path()))
            for case let file as String in files where file.hasSuffix(".swift") {
                let path = "\(folder)/\(file)"
                guard !own.contains(where: { path.hasPrefix($0) }) else { continue }
                let text = try Self.text(path)
                #expect(!names.contains(where: { text.contains($0) }), "\(path) names listings")
            }
        }
    }

    /// Whatever else listed them would be one file more to touch.
    @Test func no_other_script_or_stack_lists_the_services() throws {
        let lists = try Regex(PeerRole.stateful.map { "\\.?\"?\($0.rawValue)\"?" }.joined(separator: "[ ,|]+"))
        for folder in ["deploy", "Shared/TestKit/Stack", "Services/Gateway"] {
            let files = try #require(FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path()))
            for case let file as String in files {
                let path = "\(folder)/\(file)"
                guard path != "deploy/lib/services.sh", let text = try? Self.text(path) else { continue }
                // Looked for name by name first: the expression takes a minute for all files.
                let lines = text.split(separator: "\n").filter { line in
                    PeerRole.stateful.allSatisfy { line.contains($0.rawValue) } && line.contains(lists)
                        && !line.contains(/#|\/\/|\|/)
                }
                #expect(lines.isEmpty || path.hasSuffix(".md"), "\(path) lists the services: \(lines)")
            }
        }
    }
}
