import Foundation
import TestKit
import Testing
import WireProtocol

extension Trait where Self == ConditionTrait {
    /// For what cannot be enforced or shown in every engine; the summary of a run names what was left out for it.
    static func engineCan(_ what: String, _ sentence: Comment) -> Self {
        .enabled(sentence) {
            guard ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] != nil else { return false }
            return try await Community.stack.look("can", what).hasPrefix("yes")
        }
    }
}

extension StackTests {
    /// What a container may do beside its work: nothing. Looked at on those that run.
    @Suite(
        .enabled(if: ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] != nil, "there are no containers here"))
    struct ConfinementTests {
        @Test(arguments: Container.all) func each_has_what_is_said_of_it_and_no_more(_ it: Container) async throws {
            let found = try await it.inspected()
            let host = found.HostConfig
            #expect(host.CapDrop == ["ALL"] && !host.Privileged && host.ReadonlyRootfs)
            #expect(Set((host.CapAdd ?? []).map { $0.replacing("CAP_", with: "") }) == it.capabilities)
            #expect((host.SecurityOpt ?? []).contains { $0.hasPrefix("no-new-privileges") && !$0.hasSuffix("false") })
            #expect(Set(found.NetworkSettings.Networks.keys.map(Container.network)) == it.networks)
            // Neither the machine's network nor its processes, nor those of another container.
            #expect(["host", "container"].allSatisfy { !host.NetworkMode.hasPrefix($0) && host.PidMode != $0 })
            if !it.isOneShot, it.name != "postgres" { #expect(found.Config.User == "kampong") }
        }

        @Test(arguments: Container.all.filter { !$0.isOneShot })
        func the_kernel_holds_it(_ it: Container) async throws {
            let status = try await it.status()
            #expect(status["NoNewPrivs"] == "1")
            #expect(status["Root"] == "read-only")
            let user = try #require(status["Uid"]?.split(separator: "\t").first)
            #expect(user != "0")
            for set in ["CapPrm", "CapEff", "CapAmb"] { #expect(status[set] == "0000000000000000", "\(set)") }
            // What PostgreSQL's start needs, which none of its processes has any more.
            #expect(status["CapBnd"] == (it.name == "postgres" ? "00000000000000cd" : "0000000000000000"))
        }

        @Test(.engineCan("memory", "the engine cannot limit memory"), arguments: Container.all)
        func each_has_so_much_memory_and_no_more(_ it: Container) async throws {
            let limit = try await it.inspected().HostConfig.Memory
            #expect((256 << 20...4 << 30).contains(limit))
            if !it.isOneShot { #expect(try await it.status()["Memory"] == String(limit)) }
        }

        @Test(.engineCan("processes", "the engine cannot limit processes"), arguments: Container.all)
        func each_has_so_many_processes_and_no_more(_ it: Container) async throws {
            let limit = try #require(try await it.inspected().HostConfig.PidsLimit)
            #expect((64...1024).contains(limit))
            if !it.isOneShot { #expect(try await it.status()["Processes"] == String(limit)) }
        }

        @Test(
            .engineCan("outside", "the engine cannot be shown somebody outside"),
            arguments: Container.all.filter { !$0.isOneShot })
        func only_those_reach_outside_who_ask_others_servers(_ it: Container) async throws {
            let reached = try await Community.stack.look("outside", it.name)
            #expect(reached == (it.networks.contains("outside") ? "yes\n" : "no\n"))
        }

        @Test func the_door_leads_to_the_services_and_not_to_the_database() async throws {
            let stack = try await Community.stack
            for service in PeerRole.stateful.map(\.rawValue) {
                #expect(try await stack.look("reach", "gateway", service, "7101") == "yes\n")
                #expect(try await stack.look("reach", service, "postgres", "5432") == "yes\n")
            }
            #expect(try await stack.look("reach", "gateway", "postgres", "5432") == "no\n")
        }
    }
}

/// A container, and what it is to have.
struct Container: Sendable, CustomTestStringConvertible {
    var name: String
    var networks: Set<String>
    var capabilities: Set<String> = []
    var isOneShot = false

    var testDescription: String { name }

    static let all: [Container] = {
        let inside: Set = ["services", "database"]
        let asking: Set = ["auth", "notification"]
        let services = PeerRole.stateful.map(\.rawValue).map { name in
            Container(name: name, networks: asking.contains(name) ? inside.union(["outside"]) : inside)
        }
        let owners = PeerRole.stateful.map(\.rawValue).map { name in
            Container(name: "\(name)-owner", networks: ["database"], isOneShot: true)
        }
        let giving: Set = ["CHOWN", "DAC_OVERRIDE", "FOWNER"]
        return services + owners + [
            Container(name: "gateway", networks: ["door", "services"]),
            Container(
                name: "postgres", networks: ["database"],
                capabilities: ["CHOWN", "DAC_READ_SEARCH", "FOWNER", "SETGID", "SETUID"]),
            Container(name: "setup", networks: ["none"], capabilities: giving, isOneShot: true),
            Container(name: "database", networks: inside, capabilities: giving, isOneShot: true),
            Container(name: "gazetteer", networks: ["database"], isOneShot: true),
        ]
    }()

    /// `<project>_services` by the name that the compose file gives it.
    static func network(_ name: String) -> String { String(name.split(separator: "_").last ?? "") }

    /// The lines `Name: value` of what its kernel says.
    func status() async throws -> [String: String] {
        let lines = try await Community.stack.look("status", name).split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return (String(line[..<colon]), String(value))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    func inspected() async throws -> Inspected {
        let text = try await Community.stack.look("inspect", name)
        return try #require(try JSONDecoder().decode([Inspected].self, from: Data(text.utf8)).first)
    }
}

/// What of `docker inspect` is looked at, by the names that it has there.
struct Inspected: Decodable {
    var Config: Configuration
    var HostConfig: Host
    var NetworkSettings: Settings

    struct Configuration: Decodable {
        var User: String
    }
    struct Host: Decodable {
        var CapAdd: [String]?
        var CapDrop: [String]?
        var Memory: Int
        var NetworkMode: String
        var PidMode: String
        var PidsLimit: Int?
        var Privileged: Bool
        var ReadonlyRootfs: Bool
        var SecurityOpt: [String]?
    }
    struct Settings: Decodable {
        var Networks: [String: Network]
    }
    struct Network: Decodable {}
}
