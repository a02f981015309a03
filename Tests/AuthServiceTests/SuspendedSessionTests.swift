import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// What becomes of the sessions of those who are suspended, on a real database.
@Suite struct SuspendedSessionTests {
    private static let day: TimeInterval = 86_400

    @Test func who_is_suspended_is_signed_out_and_told_why_and_until_when() async throws {
        try await ReportedAda.run { it in
            try await it.suspend()
            let until = it.auth.clock.now + 7 * Self.day
            let told = try #require(try await refusal { try await it.auth.refresh(it.session.refreshToken) })
            #expect(told.code == .suspended && told.detail.contains("Threats."))
            #expect(told.errors.first { $0.field == ServiceError.suspendedUntil }?.message == WireJSON.text(of: until))
            #expect(told.errors.first { $0.field == ServiceError.suspendedWhy }?.message == "Threats.")
            let events = try await it.auth.events(PersonSuspended.self)
            #expect(events.map(\.event.person) == [it.ada] && events[0].header.audience == .people([it.ada]))
            #expect(try await it.auth.events(SessionsRevoked.self).last?.event.sessions.count == 2)
            // On her stream before it ends: the order in which they were published.
            let types = try await it.auth.pool.query("SELECT header->>'type' AS type FROM outbox ORDER BY id")
                .map { try $0.get("type", as: String.self) }
            #expect(types.suffix(4) == ["personSuspended", "sessionsRevoked", "noticeGiven", "noticeRaised"])
        }
    }

    /// What is theirs stays theirs: the archive, erasing it, why and until when, and signing out.
    @Test func who_is_suspended_comes_in_to_what_is_theirs_and_to_nothing_else() async throws {
        try await ReportedAda.run { it in
            try await it.suspend()
            let until = it.auth.clock.now + 7 * Self.day
            #expect(try await it.comesInSuspended())
            // A sign-up with the credentials of an account is a sign-in.
            #expect(try await it.auth.signUp("ada@example.org").session.suspended == true)
            let caller = try await it.suspended()
            let why = try await it.auth.call(AuthMethods.suspension, Nothing(), Nothing(), as: caller)
            #expect(why.reason == "Threats." && why.until.map { WireJSON.text(of: $0) } == WireJSON.text(of: until))
            let export = try await it.auth.call(AuthMethods.requestExport, Nothing(), Nothing(), as: caller)
            #expect(try await it.auth.call(AuthMethods.export, Nothing(), Nothing(), as: caller).id == export.id)
            let tries: [ErrorCode?] = [
                try await refusal { try await it.auth.call(AuthMethods.me, Nothing(), Nothing(), as: caller) }?.code,
                try await refusal { try await it.auth.call(AuthMethods.sessions, Nothing(), Nothing(), as: caller) }?
                    .code,
                try await refusal {
                    try await it.auth.call(AuthMethods.person, PersonReference(id: it.eve), Nothing(), as: caller)
                }?.code,
                try await refusal {
                    try await it.auth.call(AuthMethods.befriend, PersonReference(id: it.eve), Nothing(), as: caller)
                }?.code,
                try await refusal {
                    try await it.auth.call(AuthMethods.changeProfile, Nothing(), ProfileChange(bio: "x"), as: caller)
                }?.code,
            ]
            #expect(tries == Array(repeating: .suspended, count: 5))
            let _: Nothing = try await it.auth.call(AuthMethods.signOut, Nothing(), Nothing(), as: caller)
            let again = try await it.suspended()
            let erasure = try await it.auth.call(
                AuthMethods.eraseMe, LanguageParameters(), ErasureRequest(password: "quiet river stones"), as: again)
            #expect(erasure.parts.first { $0.service == "auth" }?.doneAt != nil)
            #expect(try await it.refusalToSignIn()?.code == .wrongCredentials)
        }
    }

    /// Refreshed after the suspension's time a session is as anybody's; a suspension that is lifted ends it, for the next to be so.
    @Test func a_session_of_somebody_suspended_becomes_an_ordinary_one() async throws {
        try await ReportedAda.run { it in
            try await it.suspend(1)
            let first = try await it.auth.signIn("ada@example.org")
            let second = try await it.auth.refresh(first.refreshToken)
            #expect(first.suspended == true && second.suspended == true)
            it.auth.clock.advance(by: .seconds(Self.day + 1))
            let third = try await it.auth.refresh(second.refreshToken)
            #expect(third.suspended == nil)
            try await it.suspend(1, version: 1)
            let fourth = try await it.auth.signIn("ada@example.org")
            #expect(fourth.suspended == true)
            try await it.village.act(.reinstate, on: it.one, by: it.mod, version: 2)
            #expect(try await refusal { try await it.auth.refresh(fourth.refreshToken) }?.code == .unauthenticated)
            let stillSuspended = try await it.comesInSuspended()
            #expect(!stillSuspended)
        }
    }

    /// Whoever does not know the password hears what is said of any address.
    @Test func nobody_else_learns_of_it_at_the_door() async throws {
        try await ReportedAda.run { it in
            let before = try #require(try await it.refusalToSignIn("not her password"))
            try await it.suspend()
            let after = try #require(try await it.refusalToSignIn("not her password"))
            #expect(after == before && after.code == .wrongCredentials)
            let unknown = try await refusal { try await it.auth.signIn("nobody@example.org", "not her password") }
            #expect(unknown == after)
            _ = it.auth.counts.take()
            _ = try await it.refusalToSignIn("not her password")
            let suspended = it.auth.counts.take()
            _ = try await refusal { try await it.auth.signIn("nobody@example.org", "not her password") }
            #expect(it.auth.counts.take() == suspended)
            // A made-up refresh token of her session tells nothing either.
            let made = RefreshToken(
                session: try #require(RefreshToken(it.session.refreshToken)).session, generation: 0,
                secret: [UInt8](repeating: 7, count: 32))
            #expect(try await refusal { try await it.auth.refresh(made.text) }?.code == .unauthenticated)
        }
    }

    /// With an access token that is still good for minutes.
    @Test func nothing_can_be_done_with_a_token_that_lives() async throws {
        try await ReportedAda.run { it in
            let caller = Caller(person: it.ada)
            let (auth, subject) = (it.auth, Subject(kind: .spot, id: .new()))
            try await it.suspend()
            let tries: [ErrorCode?] = [
                try await refusal {
                    try await auth.call(
                        AuthMethods.writeReview, PersonReference(id: it.eve),
                        ReviewDraft(subject: subject, rating: 5, text: "x"), as: caller)
                }?.code,
                try await refusal {
                    try await auth.call(AuthMethods.befriend, PersonReference(id: it.eve), Nothing(), as: caller)
                }?.code,
                try await refusal {
                    try await auth.call(AuthMethods.changeProfile, Nothing(), ProfileChange(bio: "x"), as: caller)
                }?.code,
                try await refusal {
                    try await it.village.report(Subject(kind: .person, id: ID(it.eve.uuid)), by: it.ada)
                }?.code,
            ]
            #expect(tries == Array(repeating: .suspended, count: 4))
            // A moderator who is suspended is none.
            _ = try await it.village.change(it.ada.description, isModerator: true)
            #expect(try await refusal { try await it.village.cases(by: it.ada) }?.code == .forbidden)
        }
    }

    /// Either the sign-in comes too late and says so, or its session ends with the others.
    @Test func a_sign_in_at_the_same_moment_leaves_no_ordinary_session() async throws {
        try await ReportedAda.run { it in
            for round in 0..<12 {
                async let signIn = it.auth.signIn("ada@example.org")
                async let suspend: Void = it.suspend(1, version: 2 * round)
                let (session, _) = (try await signIn, try await suspend)
                let live = try await it.auth.stores.stores.sessions.live(of: it.ada, now: it.auth.clock.now)
                #expect(live.count == (session.suspended == true ? 1 : 0))
                it.auth.clock.advance(by: .seconds(120))
                try await it.village.act(.reinstate, on: it.one, by: it.mod, version: 2 * round + 1)
            }
        }
    }
}
