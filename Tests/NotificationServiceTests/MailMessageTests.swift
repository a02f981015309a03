import Foundation
import Sentences
import Testing
import WireProtocol

@testable import NotificationService

/// Headers, encodings, templates.
@Suite struct MailMessageTests {
    static func composer(_ sentences: NoticeCatalogue? = nil) throws -> MailComposer {
        try MailComposer(
            sender: MailSenderName(name: "Testholm", address: "village@example.org"), url: "https://share.example.org",
            community: "Testholm & <Sons>", notices: try sentences ?? ServiceResourcesFolder.notices(),
            folder: ServiceResourcesFolder.templates)
    }

    static func order(_ language: String = "en", to: String = "maya@example.org", accounts: Int = 1) -> MailOrder {
        MailOrder(
            to: to, language: language,
            passwordReset: PasswordResetMail(
                minutes: 60,
                accounts: (0..<accounts).map {
                    PasswordResetMail.Account(since: "2026-05-03", username: "maya.\($0)", token: "token-\($0)")
                }), expiresAt: Date(timeIntervalSince1970: 2_000_000_000))
    }

    private func message(subject: String = "Hello", name: String = "Testholm") -> MailMessage {
        MailMessage(
            id: UUID(), sender: MailSenderName(name: name, address: "village@example.org"),
            recipient: MailAddress("maya@example.org")!, date: Date(timeIntervalSince1970: 0), language: "en",
            subject: subject, text: "text", html: "<p>html</p>")
    }

    @Test(arguments: ["Hello\r\nBcc: eve@example.org", "Hello\nX", "Hello\rX", "Hello\u{0}X", "Hello\u{85}X"])
    func a_line_break_never_begins_another_header(_ text: String) throws {
        #expect(throws: MailProblem.self) { try message(subject: text).bytes() }
        #expect(throws: MailProblem.self) { try message(name: text).bytes() }
    }

    @Test(arguments: [
        "maya@example.org\r\nRCPT TO:<eve@example.org>", "maya@example.org>", "<maya@example.org", "maya", "@x",
        "a b@x.org",
        "a@b@c", "maya@example.org, eve@example.org", "maya\u{2028}@x.org", "",
    ])
    func what_is_no_single_address_is_none(_ text: String) { #expect(MailAddress(text) == nil) }

    @Test func encoded_words_are_short_and_whole() throws {
        let text = String(repeating: "Grüße 👩‍🌾 ", count: 20)
        let encoded = try MailMessage.encodedWord(text)
        let words = encoded.components(separatedBy: "\r\n ")
        #expect(words.count > 1)
        var decoded = ""
        for word in words {
            #expect(word.utf8.count <= 75)
            let content = word.dropFirst("=?utf-8?B?".count).dropLast(2)
            let bytes = try #require(Data(base64Encoded: String(content)))
            decoded += try #require(String(data: bytes, encoding: .utf8))
        }
        #expect(decoded == text)
        #expect(try MailMessage.encodedWord("Kampong") == "Kampong")
        // What looks like an encoded word is not one.
        #expect(try MailMessage.encodedWord("=?utf-8?B?WA==?=").hasPrefix("=?utf-8?B?PT91"))
    }

    @Test func quoted_printable_lines_are_short_ascii_and_lose_nothing() {
        let text = String(repeating: "a=b ü ", count: 40) + "\n\n.\nends in a blank \ntab\t\n"
        let encoded = MailMessage.quotedPrintable(text)
        #expect(encoded.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 && !$0.hasSuffix(" ") })
        #expect(encoded.utf8.allSatisfy { $0 < 0x7F })
        var bytes: [UInt8] = []
        var rest = Array(encoded.replacing("=\r\n", with: "").utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)!)
            rest = rest.dropFirst(2)
        }
        #expect(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n") == text)
    }

    @Test func every_template_is_there_in_every_language_and_escapes_in_html_alone() throws {
        for language in ["en", "de"] {
            let mail = try Self.composer().message(for: Self.order(language), id: UUID(), at: Date())
            #expect(mail.language == language)
            #expect(mail.subject.hasSuffix("Testholm & <Sons>"))
            #expect(mail.text.contains("https://share.example.org/new-password?token=token-0\n"))
            #expect(mail.text.contains("Testholm & <Sons>") && mail.text.contains("60"))
            #expect(mail.html.contains("href=\"https://share.example.org/new-password?token=token-0\""))
            #expect(mail.html.contains("Testholm &amp; &lt;Sons&gt;") && !mail.html.contains("<Sons>"))
            #expect(!(mail.text + mail.html).contains("{{"))
            #expect(!mail.text.contains("@maya.0"))
            _ = try mail.bytes()
        }
        #expect(try Self.composer().message(for: Self.order("de-at"), id: UUID(), at: Date()).language == "de")
        #expect(try Self.composer().message(for: Self.order("fi"), id: UUID(), at: Date()).language == "en")
        #expect(try Self.composer().message(for: Self.order("../en"), id: UUID(), at: Date()).language == "en")
    }

    @Test func a_code_stands_in_the_subject_the_text_and_the_html() throws {
        for language in ["en", "de"] {
            let order = MailOrder(
                to: "maya@hill.example.org", language: language,
                campusCode: CampusCodeMail(code: "048213", minutes: 10, campus: "Hill & Co"),
                expiresAt: Date(timeIntervalSince1970: 2_000_000_000))
            let mail = try Self.composer().message(for: order, id: UUID(), at: Date())
            #expect(mail.subject.hasPrefix("048213 "))
            #expect(mail.text.contains("\n048213\n") && mail.text.contains("Hill & Co"))
            #expect(mail.text.lowercased().contains("10 minute"))
            #expect(mail.html.contains(">048213<") && mail.html.contains("Hill &amp; Co"))
            #expect(!(mail.text + mail.html).contains("{{"))
            _ = try mail.bytes()
        }
    }

    @Test(arguments: [("en", "that this email address is yours"), ("de", "dass diese E-Mail-Adresse dir gehört")])
    func a_code_shows_whose_an_address_is(_ language: String, _ words: String) throws {
        let order = MailOrder(
            to: "maya@example.org", language: language, emailCode: EmailCodeMail(code: "048213", minutes: 10),
            expiresAt: Date(timeIntervalSince1970: 2_000_000_000))
        let mail = try Self.composer().message(for: order, id: UUID(), at: Date())
        #expect(mail.subject.hasPrefix("048213 ") && mail.text.contains("\n048213\n"))
        #expect(mail.html.contains(">048213<") && !(mail.text + mail.html).contains("{{"))
        for part in [mail.text, mail.html] { #expect(part.contains(words)) }
    }

    @Test(arguments: [("en", "one minute"), ("de", "eine Minute")])
    func a_minute_is_one(_ language: String, _ words: String) throws {
        let until = Date(timeIntervalSince1970: 2_000_000_000)
        let account = PasswordResetMail.Account(since: "2026-05-03", username: nil, token: "token")
        let orders = [
            MailOrder(
                to: "maya@example.org", language: language,
                campusCode: CampusCodeMail(code: "048213", minutes: 1, campus: "Hill"), expiresAt: until),
            MailOrder(
                to: "maya@example.org", language: language,
                passwordReset: PasswordResetMail(minutes: 1, accounts: [account]), expiresAt: until),
        ]
        for order in orders {
            let mail = try Self.composer().message(for: order, id: UUID(), at: Date())
            for part in [mail.text, mail.html] {
                #expect(part.contains(words) && !part.contains("1 ") && !part.contains("{{"), "\(part)")
            }
        }
        let texts = try TextComposer(community: "Testholm", folder: ServiceResourcesFolder.templates)
        let code = TextOrder(
            to: "+6591234567", language: language, phoneCode: PhoneCodeText(code: "048213", minutes: 1),
            expiresAt: until)
        let text = try texts.message(for: code, id: UUID(), at: Date()).text
        #expect(text.contains(words) && text.contains("048213") && !text.contains("{{"), "\(text)")
    }

    @Test func several_accounts_have_a_link_each() throws {
        let mail = try Self.composer().message(for: Self.order(accounts: 3), id: UUID(), at: Date())
        for number in 0..<3 {
            #expect(mail.text.contains("The account of 2026-05-03 (@maya.\(number)):\nhttps"))
            #expect(mail.html.contains("token=token-\(number)\""))
        }
    }
}
