import Foundation
import Testing
import WireProtocol

@testable import AuthService

@Suite struct RefreshTokenTests {
    let secrets = AuthSecrets(master: Array(0..<32))
    let now = Date(timeIntervalSince1970: 1_795_232_513)

    private func session(generation: Int = 3, usedAgo: TimeInterval = 0) -> LoginSession {
        LoginSession(
            id: SessionID("019aa3f1-7c01-7b11-9a2b-3c4d5e6f7081")!, person: .new(), device: nil, seed: [1, 2, 3],
            generation: generation, startedAt: now - 9000, lastUsedAt: now - usedAgo, expiresAt: now + 9000,
            accessUntil: now)
    }

    private func verdict(_ session: LoginSession, on token: RefreshToken) -> LoginSession.RefreshVerdict {
        session.verdict(on: token, now: now, grace: 10, secrets)
    }

    @Test func verdicts() {
        let fresh = session()
        #expect(verdict(fresh, on: fresh.token(of: 3, secrets)) == .spend)
        #expect(verdict(fresh, on: fresh.token(of: 2, secrets)) == .repeatChild)
        #expect(verdict(fresh, on: fresh.token(of: 1, secrets)) == .stolen)
        #expect(verdict(fresh, on: fresh.token(of: 4, secrets)) == .refuse)
        let tenSecondsLater = session(usedAgo: 10)
        #expect(verdict(tenSecondsLater, on: fresh.token(of: 2, secrets)) == .repeatChild)
        #expect(verdict(session(usedAgo: 10.1), on: fresh.token(of: 2, secrets)) == .stolen)
    }

    /// A forged token must not end the session it names, or anybody could sign anybody out.
    @Test func forgeriesHaveNoEffect() {
        let session = session()
        for generation in 0...3 {
            let forged = RefreshToken(
                session: session.id, generation: generation, secret: [UInt8](repeating: 7, count: 32))
            #expect(verdict(session, on: forged) == .refuse)
        }
        let otherKey = AuthSecrets(master: Array(1...32))
        #expect(verdict(session, on: session.token(of: 3, otherKey)) == .refuse)
        var otherSeed = session
        otherSeed = LoginSession(
            id: session.id, person: session.person, device: nil, seed: [9], generation: 3, startedAt: now,
            lastUsedAt: now, expiresAt: now, accessUntil: now)
        #expect(verdict(session, on: otherSeed.token(of: 3, secrets)) == .refuse)
    }

    @Test func endedAndExpiredSessionsRefuse() {
        var ended = session()
        ended.endedAt = now
        #expect(verdict(ended, on: ended.token(of: 3, secrets)) == .refuse)
        #expect(verdict(ended, on: ended.token(of: 1, secrets)) == .refuse)
        var expired = session()
        expired.expiresAt = now
        #expect(verdict(expired, on: expired.token(of: 3, secrets)) == .refuse)
    }

    @Test func tokensAreReadBack() {
        let token = session().token(of: 3, secrets)
        #expect(RefreshToken(token.text) == token)
        #expect(token.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
        for bad in ["", "x", token.text + "A", String(token.text.dropLast()), token.text + "=", "é\(token.text)"] {
            #expect(RefreshToken(bad) == nil, "\(bad)")
        }
        #expect(RefreshToken(String(repeating: "A", count: 100_000)) == nil)
    }

    @Test func devicesAreShortAndPlain() {
        #expect(LoginSession.device(nil) == nil)
        #expect(LoginSession.device("  ") == nil)
        #expect(LoginSession.device("Firefox\u{1B}[31m\non Android") == "Firefox[31mon Android")
        #expect(LoginSession.device(String(repeating: "x", count: 500))?.count == 120)
    }
}

@Suite struct KeyRotationTests {
    let rotation = KeyRotation(period: 1000, lead: 100, retention: 50)
    let start = Date(timeIntervalSince1970: 1_000_000)

    private func key(_ after: TimeInterval) -> SigningKey {
        SigningKey(id: .version7(), publicKey: [], sealed: [], signsFrom: start + after)
    }

    @Test func theFirstKeySignsAtOnce() {
        #expect(rotation.plan([], now: start).newKeySignsFrom == start)
    }

    @Test func theNextIsPublishedAheadOfItsUse() {
        let first = key(0)
        #expect(rotation.plan([first], now: start + 899) == .init(newKeySignsFrom: nil, retired: []))
        #expect(rotation.plan([first], now: start + 900).newKeySignsFrom == start + 1000)
        // Nobody was there when it was due: it still has its lead.
        #expect(rotation.plan([first], now: start + 5000).newKeySignsFrom == start + 5100)
        #expect(rotation.plan([first, key(1000)], now: start + 950).newKeySignsFrom == nil)
    }

    @Test func theOldStaysUntilItsTokensAreDead() {
        let (first, second) = (key(0), key(1000))
        #expect(rotation.plan([second, first], now: start + 1049).retired == [])
        #expect(rotation.plan([second, first], now: start + 1050).retired == [first])
        #expect(rotation.plan([second], now: start + 1500).retired == [])
    }

    @Test func everyReplicaSignsWithTheSameKey() {
        let (first, second) = (key(0), key(1000))
        #expect(KeyRotation.signer(among: [second, first], at: start + 999) == first)
        #expect(KeyRotation.signer(among: [first, second], at: start + 1000) == second)
        #expect(KeyRotation.signer(among: [second], at: start) == second)
        #expect(KeyRotation.signer(among: [], at: start) == nil)
    }
}
