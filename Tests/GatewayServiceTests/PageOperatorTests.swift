import FoundationEssentials
import Synchronization
import Testing
import WireProtocol

@testable import GatewayService

/// What operators see of mails, and nobody else does.
@Suite struct PageOperatorTests {
    private static func mail(
        _ text: String, _ state: MailState = .delivered, _ channel: MailChannel = .mail
    ) -> KeptMailContent {
        KeptMailContent(
            mail: KeptMail(
                id: .new(), channel: channel, template: channel == .mail ? "passwordReset" : "phoneCode", state: state,
                to: state == .delivered ? "ben@example.org" : nil, acceptedAt: Date(), attempts: 1,
                reason: state == .dead ? "RCPT failed: 550" : nil, canRetry: state == .dead),
            subject: channel == .mail ? "A new <password>" : nil, text: text)
    }

    /// Where a proxy was forgotten, everybody shares one limit: whoever runs it should hear that before the first people are locked out.
    @Test(arguments: [false, true]) func a_proxy_that_nobody_has_named_is_said(_ hides: Bool) async throws {
        try await PageDoor.run(hidesAddresses: hides) { door in
            let maya = try await door.join("Maya")
            door.backend.state.withLock { state in
                for person in state.people.values { state.operators.insert(person.id) }
            }
            for path in ["/operator/mails", "/operator/pushes"] {
                #expect(try await maya.get(path).text.contains("KAMPONG_TRUSTED_PROXIES") == hides, "\(path)")
            }
        }
    }

    @Test func operators_alone_get_in_and_their_menu_says_so() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let mail = Self.mail("Hello")
            door.backend.state.withLock { state in
                state.mails = [mail]
                for person in state.people.values where person.name == "Maya" { state.operators.insert(person.id) }
                for person in state.people.values where person.name == "Ben" { state.moderators.insert(person.id) }
            }
            #expect(try await maya.get("/me").text.contains("href=\"/operator/mails\""))
            #expect(!(try await ben.get("/me").text.contains("/operator/mails")))
            for path in ["/operator/mails", "/operator/mails/\(mail.mail.id)"] {
                #expect(try await maya.get(path).status == 200)
                let moderators = try await ben.get(path)
                #expect(moderators.status == 403 && !moderators.text.contains("ben@example.org"))
                let stranger = try await PageVisitor(port: door.port).get(path)
                #expect(stranger.status == 303 && stranger["Location"]?.hasPrefix("/sign-in") == true)
            }
            #expect(try await ben.post("/operator/mails/\(mail.mail.id)/retry", [:]).status == 403)
            for path in ["/operator/mails/nonsense", "/operator/mails/..%2f..%2fetc%2fpasswd"] {
                #expect(try await maya.get(path).status == 404)
            }
        }
    }

    @Test func a_list_says_what_to_whom_and_what_became_of_it_and_a_mail_is_text_with_its_links() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let link = "http://share.example/new-password?token=abc"
            let mail = Self.mail(
                "Hello <b>you</b>,\n\(link)\nhttp://share.example.evil.example/x\nhttp://evil.example/")
            let (dead, text) = (Self.mail("", .dead), Self.mail("048213 is your code", .delivered, .text))
            door.backend.state.withLock { state in
                state.operators = Set(state.people.keys)
                state.mails = [mail, dead, text] + (0..<25).map { _ in Self.mail("more") }
            }
            let list = try await maya.get("/operator/mails").text
            #expect(
                list.contains("A new password") && list.contains("ben@example.org") && list.contains("RCPT failed: 550")
            )
            // Subjects of codes have the code in them.
            #expect(!list.contains("&lt;password&gt;") && !list.contains("Code for a telephone"))
            #expect(list.contains("rel=\"next\"") && list.contains("action=\"/operator/mails/\(dead.mail.id)/retry\""))
            #expect(try await maya.get("/operator/mails?of=text").text.contains("Code for a telephone"))
            let page = try await maya.get("/operator/mails/\(mail.mail.id)").text
            #expect(page.contains("A new &lt;password&gt;") && page.contains("Hello &lt;b&gt;you&lt;/b&gt;"))
            #expect(page.contains("<a href=\"/new-password?token") && page.contains("audit log"))
            #expect(
                !page.contains("href=\"http://evil") && !page.contains("href=\".evil")
                    && !page.contains("href=\"http://share"))
            let retried = try await maya.post("/operator/mails/\(dead.mail.id)/retry", [:])
            #expect(retried.status == 303 && retried["Location"] == "/operator/mails?done=mailRetried")
            #expect(try await maya.post("/operator/mails/\(mail.mail.id)/retry", [:]).status == 409)
        }
    }

    @Test func what_devices_could_not_be_told_is_tried_again_or_forgotten() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            func push(_ canRetry: Bool) -> DeadPush {
                DeadPush(
                    id: .new(), device: .webPush, kind: .spotClaimed, reason: "push.example.net answers <400>.",
                    attempts: 1, endedAt: Date(), canRetry: canRetry)
            }
            let (open, read) = (push(true), push(false))
            door.backend.state.withLock { state in
                state.pushes = [open, read]
                for person in state.people.values where person.name == "Maya" { state.operators.insert(person.id) }
            }
            #expect(try await maya.get("/operator/mails").text.contains("href=\"/operator/pushes\""))
            let list = try await maya.get("/operator/pushes").text
            #expect(
                list.contains("answers &lt;400&gt;.") && list.contains("My spot is taken") && list.contains("A browser")
            )
            #expect(
                list.contains("/operator/pushes/\(open.id)/retry")
                    && !list.contains("/operator/pushes/\(read.id)/retry"))
            #expect(try await ben.get("/operator/pushes").status == 403)
            #expect(try await ben.post("/operator/pushes/\(open.id)/retry", [:]).status == 403)
            let retried = try await maya.post("/operator/pushes/\(open.id)/retry", [:])
            #expect(retried["Location"] == "/operator/pushes?done=mailRetried")
            let forgotten = try await maya.post("/operator/pushes/\(read.id)/forget", [:])
            #expect(forgotten["Location"] == "/operator/pushes?done=pushForgotten")
            let left = door.backend.state.withLock(\.pushes)
            #expect(left.isEmpty)
        }
    }
}
