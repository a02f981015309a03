import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

@Suite struct RefreshTests {
    @Test func tokensRotate() async throws {
        try await AuthBench.run { auth in
            let new = try await auth.signUp("maya@example.org")
            auth.clock.advance(by: .seconds(300))
            let second = try await auth.refresh(new.session.refreshToken)
            #expect(second.person == new.person)
            #expect(second.refreshToken != new.session.refreshToken)
            #expect(second.accessToken != new.session.accessToken)
            auth.clock.advance(by: .seconds(300))
            let third = try await auth.refresh(second.refreshToken)
            #expect(Set([new.session.refreshToken, second.refreshToken, third.refreshToken]).count == 3)
            #expect(try await auth.count("sessions") == 1)
        }
    }

    @Test func aSessionEndsAfterItsTimeHoweverOftenItIsUsed() async throws {
        try await AuthBench.run({ ($0.sessions.idle, $0.sessions.absolute) = (2000, 5000) }) { auth in
            var token = try await auth.signUp("maya@example.org").session.refreshToken
            for seconds in [1500, 1500, 1500, 400] {
                auth.clock.advance(by: .seconds(seconds))
                token = try await auth.refresh(token).refreshToken
            }
            auth.clock.advance(by: .seconds(101))
            let last = token
            #expect(try await refusal { try await auth.refresh(last) }?.code == .unauthenticated)
            try await auth.parts.upkeep.prune()
            #expect(try await auth.count("sessions") == 0)
            #expect(try await auth.events(SessionsRevoked.self).count == 1)
            // One from before there was such a limit ends too.
            let old = try await auth.signUp("ben@example.org").session.refreshToken
            _ = try await auth.pool.query("UPDATE sessions SET started_at = started_at - interval '5001 seconds'")
            #expect(try await refusal { try await auth.refresh(old) }?.code == .unauthenticated)
        }
    }

    @Test func fiftyAtOnceGetOneChild() async throws {
        try await AuthBench.run { auth in
            let token = try await auth.signUp("maya@example.org").session.refreshToken
            let children = try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await auth.refresh(token).refreshToken } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(children.count == 50)
            #expect(Set(children).count == 1)
            // And that child is good.
            auth.clock.advance(by: .seconds(60))
            #expect(try await auth.refresh(children[0]).refreshToken != children[0])
        }
    }

    @Test func aLostAnswerIsGivenAgainForTenSeconds() async throws {
        try await AuthBench.run { auth in
            let token = try await auth.signUp("maya@example.org").session.refreshToken
            auth.clock.advance(by: .seconds(300))
            let child = try await auth.refresh(token).refreshToken
            auth.clock.advance(by: .seconds(10))
            #expect(try await auth.refresh(token).refreshToken == child)
            #expect(try await auth.events(SessionsRevoked.self).isEmpty)
            // The access token of that answer is covered by what a later revocation says.
            let session = try #require(try await auth.session())
            #expect(session.accessUntil >= auth.clock.now.addingTimeInterval(300 - 0.001))
        }
    }

    @Test func reuseAfterTenSecondsEndsTheFamily() async throws {
        try await AuthBench.run { auth in
            let token = try await auth.signUp("maya@example.org").session.refreshToken
            let child = try await auth.refresh(token).refreshToken
            auth.clock.advance(by: .seconds(11))
            #expect(try await refusal { try await auth.refresh(token) }?.code == .unauthenticated)
            #expect(try await refusal { try await auth.refresh(child) }?.code == .unauthenticated)
            let revoked = try await auth.events(SessionsRevoked.self)
            #expect(revoked.count == 1)
            #expect(revoked.first?.header.audience == .nobody)
            // The owner signs in again; other devices never noticed.
            _ = try await auth.signIn("maya@example.org")
        }
    }

    @Test func aTokenOfLongAgoEndsTheFamilyToo() async throws {
        try await AuthBench.run { auth in
            let first = try await auth.signUp("maya@example.org").session.refreshToken
            let second = try await auth.refresh(first).refreshToken
            let third = try await auth.refresh(second).refreshToken
            // Within the ten seconds, but two generations old: nobody's answer got lost.
            #expect(try await refusal { try await auth.refresh(first) }?.code == .unauthenticated)
            #expect(try await refusal { try await auth.refresh(third) }?.code == .unauthenticated)
        }
    }

    @Test func otherDevicesOutliveAStolenOne() async throws {
        try await AuthBench.run { auth in
            let stolen = try await auth.signUp("maya@example.org").session.refreshToken
            let other = try await auth.signIn("maya@example.org").refreshToken
            _ = try await auth.refresh(stolen)
            auth.clock.advance(by: .seconds(60))
            #expect(try await refusal { try await auth.refresh(stolen) } != nil)
            _ = try await auth.refresh(other)
        }
    }

    /// The answer to a repeated request is the one it had, long after the ten seconds.
    @Test func aRepeatedRequestIsNoReuse() async throws {
        try await AuthBench.run { auth in
            let token = try await auth.signUp("maya@example.org").session.refreshToken
            let id = UUID.version7()
            let first = try await auth.refresh(token, id: id)
            auth.clock.advance(by: .seconds(3600))
            #expect(try await auth.refresh(token, id: id) == first)
            _ = try await auth.refresh(first.refreshToken)
        }
    }

    @Test func unusedSessionsEnd() async throws {
        try await AuthBench.run { auth in
            let token = try await auth.signUp("maya@example.org").session.refreshToken
            auth.clock.advance(by: .seconds(29 * 86_400))
            let child = try await auth.refresh(token).refreshToken
            auth.clock.advance(by: .seconds(29 * 86_400))
            let grandchild = try await auth.refresh(child).refreshToken
            auth.clock.advance(by: .seconds(30 * 86_400))
            #expect(try await refusal { try await auth.refresh(grandchild) }?.code == .unauthenticated)
            try await auth.parts.upkeep.prune()
            #expect(try await auth.count("sessions") == 0)
            #expect(try await refusal { try await auth.refresh(grandchild) }?.code == .unauthenticated)
        }
    }

    /// What others keep for as long as a session lasts, a device that rings, would outlive it.
    @Test func othersHearOfSessionsThatEndUnused() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org")
            var unused = [maya.session.refreshToken]
            for _ in 0..<2 { unused.append(try await auth.signIn("maya@example.org").refreshToken) }
            let ben = try await auth.signUp("ben@example.org")
            unused.append(ben.session.refreshToken)
            let signedOut = try #require(RefreshToken(try await auth.signIn("ben@example.org").refreshToken)).session
            let caller = Caller(person: ben.person.id, session: signedOut)
            _ = try await auth.call(AuthMethods.signOut, Nothing(), Nothing(), as: caller)
            auth.clock.advance(by: .seconds(86_400))
            let used = try await auth.signIn("maya@example.org").refreshToken
            auth.clock.advance(by: .seconds(29 * 86_400))
            // Of several replicas one says it, and it is said of however many there are.
            var upkeep = auth.parts.upkeep
            upkeep.batch = 2
            try await withThrowingTaskGroup(of: Void.self) { [upkeep] group in
                for _ in 0..<3 { group.addTask { try await upkeep.prune() } }
                try await group.waitForAll()
            }
            try await upkeep.prune()
            let told = try await auth.events(SessionsRevoked.self)
            let ids = try unused.map { try #require(RefreshToken($0)).session }
            #expect(told.first?.event.sessions.map(\.id) == [signedOut])
            #expect(told.dropFirst().flatMap(\.event.sessions).map(\.id).sorted() == ids.sorted())
            let people = [maya.person.id, ben.person.id].map { "person/\($0)" }
            #expect(Set(told.map(\.header.aggregate)) == Set(people))
            #expect(told.allSatisfy { $0.header.audience == .nobody })
            _ = try await auth.refresh(used)
        }
    }

    /// Or anybody without a session could fill the table and the log of the database.
    @Test func onlyWhatSpendsOrEndsIsRemembered() async throws {
        try await AuthBench.run { auth in
            let token = try await auth.signUp("maya@example.org").session.refreshToken
            let real = try #require(RefreshToken(token))
            let before = try await auth.count("requests")
            let forged = RefreshToken(session: real.session, generation: 0, secret: [UInt8](repeating: 1, count: 32))
            let unknown = RefreshToken(session: .new(), generation: 0, secret: real.secret)
            for bad in ["x", forged.text, unknown.text] {
                #expect(try await refusal { try await auth.refresh(bad) }?.code == .unauthenticated)
            }
            #expect(try await auth.count("requests") == before)
            let first = try await auth.refresh(token)
            #expect(try await auth.count("requests") == before + 1)
            // A lost answer is given again, with the same bytes, and nothing is written for it.
            auth.clock.advance(by: .seconds(7))
            #expect(try await auth.refresh(token) == first)
            #expect(try await auth.count("requests") == before + 1)
            auth.clock.advance(by: .seconds(7))
            #expect(try await refusal { try await auth.refresh(token) } != nil)
            #expect(try await auth.count("requests") == before + 2)
            // The session has ended: from now on that is no news.
            #expect(try await refusal { try await auth.refresh(first.refreshToken) } != nil)
            #expect(try await auth.count("requests") == before + 2)
        }
    }

    @Test func nonsenseIsRefusedWithoutHarm() async throws {
        try await AuthBench.run { auth in
            let token = try await auth.signUp("maya@example.org").session.refreshToken
            let real = try #require(RefreshToken(token))
            let forged = RefreshToken(session: real.session, generation: 0, secret: [UInt8](repeating: 1, count: 32))
            for bad in ["", "x", forged.text, RefreshToken(session: .new(), generation: 0, secret: real.secret).text] {
                #expect(try await refusal { try await auth.refresh(bad) }?.code == .unauthenticated)
            }
            _ = try await auth.refresh(token)
        }
    }
}

extension AuthBench {
    /// The only session that there is.
    func session() async throws -> LoginSession? {
        let id = try await pool.query("SELECT id FROM sessions")[0].get("id", as: UUID.self)
        return try await parts.sessions.database.stores.sessions.session(SessionID(id))
    }
}
