import Argon2
import Foundation
import JWTKit
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

@Suite struct SigningKeyTests {
    /// What a gateway does: checks a token with the published keys.
    private struct Checked: JWTPayload {
        let claims: AccessTokenClaims
        init(from decoder: any Decoder) throws { claims = try AccessTokenClaims(from: decoder) }
        func encode(to encoder: any Encoder) throws { try claims.encode(to: encoder) }
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private func check(_ token: String, _ keys: SigningKeys) async throws -> AccessTokenClaims {
        let collection = JWTKeyCollection()
        let json = try WireJSON.encode(keys)
        try await collection.add(jwksJSON: String(decoding: json, as: UTF8.self))
        return try await collection.verify(token, as: Checked.self).claims
    }

    private func header(of token: String) throws -> [String: String] {
        let part = try #require(token.split(separator: ".").first)
        return try JSONDecoder().decode([String: String].self, from: Data(try #require(Base64URL.decode(String(part)))))
    }

    private func published(_ auth: AuthBench) async throws -> SigningKeys {
        try await auth.call(AuthMethods.signingKeys, Nothing(), Nothing())
    }

    @Test func accessTokensSayWhoFiveMinutesLong() async throws {
        try await AuthBench.run { auth in
            let new = try await auth.signUp("maya@example.org")
            let keys = try await published(auth)
            let claims = try await check(new.session.accessToken, keys)
            #expect(claims.sub == new.person.id)
            #expect(claims.sid == RefreshToken(new.session.refreshToken)?.session)
            #expect(claims.iss == AccessTokenClaims.issuer)
            #expect(claims.aud == AccessTokenClaims.audience)
            #expect(claims.iat == Int(auth.clock.now.timeIntervalSince1970))
            #expect(claims.exp == claims.iat + 300)
            #expect(claims.roles == nil)
            #expect(try header(of: new.session.accessToken) == ["alg": "EdDSA", "typ": "JWT", "kid": keys.keys[0].kid])
            let others = AuthSecrets(master: Array(0..<32))
            let stranger = try KeyRing(secrets: others).makeKey(signsFrom: auth.clock.now, now: auth.clock.now)
            let forged = SigningKeys(keys: [.init(kid: keys.keys[0].kid, x: Base64URL.encode(stranger.publicKey))])
            await #expect(throws: (any Error).self) { try await check(new.session.accessToken, forged) }
        }
    }

    @Test func rolesAreInTheToken() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            _ = try await auth.pool.query("UPDATE accounts SET roles = '{operator,moderator,of_a_later_version}'")
            let token = try await auth.signIn("maya@example.org").accessToken
            #expect(try await check(token, try await published(auth)).roles == [.moderator, .operator])
        }
    }

    @Test func keysRotateAcrossReplicas() async throws {
        try await AuthBench.run { auth in
            try await auth.withReplica { replica in
                let old = try await auth.signUp("maya@example.org").session
                let before = try await published(auth)
                #expect(before.keys.count == 1)

                // An hour ahead of its use the next key is there; both replicas wake at once, and make one.
                auth.clock.advance(by: .seconds(30 * 86_400 - 3500))
                async let one: Void = auth.parts.keys.tend()
                async let two: Void = replica.parts.keys.tend()
                _ = try await (one, two)
                let during = try await published(auth)
                #expect(during.keys.count == 2)
                let announced = try await auth.events(SigningKeysChanged.self)
                #expect(announced.last?.event.keys == during)
                #expect(announced.map(\.header.audience) == [.nobody, .nobody])
                let stillOld = try await auth.signIn("maya@example.org").accessToken
                #expect(try header(of: stillOld)["kid"] == before.keys[0].kid)

                // Then it signs, on both; the old one is kept for the tokens that it signed.
                auth.clock.advance(by: .seconds(3700))
                let newest = try #require(during.keys.first { $0.kid != before.keys[0].kid })
                for one in [auth, replica] {
                    try await one.parts.keys.tend()
                    let token = try await one.signIn("maya@example.org").accessToken
                    #expect(try header(of: token)["kid"] == newest.kid)
                    _ = try await check(token, during)
                }
                _ = try await check(old.accessToken, try await published(auth))
                auth.clock.advance(by: .seconds(7300))
                try await replica.parts.keys.tend()
                try await auth.parts.keys.tend()
                #expect(try await published(auth).keys == [newest])
                _ = try await auth.refresh(try await auth.signIn("maya@example.org").refreshToken)
            }
        }
    }

    @Test func tenReplicasThatStartAtOnceMakeOneKey() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.pool.query("DELETE FROM signing_keys")
            try await withThrowingTaskGroup { group in
                for _ in 0..<10 { group.addTask { try await auth.parts.keys.tend() } }
                try await group.waitForAll()
            }
            #expect(try await auth.count("signing_keys") == 1)
        }
    }

    @Test func theDatabaseBelongsToItsSecrets() async throws {
        try await AuthBench.run { auth in
            let stores = try #require(auth.parts.accounts.database as? PostgresAuthDatabase)
            let cost = try await stores.keystone.settle(
                auth.secrets, path: "a", cost: .cheapest, logger: .init(label: "t"))
            #expect(cost == .cheapest)
            let others = AuthSecrets(master: Array(0..<32))
            let problem = await #expect(throws: SecretsProblem.self) {
                try await stores.keystone.settle(others, path: "/a/path", cost: .cheapest, logger: .init(label: "t"))
            }
            #expect(problem?.description.contains("/a/path") == true)
            // A password is found by its hash, so the cost of hashes stays.
            let dearer = try await stores.keystone.settle(
                auth.secrets, path: "a", cost: .recommended, logger: .init(label: "t"))
            #expect(dearer == .cheapest)
        }
    }
}
