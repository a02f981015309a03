import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

@Suite struct SignOutTests {
    /// The caller that the gateway makes of a token.
    private func caller(_ person: PersonID, _ refreshToken: String) throws -> Caller {
        Caller(person: person, session: try #require(RefreshToken(refreshToken)).session)
    }

    @Test func here() async throws {
        try await AuthBench.run { auth in
            let new = try await auth.signUp("maya@example.org", device: "Phone")
            let other = try await auth.signIn("maya@example.org", device: "Laptop")
            let phone = try caller(new.person.id, new.session.refreshToken)
            _ = try await auth.call(AuthMethods.signOut, Nothing(), Nothing(), as: phone)
            #expect(try await refusal { try await auth.refresh(new.session.refreshToken) }?.code == .unauthenticated)
            _ = try await auth.refresh(other.refreshToken)

            let told = try await auth.events(SessionsRevoked.self)
            #expect(told.flatMap(\.event.sessions).map(\.id) == [phone.session])
            #expect(told.map(\.header.audience) == [.nobody])
            // Until the last access token has expired, and no longer.
            let until = try #require(told.first?.event.sessions.first?.until)
            #expect(abs(until.timeIntervalSince(auth.clock.now) - 300) < 1)
            let revoked = try await auth.call(AuthMethods.revokedSessions, Nothing(), Nothing())
            #expect(revoked.sessions.map(\.id) == [phone.session])
            auth.clock.advance(by: .seconds(301))
            #expect(try await auth.call(AuthMethods.revokedSessions, Nothing(), Nothing()).sessions.isEmpty)
            // Twice does no harm, and is no news.
            _ = try await auth.call(AuthMethods.signOut, Nothing(), Nothing(), as: phone)
            #expect(try await auth.events(SessionsRevoked.self).count == 1)
        }
    }

    @Test func oneDevice() async throws {
        try await AuthBench.run { auth in
            let new = try await auth.signUp("maya@example.org", device: "Phone")
            let other = try await auth.signIn("maya@example.org", device: "Laptop")
            let phone = try caller(new.person.id, new.session.refreshToken)
            let laptop = try caller(new.person.id, other.refreshToken)
            let listed = try await auth.call(AuthMethods.sessions, Nothing(), Nothing(), as: phone).items
            #expect(Set(listed.map(\.device)) == ["Phone", "Laptop"])
            #expect(listed.filter(\.current).map(\.id) == [phone.session])
            let reference = SessionReference(id: try #require(laptop.session))
            _ = try await auth.call(AuthMethods.endSession, reference, Nothing(), as: phone)
            _ = try await auth.call(AuthMethods.endSession, reference, Nothing(), as: phone)
            #expect(try await refusal { try await auth.refresh(other.refreshToken) }?.code == .unauthenticated)
            #expect(try await auth.call(AuthMethods.sessions, Nothing(), Nothing(), as: phone).items.count == 1)
        }
    }

    @Test func everywhere() async throws {
        try await AuthBench.run { auth in
            let new = try await auth.signUp("maya@example.org")
            let tokens = [
                new.session.refreshToken, try await auth.signIn("maya@example.org").refreshToken,
                try await auth.signIn("maya@example.org").refreshToken,
            ]
            let ben = try await auth.signUp("ben@example.org")
            let here = try caller(new.person.id, tokens[0])
            _ = try await auth.call(AuthMethods.endAllSessions, Nothing(), Nothing(), as: here)
            for token in tokens {
                #expect(try await refusal { try await auth.refresh(token) }?.code == .unauthenticated)
            }
            #expect(try await auth.events(SessionsRevoked.self).flatMap(\.event.sessions).count == 3)
            _ = try await auth.refresh(ben.session.refreshToken)
        }
    }

    @Test func nobodyElsesDevice() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org")
            let ben = try await auth.signUp("ben@example.org")
            let theirs = try #require(RefreshToken(maya.session.refreshToken)).session
            let refused = try await refusal {
                try await auth.call(
                    AuthMethods.endSession, SessionReference(id: theirs), Nothing(),
                    as: try caller(ben.person.id, ben.session.refreshToken))
            }
            // The same as for one that does not exist.
            #expect(refused?.code == .notFound)
            // Not even by claiming that it is the session one asks from.
            _ = try await auth.call(
                AuthMethods.signOut, Nothing(), Nothing(), as: Caller(person: ben.person.id, session: theirs))
            _ = try await auth.refresh(maya.session.refreshToken)
        }
    }

    @Test func withoutASession() async throws {
        try await AuthBench.run { auth in
            for method in [AuthMethods.signOut, AuthMethods.endAllSessions] {
                #expect(
                    try await refusal { try await auth.call(method, Nothing(), Nothing()) }?.code == .unauthenticated)
            }
            let list = try await refusal { try await auth.call(AuthMethods.sessions, Nothing(), Nothing()) }
            #expect(list?.code == .unauthenticated)
        }
    }
}
