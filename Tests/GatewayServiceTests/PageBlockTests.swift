import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// Blocking somebody, with links and forms alone.
@Suite struct PageBlockTests {
    @Test func somebody_is_blocked_after_a_page_that_says_what_it_means_and_is_listed_for_who_did_it() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (adasID, blocked) = (try door.person("Ada").id, try door.person("Ben"))
            let (adas, bens) = ("/people/\(adasID)", "/people/\(blocked.id)")
            #expect(try await ada.get("/me").text.contains("href=\"/me/blocks\""))
            #expect(try await ada.get("/me/blocks").text.contains("You have blocked nobody"))
            #expect(try await ada.get(bens).text.contains("href=\"\(bens)/block\""))
            #expect(!(try await ada.get(adas).text.contains("/block")))

            let question = try await ada.get("\(bens)/block").text
            #expect(question.contains("Block Ben?") && question.contains("Ben is not told."))
            #expect(question.contains("action=\"\(bens)/block\"") && question.contains("href=\"\(bens)\""))
            #expect(try door.services.asked(AuthMethods.block).isEmpty)
            let entry = BlockedPerson(person: blocked.summary, since: Date())
            door.services.answer(AuthMethods.block, entry)
            let key = ["key": "a-key-of-this-form"]
            for _ in 1...2 {
                let sent = try await ada.post("\(bens)/block", key)
                #expect(sent.status == 303 && sent["Location"] == "/me/blocks?done=blocked")
            }
            #expect(try door.services.done(AuthMethods.block).map(\.parameters.id) == [blocked.id])
            // As auth answers from now on: neither is there for the other.
            door.services.on(AuthMethods.blocks) { Page(items: $0.caller.person == adasID ? [entry] : []) }
            door.services.refuse(AuthMethods.person, .notFound("person"))
            let list = try await ada.get("/me/blocks?done=blocked").text
            #expect(list.contains("Blocked. They are not told.") && list.contains(">Ben<br>"))
            // There is no way from here to a page that is not there.
            #expect(list.contains("Unblock Ben") && !list.contains("href=\"\(bens)"))
            for (person, path) in [(ada, bens), (ada, "\(bens)/block"), (ben, adas), (ben, "\(adas)/block")] {
                let page = try await person.get(path)
                #expect(page.status == 404 && !page.text.contains("Ada?") && !page.text.contains("Ben?"))
            }
            let bensList = try await ben.get("/me/blocks").text
            #expect(bensList.contains("You have blocked nobody") && !bensList.contains("Ada"))

            door.services.answer(AuthMethods.unblock, Nothing())
            let lifted = try await ada.post("\(bens)/unblock", [:])
            #expect(lifted["Location"] == "/me/blocks?done=unblocked")
            #expect(try door.services.asked(AuthMethods.unblock).map(\.parameters.id) == [blocked.id])
            door.services.answer(AuthMethods.blocks, Page(items: []))
            door.services.refuse(AuthMethods.person, nil)
            #expect(try await ada.get("/me/blocks").text.contains("You have blocked nobody"))
            #expect(try await ben.get(adas).status == 200)
        }
    }

    @Test func oneself_nobody_and_too_many_are_told_kindly() async throws {
        try await PageDoor.run { door in
            let ada = try await door.join("Ada")
            _ = try await door.join("Ben")
            let (adas, bens) = ("/people/\(try door.person("Ada").id)", "/people/\(try door.person("Ben").id)")
            #expect(try await ada.get("\(adas)/block")["Location"] == adas)
            door.services.refuse(AuthMethods.block, ServiceError(.forbidden, "This is you."))
            #expect(try await ada.post("\(adas)/block", [:]).status == 403)
            #expect(try await ada.get("/people/\(PersonID.new())/block").status == 404)
            door.services.refuse(AuthMethods.block, .notFound("person"))
            #expect(try await ada.post("/people/\(PersonID.new())/block", [:]).status == 404)
            door.services.refuse(AuthMethods.block, ServiceError(.tooManyBlocks, "You have blocked 1000 people."))
            let full = try await ada.post("\(bens)/block", [:])
            #expect(full.status == 409 && full.text.contains("You have blocked as many people as one may."))
        }
    }

    @Test func the_list_leads_on_and_the_question_comes_alone_where_scripts_ask() async throws {
        try await PageDoor.run { door in
            let me = try await door.join("Me")
            let others = (1...5).map { number in
                BlockedPerson(person: PersonSummary(id: .new(), name: "Other \(number)"), since: Date())
            }
            door.services.on(AuthMethods.blocks) { Page(others, from: $0.parameters.cursor) }
            let first = try await me.get("/me/blocks").text
            #expect(first.components(separatedBy: "Unblock Other").count == 4)
            let more = try #require(first.firstMatch(of: /href="(\/me\/blocks\?cursor=[^"]+)"/)?.1)
            let second = try await me.get(String(more).replacing("&amp;", with: "&")).text
            #expect(second.components(separatedBy: "Unblock Other").count == 3)
            _ = try await door.join("Eve")
            let fragment = try await me.get("/people/\(try door.person("Eve").id)/block", [("HX-Request", "true")]).text
            #expect(fragment.contains("Block Eve?") && !fragment.contains("<html"))
        }
    }

    @Test func strangers_are_sent_to_the_door() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Ben")
            let stranger = PageVisitor(port: door.port)
            for path in ["/me/blocks", "/people/\(try door.person("Ben").id)/block"] {
                let answer = try await stranger.get(path)
                #expect(answer.status == 303 && answer["Location"]?.hasPrefix("/sign-in") == true)
            }
        }
    }
}
