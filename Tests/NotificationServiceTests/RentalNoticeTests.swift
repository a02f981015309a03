import Foundation
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Who is told what of an agreement. Ben lets a van, Maya rents it.
@Suite struct RentalNoticeTests {
    let maya = InboxBench.maya
    let ben = InboxBench.ben
    let kim = InboxBench.kim
    static let rental = RentalID.new()

    func news(_ state: RentalState, by person: PersonID? = nil) -> RentalNews {
        RentalNews(
            id: Self.rental, thing: .new(), kind: .car, title: "Blue van", owner: PersonSummary(id: ben, name: "Ben"),
            renter: PersonSummary(id: maya, name: "Maya Tan"), state: state, from: "2026-12-01", until: "2026-12-02",
            startsAt: Date(), endsAt: Date() + 172_800, by: person)
    }

    /// What somebody has not read, as `kind.state`, the newest first.
    func unread(_ bench: InboxBench, _ person: PersonID) async throws -> [String] {
        try await bench.notices(of: person, InboxQuery(unread: true)).map {
            "\($0.kind.rawValue).\($0.due?.rawValue ?? $0.rental?.rawValue ?? "")"
        }
    }

    func change(_ bench: InboxBench, _ state: RentalState, by person: PersonID? = nil) async throws {
        bench.wait(1)
        try await bench.tell(RentalChanged(rental: news(state, by: person)), from: "listings")
    }

    @Test func whoever_looks_at_an_agreement_has_read_all_about_it() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(RentalRequested(rental: news(.requested, by: maya)), from: "listings")
            bench.wait(1)
            try await bench.tell(RentalReminder(rental: news(.requested), about: .answer), from: "listings")
            let other = InboxMark(about: Subject(kind: .rental, id: .new()))
            #expect(try await bench.inbox.markRead(other, bench.context(ben)).unread == 2)
            let mark = InboxMark(about: Subject(Self.rental))
            #expect(try await bench.inbox.markRead(mark, bench.context()).unread == 0)
            #expect(try await unread(bench, ben).count == 2, "what somebody else looks at is not read by him")
            #expect(try await bench.inbox.markRead(mark, bench.context(ben)) == InboxCount(unread: 0, unseen: 0))
        }
    }

    @Test func an_agreement_is_told_to_whom_it_is_news_and_what_was_done_is_read() async throws {
        try await InboxBench.with { bench in
            let request = RentalRequested(rental: news(.requested, by: maya))
            for _ in 0..<2 { try await bench.tell(request, from: "listings") }
            let asked = try #require(try await bench.notices(of: ben).first)
            #expect(asked.kind == .rentalRequested && asked.rental == .requested && asked.actor?.id == maya)
            #expect(
                asked.title == "Blue van" && asked.link == "/rentals/\(Self.rental)" && asked.subject.kind == .rental)
            bench.wait(1)
            try await bench.tell(RentalReminder(rental: news(.requested), about: .answer), from: "listings")
            #expect(try await unread(bench, ben) == ["rentalDue.answer", "rentalRequested.requested"])
            #expect(try await unread(bench, maya).isEmpty)

            bench.wait(1)
            try await bench.tell(RentalAnswered(rental: news(.accepted, by: ben)), from: "listings")
            #expect(try await unread(bench, ben).isEmpty, "he has answered")
            #expect(try await unread(bench, maya) == ["rentalAnswered.accepted"])
            bench.wait(1)
            try await bench.tell(RentalReminder(rental: news(.accepted), about: .beginning), from: "listings")
            #expect(try await unread(bench, ben) == ["rentalDue.beginning"])
            #expect(try await bench.notices(of: ben).first?.actor == nil)

            try await change(bench, .handedOver, by: maya)
            #expect(try await unread(bench, maya).isEmpty, "she was there")
            #expect(try await unread(bench, ben) == ["rentalChanged.handedOver"])
            bench.wait(1)
            try await bench.tell(RentalReminder(rental: news(.handedOver), about: .overdue), from: "listings")
            #expect(try await unread(bench, maya) == ["rentalDue.overdue"])
            try await change(bench, .returned)
            for person in [maya, ben] {
                #expect(try await unread(bench, person) == ["rentalChanged.returned"], "time did it")
            }
            try await change(bench, .disputed, by: ben)
            #expect(try await unread(bench, ben).isEmpty)
            try await change(bench, .settled, by: kim)
            for person in [maya, ben] {
                let one = try #require(try await bench.notices(of: person).first)
                #expect(one.rental == .settled && one.actor == nil, "moderators are not named")
            }
            #expect(try await bench.notices(of: kim).isEmpty)
            let kinds = try await bench.notices(of: maya).map(\.kind)
            #expect(kinds.count == Set(kinds).count, "one of each kind")
        }
    }

    @Test func what_is_let_at_once_is_told_to_its_owner_alone() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(RentalRequested(rental: news(.accepted)), from: "listings")
            try await bench.tell(RentalAnswered(rental: news(.accepted)), from: "listings")
            #expect(try await unread(bench, ben) == ["rentalRequested.accepted"])
            #expect(try await unread(bench, maya).isEmpty)
        }
    }

    @Test func what_was_not_answered_is_told_to_who_asked() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(RentalRequested(rental: news(.requested, by: maya)), from: "listings")
            bench.wait(1)
            try await bench.tell(RentalAnswered(rental: news(.lapsed)), from: "listings")
            #expect(try await unread(bench, maya) == ["rentalAnswered.lapsed"])
            #expect(try await unread(bench, ben).isEmpty)
        }
    }

    @Test func that_it_is_off_is_heard_however_apart_the_two_are() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(RentalRequested(rental: news(.requested, by: maya)), from: "listings")
            bench.wait(1)
            try await bench.tell(PeopleBlocked(pair: BlockedPair(ben, maya)))
            try await change(bench, .cancelled, by: maya)
            #expect(try await unread(bench, ben) == ["rentalChanged.cancelled"])
            try await change(bench, .handedOver, by: maya)
            #expect(try await unread(bench, ben) == ["rentalChanged.cancelled"], "nothing of what she does")
            #expect(try await unread(bench, maya).isEmpty)
            let erased = try await bench.notices(of: ben).first
            #expect(erased?.actor == nil && erased?.title == "Blue van")
        }
    }

    @Test func each_new_state_is_mailed_and_the_same_one_once() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(RentalAnswered(rental: news(.accepted, by: ben)), from: "listings")
            bench.wait(601)
            let mail = try #require(try await bench.mails().first)
            #expect(mail.subject == "Your request at Testholm & <Sons> was accepted" && !mail.text.contains("Blue van"))
            #expect(
                mail.text.contains("@ben has accepted your request.") && mail.text.contains("/rentals/\(Self.rental)"))
            try await change(bench, .handedOver, by: ben)
            bench.wait(601)
            #expect(try await bench.mails().count == 1)
            // Not read, and now something else.
            try await change(bench, .cancelled, by: ben)
            bench.wait(601)
            let last = try #require(try await bench.mails().first)
            #expect(last.text.contains("A rental was cancelled."))
            try await bench.choose { $0.kinds = [NoticeChoice(kind: .rentalChanged, mail: false, push: true)] }
            try await change(bench, .disputed, by: ben)
            bench.wait(601)
            #expect(try await bench.mails().isEmpty)
        }
    }

    private static let said: [(InboxNoticeKind, RentalState, RentalReminder.Occasion?)] =
        [
            (.rentalRequested, .requested, nil), (.rentalRequested, .accepted, nil), (.rentalAnswered, .accepted, nil),
            (.rentalAnswered, .declined, nil), (.rentalAnswered, .lapsed, nil), (.rentalDisputed, .disputed, nil),
        ]
        + [.handedOver, .returned, .lapsed, .cancelled, .noShow, .disputed, .settled].map { (.rentalChanged, $0, nil) }
        + RentalReminder.Occasion.allCases.map { (.rentalDue, .accepted, $0) }

    @Test(arguments: ["en", "de"]) func each_state_has_its_words(_ language: String) throws {
        let tokens = UnsubscribeTokens(secret: Array("a secret of this test".utf8))
        let composer = try PushBench.composer()
        var (subjects, texts, bodies): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for (kind, state, due) in Self.said {
            let variant = due?.rawValue ?? state.rawValue
            let line = InboxMail.Line(
                notice: .new(), kind: kind, count: 1, username: "tom", link: "/me", variant: variant)
            let order = InboxMail(
                to: "maya@example.org", language: language, person: maya, lines: [line], isDigest: false)
            let mail = try MailMessageTests.composer().message(for: order, tokens: tokens, id: UUID(), at: Date())
            subjects.insert(mail.subject)
            texts.insert(mail.text.components(separatedBy: "https://")[0])
            #expect(!mail.html.contains("{{") && mail.html.contains("</p>"))
            var notice = PushBench.notice(kind, title: "Blue van")
            notice.variant = variant
            let delivery = PushDelivery(
                id: UUID(), device: UUID(), person: .new(), notice: notice, unread: 1, attempts: 1, expiresAt: Date())
            let body = composer.message(for: delivery, in: language, isBrief: false).body
            #expect(body.contains("Blue van") && !body.contains("{"))
            bodies.insert(body)
        }
        #expect(subjects.count == Self.said.count && texts.count == Self.said.count && bodies.count == Self.said.count)
    }
}
