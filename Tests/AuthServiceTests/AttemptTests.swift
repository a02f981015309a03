import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

@Suite struct AttemptTests {
    private func guess(
        _ auth: AuthBench, _ email: String = "maya@example.org", from address: String = "203.0.113.7",
        id: UUID = .version7()
    ) async throws -> ServiceError? {
        try await refusal { try await auth.signIn(email, "guess \(UUID())", from: address, id: id) }
    }

    @Test func guessingEndsAtTheLimitForKnownAndUnknownAlike() async throws {
        try await AuthBench.run({ $0.limits.pair = 3 }) { auth in
            _ = try await auth.signUp("maya@example.org", from: "198.51.100.1")
            for email in ["maya@example.org", "nobody@example.org"] {
                for _ in 0..<3 { #expect(try await guess(auth, email)?.code == .wrongCredentials) }
                _ = auth.counts.take()
                let refused = try await guess(auth, email)
                #expect(refused?.code == .tooManyRequests)
                #expect(refused?.retryAfter == 900)
                #expect(auth.counts.take().hashes == 0)
            }
            // Right or wrong is not told any more from there; from elsewhere the owner gets in.
            #expect(try await refusal { try await auth.signIn("maya@example.org") }?.code == .tooManyRequests)
            _ = try await auth.signIn("maya@example.org", from: "198.51.100.1")
            auth.clock.advance(by: .seconds(901))
            _ = try await auth.signIn("maya@example.org")
        }
    }

    /// Asking in vain does not prolong the wait.
    @Test func refusedAttemptsDoNotCount() async throws {
        try await AuthBench.run({ $0.limits.pair = 2 }) { auth in
            for _ in 0..<2 { _ = try await guess(auth) }
            auth.clock.advance(by: .seconds(600))
            for _ in 0..<20 { #expect(try await guess(auth)?.retryAfter == 300) }
            auth.clock.advance(by: .seconds(301))
            #expect(try await guess(auth)?.code == .wrongCredentials)
        }
    }

    @Test func successClearsThePair() async throws {
        try await AuthBench.run({ $0.limits.pair = 3 }) { auth in
            _ = try await auth.signUp("maya@example.org", from: "198.51.100.1")
            for _ in 0..<3 {
                for _ in 0..<2 { #expect(try await guess(auth)?.code == .wrongCredentials) }
                _ = try await auth.signIn("maya@example.org")
            }
        }
    }

    /// A sign-up tells as much as a sign-in, and succeeds with a wrong password too: it is counted and never forgiven.
    @Test func signUpsAreAttempts() async throws {
        try await AuthBench.run({ $0.limits.pair = 3 }) { auth in
            for number in 0..<3 { _ = try await auth.signUp("maya@example.org", "some password \(number)") }
            let refused = try await refusal { try await auth.signUp("maya@example.org", "some password 3") }
            #expect(refused?.code == .tooManyRequests)
            #expect(try await guess(auth)?.code == .tooManyRequests)
        }
    }

    @Test func oneAddressForManyAccounts() async throws {
        try await AuthBench.run({ $0.limits.address = 5 }) { auth async throws in
            for number in 0..<5 { #expect(try await guess(auth, "p\(number)@x.org")?.code == .wrongCredentials) }
            #expect(try await guess(auth, "p5@x.org")?.code == .tooManyRequests)
            #expect(try await guess(auth, "p5@x.org", from: "203.0.113.8")?.code == .wrongCredentials)
        }
    }

    /// Many machines guess at one account: its owner still gets in from home, and nobody learns where home is.
    @Test func ownersAreNotLockedOutByOthers() async throws {
        try await AuthBench.run({ $0.limits.email = 5 }) { auth in
            let home = "198.51.100.1"
            _ = try await auth.signUp("maya@example.org", from: home)
            _ = try await auth.signIn("maya@example.org", from: home)
            for number in 0..<5 { _ = try await guess(auth, from: "192.0.2.\(number)") }
            _ = auth.counts.take()
            let away = try await guess(auth, from: "192.0.2.99")
            let awayWork = auth.counts.take()
            let atHome = try await guess(auth, from: home)
            let homeWork = auth.counts.take()
            #expect(away?.code == .tooManyRequests)
            #expect(atHome?.code == .tooManyRequests)
            #expect(awayWork == homeWork)
            // Even the right password is refused from where nobody ever got in.
            let right = try await refusal { try await auth.signIn("maya@example.org", from: "192.0.2.98") }
            #expect(right?.code == .tooManyRequests)
            _ = try await auth.signIn("maya@example.org", from: home)
        }
    }

    /// The same request, sent again because it was lost, counts once; another guess under its id is another attempt.
    @Test func repeatedRequestsCountOnceAndGuessesEach() async throws {
        try await AuthBench.run({ $0.limits.pair = 3 }) { auth in
            _ = try await auth.signUp("maya@example.org", from: "198.51.100.1")
            let id = UUID.version7()
            for _ in 0..<10 {
                let wrong = try await refusal { try await auth.signIn("maya@example.org", "the same guess", id: id) }
                #expect(wrong?.code == .wrongCredentials)
            }
            for _ in 0..<2 { #expect(try await guess(auth, id: id)?.code == .wrongCredentials) }
            #expect(try await guess(auth, id: id)?.code == .tooManyRequests)
        }
    }

    @Test func guessesAtOnceAreCountedToo() async throws {
        try await AuthBench.run({ $0.limits.pair = 5 }) { auth in
            let codes = try await withThrowingTaskGroup { group in
                for _ in 0..<40 { group.addTask { try await guess(auth)?.code } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == .wrongCredentials } <= 5)
            #expect(codes.count { $0 == .tooManyRequests } >= 35)
        }
    }

    @Test func countersAreForgotten() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            _ = try await auth.signIn("maya@example.org")
            _ = try await guess(auth)
            auth.clock.advance(by: .seconds(1000))
            try await auth.parts.upkeep.prune()
            #expect(try await auth.count("attempts") == 0)
            #expect(try await auth.count("known_addresses") == 1)
            auth.clock.advance(by: .seconds(91 * 86_400))
            try await auth.parts.upkeep.prune()
            #expect(try await auth.count("known_addresses") == 0)
        }
    }

    @Test func networksOfAddresses() {
        #expect(Attempt.network(of: "203.0.113.7") == "203.0.113.7")
        #expect(Attempt.network(of: "::ffff:203.0.113.7") == "203.0.113.7")
        #expect(Attempt.network(of: "2001:db8:1:2::1") == Attempt.network(of: "2001:0DB8:1:2:ffff::9"))
        #expect(Attempt.network(of: "2001:db8:1:2::1") != Attempt.network(of: "2001:db8:1:3::1"))
        #expect(Attempt.network(of: "") == "")
    }
}
