import Foundation
import Testing
import WireProtocol

@testable import NotificationService

/// What people are told of what moderators did, in the words of each language's one template.
@Suite struct NoticeMailTests {
    private func mail(_ kind: NoticeKind, text: String?, until: String? = nil, _ language: String) throws -> MailMessage
    {
        let order = MailOrder(
            to: "maya@example.org", language: language, notice: NoticeMail(kind: kind, text: text, until: until),
            expiresAt: Date(timeIntervalSince1970: 2_000_000_000))
        return try MailMessageTests.composer().message(for: order, id: UUID(), at: Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: ["en", "de"]) func each_kind_says_one_thing_and_its_own(_ language: String) throws {
        var (subjects, texts): (Set<String>, Set<String>) = ([], [])
        for kind in NoticeKind.allCases {
            let mail = try mail(kind, text: nil, language)
            #expect(!mail.subject.isEmpty && mail.subject.contains("Testholm & <Sons>"))
            #expect(!mail.text.contains("{{") && !mail.html.contains("{{"))
            // A greeting and what it is about; a warning says where it stands as well.
            let paragraphs = mail.text.split(separator: "\n").count
            #expect(paragraphs == (kind == .warning ? 3 : 2), "\(kind): \(mail.text)")
            subjects.insert(mail.subject)
            texts.insert(mail.text)
        }
        #expect(subjects.count == NoticeKind.allCases.count && texts.count == NoticeKind.allCases.count)
    }

    @Test func a_moderators_words_come_as_they_were_written_and_are_no_html() throws {
        let words = "Leave her alone.\n<a href=\"https://evil.example\">Here</a>"
        let mail = try mail(.warning, text: words, "en")
        #expect(mail.text.contains(words))
        #expect(mail.html.contains("&lt;a href=") && !mail.html.contains("<a href=\"https://evil"))
        #expect(!mail.subject.contains("Leave"))
    }

    @Test func a_suspension_says_until_when_or_that_it_is_for_good() throws {
        #expect(try mail(.suspended, text: "Threats.", until: "2026-11-28", "en").text.contains("until 2026-11-28"))
        #expect(try mail(.suspended, text: "Threats.", "en").text.contains("for good"))
        #expect(try mail(.suspended, text: "Threats.", until: "2026-11-28", "de").text.contains("bis 2026-11-28"))
    }
}
