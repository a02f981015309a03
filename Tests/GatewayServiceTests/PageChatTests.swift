import FoundationEssentials
import PlainText
import Testing
import WireProtocol

@testable import GatewayService

/// Chats, with links and forms alone.
@Suite struct PageChatTests {
    struct Pair {
        var ada: PageVisitor
        var ben: PageVisitor
        var adaID: PersonID
        var benID: PersonID
        var talk: PageTalk
        var room: String { talk.path }
    }

    /// Ben has opened a room with Ada.
    static func talk(_ door: PageDoor) async throws -> Pair {
        let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
        let (one, other) = (try door.person("Ada"), try door.person("Ben"))
        let adas = one.id
        let talk = PageTalk(one, other, at: door)
        let page = try await ben.get("/people/\(adas)").text
        #expect(page.contains("Message Ada") && page.contains("name=\"kind\" value=\"person\""))
        let opened = try await ben.post(
            "/messages", ["kind": "person", "subject": "\(adas)", "with": "\(adas)"])
        #expect(opened.status == 303 && opened["Location"] == "\(talk.path)#newest")
        let draft = RoomDraft(subject: Subject(kind: .person, id: ID(adas.uuid)), with: adas)
        #expect(try door.services.asked(ChatMethods.openRoom).map(\.content) == [draft])
        return Pair(ada: ada, ben: ben, adaID: adas, benID: other.id, talk: talk)
    }

    static func write(_ text: String, _ visitor: PageVisitor, _ room: String) async throws -> RawResponse {
        try await visitor.post(room, ["text": text, "id": "\(MessageID.new())", "key": "\(UUID.version7())"])
    }

    @Test func two_write_to_each_other() async throws {
        try await PageDoor.run { door in
            let pair = try await Self.talk(door)
            #expect(try await pair.ben.get(pair.room).text.contains("Say hello to Ada"))
            let text = "Is it <free>?\nSee https://a.example/x."
            let sent = try await Self.write(text, pair.ben, pair.room)
            #expect(sent.status == 303 && sent["Location"] == "\(pair.room)#newest")
            #expect(try door.services.asked(ChatMethods.send).map(\.content.text) == [text])
            pair.talk.write(text, by: pair.benID)
            let inbox = try await pair.ada.get("/messages").text
            #expect(inbox.contains("(1) Messages") && inbox.contains("1 unread message") && inbox.contains("Ben"))
            #expect(inbox.contains("Is it &lt;free&gt;? See https://a.example/x."))
            let room = try await pair.ada.get(pair.room).text
            #expect(room.contains("1 new message") && room.contains("Today"))
            let link =
                "<a href=\"https://a.example/x\" rel=\"nofollow noopener noreferrer ugc\">https://a.example/x</a>."
            #expect(room.contains(link) && !room.contains("<free>"))
            #expect(room.contains("/seen?number=1\""))
            let own = try await pair.ben.get(pair.room).text
            #expect(own.contains("message mine") && own.contains("tick sent") && !own.contains("new message"))
            #expect(try await pair.ada.get("\(pair.room)/seen?number=1").status == 204)
            let marks = try door.services.asked(ChatMethods.markRead)
            #expect(marks.map(\.content.number) == [1] && marks.map(\.parameters.id) == [pair.talk.id])
            pair.talk.read(1, by: pair.adaID)
            #expect(try await pair.ben.get(pair.room).text.contains("tick read"))
            #expect(!(try await pair.ada.get("/messages").text.contains("(1)")))
        }
    }

    @Test func a_form_that_is_sent_twice_is_one_message() async throws {
        try await PageDoor.run { door in
            let pair = try await Self.talk(door)
            let form = ["text": "Once", "id": "\(MessageID.new())", "key": "a-key-of-this-form"]
            for _ in 1...2 { #expect(try await pair.ben.post(pair.room, form).status == 303) }
            // Gone back to the page, and sent again with other words: the same request, and what was sent stands.
            door.services.refuse(ChatMethods.send, ServiceError(.idempotencyMismatch, "Used before."))
            let other = form.merging(["text": "Twice"]) { $1 }
            #expect(try await pair.ben.post(pair.room, other).status == 303)
            let sent = try door.services.asked(ChatMethods.send)
            #expect(sent.map(\.content.text) == ["Once", "Once", "Twice"] && Set(sent.map(\.id)).count == 1)
            #expect(try await pair.ben.post(pair.room, ["text": "  "])["Location"] == "\(pair.room)#newest")
            #expect(try door.services.asked(ChatMethods.send).count == 3)
        }
    }

    @Test func what_is_refused_stays_as_it_was_typed() async throws {
        try await PageDoor.run { door in
            let pair = try await Self.talk(door)
            let long = String(repeating: "long ", count: 1000)
            door.services.refuse(ChatMethods.send, .invalid([FieldError("text", "too_long", "Too long.")]))
            let refused = try await pair.ben.post(pair.room, ["text": long, "key": "k1", "id": "\(MessageID.new())"])
            #expect(refused.status == 422 && refused.text.contains("more than 4,000 characters"))
            #expect(refused.text.contains("aria-invalid=\"true\"") && refused.text.contains(long.trimmed))
            let file = try await pair.ben.upload(pair.room, ["text": "Look"], file: Array("no picture".utf8))
            #expect(file.status == 415 && file.text.contains("That is not a picture we can read."))
            #expect(file.text.contains("Look</textarea>"))
            door.services.refuse(ChatMethods.send, ServiceError(.unavailable, "Away.", retryAfter: 2))
            let away = try await Self.write("Later", pair.ben, pair.room)
            #expect(away.status == 503 && away.text.contains("Later</textarea>"))
        }
    }

    @Test func rooms_are_closed_put_away_and_found() async throws {
        try await PageDoor.run { door in
            let pair = try await Self.talk(door)
            pair.talk.write("Hello", by: pair.benID)
            func asked() throws -> RoomQuery? { try door.services.asked(ChatMethods.rooms).last?.parameters }
            func put(_ shelf: RoomShelf?) {
                door.services.on(ChatMethods.rooms) { request in
                    let isThere = shelf == nil || request.parameters.shelf == shelf
                    return Page(items: isThere ? [try pair.talk.room(of: request.caller)] : [])
                }
            }
            let away = try await pair.ada.post("\(pair.room)/archive", ["archived": "yes", "key": "k"])
            #expect(away["Location"] == "/messages?done=archived")
            #expect(try door.services.asked(ChatMethods.archiveRoom).map(\.content.archived) == [true])
            pair.talk.change(for: pair.adaID) { $0.archived = true }
            put(.archived)
            #expect(try await pair.ada.get("/messages").text.contains("No messages yet"))
            #expect(try asked() == RoomQuery(shelf: .inbox, limit: 20))
            #expect(try await pair.ada.get("/messages?shelf=archived").text.contains(pair.room))
            put(nil)
            let found = try await pair.ada.get("/messages?q=Be").text
            #expect(found.contains(pair.room) && found.contains("<span class=\"tag plain\">Archived</span>"))
            #expect(try asked() == RoomQuery(q: "Be", limit: 20))
            door.services.refuse(ChatMethods.rooms, .invalid([FieldError("q", "length", "Two letters.")]))
            #expect(try await pair.ada.get("/messages?q=B").text.contains("Two to a hundred letters"))
            door.services.answer(ChatMethods.rooms, Page(items: []))
            #expect(try await pair.ada.get("/messages?q=Zoe").text.contains("Nothing found"))
            let back = try await pair.ada.post("\(pair.room)/archive", ["archived": "no", "key": "k2"])
            #expect(back["Location"] == "\(pair.room)?done=unarchived")
            #expect(try door.services.asked(ChatMethods.archiveRoom).map(\.content.archived) == [true, false])
            pair.talk.change { ($0.state, $0.writable, $0.archived) = (.closed, false, false) }
            put(.inbox)
            let unread = try await pair.ada.get("/messages").text
            #expect(unread.contains(pair.room) && unread.contains("<span class=\"tag plain\">Closed</span>"))
            let closed = try await pair.ada.get(pair.room).text
            #expect(closed.contains("This chat is closed.") && !closed.contains("<textarea"))
            pair.talk.read(1, by: pair.adaID)
            put(.closed)
            #expect(try await !pair.ada.get("/messages").text.contains(pair.room))
            #expect(try await pair.ada.get("/messages?shelf=closed").text.contains(pair.room))
            let late = try await Self.write("Too late", pair.ada, pair.room)
            #expect(late.status == 409 && late.text.contains("This chat is closed."))
        }
    }

    @Test func long_talks_come_in_parts() async throws {
        try await PageDoor.run { door in
            let pair = try await Self.talk(door)
            for number in 1...120 {
                let time = Date(timeIntervalSinceNow: Double(number - 120) * 3600)
                pair.talk.write("No. \(number)!", by: pair.benID, at: time)
            }
            let newest = try await pair.ada.get(pair.room).text
            #expect(newest.contains("No. 71!") && !newest.contains("No. 70!") && newest.contains("?before=71\""))
            let earlier = try await pair.ada.get("\(pair.room)?before=71").text
            #expect(earlier.contains("No. 21!") && !earlier.contains("No. 71!") && !earlier.contains("data-newest"))
            let first = try await pair.ada.get("\(pair.room)/rows?before=21", [("HX-Request", "true")]).text
            #expect(first.contains("No. 1!") && !first.contains("id=\"earlier\"") && !first.contains("<html"))
            let after = try await pair.ada.get("\(pair.room)/rows?after=118", [("HX-Request", "true")]).text
            #expect(!after.contains("No. 118!") && after.contains("No. 119!") && after.contains("No. 120!"))
            for number in [Int.min, Int.max] {
                for path in ["?before=", "/rows?before=", "/rows?after=", "/seen?number="] {
                    #expect(try await pair.ada.get("\(pair.room)\(path)\(number)").status < 500)
                }
            }
            // It goes on where the page ends: no day begins with it that has begun.
            #expect(after.components(separatedBy: "data-day").count <= 3)
        }
    }

    @Test func a_spot_leads_to_a_chat_with_whom_it_concerns() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            _ = try await ada.post("/share", PageFlowTests.place.merging(["name": "By the well"]) { $1 })
            let spot = try #require(door.spots().first)
            let path = "/spots/\(spot.id)"
            #expect(!(try await ada.get(path).text.contains("action=\"/messages\"")))
            #expect(!(try await PageVisitor(port: door.port).get(path).text.contains("action=\"/messages\"")))
            #expect(try await ben.get(path).text.contains("Message Ada"))
            try door.claimed(by: "Ben")
            #expect(try await ada.get(path).text.contains("Message Ben"))
            #expect(try await ben.get(path).text.contains("name=\"kind\" value=\"spot\""))
            let subject = Subject(kind: .spot, id: ID(spot.id.uuid))
            let (one, other) = (try door.person("Ada"), try door.person("Ben"))
            let talk = PageTalk(one, other, about: subject, title: spot.name, at: door)
            let opened = try await ben.post(
                "/messages", ["kind": "spot", "subject": "\(spot.id)", "with": "\(spot.postedBy.id)"])
            let draft = RoomDraft(subject: subject, with: spot.postedBy.id)
            #expect(try door.services.asked(ChatMethods.openRoom).map(\.content) == [draft])
            let room = try #require(opened["Location"]).replacing("#newest", with: "")
            #expect(room == talk.path)
            #expect(try await ben.get(room).text.contains("href=\"\(path)\""))
            for wrong in [["kind": "car"], ["subject": "x"], ["with": ""]] {
                let form = ["kind": "spot", "subject": "\(spot.id)", "with": "\(spot.postedBy.id)"]
                #expect(try await ben.post("/messages", form.merging(wrong) { $1 }).status == 400)
            }
        }
    }

    /// What a page asks for when it hears that its room has changed, after a block as after a suspension.
    @Test func below_a_chat_it_is_said_that_one_cannot_write_and_not_why() async throws {
        try await PageDoor.run { door in
            let pair = try await Self.talk(door)
            let path = "\(pair.room)/foot"
            #expect(try await pair.ada.get(path, [("HX-Request", "true")]).text.contains("<textarea"))
            pair.talk.change { $0.writable = false }
            let foot = try await pair.ada.get(path, [("HX-Request", "true")]).text
            #expect(foot.contains("Nothing can be written here just now.") && !foot.contains("<textarea"))
            #expect(!foot.lowercased().contains("suspend") && !foot.contains("<html"))
            pair.talk.change { $0.writable = true }
            #expect(try await pair.ada.get(path, [("HX-Request", "true")]).text.contains("<textarea"))
        }
    }

    @Test func what_is_not_ones_own_is_not_there() async throws {
        try await PageDoor.run { door in
            let pair = try await Self.talk(door)
            let eve = try await door.join("Eve")
            for path in ["", "/rows?after=0", "/foot", "/seen?number=1"] {
                #expect(try await eve.get(pair.room + path).status == 404)
            }
            #expect(try await Self.write("Hello", eve, pair.room).status == 404)
            #expect(try await eve.post("\(pair.room)/archive", ["archived": "yes"]).status == 404)
            let nobody = PageVisitor(port: door.port)
            for path in ["/messages", pair.room] {
                #expect(try await nobody.get(path)["Location"]?.hasPrefix("/sign-in?next=") == true)
            }
            let forged = try await pair.ben.post(pair.room, ["text": "Forged"], withToken: false)
            #expect(forged.status == 403)
            // Eve's was refused, and the forged one was not asked for.
            #expect(try door.services.asked(ChatMethods.send).map(\.content.text) == ["Hello"])
        }
    }

    @Test func a_page_is_there_while_chat_is_away() async throws {
        try await PageDoor.run { door in
            let ada = try await door.join("Ada")
            door.services.refuse(ChatMethods.unread, ServiceError(.unavailable, "Away."))
            #expect(try await ada.get("/").status == 200)
        }
    }

    @Test func a_browser_can_hold_out_offline() async throws {
        try await PageDoor.run { door in
            let worker = try await PageVisitor(port: door.port).get("/sw.js")
            #expect(worker["Content-Type"] == "text/javascript; charset=utf-8" && worker["Cache-Control"] == "no-cache")
            #expect(worker.text.hasPrefix("import \"/assets/") && worker.text.hasSuffix("/js/worker/main.js\";\n"))
            let shell = try await PageVisitor(port: door.port).get("/offline", [("Accept-Language", "de")]).text
            #expect(shell.contains("Du bist offline") && !shell.contains("/sign-in"))
            #expect(try await PageVisitor(port: door.port).get("/me/pass").status == 401)
            let pass = try await door.join("Ada").get("/me/pass")
            #expect(pass.status == 200 && pass.text.contains(door.people()[0].id.description))
            #expect(pass["Cache-Control"] == "no-store")
        }
    }
}
