import FoundationEssentials
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

    /// Notification as it answers operators, and refuses everybody else.
    private static func keep(_ mails: [KeptMailContent], at door: PageDoor) {
        door.services.on(NotificationMethods.mails) { request in
            try request.caller.require(.operator)
            let all = mails.map(\.mail).filter { $0.channel == request.parameters.channel }
            return Page(all, from: request.parameters.cursor, size: request.parameters.limit ?? 50)
        }
        @Sendable func find(_ request: FakeBackend.Request<KeptMailReference, Nothing>) throws -> KeptMailContent {
            try request.caller.require(.operator)
            guard let found = mails.first(where: { $0.mail.id == request.parameters.id }) else {
                throw ServiceError.notFound("mail")
            }
            return found
        }
        door.services.on(NotificationMethods.mail) { try find($0) }
        door.services.on(NotificationMethods.retryMail) { request in
            guard try find(request).mail.canRetry else { throw ServiceError(.wrongState, "Not given up.") }
            return Nothing()
        }
    }

    private static func keep(_ pushes: [DeadPush], at door: PageDoor) {
        door.services.on(NotificationMethods.deadPushes) { request in
            try request.caller.require(.operator)
            return Page(items: pushes)
        }
        for method in [NotificationMethods.retryDeadPush, NotificationMethods.forgetDeadPush] {
            door.services.on(method) { request in
                try request.caller.require(.operator)
                return Nothing()
            }
        }
    }

    /// Where a proxy was forgotten, everybody shares one limit: whoever runs it should hear that before the first people are locked out.
    @Test(arguments: [false, true]) func a_proxy_that_nobody_has_named_is_said(_ hides: Bool) async throws {
        try await PageDoor.run(hidesAddresses: hides) { door in
            let maya = try await door.join("Maya")
            door.appoint("Maya", .operator)
            Self.keep([KeptMailContent](), at: door)
            Self.keep([DeadPush](), at: door)
            for path in ["/operator/mails", "/operator/pushes"] {
                #expect(try await maya.get(path).text.contains("KAMPONG_TRUSTED_PROXIES") == hides, "\(path)")
            }
        }
    }

    @Test func operators_alone_get_in_and_their_menu_says_so() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let mail = Self.mail("Hello")
            Self.keep([mail], at: door)
            door.appoint("Maya", .operator)
            door.appoint("Ben", .moderator)
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
            door.appoint("Maya", .operator)
            Self.keep([mail, dead, text] + (0..<25).map { _ in Self.mail("more") }, at: door)
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
            #expect(try door.services.asked(NotificationMethods.retryMail).map(\.parameters.id) == [dead.mail.id])
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
            door.appoint("Maya", .operator)
            Self.keep([KeptMailContent](), at: door)
            Self.keep([open, read], at: door)
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
            #expect(try door.services.asked(NotificationMethods.retryDeadPush).last?.parameters.id == open.id)
            #expect(try door.services.asked(NotificationMethods.forgetDeadPush).map(\.parameters.id) == [read.id])
        }
    }
}
