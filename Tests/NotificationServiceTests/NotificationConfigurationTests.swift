import Sentences
import ServiceKit
import TestKit
import Testing

@testable import NotificationService

enum ServiceResourcesFolder {
    static let templates = ServiceResources.directory(of: "NotificationService") + "/Templates"

    static func notices() throws -> NoticeCatalogue {
        try NoticeCatalogue(in: ServiceResources.directory(of: "Sentences") + "/Notices")
    }
}

/// What an operator may set, and what is refused in one sentence.
@Suite struct NotificationConfigurationTests {
    private func read(_ settings: [String: String]) async throws -> NotificationConfiguration {
        let environment = settings.reduce(into: ["KAMPONG_PUBLIC_URL": "https://share.example.org/"]) {
            $0["KAMPONG_\($1.key)"] = $1.value
        }
        return try NotificationConfiguration(try await Settings.load(arguments: [], environment: environment).config)
    }

    @Test func mails_go_into_a_folder_or_to_a_server() async throws {
        let embedded = try await read(["MAIL_FOLDER": "/mail"])
        #expect(embedded.delivery == .folder("/mail"))
        #expect(embedded.url == "https://share.example.org")
        #expect(embedded.sender.address == "kampong@localhost")
        let directory = try TemporaryDirectory()
        let file = try directory.write("password", "secret words\n")
        let real = try await read([
            "MAIL_FOLDER": "/mail", "MAIL_SMTP_URL": "smtps://mail.example.org", "MAIL_FROM": "village@example.org",
            "MAIL_SMTP_USER": "village", "MAIL_SMTP_PASSWORDFILE": file,
        ])
        #expect(
            real.delivery
                == .smtp(SMTPSettings(url: "smtps://mail.example.org", user: "village", password: "secret words")))
        // Compose passes an empty file where there is none.
        let relay = try await read([
            "MAIL_SMTP_URL": "smtp://127.0.0.1:25", "MAIL_FROM": "village@example.org", "MAIL_SMTP_TLS": "none",
            "MAIL_SMTP_PASSWORDFILE": try directory.write("empty", ""),
        ])
        #expect(relay.delivery == .smtp(SMTPSettings(url: "smtp://127.0.0.1:25", security: .none)))
    }

    @Test(arguments: [
        ([String: String](), "KAMPONG_MAIL_FOLDER"), (["MAIL_SMTP_URL": "smtp://a"], "KAMPONG_MAIL_FROM"),
        (["MAIL_SMTP_URL": "http://a", "MAIL_FROM": "a@b.org"], "KAMPONG_MAIL_SMTP_URL"),
        (["MAIL_SMTP_URL": "smtp://me:secret@a", "MAIL_FROM": "a@b.org"], "KAMPONG_MAIL_SMTP_URL"),
        (["MAIL_SMTP_URL": "smtp://a", "MAIL_FROM": "a@b.org", "MAIL_SMTP_TLS": "maybe"], "KAMPONG_MAIL_SMTP_TLS"),
        (
            ["MAIL_SMTP_URL": "smtp://a", "MAIL_FROM": "a@b.org", "MAIL_SMTP_USER": "me"],
            "KAMPONG_MAIL_SMTP_PASSWORDFILE"
        ),
        (["MAIL_FOLDER": "/mail", "MAIL_FROM": "a@b.org\r\nBcc: c@d.org"], "KAMPONG_MAIL_FROM"),
    ])
    func what_cannot_work_is_named(_ settings: [String: String], _ name: String) async throws {
        do {
            _ = try await read(settings)
            Issue.record("accepted")
        } catch let problem as ConfigurationProblem {
            #expect(problem.description.contains(name))
        }
    }
}
