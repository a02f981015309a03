import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// The way to a provider and back: bound to a browser, good once, and what happens where a provider does wrong.
@Suite struct IdentityWayTests {
    @Test func a_way_back_is_good_once_and_a_double_click_is_the_same_request() async throws {
        try await IdentityBench.run { (bench) async throws in
            _ = try await bench.signUp(try await bench.visit().ticket)
            let way = try await bench.start()
            let (code, id) = (bench.agree(way), UUID.version7())
            // Slow enough for both to be under way at once.
            let tokens = try await withThrowingTaskGroup { group in
                for _ in 0..<5 { group.addTask { try await bench.finish(way, code: code, id: id) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1.signedIn?.refreshToken ?? "none") }
            }
            #expect(tokens.count == 1 && !tokens.contains("none"))
            #expect(bench.provider.asked.filter { $0 == "/token" }.count == 2)
            // Another request with the same state opens no second session.
            #expect(try await refusal { try await bench.finish(way, code: code) }?.code == .identityStale)
            #expect(try await bench.auth.count("sessions") == 2)
        }
    }

    @Test func tickets_are_good_once_too_and_a_repeated_sign_up_is_the_same() async throws {
        try await IdentityBench.run { (bench) async throws in
            let (ticket, id) = (try await bench.visit().ticket, UUID.version7())
            let first = try await bench.signUp(ticket, id: id)
            #expect(try await bench.signUp(ticket, id: id) == first)
            #expect(try await refusal { try await bench.signUp(ticket) }?.code == .identityStale)
            #expect(try await refusal { try await bench.proposal(ticket) }?.code == .identityStale)
            let ben = Caller(person: try await bench.auth.newcomer("Ben"))
            #expect(try await refusal { try await bench.link(ticket, as: ben) }?.code == .identityStale)
            for forged in ["", "AAAA", Base64URL.encode(Array(repeating: 1, count: 48))] {
                #expect(try await refusal { try await bench.signUp(forged) }?.code == .identityStale)
            }
        }
    }

    @Test func a_state_belongs_to_its_browser_its_provider_its_person_and_its_ten_minutes() async throws {
        try await IdentityBench.run { (bench) async throws in
            let way = try await bench.start()
            let code = bench.agree(way)
            let other = Base64URL.encode(Array(repeating: 8, count: 32))
            #expect(
                try await refusal { try await bench.finish(way, code: code, browser: other) }?.code == .identityStale)
            // One in 64 ends with whatever one would put there.
            let altered = String(way.state.dropLast()) + (way.state.hasSuffix("A") ? "B" : "A")
            for forged in ["", "x", Base64URL.encode(Array(repeating: 1, count: 48)), altered] {
                let forged = IdentityBench.Way(query: ["state": forged])
                #expect(try await refusal { try await bench.finish(forged, code: code) }?.code == .identityStale)
            }
            // A ticket is no state.
            let ticket = IdentityBench.Way(query: ["state": try await bench.visit(sub: "2").ticket ?? ""])
            #expect(try await refusal { try await bench.finish(ticket, code: code) }?.code == .identityStale)

            let ben = Caller(person: try await bench.auth.newcomer("Ben"))
            let linking = try await bench.start(link: true, as: ben)
            let linkCode = bench.agree(linking, sub: "3")
            for caller in [Caller.anonymous, Caller(person: .new())] {
                let refused = try await refusal { try await bench.finish(linking, code: linkCode, as: caller) }
                #expect(refused?.code == .identityStale)
            }
            let outcome = try await bench.finish(linking, code: linkCode, as: ben)
            #expect(outcome.link && outcome.signedIn == nil)
            #expect(try await refusal { try await bench.proposal(outcome.ticket) }?.code == .identityStale)
            #expect(try await refusal { try await bench.signUp(outcome.ticket) }?.code == .identityStale)
            #expect(try await refusal { try await bench.start(link: true) }?.code == .unauthenticated)

            bench.auth.clock.advance(by: .seconds(601))
            #expect(try await refusal { try await bench.finish(way, code: code) }?.code == .identityStale)
            bench.auth.clock.advance(by: .seconds(1800))
            #expect(try await refusal { try await bench.link(outcome.ticket, as: ben) }?.code == .identityStale)
            bench.auth.clock.advance(by: .seconds(900))
            try await bench.auth.parts.upkeep.prune()
            #expect(try await bench.auth.count("identity_sign_ins") == 0)
        }
    }

    @Test func who_answers_has_to_be_who_was_asked() async throws {
        try await IdentityBench.run { (bench) async throws in
            let way = try await bench.start()
            let code = bench.agree(way)
            let refused = try await refusal { try await bench.finish(way, code: code, issuer: "https://evil.example") }
            #expect(refused?.code == .identityRefused)
            #expect(try await bench.finish(way, code: code).ticket != nil)
        }
    }

    @Test func who_says_no_is_told_so_and_the_way_is_over() async throws {
        try await IdentityBench.run { (bench) async throws in
            let way = try await bench.start()
            for _ in 0..<2 {
                let refused = try await refusal { try await bench.finish(way, code: nil, error: "access_denied") }
                #expect(refused?.code == .identityDenied)
            }
            #expect(try await refusal { try await bench.finish(way, code: bench.agree(way)) }?.code == .identityStale)
            let other = try await bench.start()
            let broken = try await refusal { try await bench.finish(other, code: nil, error: "server_error") }
            #expect(broken?.code == .identityRefused)
            #expect(try await bench.auth.count("accounts") == 0)
        }
    }

    @Test func ways_that_are_begun_from_one_network_are_counted() async throws {
        try await IdentityBench.run({ configuration, _ in configuration.identitySignIns.perNetwork = 3 }) {
            (bench) async throws in
            for _ in 0..<3 { _ = try await bench.start() }
            #expect(try await refusal { try await bench.start() }?.code == .tooManyRequests)
            _ = try await bench.start(as: Caller(address: "203.0.113.8"))
            bench.auth.clock.advance(by: .seconds(901))
            _ = try await bench.start()
        }
    }

    @Test(
        arguments: [
            ["nonce": "another"], ["aud": "other"], ["iss": "https://evil.example"], ["exp": 1], ["azp": "other"],
        ] as [[String: any Sendable]])
    func a_token_that_is_not_believed_lets_nobody_in(_ wrong: [String: any Sendable]) async throws {
        try await IdentityBench.run { (bench) async throws in
            let way = try await bench.start()
            let code = bench.agree(way, wrong)
            #expect(try await refusal { try await bench.finish(way, code: code) }?.code == .identityRefused)
            #expect(try await refusal { try await bench.finish(way, code: code) }?.code == .identityStale)
        }
    }

    @Test func a_rotated_key_is_looked_up_and_made_up_ones_once_a_minute() async throws {
        try await IdentityBench.run { (bench) async throws in
            _ = try await bench.visit(sub: "1")
            let next = try TestKeys("second")
            bench.provider.state.withLock { $0.keys = next }
            bench.auth.clock.advance(by: .seconds(61))
            #expect(try await bench.visit(sub: "2").ticket != nil)
            #expect(bench.provider.asked.filter { $0 == "/keys" }.count == 2)
            // Somebody else's key under a name that nobody knows.
            let keys = try next.published().map { key in
                ["kty": key.kty, "kid": key.kid ?? "", "n": key.n ?? "", "e": key.e ?? ""]
            }
            bench.provider.instead(of: "/keys") { try ProviderDouble.json(["keys": [keys[0]]]) }
            let strange = try TestKeys("third")
            bench.provider.state.withLock { $0.keys = strange }
            for _ in 0..<3 { #expect(try await refusal { try await bench.visit() }?.code == .identityRefused) }
            #expect(bench.provider.asked.filter { $0 == "/keys" }.count == 2)
            bench.auth.clock.advance(by: .seconds(61))
            for _ in 0..<3 { #expect(try await refusal { try await bench.visit() }?.code == .identityRefused) }
            #expect(bench.provider.asked.filter { $0 == "/keys" }.count == 3)
        }
    }

    @Test func what_the_token_leaves_out_is_asked_of_userinfo_if_it_is_about_the_same_person() async throws {
        try await IdentityBench.run { (bench) async throws in
            bench.provider.state.withLock {
                $0.userInfo = [
                    "sub": "24400320", "name": "Maya Tan", "email": "maya@example.org", "email_verified": true,
                ]
            }
            let proposal = try await bench.proposal(try await bench.visit([:]).ticket)
            #expect(proposal.name == "Maya Tan" && proposal.email == "maya@example.org" && !proposal.picture)
            #expect(try await refusal { try await bench.visit(sub: "2", [:]) }?.code == .identityRefused)
            bench.provider.instead(of: "/userinfo") { Response(status: .internalServerError) }
            #expect(try await bench.visit(sub: "3", ["name": "Ben"]).ticket != nil)
        }
    }

    @Test func a_picture_is_the_providers_or_out_in_the_world() async throws {
        try await IdentityBench.run { (bench) async throws in
            bench.provider.instead(of: "/maya.png") {
                Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "a picture")))
            }
            #expect(try await picture(of: bench, at: "\(bench.provider.issuer)/maya.png") == "YSBwaWN0dXJl")
            #expect(try await picture(of: bench, at: "\(bench.provider.issuer)/none.png") == nil)
            // Inside, and not the provider's: another port of this machine, another name of it, a private network.
            let asked = bench.provider.asked.count
            for address in [
                "http://localhost:\(bench.provider.port)/maya.png", "https://localhost:\(bench.provider.port)/maya.png",
                "https://10.0.0.1/maya.png", "http://example.org/maya.png", "file:///etc/passwd",
            ] {
                #expect(try await picture(of: bench, at: address) == nil)
            }
            #expect(bench.provider.asked[asked...].allSatisfy { $0 != "/maya.png" })
            let long = String(repeating: "x", count: 600 * 1024)
            bench.provider.instead(of: "/maya.png") {
                Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: long)))
            }
            #expect(try await picture(of: bench, at: "\(bench.provider.issuer)/maya.png") == nil)
        }
    }

    private func picture(of bench: IdentityBench, at address: String) async throws -> String? {
        let ticket = try await bench.visit(["name": "Maya", "picture": address]).ticket
        let found = try? await bench.auth.call(
            AuthMethods.identityPicture, Nothing(), IdentityTicket(ticket: ticket ?? ""))
        return found?.base64
    }
}
