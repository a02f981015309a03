import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// A provider that is slow, dead, broken or not what it says.
@Suite struct ProviderFaultTests {
    @Test(arguments: ["/.well-known/openid-configuration", "/token"])
    func one_that_fails_is_said_to_be_away(_ path: String) async throws {
        try await IdentityBench.run { (bench) async throws in
            bench.provider.instead(of: path) { Response(status: .badGateway) }
            #expect(try await refusal { try await bench.visit() }?.code == .identityAway)
            bench.provider.instead(of: path, nil)
            bench.auth.clock.advance(by: .seconds(4))
            #expect(try await bench.visit().ticket != nil)
        }
    }

    @Test func a_dead_one_is_asked_once_for_many() async throws {
        try await IdentityBench.run { (bench) async throws in
            bench.provider.instead(of: "/.well-known/openid-configuration") { Response(status: .internalServerError) }
            for _ in 0..<10 { #expect(try await refusal { try await bench.start() }?.code == .identityAway) }
            #expect(bench.provider.asked.count == 1)
            #expect(try await bench.auth.count("identity_sign_ins") == 0)
        }
    }

    @Test func a_slow_one_holds_up_nobody_but_its_own() async throws {
        try await IdentityBench.run { (bench) async throws in
            var ways: [(IdentityBench.Way, String)] = []
            for index in 0..<6 {
                let way = try await bench.start()
                ways.append((way, bench.agree(way, sub: "\(index)")))
            }
            bench.provider.instead(of: "/token") {
                try await Task.sleep(for: .seconds(20))
                return Response(status: .ok)
            }
            let ended = Count()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (way, code) in ways {
                    group.addTask {
                        let refused = try await refusal { try await bench.finish(way, code: code) }
                        ended.value.withLock { $0 += 1 }
                        #expect(refused?.code == .identityAway)
                    }
                }
                // Four, which is as many as there are threads on which passwords are hashed.
                while bench.provider.asked.filter({ $0 == "/token" }).count < 4 {
                    try await Task.sleep(for: .milliseconds(10))
                }
                _ = try await bench.auth.signUp("maya@example.org")
                #expect(ended.value.withLock(\.self) == 0)
                try await group.waitForAll()
            }
        }
    }

    @Test func only_so_many_wait_for_a_slow_one_and_the_rest_hears_that_at_once() async throws {
        try await IdentityBench.run { (bench) async throws in
            bench.provider.instead(of: "/.well-known/openid-configuration") {
                try await Task.sleep(for: .seconds(20))
                return Response(status: .ok)
            }
            let (ended, most) = (Count(), ProviderConnection.mostWaiting)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<(most + 8) {
                    group.addTask {
                        let refused = try await refusal { try await bench.start() }
                        ended.value.withLock { $0 += 1 }
                        // Those who waited, and those who did not.
                        #expect([.identityAway, .unavailable].contains(refused?.code))
                    }
                }
                while ended.value.withLock(\.self) < 8 { try await Task.sleep(for: .milliseconds(10)) }
                #expect(ended.value.withLock(\.self) == 8)
                try await group.waitForAll()
            }
            #expect(bench.provider.asked.count == 1)
        }
    }

    @Test(
        arguments: [
            ["issuer": "https://evil.example"], ["token_endpoint": "http://id.example.org/token"],
            ["jwks_uri": "file:///etc/passwd"], ["authorization_endpoint": "javascript:alert(1)"],
            ["code_challenge_methods_supported": ["plain"]], ["userinfo_endpoint": "http://10.0.0.1/"],
        ] as [[String: any Sendable]])
    func a_description_that_will_not_do_is_none(_ wrong: [String: any Sendable]) async throws {
        try await IdentityBench.run { (bench) async throws in
            bench.provider.state.withLock { $0.description = wrong }
            #expect(try await refusal { try await bench.start() }?.code == .identityAway)
        }
    }

    @Test func answers_that_are_none_let_nobody_in() async throws {
        try await IdentityBench.run { (bench) async throws in
            let endless = String(repeating: " ", count: 300 * 1024) + "{}"
            let answers: [(@Sendable () throws -> Response, ErrorCode)] = [
                ({ try ProviderDouble.json(["access_token": "a"]) }, .identityRefused),
                ({ try ProviderDouble.json(["id_token": "a.b.c"]) }, .identityRefused),
                ({ try ProviderDouble.json(["error": "invalid_grant"], .badRequest) }, .identityRefused),
                ({ Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "<html>"))) }, .identityRefused),
                ({ Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: endless))) }, .identityAway),
                ({ Response(status: .found, headers: [.location: "https://evil.example/"]) }, .identityRefused),
            ]
            for (answer, code) in answers {
                bench.provider.instead(of: "/token") { try answer() }
                #expect(try await refusal { try await bench.visit() }?.code == code)
            }
            #expect(try await bench.auth.count("identities") == 0)
        }
    }

    @Test func a_wrong_verifier_or_secret_is_refused_by_the_provider() async throws {
        try await IdentityBench.run { (bench) async throws in
            let (one, two) = (try await bench.start(), try await bench.start())
            // The code of one way, the verifier of another.
            let code = bench.agree(one)
            #expect(try await refusal { try await bench.finish(two, code: code) }?.code == .identityRefused)
        }
        try await IdentityBench.run({ $0.identities.providers[0].secret = "\($1.port)" }) { (bench) async throws in
            #expect(try await refusal { try await bench.visit() }?.code == .identityRefused)
        }
    }
}

private final class Count: Sendable {
    let value = Mutex(0)
}
