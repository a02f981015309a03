import Argon2
import Foundation
import Reactor
import TestKit
import Testing
import WireProtocol

@testable import AuthService

@Suite struct SecretsTests {
    let secrets = AuthSecrets(master: Array(0..<32))

    @Test func theFileIsMadeOnceAndForItsOwnerOnly() throws {
        let directory = try TemporaryDirectory("secrets")
        let path = directory.file("auth.secrets")
        let (first, isNew) = try SecretsFile(path: path).load()
        #expect(isNew)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.int16Value == 0o600)
        let (second, isNewAgain) = try SecretsFile(path: path).load()
        #expect(!isNewAgain)
        #expect(second.fingerprint == first.fingerprint)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["auth.secrets"])
    }

    @Test func twentyThatStartAtOnceAgree() async throws {
        let directory = try TemporaryDirectory("secrets")
        let file = SecretsFile(path: directory.file("auth.secrets"))
        let loaded = try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try file.load() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(loaded.map(\.secrets.fingerprint)).count == 1)
        #expect(loaded.count { $0.isNew } == 1)
    }

    @Test func damageIsNamed() throws {
        let directory = try TemporaryDirectory("secrets")
        for content in [
            "", "kampong-auth-1", "kampong-auth-1 AAAA", "something else \(String(repeating: "A", count: 44))",
        ] {
            let path = try directory.write("auth.secrets", content)
            let problem = #expect(throws: SecretsProblem.self) { try SecretsFile(path: path).load() }
            #expect(problem?.description.contains(path) == true)
        }
        let nowhere = SecretsFile(path: directory.file("no/such/auth.secrets"))
        #expect(throws: SecretsProblem.self) { try nowhere.load() }
    }

    @Test func whatIsDerivedDiffersByPurpose() throws {
        let email = try #require(EmailAddress("maya@example.org"))
        let other = try #require(EmailAddress("ben@example.org"))
        #expect(secrets.salt(for: email).count == Argon2.saltLength)
        #expect(secrets.salt(for: email) != secrets.salt(for: other))
        #expect(Array(secrets.digest(of: email).prefix(16)) != secrets.salt(for: email))
        #expect(secrets.salt(for: email) == secrets.salt(for: EmailAddress(" MAYA@Example.org")!))
        #expect(AuthSecrets(master: Array(1...32)).salt(for: email) != secrets.salt(for: email))
        #expect(secrets.attemptKey([[1], [2, 3]]) != secrets.attemptKey([[1, 2], [3]]))
    }

    @Test func whatIsSealedOpensOnlyInItsPlace() throws {
        let sealed = try secrets.seal([1, 2, 3], context: "key a")
        #expect(try secrets.open(sealed, context: "key a") == [1, 2, 3])
        #expect(try secrets.seal([1, 2, 3], context: "key a") != sealed)
        #expect(throws: (any Error).self) { try secrets.open(sealed, context: "key b") }
        var damaged = sealed
        damaged[damaged.count - 1] ^= 1
        #expect(throws: (any Error).self) { try secrets.open(damaged, context: "key a") }
        #expect(throws: (any Error).self) { try AuthSecrets(master: Array(1...32)).open(sealed, context: "key a") }
    }

    @Test func passwordsAreHashedWithTheirAddress() async throws {
        let hasher = PasswordHasher(secrets: secrets, cost: .cheapest, atOnce: 2, waiting: 8)
        defer { hasher.stop() }
        let (maya, ben) = (EmailAddress("maya@example.org")!, EmailAddress("ben@example.org")!)
        let password = Password(attempt: "quiet river stones")!
        let soon = Date() + 60
        let hash = try await hasher.hash(password, for: maya, before: soon)
        #expect(try await hasher.hash(password, for: maya, before: soon) == hash)
        #expect(try await hasher.hash(password, for: ben, before: soon) != hash)
        #expect(try Argon2.hash(password: password.bytes, salt: secrets.salt(for: maya), cost: .cheapest) == hash)
        let tooLate = await #expect(throws: ServiceError.self) {
            try await hasher.hash(password, for: maya, before: Date() - 1)
        }
        #expect(tooLate?.code == .unavailable)
    }

    @Test func whoWouldWaitTooLongForAHashIsSentAway() async throws {
        let hasher = PasswordHasher(
            secrets: secrets, cost: Argon2.Cost(operations: 12, memoryBytes: 64 << 20), atOnce: 1, waiting: 1)
        defer { hasher.stop() }
        let (maya, password) = (EmailAddress("maya@example.org")!, Password(attempt: "quiet river stones")!)
        let codes = await withTaskGroup(of: ErrorCode?.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    do {
                        _ = try await hasher.hash(password, for: maya, before: Date() + 60)
                        return nil
                    } catch {
                        return (error as? ServiceError)?.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // All six come while the first one is made.
        #expect(codes.count { $0 == nil } == 2 && codes.count { $0 == .unavailable } == 4)
        _ = try await hasher.hash(password, for: maya, before: Date() + 60)
    }

    @Test func theGateLetsFewInAndSendsManyAway() async throws {
        let gate = SignInGate(atOnce: 2, waiting: 1)
        try await gate.enter()
        try await gate.enter()
        let waiting = Task { try await gate.enter() }
        try await eventually("the queue to fill") { await gate.waiting == 1 }
        let refusal = await #expect(throws: ServiceError.self) { try await gate.enter() }
        #expect(refusal?.code == .unavailable)
        #expect(refusal?.retryAfter != nil)
        await gate.leave()
        try await waiting.value
    }
}
