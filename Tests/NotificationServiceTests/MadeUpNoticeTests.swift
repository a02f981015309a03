import Foundation
import Sentences
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// A kind that no part of this service knows: one line of the table, its sentences, and whoever raises it.
@Suite struct MadeUpNoticeTests {
    private static let offered: InboxNoticeKind = "rideOffered"
    private static let key = NoticeKey(rawValue: "rideOffered/1")
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let spot = InboxBench.spot

    private static let policy: NoticePolicy = {
        var policy = NoticePolicy()
        policy.kinds = NoticeKinds([
            NoticeDescription(.account, link: "/me", icon: "flag", mail: .never),
            NoticeDescription(offered, link: "/rides/{subject}?by={actor}", icon: "car"),
        ])
        return policy
    }()

    private static let sentences = NoticeCatalogue([
        "en": NoticeSentences(
            code: "en",
            kinds: .group([
                offered.rawValue: .group([
                    "about": .sentence("Rides"),
                    "told": .group([
                        "late": .sentence("[{name}|Somebody] will be late[ for “{title}”]."),
                        "otherwise": .sentence("[{name}|Somebody] takes you along[ at {time}, {number} for {amount}]."),
                    ]),
                    "push": .sentence("A ride[: {title}][ at {time}]"), "subject": .sentence("A ride at {community}"),
                ]),
                "dates": .group([
                    "months": .sentence("1 2 3 4 5 6 7 8 9 10 11 12"), "day": .sentence("{year}/{month}/{day}"),
                    "time": .sentence("{date} {time}"),
                ]),
            ]))
    ])

    private func raised(_ bench: InboxBench, _ variant: String? = nil, to person: PersonID? = nil) -> NoticeRaised {
        NoticeRaised(
            Self.offered, Self.key, to: .people([person ?? maya]), by: ben, Subject(spot), variant: variant,
            title: "To work", at: bench.clock.now)
    }

    private func with(_ body: (InboxBench) async throws -> Void) async throws {
        try await InboxBench.with(
            policy: Self.policy, devices: .some(of: maya), sentences: Self.sentences, body)
    }

    @Test func it_stands_in_the_inbox_and_comes_by_mail_and_on_devices() async throws {
        try await with { bench in
            let first = raised(bench)
            for _ in 0..<2 { try await bench.tell(first, from: "listings") }
            let told = try #require(try await bench.notices().first)
            #expect(told.kind == Self.offered && told.actor?.id == ben && told.title == "To work")
            #expect(told.link == "/rides/\(spot)?by=\(ben)" && told.variant == nil)
            #expect(try await bench.published(Noticed.self).map(\.event.kind) == [Self.offered])
            bench.wait(1)
            try await bench.tell(raised(bench, "late"), from: "listings")
            #expect(try await bench.notices().map(\.variant) == ["late"])

            bench.wait(5)
            try await bench.rounds.push()
            let now = bench.clock.now
            let delivery = try #require(
                try await bench.deliveries.claimDeliveries(atMost: 9, besides: [], now: now, lease: now + 60).first)
            let composer = PushComposer(community: "Village", notices: Self.sentences)
            let message = composer.message(for: delivery, in: "en", isBrief: false)
            #expect(message.title == "Ben" && message.body == "A ride: To work" && message.kind == Self.offered)

            bench.wait(600)
            let mail = try #require(try await bench.mails().first)
            #expect(mail.subject == "A ride at Testholm & <Sons>" && mail.text.contains("@ben will be late.\n"))
            let token = try #require(mail.unsubscribe?.split(separator: "/").last.map(String.init))
            let ended = try await bench.settings.unsubscribe(token, bench.context())
            #expect(ended.kinds == [Self.offered])
        }
    }

    @Test(arguments: Capability.notices.services) func whoever_has_notices_is_heard(service: PeerRole) async throws {
        try await with { bench in
            try await bench.tell(raised(bench), from: service.rawValue)
            #expect(try await bench.notices().map(\.kind) == [Self.offered])
        }
    }

    @Test func its_values_are_written_as_the_language_does_and_other_ones_are_news() async throws {
        try await with { bench in
            var ride = raised(bench)
            ride.values = NoticeValues(
                time: "2026-12-01T08:15", amount: Money(amount: 250, currency: "SGD"), number: 2)
            try await bench.tell(ride, from: "listings")
            #expect(try await bench.notices().map(\.values) == [ride.values])
            bench.wait(601)
            let mail = try #require(try await bench.mails().first)
            #expect(mail.text.contains("@ben takes you along at 2026/12/1 08:15, 2 for $2.50.\n"))
            bench.wait(1)
            try await bench.tell(raised(bench), from: "listings")
            bench.wait(601)
            #expect(try await bench.mails().first?.text.contains("@ben takes you along.\n") == true)
        }
    }

    @Test func it_is_one_of_the_choices_and_no_other_kind_is() async throws {
        try await with { bench in
            let usual = try await bench.settings.settings(for: Caller(person: maya))
            #expect(usual.kinds.map(\.kind) == [.account, Self.offered])
            try await bench.choose { $0.kinds = [NoticeChoice(kind: Self.offered, mail: false, push: false)] }
            try await bench.tell(raised(bench), from: "listings")
            bench.wait(700)
            #expect(try await bench.rounds.push() == 0)
            #expect(try await bench.mails().isEmpty)
            #expect(try await bench.unread() == 1, "it stands in her inbox")
            let error = await #expect(throws: ServiceError.self) {
                try await bench.choose { $0.kinds = [NoticeChoice(kind: "rideLost", mail: false, push: true)] }
            }
            #expect(error?.errors.map(\.field) == ["kinds[0].kind"])
        }
    }

    @Test func what_is_settled_is_read_and_comes_neither_by_mail_nor_on_devices() async throws {
        try await with { bench in
            try await bench.tell(raised(bench), from: "listings")
            for _ in 0..<2 {
                try await bench.tell(NoticeSettled([Self.key], for: .people([maya])), from: "listings")
            }
            #expect(try await bench.unread() == 0)
            #expect(try await bench.published(NoticesRead.self).count == 1)
            bench.wait(700)
            #expect(try await bench.rounds.push() == 0)
            #expect(try await bench.mails().isEmpty)
        }
    }

    /// A service is newer than this one: nothing is lost, and nobody is woken by what has no words here.
    @Test func a_kind_that_is_not_known_yet_stands_in_the_inbox_alone() async throws {
        try await with { bench in
            let unknown = NoticeRaised(
                "rideLost", NoticeKey(rawValue: "rideLost/1"), to: .people([maya]), by: nil, Subject(spot),
                at: bench.clock.now)
            try await bench.tell(unknown, from: "listings")
            #expect(try await bench.notices().map(\.link) == ["/notifications"])
            bench.wait(700)
            #expect(try await bench.rounds.push() == 0)
            #expect(try await bench.mails().isEmpty)
        }
    }
}
