import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Warnings and suspensions as the bus asks for them, on a real database.
@Suite struct SuspensionTests {
    private static let day: TimeInterval = 86_400

    /// Ada with a session and her case, and who decides it.
    private struct Reported {
        let village: ModerationVillage
        let ada: PersonID
        let session: SignedIn
        let mod: PersonID
        let eve: PersonID
        let one: CaseID

        var auth: AuthBench { village.auth }

        func suspend(_ days: Int? = 7, version: Int = 0) async throws {
            _ = try await auth.call(
                AuthMethods.act, CaseReference(id: one),
                ActDraft(act: .suspend, reason: "Threats.", days: days, version: version), as: Caller(person: mod))
        }

        func refusalToSignIn(_ password: String = "quiet river stones") async throws -> ServiceError? {
            try await refusal { try await auth.signIn("ada@example.org", password) }
        }

        /// Whether a session that she opens now is good for her own data alone.
        func comesInSuspended() async throws -> Bool {
            try await auth.signIn("ada@example.org").suspended == true
        }

        /// With such a session.
        func suspended() async throws -> Caller {
            _ = try await auth.signIn("ada@example.org")
            let live = try await auth.stores.stores.sessions.live(of: ada, now: auth.clock.now)
            return Caller(person: ada, session: live.last?.id, isSuspended: true)
        }

        func profile(as viewer: PersonID?) async throws -> ErrorCode? {
            try await refusal {
                try await auth.call(AuthMethods.person, PersonReference(id: ada), Nothing(), as: Caller(person: viewer))
            }?.code
        }
    }

    private func reported(_ test: (Reported) async throws -> Void) async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let ada = try await auth.signUp("ada@example.org", name: "Ada").person.id
            let session: SignedIn = try await auth.call(
                AuthMethods.signIn, DeviceParameters(device: "Firefox", language: "de-DE"),
                SignIn(email: "ada@example.org", password: "quiet river stones"),
                as: Caller(address: "203.0.113.7"))
            let (mod, eve) = (try await village.moderators(1)[0], try await auth.newcomers(1)[0])
            try await village.report(ReportSubject(kind: .person, id: ID(ada.uuid)), by: eve, .harassment)
            let one = try #require(try await village.cases(by: mod).first?.id)
            try await test(
                Reported(village: village, ada: ada, session: session, mod: mod, eve: eve, one: one))
        }
    }

    @Test func who_is_suspended_is_signed_out_and_told_why_and_until_when() async throws {
        try await reported { it in
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
            #expect(types.suffix(3) == ["personSuspended", "sessionsRevoked", "noticeGiven"])
        }
    }

    /// What is theirs stays theirs: the archive, erasing it, why and until when, and signing out.
    @Test func who_is_suspended_comes_in_to_what_is_theirs_and_to_nothing_else() async throws {
        try await reported { it in
            try await it.suspend()
            #expect(try await it.comesInSuspended())
            // A sign-up with the credentials of an account is a sign-in.
            #expect(try await it.auth.signUp("ada@example.org").session.suspended == true)
            let caller = try await it.suspended()
            let why = try await it.auth.call(AuthMethods.suspension, Nothing(), Nothing(), as: caller)
            #expect(why.reason == "Threats." && why.until == it.auth.clock.now + 7 * Self.day)
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
        try await reported { it in
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
        try await reported { it in
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

    @Test func it_is_over_by_its_time_alone() async throws {
        try await reported { it in
            try await it.suspend(3)
            it.auth.clock.advance(by: .seconds(3 * Self.day - 1))
            #expect(try await it.comesInSuspended())
            #expect(try await it.profile(as: it.eve) == .notAvailable)
            it.auth.clock.advance(by: .seconds(2))
            let stillSuspended = try await it.comesInSuspended()
            #expect(!stillSuspended)
            #expect(try await it.profile(as: it.eve) == nil)
            #expect(try await it.village.file(it.one, by: it.mod).possible.contains(.suspend))
            #expect(try await it.auth.call(AuthMethods.suspendedPeople, PeopleQuery(), Nothing()).items.isEmpty)
        }
    }

    @Test func for_good_lasts_until_it_is_lifted() async throws {
        try await reported { it in
            try await it.suspend(nil)
            let everybody = try await it.auth.call(AuthMethods.suspendedPeople, PeopleQuery(), Nothing())
            #expect(everybody.items == [SuspendedPerson(person: it.ada, until: nil)])
            it.auth.clock.advance(by: .seconds(4000 * Self.day))
            let told = try await it.auth.call(
                AuthMethods.suspension, Nothing(), Nothing(), as: try await it.suspended())
            #expect(told.until == nil && told.reason == "Threats.")
            let file = try await it.village.file(it.one, by: it.mod)
            #expect(file.suspension?.until == nil && file.suspension?.reason == "Threats.")
            #expect(file.possible == [.warn, .reinstate])
            #expect(try await refusal { try await it.suspend(1, version: 1) }?.code == .wrongState)
            try await it.village.act(.reinstate, on: it.one, by: it.mod, version: 1, reason: "A mistake.")
            let stillSuspended = try await it.comesInSuspended()
            #expect(!stillSuspended)
            #expect(try await it.auth.events(PersonReinstated.self).map(\.event.person) == [it.ada])
            let log = try await it.village.audit(of: it.ada, by: it.mod)
            #expect(log.map(\.act) == [.reinstate, .suspend])
            #expect(log[0].changes == [AuditChange(of: "suspended", from: "for good", to: nil)])
            #expect(log[1].changes.last == AuditChange(of: "suspended", from: nil, to: "for good"))
        }
    }

    /// With an access token that is still good for minutes.
    @Test func nothing_can_be_done_with_a_token_that_lives() async throws {
        try await reported { it in
            let caller = Caller(person: it.ada)
            let (auth, subject) = (it.auth, EncounterSubject(kind: .spot, id: .new()))
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
                    try await it.village.report(ReportSubject(kind: .person, id: ID(it.eve.uuid)), by: it.ada)
                }?.code,
            ]
            #expect(tries == Array(repeating: .suspended, count: 4))
            // A moderator who is suspended is none.
            _ = try await it.village.change(it.ada.description, isModerator: true)
            #expect(try await refusal { try await it.village.cases(by: it.ada) }?.code == .forbidden)
        }
    }

    @Test func a_suspended_profile_says_that_it_is_not_available_and_moderators_see_it() async throws {
        try await reported { it in
            try await it.suspend()
            for viewer in [it.eve, nil] { #expect(try await it.profile(as: viewer) == .notAvailable) }
            #expect(try await it.profile(as: it.mod) == nil)
            let village = BlockVillage(auth: it.auth)
            #expect(
                try await village.refusals(it.eve, of: it.ada)
                    == [.notAvailable, .notFound, .notFound, .notFound])
            #expect(try await village.refusals(it.mod, of: it.ada) == [nil, nil, nil, nil])
            let reviews = try await refusal {
                try await it.auth.call(AuthMethods.reviews, ReviewQuery(id: it.ada), Nothing())
            }
            #expect(reviews?.code == .notFound)
        }
    }

    @Test func people_are_told_once_by_mail_and_in_their_account_until_they_read_it() async throws {
        try await reported { it in
            let caller = Caller(person: it.ada)
            try await it.village.act(.warn, on: it.one, by: it.mod, reason: "Leave her alone.")
            let notices = try await it.auth.call(AuthMethods.notices, Nothing(), Nothing(), as: caller).items
            #expect(notices.map(\.kind) == [.warning] && notices[0].text == "Leave her alone.")
            let office = PostOffice()
            for _ in 0..<2 { _ = try await it.auth.mails(to: office).round() }
            let mail = try #require(office.orders.first { $0.template == .notice })
            #expect(mail.to == "ada@example.org" && mail.notice?.text == "Leave her alone." && mail.language == "de-de")
            #expect(office.orders.count == 1)
            let strange = try await refusal {
                try await it.auth.call(
                    AuthMethods.readNotice, NoticeReference(id: notices[0].id), Nothing(), as: Caller(person: it.eve))
            }
            #expect(strange?.code == .notFound)
            for _ in 0..<2 {
                let _: Nothing = try await it.auth.call(
                    AuthMethods.readNotice, NoticeReference(id: notices[0].id), Nothing(), as: caller)
            }
            #expect(try await it.auth.call(AuthMethods.notices, Nothing(), Nothing(), as: caller).items.isEmpty)
            it.auth.clock.advance(by: .seconds(60))
            try await it.suspend(2, version: 1)
            _ = try await it.auth.mails(to: office).round()
            let day = String(WireJSON.text(of: it.auth.clock.now + 2 * Self.day).prefix(10))
            #expect(
                office.orders.last?.notice == NoticeMail(kind: .suspended, text: "Threats.", until: day))
            // No mail's words stand in an event, and no address.
            #expect(!(try await it.auth.dump().contains("Leave her alone.")))
        }
    }

    @Test func who_holds_a_spot_of_theirs_is_told_once_for_each_event() async throws {
        try await ModerationVillage.run { village in
            let ben = try await village.auth.signUp("ben@example.org").person.id
            let event = PosterSuspended(spot: .new(), name: "By the library", claimer: ben)
            let header = EventHeader(
                id: .version7(), type: PosterSuspended.type, aggregate: "spot/\(event.spot)",
                audience: .people([ben]), occurredAt: village.auth.clock.now)
            for epoch in [UUID(), UUID()] {
                let consumer = DurableConsumer(database: village.auth.database)
                village.auth.stores.follow(on: consumer)
                try await consumer.resynchronise("listings", epoch: epoch, head: 0)
                try await consumer.consume([
                    EventEnvelope(
                        publisher: "listings", epoch: epoch, position: 1, header: header,
                        payload: try WireJSON.encode(event))
                ])
            }
            let notices = try await village.auth.call(
                AuthMethods.notices, Nothing(), Nothing(), as: Caller(person: ben)
            ).items
            #expect(notices.map(\.kind) == [.concerned] && notices[0].title == "By the library")
            let office = PostOffice()
            _ = try await village.auth.mails(to: office).round()
            #expect(office.orders.map(\.notice?.kind) == [.concerned])
        }
    }

    /// Either the sign-in comes too late and says so, or its session ends with the others.
    @Test func a_sign_in_at_the_same_moment_leaves_no_ordinary_session() async throws {
        try await reported { it in
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

    @Test func a_time_that_cannot_be_is_refused_at_its_field() {
        for (act, days, code) in [
            (ModerationAct.suspend, 0, "out_of_range"), (.suspend, 366, "out_of_range"), (.hide, 7, "not_allowed"),
        ] {
            let draft = ActDraft(act: act, reason: "x", days: days, version: 0)
            let error = #expect(throws: ServiceError.self) { try draft.checked() }
            #expect(error?.errors.map(\.field) == ["days"] && error?.errors.map(\.code) == [code])
        }
        #expect(throws: Never.self) { try ActDraft(act: .suspend, reason: "x", days: 365, version: 0).checked() }
        #expect(throws: Never.self) { try ActDraft(act: .suspend, reason: "x", version: 0).checked() }
    }
}
