import Foundation
import Reactor
import TestKit
import Testing

@testable import NotificationService

/// The transport against a mail server that others wrote.
@Suite(.serialized) struct SMTPTests {
    private func message(to: String = "maya@example.org", _ text: String = "Words.\n.\n..dots\nGrüße 👩‍🌾") -> MailMessage
    {
        MailMessage(
            id: UUID(), sender: MailSenderName(name: "Kampong Tōkyō", address: "village@example.org"),
            recipient: MailAddress(to)!, date: Date(timeIntervalSince1970: 1_795_232_513), language: "en",
            subject: "Ein neues Passwort für Zoë", text: text, html: "<p>Words</p>")
    }

    private func deliver(_ message: MailMessage, _ settings: SMTPSettings) async throws {
        let reactor = Reactor(name: "smtp")
        let result: Result<Void, any Error>
        do {
            result = .success(try await SMTPTransport(settings: settings, reactor: reactor).deliver(message))
        } catch { result = .failure(error) }
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                reactor.stop()
                done.resume()
            }
        }
        try result.get()
    }

    private func failure(_ message: MailMessage, _ settings: SMTPSettings) async throws -> MailFailure? {
        do {
            try await deliver(message, settings)
            return nil
        } catch let failure as MailFailure {
            return failure
        }
    }

    private func settings(_ server: SMTPServer, _ scheme: String = "smtp") -> SMTPSettings {
        SMTPSettings(
            url: "\(scheme)://localhost:\(server.port)", user: SMTPServer.user, password: SMTPServer.password,
            certificates: server.certificate)
    }

    @Test(arguments: [(SMTPServer.Mode.starttls, "smtp"), (.tls, "smtps")])
    func a_mail_arrives_whole_encrypted_and_authenticated(_ mode: SMTPServer.Mode, _ scheme: String) async throws {
        try await SMTPServer.run(mode) { server in
            let message = message()
            try await deliver(message, settings(server, scheme))
            let received = try server.received()
            let mail = try #require(received.first)
            #expect(received.count == 1)
            #expect(mail.from == "village@example.org" && mail.to == ["maya@example.org"])
            #expect(mail.tls && mail.user == SMTPServer.user)
            #expect(mail.defects.isEmpty)
            #expect(mail.headers["Subject"] == "Ein neues Passwort für Zoë")
            #expect(mail.headers["From"] == "Kampong Tōkyō <village@example.org>")
            #expect(mail.headers["Message-ID"] == "<\(message.id.uuidString.lowercased())@example.org>")
            #expect(mail.headers["Date"] == "Sat, 21 Nov 2026 03:41:53 +0000")
            #expect(mail.text.replacing("\r\n", with: "\n").hasPrefix("Words.\n.\n..dots\nGrüße 👩‍🌾"))
            #expect(mail.html.contains("<p>Words</p>"))
        }
    }

    @Test func a_refusal_is_final_and_a_delay_is_not() async throws {
        try await SMTPServer.run(.starttls) { (server: SMTPServer) async throws in
            let refused = try await failure(message(to: "nobody@example.org"), settings(server))
            #expect(refused?.isFinal == true)
            #expect(refused?.reason.contains("550") == true)
            #expect(refused?.reason.contains("nobody") == false)
            let delayed = try await failure(message(to: "later@example.org"), settings(server))
            #expect(delayed?.isFinal == false)
            #expect(delayed?.reason.contains("451") == true)
            #expect(try server.received().isEmpty)
        }
    }

    /// The operator may mend what these say; no mail is lost by them.
    @Test func wrong_passwords_unknown_certificates_and_silence_are_not_final() async throws {
        try await SMTPServer.run(.starttls) { (server: SMTPServer) async throws in
            var wrong = settings(server)
            wrong.password = "another"
            #expect(try await failure(message(), wrong)?.isFinal == false)
            var distrusting = settings(server)
            distrusting.certificates = nil
            #expect(try await failure(message(), distrusting)?.isFinal == false)
            #expect(try server.received().isEmpty)
        }
        let nobody = SMTPSettings(url: "smtp://localhost:\(FreePort.next())")
        #expect(try await failure(message(), nobody)?.isFinal == false)
    }

    @Test func without_tls_nothing_is_sent_unless_the_operator_says_so() async throws {
        try await SMTPServer.run(.plain) { (server: SMTPServer) async throws in
            var settings = SMTPSettings(url: "smtp://localhost:\(server.port)")
            #expect(try await failure(message(), settings)?.isFinal == false)
            #expect(try server.received().isEmpty)
            settings.security = .none
            try await deliver(message(), settings)
            #expect(try server.received().map(\.tls) == [false])
        }
    }
}
