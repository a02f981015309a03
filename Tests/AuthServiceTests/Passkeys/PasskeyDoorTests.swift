import Crypto
import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Signing in with a passkey.
@Suite struct PasskeyDoorTests {
    @Test func it_opens_a_session_as_a_password_does() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, passkey) = try await bench.device(of: ada)
            let options = try await bench.auth.call(AuthMethods.passkeySignInOptions, Nothing(), Nothing())
            #expect(options.rpId == "share.example.org" && options.allowCredentials.isEmpty)
            #expect(options.userVerification == "required")
            bench.auth.clock.advance(by: .seconds(60))
            let id = UUID.version7()
            let signedIn = try await bench.signIn(device, options.challenge, id: id)
            #expect(signedIn.person.id == ada.person)
            let again = try await bench.auth.refresh(signedIn.refreshToken)
            #expect(again.person == signedIn.person)
            let sessions = try await bench.auth.call(AuthMethods.sessions, Nothing(), Nothing(), as: ada).items
            #expect(sessions.count == 2 && sessions.contains { $0.device == "Firefox" })
            let used = try #require(try await bench.list(ada).first?.lastUsedAt)
            #expect(WireJSON.text(of: used) == WireJSON.text(of: bench.auth.clock.now))
            #expect(try await bench.list(ada).map(\.id) == [passkey.id])
            // The same request is the same session; another one with the same challenge is none.
            let assertion = try device.sign(options.challenge)
            #expect(try await refusal { try await bench.signIn(assertion) }?.code == .passkeyStale)
            #expect(try await bench.auth.count("sessions") == 2)
        }
    }

    @Test func a_repeated_request_is_answered_with_the_same_bytes() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, _) = try await bench.device(of: ada)
            let (assertion, id) = (try device.sign(try await bench.challenge()), UUID.version7())
            let first = try await bench.signIn(assertion, id: id)
            #expect(try await bench.signIn(assertion, id: id) == first)
            let other = try device.sign(try await bench.challenge())
            #expect(try await refusal { try await bench.signIn(other, id: id) }?.code == .idempotencyMismatch)
        }
    }

    @Test func of_many_finishes_with_one_challenge_one_gets_in() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, _) = try await bench.device(of: ada)
            let challenge = try await bench.challenge()
            let assertions = try (0..<8).map { _ in try device.sign(challenge) }
            let codes = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
                for assertion in assertions {
                    group.addTask { try await refusal { try await bench.signIn(assertion) }?.code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1 && codes.filter { $0 == .passkeyStale }.count == 7)
            #expect(try await bench.auth.count("sessions") == 2)
        }
    }

    @Test(arguments: PasskeyRulesTests.entering)
    func what_is_wrong_does_not_lead_in(_ wrong: PasskeyRulesTests.Case) async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            var (device, _) = try await bench.device(of: ada)
            wrong.change(&device)
            let refused = try await refusal { try await bench.signIn(device) }
            #expect(refused?.code == .passkeyRefused && refused?.errors.map(\.code) == [wrong.refusal.code])
            #expect(try await bench.auth.count("sessions") == 1)
        }
    }

    @Test func whoever_has_none_is_told_the_same_whatever_is_wrong() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let (ada, ben) = (try await bench.joined("Ada"), try await bench.joined("Ben"))
            let (device, passkey) = try await bench.device(of: ada)
            let (other, _) = try await bench.device(of: ben)
            var strangers: [SoftAuthenticator] = []
            var stranger = SoftAuthenticator()
            strangers.append(stranger)
            stranger.id = device.id
            strangers.append(stranger)
            stranger.handle = device.handle
            strangers.append(stranger)
            stranger = device
            stranger.handle = other.handle
            strangers.append(stranger)
            stranger.handle = nil
            strangers.append(stranger)
            var said: Set<String> = []
            for stranger in strangers {
                let refused = try #require(try await refusal { try await bench.signIn(stranger) })
                #expect(refused.code == .passkeyRefused && refused.errors.map(\.code) == ["unknown"])
                said.insert(refused.detail)
            }
            try await bench.remove(passkey.id, as: ada)
            let removed = try #require(try await refusal { try await bench.signIn(device) })
            said.insert(removed.detail)
            #expect(said.count == 1)
            #expect(try await bench.auth.count("sessions") == 2)
        }
    }

    @Test func challenges_are_ours_for_this_and_ten_minutes_old_at_the_most() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, _) = try await bench.device(of: ada)
            let adding = try await bench.options(ada).challenge
            for forged in ["", "AAAA", adding, Base64URL.encode(Array(repeating: 3, count: 48))] {
                #expect(try await refusal { try await bench.signIn(device, forged) }?.code == .passkeyStale)
            }
            let late = try await bench.challenge()
            bench.auth.clock.advance(by: .seconds(600))
            #expect(try await refusal { try await bench.signIn(device, late) }?.code == .passkeyStale)
        }
    }

    @Test func a_counter_that_does_not_go_on_is_a_copy() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            var (device, _) = try await bench.device(of: ada) { $0.counter = 4 }
            device.counter = 5
            _ = try await bench.signIn(device)
            for counter: UInt32 in [5, 3, 0] {
                device.counter = counter
                let refused = try await refusal { try await bench.signIn(device) }
                #expect(refused?.code == .passkeyRefused && refused?.errors.map(\.code) == ["copied"])
            }
            device.counter = 6
            _ = try await bench.signIn(device)
        }
    }

    @Test func attempts_are_counted_as_those_at_passwords_are() async throws {
        try await PasskeyBench.run({ $0.limits.pair = 3 }) { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, _) = try await bench.device(of: ada)
            var copy = device
            copy.key = .init()
            for _ in 0..<3 { #expect(try await refusal { try await bench.signIn(copy) }?.code == .passkeyRefused) }
            #expect(try await refusal { try await bench.signIn(device) }?.code == .tooManyRequests)
            _ = try await bench.signIn(device, from: "198.51.100.9")
            bench.auth.clock.advance(by: .seconds(901))
            _ = try await bench.signIn(device)
        }
        try await PasskeyBench.run({ $0.limits.address = 3 }) { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, _) = try await bench.device(of: ada)
            // One by joining; a password and a passkey count together.
            for _ in 0..<2 { _ = try await refusal { try await bench.auth.signIn("ada@example.org", "wrong wrong") } }
            #expect(try await refusal { try await bench.signIn(device) }?.code == .tooManyRequests)
        }
    }

    @Test func who_is_suspended_gets_in_to_what_is_theirs_alone() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, _) = try await bench.device(of: ada)
            let person = try ada.requirePerson()
            let now = bench.auth.clock.now
            try await bench.auth.stores.stores.suspensions.set(
                Suspension(since: now, until: now + 3600, reason: "Be kind."), of: person)
            #expect(try await bench.signIn(device).suspended == true)
            var stranger = device
            stranger.key = .init()
            #expect(try await refusal { try await bench.signIn(stranger) }?.code == .passkeyRefused)
            #expect(try await refusal { try await bench.options(ada) }?.code == .suspended)
            bench.auth.clock.advance(by: .seconds(3601))
            #expect(try await bench.signIn(device).suspended == nil)
        }
    }

    @Test func sessions_end_with_the_passkey_that_opened_them_but_for_the_one_that_asks() async throws {
        try await PasskeyBench.run { (bench) async throws in
            let ada = try await bench.joined("Ada")
            let (device, passkey) = try await bench.device(of: ada)
            let (other, _) = try await bench.device(of: ada)
            let lost = try await bench.signIn(device)
            let kept = try await bench.signIn(other)
            let here = try await bench.signIn(device)
            let caller = Caller(
                person: ada.person, session: try PasskeyBench.claims(here.accessToken).sid, address: ada.address)
            try await bench.remove(passkey.id, as: caller)
            #expect(try await refusal { try await bench.auth.refresh(lost.refreshToken) }?.code == .unauthenticated)
            _ = try await bench.auth.refresh(kept.refreshToken)
            _ = try await bench.auth.refresh(here.refreshToken)
            let ended = try await bench.auth.events(SessionsRevoked.self).flatMap(\.event.sessions).map(\.id)
            #expect(ended == [try PasskeyBench.claims(lost.accessToken).sid])
        }
    }
}
