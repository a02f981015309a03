import DurableMessaging
import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Mails of what somebody who is away has not read, and how they are ended.
@Suite struct InboxMailTests {
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let kim = InboxBench.kim

    private func told(_ bench: InboxBench) async throws {
        bench.wait(5)
        try await bench.rounds.tell()
    }

    @Test func who_is_away_gets_one_mail_and_no_word_of_anybody() async throws {
        try await InboxBench.with { bench in
            try await bench.write(1)
            try await bench.write(2)
            try await told(bench)
            #expect(try await bench.mails().isEmpty)
            bench.wait(594)
            #expect(try await bench.mails().isEmpty)
            bench.wait(2)
            let mails = try await bench.mails()
            let mail = try #require(mails.first)
            #expect(mails.count == 1 && mail.recipient.text == "maya.tan@example.org")
            #expect(mail.text.contains("@ben has written to you (2 messages)."))
            let notice = try #require(try await bench.notices().first).id
            let way = "https://share.example.org/notifications/\(notice)?to=/messages/\(InboxBench.room)"
            #expect(mail.text.contains("\(way)\n") && mail.html.contains("href=\"\(way)\""))
            for part in [mail.text, mail.html, mail.subject] {
                #expect(!part.contains("secret words") && !part.contains("library") && !part.contains("{{"))
            }
            // More of the same is no second mail until it was read.
            bench.wait(3600)
            try await bench.write(3)
            bench.wait(3600)
            #expect(try await bench.mails().isEmpty)
            try await bench.read(3)
            try await bench.write(4)
            try await told(bench)
            bench.wait(600)
            #expect(try await bench.mails().count == 1)
        }
    }

    /// Nobody has shown that the address is theirs: what is told on the page is no mail, and who writes is named as ever.
    @Test func an_address_that_may_be_a_strangers_gets_no_mail() async throws {
        try await InboxBench.with { bench in
            bench.authIsAway.unshown.withLock { _ = $0.insert(maya) }
            try await bench.write(1)
            try await told(bench)
            bench.wait(700)
            #expect(try await bench.mails().isEmpty)
            #expect(try await bench.notices().count == 1)
            // What was for that mail is not sent later either.
            bench.authIsAway.unshown.withLock { _ = $0.remove(maya) }
            bench.wait(3600)
            #expect(try await bench.mails().isEmpty)
            try await bench.read(1)
            bench.authIsAway.unshown.withLock { _ = $0.insert(ben) }
            try await bench.write(2)
            try await told(bench)
            bench.wait(700)
            let mail = try #require(try await bench.mails().first)
            #expect(mail.text.contains("@ben has written to you."))
        }
    }

    @Test func nothing_is_mailed_that_was_read_meanwhile_at_any_step() async throws {
        try await InboxBench.with { bench in
            try await bench.write(1)
            try await told(bench)
            bench.wait(700)
            try await bench.read(1)
            #expect(try await bench.mails().isEmpty)
            // Read when the mail is written and waits for its delivery.
            try await bench.write(2)
            try await told(bench)
            bench.wait(700)
            #expect(try await bench.mailer.round() == 1)
            #expect(try await bench.database.read("SELECT FROM mails WHERE state = 'waiting'").count == 1)
            try await bench.read(2)
            #expect(try await bench.mails().isEmpty)
            #expect(try await bench.database.read("SELECT FROM mails").isEmpty)
            // Apart meanwhile.
            try await bench.ask()
            bench.wait(700)
            #expect(try await bench.mailer.round() == 1)
            try await bench.tell(PeopleBlocked(pair: BlockedPair(maya, ben)))
            #expect(try await bench.mails().isEmpty)
        }
    }

    @Test func who_has_a_page_open_gets_none_yet() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            for _ in 0..<20 {
                bench.wait(60)
                try await bench.inbox.noteSeen(Caller(person: maya))
                #expect(try await bench.mails().isEmpty)
            }
            bench.wait(301)
            #expect(try await bench.mails().count == 1)
        }
    }

    @Test func quiet_hours_put_mails_off_to_their_end() async throws {
        try await InboxBench.with { bench in
            try await bench.choose {
                $0.quiet = QuietHours(from: "12:30", to: "15:00")
                $0.timeZone = "Europe/Berlin"
            }
            // 13:00 in Berlin.
            try await bench.ask()
            bench.wait(3600)
            #expect(try await bench.mails().isEmpty)
            bench.wait(3599)
            #expect(try await bench.mails().isEmpty)
            bench.wait(1)
            #expect(try await bench.mails().count == 1)
        }
    }

    @Test func the_daily_mail_has_all_that_is_unread_at_its_hour() async throws {
        try await InboxBench.with { bench in
            try await bench.choose {
                $0.mail = .daily
                $0.digestHour = 18
                $0.timeZone = "UTC"
            }
            try await bench.ask()
            try await bench.ask(kim)
            try await bench.write(1)
            bench.wait(6 * 3600 - 60)
            try await bench.write(2)
            try await bench.rounds.tell()
            #expect(try await bench.mails().isEmpty)
            bench.wait(30)
            let asked = try await bench.notices().first { $0.actor?.id == kim }
            _ = try await bench.inbox.markRead(InboxMark(ids: [try #require(asked).id]), bench.context())
            #expect(try await bench.mails().isEmpty)
            bench.wait(30)
            let mails = try await bench.mails()
            let mail = try #require(mails.first)
            #expect(mails.count == 1 && mail.subject.contains("2"))
            #expect(mail.text.contains("@ben has written to you (2 messages).") && !mail.text.contains("@kim"))
            bench.wait(86_400)
            #expect(try await bench.mails().isEmpty)
        }
    }

    @Test func auth_may_be_away_and_who_is_suspended_is_not_written_to() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            bench.wait(601)
            bench.authIsAway.isAway.withLock { $0 = true }
            await #expect(throws: ServiceError.self) { try await bench.mailer.round() }
            bench.authIsAway.isAway.withLock { $0 = false }
            // Until its lease is over, it is another's.
            #expect(try await bench.mails().isEmpty)
            bench.wait(61)
            #expect(try await bench.mails().count == 1)
            bench.authIsAway.suspended.withLock { $0 = [maya] }
            try await bench.ask(kim)
            bench.wait(601)
            #expect(try await bench.mails().isEmpty)
            bench.wait(601)
            #expect(try await bench.mailer.round() == 0)
        }
    }

    @Test func two_replicas_mail_each_thing_once() async throws {
        try await InboxBench.with { bench in
            let spots = (0..<40).map { _ in SpotID.new() }
            for person in [maya, kim] {
                try await bench.choose(person) { settings in
                    for index in settings.kinds.indices where settings.kinds[index].kind == .spotClaimed {
                        settings.kinds[index].mail = true
                    }
                }
            }
            for (number, spot) in spots.enumerated() {
                let owner = number.isMultiple(of: 2) ? maya : kim
                let claim = ClaimChanged(spot: spot, name: "x", owner: owner, claimer: ben, change: .made)
                try await bench.tell(claim, from: "listings")
            }
            bench.wait(601)
            var mailer = bench.mailer
            mailer.batch = 10
            try await withThrowingTaskGroup(of: Void.self) { [mailer] group in
                for _ in 0..<3 { group.addTask { while try await mailer.round() > 0 {} } }
                try await group.waitForAll()
            }
            let mails = try await bench.mails()
            let links = mails.flatMap { mail in spots.filter { mail.text.contains("/spots/\($0)") } }
            #expect(mails.count == 2 && links.count == 40 && Set(links) == Set(spots))
        }
    }

    @Test func a_day_is_one_mail_however_many_get_theirs_at_that_hour() async throws {
        try await InboxBench.with { bench in
            for person in [maya, kim] {
                try await bench.choose(person) {
                    $0.mail = .daily
                    $0.digestHour = 18
                    $0.timeZone = "UTC"
                }
            }
            try await bench.ask(ben, of: maya)
            try await bench.ask(ben, of: kim)
            try await bench.ask(kim, of: maya)
            bench.wait(6 * 3600)
            var mailer = bench.mailer
            mailer.batch = 1
            while try await mailer.round() > 0 {}
            let mails = try await bench.mails()
            #expect(mails.map(\.recipient.text).sorted() == ["kim@example.org", "maya.tan@example.org"])
        }
    }

    @Test func what_is_due_before_it_is_shown_is_mailed_when_it_is() async throws {
        var policy = NoticePolicy()
        policy.mailDelay = 5
        try await InboxBench.with(policy: policy) { bench in
            try await bench.write(1)
            bench.wait(5)
            #expect(try await bench.mails().isEmpty)
            try await bench.rounds.tell()
            #expect(try await bench.mails().count == 1)
        }
    }

    @Test(arguments: ["en", "de"]) func each_kind_has_its_words(_ language: String) throws {
        let tokens = UnsubscribeTokens(secret: Array("a secret of this test".utf8))
        var (subjects, texts): (Set<String>, Set<String>) = ([], [])
        // What is said of rentals, seats, deliveries and searches is another matter: some of it names nobody.
        let others = ["rental", "seat", "match", "order", "spotFound", "thingFound", "rideFound", "wanted"]
        let kinds = InboxNoticeKind.allCases.filter { kind in
            kind.hasMail && !others.contains { kind.rawValue.hasPrefix($0) }
        }
        for kind in kinds {
            for username in ["tom", nil] {
                let line = InboxMail.Line(
                    notice: .new(), kind: kind, count: 1, username: username, link: "/me?of=a&b#c")
                let order = InboxMail(
                    to: "maya@example.org", language: language, person: maya, lines: [line], isDigest: false)
                let mail = try MailMessageTests.composer().message(for: order, tokens: tokens, id: UUID(), at: Date())
                #expect(mail.subject.contains("Testholm & <Sons>") && !mail.text.contains("{{"))
                #expect(mail.html.contains("Testholm &amp; &lt;Sons&gt;"))
                let way = "https://share.example.org/notifications/\(line.notice)?to=/me%3Fof%3Da%26b%23c\n"
                #expect(mail.text.contains(way))
                subjects.insert(mail.subject)
                texts.insert(mail.text.components(separatedBy: "https://")[0])
            }
        }
        #expect(subjects.count == kinds.count && texts.count == 2 * kinds.count)
    }

    @Test(arguments: [
        ("en", 1, "You have a message at ", "has written to you."),
        ("en", 2, "You have 2 messages at ", "has written to you (2 messages)."),
        ("en", 21, "You have 21 messages at ", "has written to you (21 messages)."),
        ("de", 1, "Du hast eine Nachricht bei ", "hat dir geschrieben."),
        ("de", 21, "Du hast 21 Nachrichten bei ", "hat dir geschrieben (21 Nachrichten)."),
    ])
    func a_mail_counts_what_it_tells_of(_ language: String, _ count: Int, _ subject: String, _ words: String) throws {
        let line = InboxMail.Line(notice: .new(), kind: .message, count: count, username: "tom", link: "/messages/1")
        let order = InboxMail(
            to: "maya@example.org", language: language, person: maya, lines: [line], isDigest: false)
        let mail = try MailMessageTests.composer().message(
            for: order, tokens: UnsubscribeTokens(secret: [7]), id: UUID(), at: Date())
        #expect(mail.subject.hasPrefix(subject), "\(mail.subject)")
        for part in [mail.text, mail.html] { #expect(part.contains("@tom " + words) && !part.contains("{{")) }
    }

    // MARK: Ending them
}
