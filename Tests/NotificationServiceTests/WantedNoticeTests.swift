import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Who is told what of what they look for. Ben shares, Maya and Kim look for it.
@Suite struct WantedNoticeTests {
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let kim = InboxBench.kim
    private static let wanted = WantedID.new()

    private func spot(_ id: SpotID = InboxBench.spot) -> Searchable {
        Searchable(Subject(id), of: ben, title: "By the mill", keys: [], isForOne: true)
    }

    private func thing(_ kind: ThingKind = .car, _ id: ThingID = .new()) -> Searchable {
        Searchable(Subject(id), of: ben, title: "Blue van", keys: [], isForOne: false, thing: kind)
    }

    private func raised(_ found: Searchable, to people: [PersonID], _ bench: InboxBench) throws -> NoticeRaised {
        try #require(found.raised(to: people, at: bench.clock.now))
    }

    private func tell(_ found: Searchable, to people: [PersonID], _ bench: InboxBench) async throws {
        try await bench.tell(try raised(found, to: people, bench), from: "matching")
    }

    private func settle(_ found: Searchable, for people: [PersonID], _ bench: InboxBench) async throws {
        try await bench.tell(NoticeSettled([.found(found.subject)], for: .people(people)), from: "matching")
    }

    private func remind(_ about: WantedReminder.Occasion, _ bench: InboxBench, number: Int? = nil) async throws {
        bench.wait(1)
        try await bench.tell(
            WantedReminder(wanted: Self.wanted, person: maya, about: about, number: number), from: "matching")
    }

    private func withDevice(_ body: (InboxBench) async throws -> Void) async throws {
        try await InboxBench.with(devices: .some(of: maya)) { bench in
            try await bench.choose { settings in
                for index in settings.kinds.indices {
                    settings.kinds[index].mail = settings.kinds[index].kind.hasMail
                }
            }
            try await body(bench)
        }
    }

    private func claim(_ bench: InboxBench) async throws -> [PushDelivery] {
        let now = bench.clock.now
        return try await bench.deliveries.claimDeliveries(atMost: 10, besides: [], now: now, lease: now + 60)
    }

    @Test func what_was_found_leads_there_and_says_so_by_mail_and_on_devices() async throws {
        try await withDevice { bench in
            let (free, car) = (spot(), thing())
            try await tell(free, to: [maya], bench)
            let told = try #require(try await bench.notices().first)
            let link = "/spots/\(InboxBench.spot)?found=yes"
            #expect(told.kind == .spotFound && told.actor?.id == ben && told.title == "By the mill")
            #expect(told.link == link && told.subject == free.subject && told.variant == nil)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 1)
            let delivery = try #require(try await claim(bench).first)
            let message = try PushBench.composer().message(for: delivery, in: "en", isBrief: false)
            #expect(message.title == "Ben" && message.body == "A spot that you look for is free: “By the mill”")
            #expect(message.link == link)
            bench.wait(600)
            let mail = try #require(try await bench.mails().first)
            #expect(mail.subject == "A spot that you look for at Testholm & <Sons> is free")
            #expect(mail.text.contains("A spot that you look for is free.\n") && !mail.text.contains("mill"))
            #expect(mail.text.contains("to=/spots/\(InboxBench.spot)%3Ffound%3Dyes\n"))

            try await tell(car, to: [maya], bench)
            let newest = try #require(try await bench.notices().first)
            #expect(newest.kind == .thingFound && newest.variant == "car")
            #expect(newest.link == "/things/\(car.subject.id)?found=yes")
            let read = try await bench.inbox.markRead(InboxMark(about: car.subject), bench.context())
            #expect(read.unread == 1, "whoever looks at it has read of it")
        }
    }

    @Test func a_thing_is_told_once_also_where_it_is_said_anew_after_it_was_read() async throws {
        try await withDevice { bench in
            let notice = try raised(thing(), to: [maya, ben, kim, maya], bench)
            for _ in 0..<3 { try await bench.tell(notice, from: "matching") }
            #expect(try await bench.notices().count == 1)
            #expect(try await bench.unread(of: kim) == 1)
            #expect(try await bench.notices(of: ben).isEmpty, "nobody is told of what is their own")
            #expect(try await bench.published(Noticed.self).count == 2)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 2)
            for delivery in try await claim(bench) { try await bench.deliveries.settle(delivery, again: nil) }
            let told = try #require(try await bench.notices().first)
            _ = try await bench.inbox.markRead(InboxMark(ids: [told.id]), bench.context())
            bench.wait(60)
            try await bench.tell(notice, from: "matching")
            #expect(try await bench.unread() == 0)
            bench.wait(700)
            #expect(try await bench.rounds.push() == 0)
            #expect(try await bench.mails().isEmpty)
            #expect(try await bench.published(Noticed.self).count == 2)
        }
    }

    @Test func what_is_gone_is_read_and_comes_neither_by_mail_nor_on_devices() async throws {
        try await withDevice { bench in
            let (first, second) = (spot(), thing())
            try await tell(first, to: [maya, kim], bench)
            bench.wait(5)
            #expect(try await bench.rounds.push() == 2)
            // One waits for a device, the other is not handed over yet.
            try await tell(second, to: [maya], bench)
            try await settle(first, for: [maya, kim], bench)
            for _ in 0..<2 { try await settle(second, for: [maya], bench) }
            #expect(try await bench.notices().map { $0.readAt != nil } == [true, true])
            for person in [maya, kim] { #expect(try await bench.unread(of: person) == 0) }
            let read = try await bench.published(NoticesRead.self)
            #expect(read.map(\.header.audience) == [.people([maya]), .people([kim]), .people([maya])])
            #expect(read.map(\.event.unread) == [1, 0, 0])
            #expect(try await bench.database.read("SELECT FROM deliveries").isEmpty)
            bench.wait(700)
            #expect(try await bench.rounds.push() == 0)
            #expect(try await claim(bench).isEmpty)
            #expect(try await bench.mails().isEmpty)
        }
    }

    @Test func nobody_hears_of_those_from_whom_they_are_apart_but_of_their_own_searches() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(PeopleBlocked(pair: BlockedPair(maya, ben)))
            try await tell(spot(), to: [maya, kim], bench)
            #expect(try await bench.database.read("SELECT FROM notices WHERE person = \(maya)").isEmpty)
            #expect(try await bench.unread(of: kim) == 1)
            let suspension = Suspension(since: bench.clock.now, until: bench.clock.now + 600, reason: "x")
            try await bench.tell(PersonSuspended(person: ben, suspension: suspension))
            #expect(try await bench.notices(of: kim).isEmpty)
            try await remind(.ended, bench)
            #expect(try await bench.notices().map(\.kind) == [.wantedDue])
        }
    }

    @Test func what_time_does_to_a_search_is_one_notice_that_moves_up() async throws {
        try await InboxBench.with { bench in
            try await remind(.digest, bench, number: 14)
            bench.wait(1)
            try await tell(spot(), to: [maya], bench)
            #expect(try await bench.notices().map(\.kind) == [.spotFound, .wantedDue])
            let first = try #require(try await bench.notices().last)
            #expect(first.link == "/wanted/\(Self.wanted)" && first.actor == nil && first.values?.number == 14)
            bench.wait(86_400)
            try await remind(.digest, bench, number: 1)
            let moved = try await bench.notices()
            #expect(moved.map(\.kind) == [.wantedDue, .spotFound] && moved[0].id == first.id)
            #expect(moved[0].values?.number == 1 && moved[0].variant == "digest")
            for occasion in [WantedReminder.Occasion.endsSoon, .ended, .unseen] {
                try await remind(occasion, bench)
                #expect(try await bench.notices().map(\.variant) == [occasion.rawValue, nil])
            }
            #expect(try await bench.unread() == 2)
        }
    }

    @Test func two_hundred_people_are_told_and_what_is_gone_is_read_for_all_with_their_own_numbers() async throws {
        try await InboxBench.with { bench in
            let people = [maya] + (0..<199).map { _ in PersonID.new() }
            try await bench.ask()
            try await tell(thing(), to: people, bench)
            let gone = thing()
            try await tell(gone, to: people, bench)
            let noticed = try await bench.published(Noticed.self).map(\.event)
            #expect(noticed.dropFirst().allSatisfy { $0 == Noticed(kind: .thingFound, notice: nil, unread: nil) })
            #expect(noticed.count == 3 && noticed[0].unread == 1)
            try await settle(gone, for: people, bench)
            let read = try await bench.published(NoticesRead.self)
            #expect(read.count == 200 && Set(read.map(\.header.audience)).count == 200)
            #expect(read.allSatisfy { $0.event.notices?.count == 1 })
            for (header, event) in read { #expect(event.unread == (header.audience == .people([maya]) ? 2 : 1)) }
        }
    }

    /// Each inbox that is held is a place in the server's table of locks.
    @Test func however_many_are_told_together_few_inboxes_are_held() async throws {
        try await InboxBench.with { bench in
            let found = (0..<30).map { _ in (thing: thing(), people: (0..<50).map { _ in PersonID.new() }) }
            let told = try found.map { NoticeNews.raised(try raised($0.thing, to: $0.people, bench)) }
            let gone = found.map {
                NoticeNews.settled(NoticeSettled([.found($0.thing.subject)], for: .people($0.people)))
            }
            for news in [told, gone] {
                let locks: Int = try await bench.database.transaction { transaction in
                    try await bench.book.apply(news, in: transaction)
                    return try await transaction.query(
                        """
                        SELECT count(*) AS count FROM pg_locks
                        WHERE locktype = 'advisory' AND pid = pg_backend_pid()
                        """)[0].get("count", as: Int.self)
                }
                #expect(locks < 10)
            }
            let rows = try await bench.database.read(
                "SELECT count(*) AS told, count(read_at) AS read FROM notices WHERE told")[0]
            #expect(try rows.get("told", as: Int.self) == 1_500)
            #expect(try rows.get("read", as: Int.self) == 1_500)
            #expect(try await bench.published(Noticed.self).count == 30)
            #expect(try await bench.published(NoticesRead.self).count == 1_500)
        }
    }

    @Test func what_is_urgent_does_not_wait_for_a_device_behind_what_many_are_told() async throws {
        try await withDevice { bench in
            for _ in 0..<2 { try await tell(thing(), to: [maya], bench) }
            bench.wait(5)
            #expect(try await bench.rounds.push() == 2)
            try await bench.writeAndHandOver(1)
            let news = MatchNews(
                id: .new(), order: .new(), state: .offered, orderState: .offered,
                orderer: PersonSummary(id: ben, name: "Ben"), deliverer: PersonSummary(id: maya, name: "Maya"),
                restaurant: "Unicafe", dropOff: "Exactum")
            try await bench.tell(NewMatch(match: news), from: "matching")
            #expect(try await bench.rounds.push() == 1)
            var kinds: [InboxNoticeKind] = []
            for _ in 0..<4 {
                for delivery in try await claim(bench) {
                    kinds.append(delivery.notice.kind)
                    try await bench.deliveries.settle(delivery, again: nil)
                }
            }
            #expect(kinds == [.matchOffered, .message, .thingFound, .thingFound])
        }
    }

    private static let said: [(InboxNoticeKind, String, Int?)] = [
        (.spotFound, "", nil), (.thingFound, "car", nil), (.thingFound, "space", nil), (.thingFound, "parking", nil),
        (.rideFound, "", nil), (.delivererFound, "", nil), (.rideInvited, "", nil), (.seekerFound, "", nil),
        (.wantedDue, "endsSoon", nil), (.wantedDue, "ended", nil),
        (.wantedDue, "digest", 1), (.wantedDue, "digest", 2), (.wantedDue, "digest", 14), (.wantedDue, "unseen", nil),
    ]

    @Test(arguments: ["en", "de"]) func each_variant_has_its_words(_ language: String) throws {
        let variants = Set(Self.said.map { "\($0.0.rawValue).\($0.1)" })
        for kind in ThingKind.allCases { #expect(variants.contains("thingFound.\(kind.rawValue)")) }
        for about in WantedReminder.Occasion.allCases { #expect(variants.contains("wantedDue.\(about.rawValue)")) }
        let tokens = UnsubscribeTokens(secret: Array("a secret of this test".utf8))
        let composer = try PushBench.composer()
        var (subjects, texts, bodies): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for (kind, variant, number) in Self.said {
            let values = number.map { NoticeValues(number: $0) }
            let line = InboxMail.Line(
                notice: .new(), kind: kind, count: 1, username: "tom", link: "/me", variant: variant, values: values)
            let order = InboxMail(
                to: "maya@example.org", language: language, person: maya, lines: [line], isDigest: false)
            let mail = try MailMessageTests.composer().message(for: order, tokens: tokens, id: UUID(), at: Date())
            let text = mail.text.components(separatedBy: "https://")[0]
            subjects.insert(mail.subject)
            texts.insert(text)
            var notice = PushBench.notice(kind, title: kind == .wantedDue ? nil : "By the mill")
            (notice.variant, notice.values) = (variant, values)
            let delivery = PushDelivery(
                id: UUID(), device: UUID(), person: .new(), notice: notice, unread: 1, attempts: 1, expiresAt: Date())
            let body = composer.message(for: delivery, in: language, isBrief: false).body
            bodies.insert(body)
            #expect(body.contains("By the mill") == (kind != .wantedDue), "\(kind) \(variant)")
            for words in [mail.subject, text, body] {
                #expect(!words.contains("{") && !words.contains("["))
                if let number { #expect(words.contains(" \(number) ") == (number > 1), "\(words)") }
            }
        }
        #expect(subjects.count == Self.said.count && texts.count == Self.said.count && bodies.count == Self.said.count)
    }
}
