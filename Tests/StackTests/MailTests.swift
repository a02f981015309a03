import Foundation
import FoundationNetworking
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Mails reach people once, whoever dies on the way.
    @Suite(.serialized) struct MailTests {
        @Test func a_forgotten_password_is_set_anew_by_the_link_in_a_mail() async throws {
            let (email, phone) = (Community.someEmail(), KampongClient(baseURL: try await Community.address))
            let person = try await phone.signUp(SignUp(email: email, password: "soon forgotten", name: "Ada"))
            try await Mailbox.show(email, of: phone)
            let other = KampongClient(baseURL: try await Community.address)
            try await other.requestPasswordReset(email: email)
            let mail = try await Mailbox.onlyMail(to: email)
            #expect(mail.contains("Subject: "))
            let token = try Mailbox.token(in: mail)
            try await other.resetPassword(token: token, password: "remembered this time")
            #expect(try await other.signIn(email: email, password: "remembered this time").id == person.id)
            #expect(await Result { try await other.signIn(email: email, password: "soon forgotten") }.refusal != nil)
            // The gateway hears of ended sessions by an event.
            #expect(await eventually { await Result { try await phone.me() }.refusal == .unauthenticated })
            let again = await Result { try await other.resetPassword(token: token, password: "and once more") }
            #expect(again.refusal == .invalid)
            // No log knows the link, nor whom it went to.
            let stack = try await Community.stack
            for service in PeerRole.services where stack.isLocal {
                let log = try stack.log(of: service)
                #expect(!log.isEmpty && !log.contains(token) && !log.contains(email), "\(service)")
            }
        }

        @Test(.onProcesses) func an_address_without_account_is_answered_alike_and_gets_no_mail() async throws {
            let address = try await Community.address
            let known = Community.someEmail()
            let ada = KampongClient(baseURL: address)
            _ = try await ada.signUp(SignUp(email: known, password: "eight or more", name: "Ada"))
            try await Mailbox.show(known, of: ada)
            let unknown = Community.someEmail()
            var answers: [[String: String]] = []
            for email in [unknown, known] {
                var request = URLRequest(url: address.appendingPathComponent("v1/password-resets"))
                request.httpMethod = "POST"
                request.setValue("application/json", forHTTPHeaderField: "Content-Type")
                request.httpBody = try JSONEncoder().encode(["email": email])
                let (data, response) = try await URLSession.shared.data(for: request)
                let http = try #require(response as? HTTPURLResponse)
                var said = Dictionary(
                    uniqueKeysWithValues: http.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") })
                said["status"] = String(http.statusCode)
                said["body"] = String(decoding: data, as: UTF8.self)
                // These two differ between any two answers.
                for name in ["x-request-id", "date"] { said[name] = nil }
                answers.append(said)
            }
            #expect(answers[0] == answers[1])
            #expect(answers[0]["status"] == "202")
            _ = try await Mailbox.onlyMail(to: known)
            #expect(try await Mailbox.mails(to: unknown).isEmpty)
        }

        /// Somebody who mistypes their address, and somebody who joins with another one's: no mail goes there but the code.
        @Test(.onProcesses) func an_address_that_nobody_has_shown_gets_codes_and_nothing_else() async throws {
            let (typed, right) = (Community.someEmail(), Community.someEmail())
            let client = KampongClient(baseURL: try await Community.address)
            let person = try await client.signUp(SignUp(email: typed, password: "eight or more", name: "Ada"))
            #expect(person.emailVerified == false)
            try await client.requestPasswordReset(email: typed)
            try await client.changeEmail(to: right, password: "eight or more")
            let came = try await eventually(within: .seconds(90)) { try await !all(to: right).isEmpty }
            #expect(came, "no code came")
            let mail = try #require(try await all(to: right).first)
            let digits = try #require(mail.firstMatch(of: /\r\n([0-9]{6})\r\n/))
            #expect(try await client.confirmEmail(code: String(digits.1)).email == right)
            try await client.changePassword(from: "eight or more", to: "nine or even more")
            #expect(try await client.signIn(email: right, password: "nine or even more").id == person.id)
            // That the address was changed, and the password.
            #expect(try await eventually(within: .seconds(90)) { try await Mailbox.mails(to: right).count == 2 })
            #expect(try await all(to: typed).isEmpty)
        }

        private func all(to email: String) async throws -> [String] {
            try await Community.stack.mails().filter { $0.contains("To: <\(email)>") }
        }

        @Test func a_mail_survives_a_killed_notification_and_arrives_once() async throws {
            let stack = try await Community.stack
            let (email, client) = (Community.someEmail(), KampongClient(baseURL: try await Community.address))
            _ = try await client.signUp(SignUp(email: email, password: "eight or more", name: "Ada"))
            try await Mailbox.show(email, of: client)
            try await stack.kill(.notification)
            try await client.requestPasswordReset(email: email)
            try await Task.sleep(for: .seconds(2))
            #expect(try await Mailbox.isAway(stack, email))
            try await stack.start(.notification)
            _ = try await Mailbox.onlyMail(to: email)
        }

        @Test(.onProcesses) func a_mail_survives_killed_services_on_both_sides_and_arrives_once() async throws {
            let stack = try await Community.stack
            let client = KampongClient(baseURL: try await Community.address)
            var emails: [String] = []
            for round in 0..<4 {
                let email = Community.someEmail()
                _ = try await client.signUp(SignUp(email: email, password: "eight or more", name: "Ada"))
                try await Mailbox.show(email, of: client)
                try await client.requestPasswordReset(email: email)
                // At another moment of its way each time.
                try await Task.sleep(for: .milliseconds(200 * round))
                for service in [PeerRole.auth, .notification] { try await stack.kill(service) }
                for service in [PeerRole.auth, .notification] { try await stack.start(service) }
                emails.append(email)
            }
            _ = try await Mailbox.onlyMails(to: emails)
        }
    }
}

/// What people find in their mailboxes.
enum Mailbox {
    /// But for those that show whose the address is.
    static func mails(to email: String) async throws -> [String] { try await all(to: email).filter { !isProof($0) } }

    private static func all(to email: String) async throws -> [String] {
        try await Community.stack.mails().filter { $0.contains("To: <\(email)>") }
    }

    private static func isProof(_ mail: String) -> Bool {
        mail.replacingOccurrences(of: "=\r\n", with: "").contains("that this email address is yours")
    }

    /// Shows that the address with which somebody joined is theirs: before, nobody writes to them.
    static func show(_ email: String, of client: KampongClient) async throws {
        try await client.changeEmail(to: email)
        let came = try await eventually(within: .seconds(90)) { try await all(to: email).contains(where: isProof) }
        #expect(came, "no code came")
        let mail = try #require(try await all(to: email).first(where: isProof))
        let code = try #require(mail.firstMatch(of: /\r\n([0-9]{6})\r\n/))
        #expect(try await client.confirmEmail(code: String(code.1)).emailVerified == true)
    }

    /// The mail that comes to an address, when no second one has come after it.
    static func onlyMail(to email: String) async throws -> String {
        try #require(try await onlyMails(to: [email]).first)
    }

    /// The same for several addresses: what would come to any of them a second time is waited for once.
    static func onlyMails(to emails: [String]) async throws -> [String] {
        for email in emails {
            let came = try await eventually(within: .seconds(90)) { try await !mails(to: email).isEmpty }
            #expect(came, "no mail came")
        }
        try await Task.sleep(for: .seconds(1))
        var only: [String] = []
        for email in emails {
            let all = try await mails(to: email)
            #expect(all.count == 1)
            only += all.prefix(1)
        }
        return only
    }

    /// A container that was killed cannot be looked into; a folder can.
    static func isAway(_ stack: Stack, _ email: String) async throws -> Bool {
        guard stack.isLocal else { return true }
        return try await mails(to: email).isEmpty
    }

    /// What the link of a mail carries (quoted-printable).
    static func token(in mail: String) throws -> String {
        let text = mail.replacingOccurrences(of: "=\r\n", with: "").replacingOccurrences(of: "=3D", with: "=")
        let start = try #require(text.range(of: "/new-password?token="))
        return String(text[start.upperBound...].prefix { !$0.isWhitespace && $0 != "\"" })
    }
}
