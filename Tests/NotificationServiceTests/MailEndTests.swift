import Crypto
import DurableMessaging
import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// One click in a mail ends what stood in it.
@Suite struct MailEndTests {
    private let maya = InboxBench.maya
    private let ben = InboxBench.ben
    private let kim = InboxBench.kim

    private func told(_ bench: InboxBench) async throws {
        bench.wait(5)
        try await bench.rounds.tell()
    }

    @Test func one_click_ends_mails_of_a_kind_or_all() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            bench.wait(601)
            let mail = try #require(try await bench.mails().first)
            let address = try #require(mail.unsubscribe)
            let bytes = String(decoding: try mail.bytes(), as: UTF8.self)
            #expect(bytes.contains("\r\nList-Unsubscribe: <\(address)>\r\n"))
            #expect(bytes.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
            #expect(mail.text.contains(address))
            let prefix = "https://share.example.org/unsubscribe/"
            #expect(address.hasPrefix(prefix))
            let token = String(address.dropFirst(prefix.count))
            let before = try await bench.settings.unsubscription(token)
            #expect(before == Unsubscription(kinds: [.friendAsked], ended: false, account: "@maya.tan"))
            let anonymous = RequestContext(
                id: .version7(), method: "notification.unsubscribe", deadline: Date() + 60, caller: .anonymous,
                peer: .gateway, content: Array(token.utf8))
            for _ in 0..<2 {
                let ended = try await bench.settings.unsubscribe(token, anonymous)
                #expect(ended == Unsubscription(kinds: [.friendAsked], ended: true, account: "@maya.tan"))
            }
            #expect(try await bench.settings.unsubscription(token).ended)
            try await bench.ask(kim)
            bench.wait(700)
            #expect(try await bench.mails().isEmpty)
            try await bench.write(1)
            try await told(bench)
            bench.wait(700)
            #expect(try await bench.mails().count == 1)
            let all = bench.settings.tokens.token(for: .init(person: maya, kinds: nil))
            _ = try await bench.settings.unsubscribe(all, bench.context(ben))
            #expect(try await bench.settings.settings(for: Caller(person: maya)).mail == .never)
        }
    }

    private func linkToken(of mail: MailMessage) throws -> String {
        String(try #require(mail.unsubscribe).dropFirst("https://share.example.org/unsubscribe/".count))
    }

    /// A mail of two kinds has nothing to say about a third.
    @Test func one_click_ends_what_stood_in_the_mail_and_nothing_else() async throws {
        try await InboxBench.with { bench in
            try await bench.ask()
            try await bench.write(1)
            try await told(bench)
            bench.wait(601)
            let mail = try #require(try await bench.mails().first)
            #expect(mail.text.contains("No more mails of these kinds:"))
            let token = try linkToken(of: mail)
            #expect(token.contains(".message-friendAsked."))
            let asked = try await bench.settings.unsubscription(token)
            #expect(asked.kind == nil && asked.kinds == [.message, .friendAsked] && !asked.ended)
            let ended = try await bench.settings.unsubscribe(token, bench.context(ben))
            #expect(ended.ended && ended.kinds == [.message, .friendAsked] && ended.account == "@maya.tan")
            let after = try await bench.settings.settings(for: Caller(person: maya))
            #expect(after.mail == .atOnce)
            let usual = NoticePreferences.usual(NoticePolicy())
            for choice in after.kinds {
                let isEnded = [.message, .friendAsked].contains(choice.kind)
                #expect(choice.mail == (!isEnded && usual.choice(choice.kind).mail), "\(choice.kind)")
                #expect(choice.push, "\(choice.kind)")
            }
            // Of one of the two she wants mails again: the link has not ended all of what it names.
            try await bench.choose { settings in
                for index in settings.kinds.indices where settings.kinds[index].kind == .message {
                    settings.kinds[index].mail = true
                }
            }
            #expect(try await !bench.settings.unsubscription(token).ended)
        }
    }

    /// The link says whose mails it ends to whoever holds it, and never the address to which they go.
    @Test func the_link_says_whose_mails_it_ends_also_while_auth_is_away() async throws {
        try await InboxBench.with { bench in
            let token = bench.settings.tokens.token(for: .init(person: maya, kinds: [.rentalDisputed, .rentalDue]))
            bench.authIsAway.isAway.withLock { $0 = true }
            #expect(try await bench.settings.unsubscription(token).account == "Maya Tan")
            let nobody = bench.settings.tokens.token(for: .init(person: .new(), kinds: [.message]))
            #expect(try await bench.settings.unsubscription(nobody).account == nil)
            bench.authIsAway.isAway.withLock { $0 = false }
            let found = try await bench.settings.unsubscription(token)
            #expect(found == Unsubscription(kinds: [.rentalDue, .rentalDisputed], ended: false, account: "@maya.tan"))
            #expect(!String(decoding: try WireJSON.encode(found), as: UTF8.self).contains("example.org"))
        }
    }

    /// What is only counted did not stand in the mail.
    @Test func a_long_mail_ends_the_kinds_that_it_lists() throws {
        let tokens = UnsubscribeTokens(secret: [7])
        var lines = (0..<InboxMail.longest).map { _ in
            InboxMail.Line(notice: .new(), kind: .reviewPossible, count: 1, username: nil, link: "/me")
        }
        lines.append(InboxMail.Line(notice: .new(), kind: .rentalDisputed, count: 1, username: nil, link: "/me"))
        let order = InboxMail(to: "maya@example.org", language: "en", person: maya, lines: lines, isDigest: true)
        let mail = try MailMessageTests.composer().message(for: order, tokens: tokens, id: UUID(), at: Date())
        #expect(tokens.named(by: try linkToken(of: mail)) == .init(person: maya, kinds: [.reviewPossible]))
        #expect(mail.text.contains("No more mails of this kind:"))
    }

    @Test func all_kinds_at_once_fit_into_a_header() throws {
        let tokens = UnsubscribeTokens(secret: [7])
        // Others stand in no mail.
        let mailed = InboxNoticeKind.allCases.filter(\.hasMail)
        let all = UnsubscribeTokens.Named(person: maya, kinds: Set(mailed))
        let token = tokens.token(for: all)
        #expect(tokens.named(by: token) == all)
        // RFC 5322, 2.1.1: 998 characters a line, of which the address of the community has its share.
        #expect(token.utf8.count < 500 && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    /// Mails of years ago hold links that were made so, by the same key.
    @Test func old_links_end_what_they_named() {
        let tokens = UnsubscribeTokens(secret: Array("a secret of this test".utf8))
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array("a secret of this test".utf8)),
            info:
                Array("kampong notification unsubscribe 1".utf8), outputByteCount: 32)
        for (kind, kinds) in [("all", nil), ("rentalDisputed", [.rentalDisputed])]
            as [(String, Set<InboxNoticeKind>?)]
        {
            let plain = "\(maya).\(kind)"
            let mac = Array(HMAC<SHA256>.authenticationCode(for: Data(plain.utf8), using: key))
            #expect(tokens.named(by: "\(plain).\(Base64URL.encode(mac))") == .init(person: maya, kinds: kinds))
        }
    }

    @Test func tokens_are_nobody_elses_to_make() {
        let (ours, theirs) = (UnsubscribeTokens(secret: [1, 2, 3]), UnsubscribeTokens(secret: [1, 2, 4]))
        let named = UnsubscribeTokens.Named(person: maya, kinds: [.message])
        let token = ours.token(for: named)
        #expect(ours.named(by: token) == named && theirs.named(by: token) == nil)
        #expect(ours.token(for: named) == token)
        for wrong in [
            token.replacing(maya.description, with: ben.description), token.replacing(".message.", with: ".all."),
            token.uppercased(), token + "A", String(token.dropLast(3)), "", "..", "\(maya).message.",
            token.replacing(".message.", with: ".message-friendAsked."),
            token.replacing(".message.", with: ".message-."), token.replacing(".message.", with: ".."),
        ] {
            #expect(ours.named(by: wrong) == nil, "\(wrong)")
        }
    }
}
