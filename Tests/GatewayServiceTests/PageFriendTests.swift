import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// Friends, with links and forms alone.
@Suite struct PageFriendTests {
    /// How it stands between two, as auth says it to each of them.
    private func stand(_ one: Person, _ state: FriendState, with other: Person, at door: PageDoor) {
        let back: FriendState = state == .asked ? .waiting : state
        @Sendable func friend(of caller: PersonID?) -> Friend {
            caller == one.id
                ? Friend(person: other.summary, state: state, since: Date())
                : Friend(person: one.summary, state: back, since: Date())
        }
        door.services.on(AuthMethods.friend) { friend(of: $0.caller.person) }
        door.services.on(AuthMethods.friends) { request in
            let found = friend(of: request.caller.person)
            return Page(items: found.state == request.parameters.state ? [found] : [])
        }
    }

    @Test func somebody_is_asked_accepts_and_is_a_friend_no_more() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (one, other) = (try door.person("Ada"), try door.person("Ben"))
            let (adas, bens) = ("/people/\(one.id)", "/people/\(other.id)")
            #expect(try await ada.get(bens).text.contains("Ask to be friends"))
            #expect(!(try await ada.get(adas).text.contains("Ask to be friends")))
            door.services.answer(AuthMethods.befriend, Friend(person: other.summary, state: .asked, since: Date()))
            let asked = try await ada.post("\(bens)/befriend", ["key": "a-key-of-this-form"])
            #expect(asked.status == 303 && asked["Location"] == "\(bens)?done=friendAsked")
            stand(one, .asked, with: other, at: door)
            #expect(try await ada.get(bens).text.contains("You have asked Ben."))
            #expect(try await ada.get("/me/friends?of=asked").text.contains("Take back what you asked Ben"))

            let waiting = try await ben.get("/me/friends?of=waiting")
            #expect(waiting.text.contains("Accept Ada"))
            #expect(waiting.text.contains("name=\"next\" value=\"/me/friends?of=waiting\""))
            #expect(try await ben.get(adas).text.contains("Ada would like to be your friend."))
            door.services.answer(AuthMethods.befriend, Friend(person: one.summary, state: .friends, since: Date()))
            let accepted = try await ben.post("\(adas)/befriend", ["next": "/me/friends?of=waiting"])
            #expect(accepted["Location"] == "/me/friends?of=waiting&done=befriended")
            let asks = try door.services.asked(AuthMethods.befriend)
            #expect(asks.map(\.parameters.id) == [other.id, one.id])
            stand(one, .friends, with: other, at: door)
            #expect(try await ada.get(bens).text.contains("You are friends since"))
            #expect(try await ada.get("/me/friends").text.contains(bens))

            // The question comes first, and a form of another state does nothing.
            #expect(try await ada.get("\(bens)/unfriend").text.contains("End the friendship with Ben?"))
            door.services.refuse(AuthMethods.unfriend, ServiceError(.wrongState, "Changed."))
            let stale = try await ada.post("\(bens)/unfriend", ["state": "asked"])
            #expect(stale.status == 409)
            #expect(try await ada.get(bens).text.contains("You are friends since"))
            door.services.answer(AuthMethods.unfriend, Nothing())
            let ended = try await ada.post("\(bens)/unfriend", [:])
            #expect(ended["Location"] == "\(bens)?done=unfriended")
            let endings = try door.services.asked(AuthMethods.unfriend).map(\.parameters)
            #expect(endings == [FriendState.asked, .friends].map { FriendEnding(id: other.id, state: $0) })
            stand(one, .none, with: other, at: door)
            #expect(try await ada.get("\(bens)/unfriend").status == 303)
            #expect(try await ben.get("/me/friends").text.contains("No friends here yet"))
        }
    }

    @Test func a_question_is_declined_and_lists_lead_on() async throws {
        try await PageDoor.run { door in
            let me = try await door.join("Me")
            let others = (1...5).map { number in
                Friend(person: PersonSummary(id: .new(), name: "Other \(number)"), state: .waiting, since: Date())
            }
            door.services.on(AuthMethods.friends) { request in
                Page(others.filter { $0.state == request.parameters.state }, from: request.parameters.cursor)
            }
            let first = try await me.get("/me/friends?of=waiting").text
            #expect(first.components(separatedBy: "Accept Other").count == 4)
            let more = try #require(first.firstMatch(of: /href="(\/me\/friends\?of=waiting&amp;cursor=[^"]+)"/)?.1)
            let second = try await me.get(String(more).replacing("&amp;", with: "&")).text
            #expect(second.components(separatedBy: "Accept Other").count == 3)
            _ = try await door.join("Other 1")
            let one = try door.person("Other 1").id
            door.services.answer(AuthMethods.unfriend, Nothing())
            let declined = try await me.post("/people/\(one)/unfriend", ["state": "waiting"])
            #expect(declined["Location"] == "/people/\(one)?done=declined")
            let endings = try door.services.asked(AuthMethods.unfriend).map(\.parameters)
            #expect(endings == [FriendEnding(id: one, state: .waiting)])
            #expect(try await me.get("/people/\(one)").text.contains("Ask to be friends"))
        }
    }

    @Test func whom_both_know_is_counted_and_listed() async throws {
        try await PageDoor.run { door in
            let ada = try await door.join("Ada")
            _ = try await door.join("Ben")
            let page = "/people/\(try door.person("Ben").id)"
            #expect(try await ada.get(page).text.contains("No mutual friends yet"))
            #expect(try await ada.get("\(page)/mutual-friends").text.contains("anybody in common"))
            for number in 1...4 {
                let all = (1...number).map { PersonSummary(id: .new(), name: "Friend \($0)") }
                door.services.on(AuthMethods.mutualFriends) { request in
                    let found = Page(all, from: request.parameters.cursor)
                    return MutualFriends(items: found.items, next: found.next, count: all.count)
                }
                #expect(
                    try await ada.get(page).text.contains(
                        number == 1 ? ">1 mutual friend<" : ">\(number) mutual friends<"))
            }
            let list = try await ada.get("\(page)/mutual-friends").text
            #expect(list.contains("4 mutual friends") && list.components(separatedBy: ">Friend ").count == 4)
            #expect(list.contains("rel=\"next\""))
            // Auth's other answers do without.
            door.services.refuse(AuthMethods.mutualFriends, ServiceError(.unavailable, "Away.", retryAfter: 1))
            let bare = try await ada.get(page)
            #expect(bare.status == 200 && !bare.text.contains("mutual friend"))
        }
    }
}
