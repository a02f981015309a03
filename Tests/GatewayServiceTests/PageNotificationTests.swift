import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The bell, the inbox, how one is told, and the way out of mails.
@Suite struct PageNotificationTests {
    private static func notice(
        _ kind: InboxNoticeKind, from name: String? = "Ben", count: Int = 1, title: String? = nil,
        variant: String? = nil, link: String = "/me/friends"
    ) -> InboxNotice {
        InboxNotice(
            id: .new(), kind: kind, subject: Subject(kind: .person, id: .new()),
            actor: name.map { PersonSummary(id: .new(), name: $0) }, count: count, title: title, variant: variant,
            link: link, at: Date())
    }

    /// What is in the inbox, the first of it the newest: three on a page, and nothing of it read.
    private static func give(_ notices: [InboxNotice], at door: PageDoor) {
        let count = InboxCount(unread: notices.count, unseen: notices.count)
        for method in [NotificationMethods.markRead, NotificationMethods.markSeen] {
            door.services.answer(method, count)
        }
        door.services.answer(NotificationMethods.inboxCount, count)
        door.services.on(NotificationMethods.inbox) { Page(notices, from: $0.parameters.cursor) }
    }

    /// The settings of somebody who has chosen nothing yet; what is chosen then is taken.
    static func letChoose(at door: PageDoor) {
        door.services.answer(NotificationMethods.settings, .untouched)
        door.services.on(NotificationMethods.changeSettings) { $0.content }
        door.services.answer(
            NotificationMethods.pushSettings, PushSettings(kinds: [.webPush], applicationServerKey: "BP4z"))
        door.services.answer(NotificationMethods.devices, Page(items: []))
    }

    /// What links of mails lead to, by what stands in them.
    private static func know(_ links: [String: Unsubscription], at door: PageDoor) {
        @Sendable func find(_ request: FakeBackend.Request<UnsubscribeToken, Nothing>) throws -> Unsubscription {
            guard let found = links[request.parameters.token] else { throw ServiceError.notFound("token") }
            return found
        }
        door.services.on(NotificationMethods.unsubscription) { try find($0) }
        door.services.on(NotificationMethods.unsubscribe) { request in
            var found = try find(request)
            found.ended = true
            return found
        }
    }

    @Test func every_page_has_the_number_and_goes_without_where_it_cannot_be_had() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            Self.give([], at: door)
            let none = try await maya.get("/me").text
            #expect(none.contains("data-notices hidden") && none.contains("<title>Me"))
            Self.give([Self.notice(.friendAsked), Self.notice(.spotClaimed)], at: door)
            let two = try await maya.get("/parking").text
            #expect(two.contains("<title>(2) ") && !two.contains("data-notices hidden"))
            door.services.refuse(NotificationMethods.inboxCount, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/me")
            #expect(away.status == 200 && away.text.contains("data-notices hidden"))
            let stranger = try await PageVisitor(port: door.port).get("/parking").text
            #expect(!stranger.contains("data-notices"))
        }
    }

    @Test func the_inbox_says_what_happened_and_where_it_leads() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            Self.give([], at: door)
            #expect(try await maya.get("/notifications").text.contains("Nothing yet"))
            let hostile = Self.notice(.friendAsked, from: "<b>", link: "//evil.example/")
            let room = "/messages/\(RoomID.new())"
            let newest = Self.notice(.message, from: "Cara", count: 3, link: room)
            Self.give(
                [
                    newest, hostile,
                    Self.notice(.account, from: nil, variant: "warning", link: "/me"),
                    Self.notice(.spotReleased, title: "By the well"),
                ], at: door)
            let list = try await maya.get("/notifications")
            #expect(list.text.contains("Cara has written to you (3 messages).") && list.text.contains("A warning from"))
            #expect(list.text.contains("to=\(room)") && !list.text.contains("evil.example"))
            #expect(!list.text.contains("<b> wants") && list.text.contains("&lt;b&gt; wants to be your friend."))
            #expect(list.text.contains("/notifications?cursor=3") && !list.text.contains("By the well"))
            let more = try await maya.get("/notifications?cursor=3", [("HX-Request", "true"), ("HX-Target", "more")])
            #expect(more.text.contains("“By the well” back.") && !more.text.contains("<html"))
            // All up to the newest was seen, and nothing was read.
            #expect(try door.services.asked(NotificationMethods.markSeen).map(\.content.upTo) == [newest.id])
            #expect(try door.services.asked(NotificationMethods.markRead).isEmpty)
            let toast = try await maya.get("/notifications/\(hostile.id)/toast")
            #expect(toast.text.hasPrefix("<div class=\"toast told\""))
            #expect(try await maya.get("/notifications/\(RoomID.new())/toast").status == 204)
        }
    }

    @Test func what_is_told_of_a_rental_is_what_it_has_come_to() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let link = "/rentals/\(RentalID.new())"
            func told(
                _ kind: InboxNoticeKind, _ state: RentalState, due: RentalReminder.Occasion? = nil, by name: String?
            ) -> InboxNotice {
                var notice = Self.notice(kind, from: name, title: "Blue <van>", link: link)
                notice.variant = due?.rawValue ?? state.rawValue
                return notice
            }
            func lines(_ notices: [InboxNotice]) async throws -> String {
                Self.give(notices, at: door)
                return try await maya.get("/notifications").text
            }
            let asked = try await lines([
                told(.rentalRequested, .requested, by: "Ben"), told(.rentalAnswered, .declined, by: nil),
                told(.rentalDue, .handedOver, due: .overdue, by: nil),
            ])
            #expect(asked.contains("Ben asks for “Blue &lt;van&gt;”.") && asked.contains("to=\(link)"))
            #expect(asked.contains("Your request for “Blue &lt;van&gt;” was declined."))
            #expect(asked.contains("“Blue &lt;van&gt;” should be back by now."))
            let back = try await lines([
                told(.rentalChanged, .returned, by: nil), told(.rentalChanged, .returned, by: "Ben"),
                told(.rentalChanged, .requested, by: "Ben"),
            ])
            #expect(
                back.contains("counts as given back") && back.contains("Ben says that “Blue &lt;van&gt;” was given"))
            #expect(back.contains("Something has happened to the agreement"), "a state without a sentence")
        }
    }

    @Test func what_one_opens_is_read_and_leads_nowhere_else() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let (first, second, third) = (
                Self.notice(.friendAsked), Self.notice(.friendAccepted), Self.notice(.reviewPossible)
            )
            Self.give([first, second, third], at: door)
            let opened = try await maya.get("/notifications/\(second.id)?to=/me/friends")
            #expect(opened.status == 303 && opened["Location"] == "/me/friends")
            let foreign = try await maya.get("/notifications/\(second.id)?to=//evil.example")
            #expect(foreign["Location"] == "/notifications")
            func read() throws -> [InboxMark] {
                try door.services.asked(NotificationMethods.markRead).map(\.content)
            }
            let looked = [InboxMark(ids: [second.id]), InboxMark(ids: [second.id])]
            #expect(try read() == looked)
            #expect(try await maya.get("/notifications/nonsense?to=/me").status == 404)
            // As a mail's link: whoever is not signed in (a program that looks at mails, too) reads nothing, but comes back here.
            let link = InboxNotice.way(first.id, to: "/me/friends?of=waiting")
            let stranger = try await PageVisitor(port: door.port).get(link)
            #expect(stranger["Location"] == "/sign-in?next=\(LocalPath.encoded(link))")
            #expect(try read() == looked)
            let refused = try await maya.post("/notifications/read", ["upTo": first.id.description], withToken: false)
            #expect(try refused.status == 403 && read() == looked)
            let all = try await maya.post("/notifications/read", ["key": Visit.newKey(), "upTo": first.id.description])
            #expect(all["Location"] == "/notifications?done=allRead")
            #expect(try read() == looked + [InboxMark(upTo: first.id)])
        }
    }

    @Test func how_one_is_told_is_kept_as_it_was_chosen() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            Self.letChoose(at: door)
            let page = try await maya.get("/notifications/settings").text
            #expect(page.contains("name=\"mail.message\"") && !page.contains("name=\"mail.account\""))
            #expect(page.contains("data-key=\"BP4z\""))
            var form = [
                "key": Visit.newKey(), "push.message": "on", "mail.spotClaimed": "on", "mail.account": "on",
                "mail": "daily", "digestHour": "18", "quiet": "on", "quietFrom": "22:30", "quietTo": "06:45",
                "timeZone": "Nowhere",
            ]
            let unknown = ServiceError.invalid([FieldError("timeZone", "not_a_time_zone", "No zone.")])
            door.services.refuse(NotificationMethods.changeSettings, unknown)
            let wrong = try await maya.post("/notifications/settings", form)
            door.services.refuse(NotificationMethods.changeSettings, nil)
            #expect(wrong.status == 422 && wrong.text.contains("There is no such time zone."))
            #expect(wrong.text.contains("value=\"22:30\"") && wrong.text.contains("value=\"Nowhere\""))
            form["timeZone"] = "Europe/Helsinki"
            form["key"] = Visit.newKey()
            let saved = try await maya.post("/notifications/settings", form)
            #expect(saved["Location"] == "/notifications/settings?done=saved")
            let kept = try #require(try door.services.asked(NotificationMethods.changeSettings).last).content
            #expect(kept.mail == .daily && kept.digestHour == 18 && kept.quiet?.from == "22:30")
            #expect(kept.kinds.filter(\.mail).map(\.kind) == [.spotClaimed])
            #expect(kept.kinds.filter(\.push).map(\.kind) == [.message])
        }
    }

    @Test func a_dispute_leads_moderators_to_it_and_is_theirs_alone_to_choose() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let (moderator, other) = (try door.person("Maya").id, try door.person("Ben").id)
            let link = "/rentals/\(RentalID.new())"
            let notice = Self.notice(.rentalDisputed, from: nil, title: "Blue <van>", link: link)
            door.appoint("Maya", .moderator)
            Self.give([notice], at: door)
            Self.letChoose(at: door)
            let list = try await maya.get("/notifications").text
            #expect(list.contains("disagree about the rental of “Blue &lt;van&gt;”") && list.contains("to=\(link)"))
            let opened = try await maya.get(InboxNotice.way(notice.id, to: link))
            #expect(opened.status == 303 && opened["Location"] == link)
            let form = ["mail": "atOnce", "digestHour": "18", "timeZone": "Europe/Helsinki"]
            for (visitor, person) in [(maya, moderator), (ben, other)] {
                let isModerator = person == moderator
                let page = try await visitor.get("/notifications/settings").text
                #expect(page.contains("name=\"mail.rentalDisputed\"") == isModerator)
                let key = ["key": Visit.newKey()]
                _ = try await visitor.post("/notifications/settings", form.merging(key) { $1 })
                // What somebody is not asked is not taken for a no: they may moderate later.
                let kept = try #require(try door.services.asked(NotificationMethods.changeSettings).last)
                #expect(kept.caller.person == person)
                #expect(kept.content.kinds.contains { $0.kind == .rentalDisputed } == isModerator)
            }
        }
    }

    @Test func devices_are_listed_and_removed() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let owner = try door.person("Maya").id
            let device = PushDevice(
                id: .new(), kind: .webPush, label: "Mozilla/5.0 (X11; Linux) Firefox/145.0", addedAt: Date(),
                current: true)
            Self.letChoose(at: door)
            door.services.on(NotificationMethods.devices) { request in
                Page(items: request.caller.person == owner ? [device] : [])
            }
            door.services.on(NotificationMethods.removeDevice) { request in
                guard request.caller.person == owner else { throw ServiceError.notFound("device") }
                return Nothing()
            }
            let page = try await maya.get("/notifications/settings").text
            #expect(page.contains("Firefox on Linux") && page.contains("data-registered"))
            let path = "/notifications/devices/\(device.id)/remove"
            #expect(try await ben.post(path, ["key": Visit.newKey()]).status == 404)
            #expect(try await maya.post(path, ["key": Visit.newKey()]).status == 303)
            let removed = try door.services.asked(NotificationMethods.removeDevice).last
            #expect(removed?.caller.person == owner && removed?.parameters.id == device.id)
            door.services.refuse(NotificationMethods.devices, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/notifications/settings")
            #expect(away.status == 200 && !away.text.contains("data-key"))
        }
    }

    @Test func whoever_has_the_link_of_a_mail_may_end_what_it_names() async throws {
        try await PageDoor.run { door in
            Self.know(["abc": Unsubscription(kinds: [.message], ended: false)], at: door)
            let stranger = PageVisitor(port: door.port)
            let asked = try await stranger.get("/unsubscribe/abc")
            #expect(asked.status == 200 && asked.text.contains("no more mails about: Messages"))
            #expect(try door.services.asked(NotificationMethods.unsubscribe).isEmpty)
            // As a mail program does, from wherever, and with somebody's cookies too.
            let maya = try await door.join("Maya")
            let ended = try await maya.post(
                "/unsubscribe/abc", ["List-Unsubscribe": "One-Click"], withToken: false, from: "cross-site")
            #expect(ended.status == 200 && ended.text.contains("You get no more mails about: Messages."))
            #expect(try door.services.asked(NotificationMethods.unsubscribe).map(\.parameters.token) == ["abc"])
            #expect(try await stranger.get("/unsubscribe/wrong").status == 404)
            #expect(try await stranger.post("/unsubscribe/wrong", [:], withToken: false).status == 404)
        }
    }

    @Test func the_link_of_a_mail_says_whose_it_is_and_all_that_it_ends() async throws {
        try await PageDoor.run { door in
            let several = Unsubscription(
                kinds: [.message, .rentalDisputed], ended: false, account: "\u{600}<b>Maya</b>")
            Self.know(["two": several, "all": Unsubscription(kinds: nil, ended: false)], at: door)
            let stranger = PageVisitor(port: door.port)
            let asked = try await stranger.get("/unsubscribe/two")
            let what = "no more mails about: Messages, Disputes that wait for a moderator."
            #expect(asked.text.contains(what))
            #expect(asked.text.contains("account of \u{600}&lt;b&gt;Maya"))
            let ended = try await stranger.post("/unsubscribe/two", [:], withToken: false)
            #expect(ended.text.contains("You get \(what)"))
            #expect(ended.text.contains("account of \u{600}&lt;b&gt;Maya"))
            let all = try await stranger.get("/unsubscribe/all")
            #expect(all.text.contains("no more mails about: everything.") && !all.text.contains("account of"))
        }
    }
}

extension NoticeSettings {
    /// As they are before anything was chosen.
    static var untouched: NoticeSettings {
        let choices = InboxNoticeKind.allCases.map { NoticeChoice(kind: $0, mail: $0.hasMail, push: true) }
        return NoticeSettings(kinds: choices, mail: .atOnce, digestHour: 8, timeZone: "UTC")
    }
}
