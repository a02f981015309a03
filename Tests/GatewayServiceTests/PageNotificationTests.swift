import FoundationEssentials
import Synchronization
import Testing
import WireProtocol

@testable import GatewayService

/// The bell, the inbox, how one is told, and the way out of mails.
@Suite struct PageNotificationTests {
    private static func notice(
        _ kind: InboxNoticeKind, from name: String? = "Ben", count: Int = 1, title: String? = nil,
        about: NoticeKind? = nil, link: String = "/me/friends"
    ) -> InboxNotice {
        InboxNotice(
            id: .new(), kind: kind, subject: InboxSubject(kind: .person, id: .new()),
            actor: name.map { PersonSummary(id: .new(), name: $0) }, count: count, title: title, about: about,
            link: link, at: Date())
    }

    /// Puts them into the inbox of the one person there is, the first of them the newest.
    private static func give(_ notices: [InboxNotice], at door: PageDoor) throws {
        let person = try #require(door.people().first).id
        door.backend.state.withLock { $0.inbox = notices.map { (person, $0) } }
    }

    @Test func every_page_has_the_number_and_goes_without_where_it_cannot_be_had() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let none = try await maya.get("/me").text
            #expect(none.contains("data-notices hidden") && none.contains("<title>Me"))
            try Self.give([Self.notice(.friendAsked), Self.notice(.spotClaimed)], at: door)
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
            #expect(try await maya.get("/notifications").text.contains("Nothing yet"))
            let hostile = Self.notice(.friendAsked, from: "<b>", link: "//evil.example/")
            let room = "/messages/\(RoomID.new())"
            try Self.give(
                [
                    Self.notice(.message, from: "Cara", count: 3, link: room), hostile,
                    Self.notice(.account, from: nil, about: .warning, link: "/me"),
                    Self.notice(.spotReleased, title: "By the well"),
                ], at: door)
            let list = try await maya.get("/notifications")
            #expect(list.text.contains("Cara has written you 3 messages.") && list.text.contains("A warning from"))
            #expect(list.text.contains("to=\(room)") && !list.text.contains("evil.example"))
            #expect(!list.text.contains("<b> wants") && list.text.contains("&lt;b&gt; wants to be your friend."))
            #expect(list.text.contains("/notifications?cursor=3") && !list.text.contains("By the well"))
            let more = try await maya.get("/notifications?cursor=3", [("HX-Request", "true"), ("HX-Target", "more")])
            #expect(more.text.contains("“By the well” back.") && !more.text.contains("<html"))
            let seen = door.backend.state.withLock { $0.inbox.allSatisfy(\.notice.seen) }
            let read = door.backend.state.withLock { $0.inbox.contains { $0.notice.readAt != nil } }
            #expect(seen && !read)
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
                (notice.rental, notice.due) = (state, due)
                return notice
            }
            func lines(_ notices: [InboxNotice]) async throws -> String {
                try Self.give(notices, at: door)
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
            try Self.give([first, second, third], at: door)
            let opened = try await maya.get("/notifications/\(second.id)?to=/me/friends")
            #expect(opened.status == 303 && opened["Location"] == "/me/friends")
            let foreign = try await maya.get("/notifications/\(second.id)?to=//evil.example")
            #expect(foreign["Location"] == "/notifications")
            func unread() -> [InboxNoticeID] {
                door.backend.state.withLock { $0.inbox.filter { $0.notice.readAt == nil }.map(\.notice.id) }
            }
            #expect(unread() == [first.id, third.id])
            #expect(try await maya.get("/notifications/nonsense?to=/me").status == 404)
            // As a mail's link: whoever is not signed in (a program that looks at mails, too) reads nothing, but comes back here.
            let link = InboxNotice.way(first.id, to: "/me/friends?of=waiting")
            let stranger = try await PageVisitor(port: door.port).get(link)
            #expect(stranger["Location"] == "/sign-in?next=\(LocalPath.encoded(link))")
            #expect(unread() == [first.id, third.id])
            let refused = try await maya.post("/notifications/read", ["upTo": first.id.description], withToken: false)
            #expect(refused.status == 403 && unread().count == 2)
            let all = try await maya.post("/notifications/read", ["key": Visit.newKey(), "upTo": first.id.description])
            #expect(all["Location"] == "/notifications?done=allRead" && unread().isEmpty)
        }
    }

    @Test func how_one_is_told_is_kept_as_it_was_chosen() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let page = try await maya.get("/notifications/settings").text
            #expect(page.contains("name=\"mail.message\"") && !page.contains("name=\"mail.account\""))
            #expect(page.contains("data-key=\"BP4z\""))
            var form = [
                "key": Visit.newKey(), "push.message": "on", "mail.spotClaimed": "on", "mail.account": "on",
                "mail": "daily", "digestHour": "18", "quiet": "on", "quietFrom": "22:30", "quietTo": "06:45",
                "timeZone": "Nowhere",
            ]
            let wrong = try await maya.post("/notifications/settings", form)
            #expect(wrong.status == 422 && wrong.text.contains("There is no such time zone."))
            #expect(wrong.text.contains("value=\"22:30\"") && wrong.text.contains("value=\"Nowhere\""))
            form["timeZone"] = "Europe/Helsinki"
            form["key"] = Visit.newKey()
            let saved = try await maya.post("/notifications/settings", form)
            #expect(saved["Location"] == "/notifications/settings?done=saved")
            let kept = try #require(door.backend.state.withLock { $0.noticeSettings.values.first })
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
            door.backend.state.withLock { $0.inbox = [(moderator, notice)] }
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
                let kept = try #require(door.backend.state.withLock { $0.noticeSettings[person] })
                #expect(kept.kinds.contains { $0.kind == .rentalDisputed } == isModerator)
            }
        }
    }

    @Test func devices_are_listed_and_removed() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let owner = try #require(door.people().first { $0.name == "Maya" }).id
            let device = PushDevice(
                id: .new(), kind: .webPush, label: "Mozilla/5.0 (X11; Linux) Firefox/145.0", addedAt: Date(),
                current: true)
            door.backend.state.withLock { $0.devices = [(owner, device)] }
            let page = try await maya.get("/notifications/settings").text
            #expect(page.contains("Firefox on Linux") && page.contains("data-registered"))
            let path = "/notifications/devices/\(device.id)/remove"
            #expect(try await ben.post(path, ["key": Visit.newKey()]).status == 404)
            #expect(try await maya.post(path, ["key": Visit.newKey()]).status == 303)
            #expect(door.backend.state.withLock { $0.devices.isEmpty })
            door.services.refuse(NotificationMethods.devices, ServiceError(.unavailable, "Away."))
            let away = try await maya.get("/notifications/settings")
            #expect(away.status == 200 && !away.text.contains("data-key"))
        }
    }

    @Test func whoever_has_the_link_of_a_mail_may_end_what_it_names() async throws {
        try await PageDoor.run { door in
            door.backend.state.withLock { $0.unsubscriptions["abc"] = Unsubscription(kinds: [.message], ended: false) }
            let stranger = PageVisitor(port: door.port)
            let asked = try await stranger.get("/unsubscribe/abc")
            #expect(asked.status == 200 && asked.text.contains("no more mails about: Messages"))
            #expect(door.backend.state.withLock { $0.unsubscriptions["abc"]?.ended } == false)
            // As a mail program does, from wherever, and with somebody's cookies too.
            let maya = try await door.join("Maya")
            let ended = try await maya.post(
                "/unsubscribe/abc", ["List-Unsubscribe": "One-Click"], withToken: false, from: "cross-site")
            #expect(ended.status == 200 && ended.text.contains("You get no more mails about: Messages."))
            #expect(door.backend.state.withLock { $0.unsubscriptions["abc"]?.ended } == true)
            #expect(try await stranger.get("/unsubscribe/wrong").status == 404)
            #expect(try await stranger.post("/unsubscribe/wrong", [:], withToken: false).status == 404)
        }
    }

    @Test func the_link_of_a_mail_says_whose_it_is_and_all_that_it_ends() async throws {
        try await PageDoor.run { door in
            let several = Unsubscription(
                kinds: [.message, .rentalDisputed], ended: false, account: "\u{600}<b>Maya</b>")
            door.backend.state.withLock {
                $0.unsubscriptions["two"] = several
                $0.unsubscriptions["all"] = Unsubscription(kinds: nil, ended: false)
            }
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
