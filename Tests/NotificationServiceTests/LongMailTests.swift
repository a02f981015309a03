import DurableMessaging
import Foundation
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Mails of more than one mail lists.
@Suite struct LongMailTests {
    private let inbox = "https://share.example.org/notifications"

    /// So many spots of somebody are taken, who wants mails of that.
    private func take(_ count: Int, of owner: PersonID, _ bench: InboxBench) async throws {
        try await bench.choose(owner) { settings in
            for index in settings.kinds.indices where settings.kinds[index].kind == .spotClaimed {
                settings.kinds[index].mail = true
            }
        }
        for _ in 0..<count {
            let claim = ClaimChanged(spot: .new(), name: "x", owner: owner, claimer: .new(), change: .made)
            try await bench.tell(claim, from: "listings")
            bench.wait(1)
        }
    }

    @Test func a_long_mail_says_how_many_there_are_and_where_the_rest_is() async throws {
        try await InboxBench.with { bench in
            try await take(37, of: InboxBench.maya, bench)
            try await take(21, of: InboxBench.ben, bench)
            bench.wait(601)
            let mails = try await bench.mails()
            let english = try #require(mails.first { $0.recipient.text == "maya.tan@example.org" })
            #expect(english.subject.hasPrefix("37 things you have not read at "))
            #expect(english.text.components(separatedBy: "?to=/spots/").count - 1 == 20)
            #expect(english.text.contains("\n\nAnd 17 more:\n\(inbox)\n\n--\n"))
            #expect(english.html.contains("<a href=\"\(inbox)\">And 17 more</a>"))
            // The newest are listed.
            let newest = try await bench.notices().prefix(20).map(\.link)
            #expect(newest.count == 20 && newest.allSatisfy { english.text.contains($0) })
            let german = try #require(mails.first { $0.recipient.text == "ben@example.org" })
            #expect(german.subject.hasPrefix("21 Dinge, die du bei "))
            #expect(german.text.contains("\n\nUnd noch ein weiteres:\n\(inbox)\n\n--\n"))
            #expect(german.html.contains("<a href=\"\(inbox)\">Und noch ein weiteres</a>"))
            #expect(mails.count == 2 && mails.allSatisfy { !$0.text.contains("{{") && !$0.html.contains("{{") })
        }
    }

    @Test func what_is_read_while_it_waits_is_neither_listed_nor_counted() async throws {
        try await InboxBench.with { bench in
            try await take(23, of: InboxBench.maya, bench)
            bench.wait(601)
            #expect(try await bench.mailer.round() == 23)
            // Of the listed ones and of the others.
            let all = try await bench.notices(InboxQuery(limit: 100))
            let read = [all[0], all[1], all[22]].map(\.id)
            _ = try await bench.inbox.markRead(InboxMark(ids: read), bench.context())
            let mail = try #require(try await bench.mails().first)
            #expect(mail.subject.hasPrefix("20 things "))
            #expect(mail.text.components(separatedBy: "?to=/spots/").count - 1 == 20)
            #expect(!mail.text.contains("more:") && !mail.html.contains(inbox + "\""))
        }
    }

    @Test(arguments: [("en", "And 2 more:"), ("de", "Und 2 weitere:"), ("fr", "And 2 more:")])
    func each_language_has_its_words(_ language: String, _ words: String) throws {
        let lines = (0..<22).map { _ in
            InboxMail.Line(notice: .new(), kind: .spotClaimed, count: 1, username: nil, link: "/spots/1")
        }
        let order = InboxMail(
            to: "maya@example.org", language: language, person: .new(), lines: lines, isDigest: true)
        let tokens = UnsubscribeTokens(secret: Array("a secret of this test".utf8))
        let mail = try MailMessageTests.composer().message(for: order, tokens: tokens, id: UUID(), at: Date())
        #expect(mail.subject.hasPrefix("22 ") && mail.text.contains(words))
    }
}
