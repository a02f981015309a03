import DurableMessaging
import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Warnings and suspensions as the bus asks for them, on a real database.
@Suite struct SuspensionTests {
    private static let day: TimeInterval = 86_400

    @Test func it_is_over_by_its_time_alone() async throws {
        try await ReportedAda.run { it in
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
        try await ReportedAda.run { it in
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

    @Test func a_suspended_profile_says_that_it_is_not_available_and_moderators_see_it() async throws {
        try await ReportedAda.run { it in
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
        try await ReportedAda.run { it in
            let caller = Caller(person: it.ada)
            try await it.village.act(.warn, on: it.one, by: it.mod, reason: "Leave her alone.")
            let notices = try await it.auth.call(AuthMethods.notices, Nothing(), Nothing(), as: caller).items
            #expect(notices.map(\.kind) == [.warning] && notices[0].text == "Leave her alone.")
            try await it.auth.showAddress("ada@example.org")
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
            try await village.auth.showAddress("ben@example.org")
            let office = PostOffice()
            _ = try await village.auth.mails(to: office).round()
            #expect(office.orders.map(\.notice?.kind) == [.concerned])
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
