import FoundationEssentials
import GatewayService
import Synchronization
import Testing
import WireProtocol

/// Friends, with links and forms alone.
@Suite struct PageFriendTests {
    private func id(of name: String, _ door: PageDoor) throws -> PersonID {
        try #require(door.backend.state.withLock { $0.people.values.first { $0.name == name }?.id })
    }

    @Test func somebody_is_asked_accepts_and_is_a_friend_no_more() async throws {
        try await PageDoor.run { door in
            let (ada, ben) = (try await door.join("Ada"), try await door.join("Ben"))
            let (adas, bens) = ("/people/\(try id(of: "Ada", door))", "/people/\(try id(of: "Ben", door))")
            #expect(try await ada.get(bens).text.contains("Ask to be friends"))
            #expect(!(try await ada.get(adas).text.contains("Ask to be friends")))
            let asked = try await ada.post("\(bens)/befriend", ["key": "a-key-of-this-form"])
            #expect(asked.status == 303 && asked["Location"] == "\(bens)?done=friendAsked")
            #expect(try await ada.get(bens).text.contains("You have asked Ben."))
            #expect(try await ada.get("/me/friends?of=asked").text.contains("Take back what you asked Ben"))

            let waiting = try await ben.get("/me/friends?of=waiting")
            #expect(waiting.text.contains("Accept Ada"))
            #expect(waiting.text.contains("name=\"next\" value=\"/me/friends?of=waiting\""))
            #expect(try await ben.get(adas).text.contains("Ada would like to be your friend."))
            let accepted = try await ben.post("\(adas)/befriend", ["next": "/me/friends?of=waiting"])
            #expect(accepted["Location"] == "/me/friends?of=waiting&done=befriended")
            #expect(try await ada.get(bens).text.contains("You are friends since"))
            #expect(try await ada.get("/me/friends").text.contains(bens))

            // The question comes first, and a form of another state does nothing.
            #expect(try await ada.get("\(bens)/unfriend").text.contains("End the friendship with Ben?"))
            let stale = try await ada.post("\(bens)/unfriend", ["state": "asked"])
            #expect(stale.status == 409)
            #expect(try await ada.get(bens).text.contains("You are friends since"))
            let ended = try await ada.post("\(bens)/unfriend", [:])
            #expect(ended["Location"] == "\(bens)?done=unfriended")
            #expect(try await ada.get("\(bens)/unfriend").status == 303)
            #expect(try await ben.get("/me/friends").text.contains("No friends here yet"))
        }
    }

    @Test func a_question_is_declined_and_lists_lead_on() async throws {
        try await PageDoor.run { door in
            let me = try await door.join("Me")
            let mine = "/people/\(try id(of: "Me", door))"
            for number in 1...5 {
                let other = try await door.join("Other \(number)")
                _ = try await other.post("\(mine)/befriend", [:])
            }
            let first = try await me.get("/me/friends?of=waiting").text
            #expect(first.components(separatedBy: "Accept Other").count == 4)
            let more = try #require(first.firstMatch(of: /href="(\/me\/friends\?of=waiting&amp;cursor=[^"]+)"/)?.1)
            let second = try await me.get(String(more).replacing("&amp;", with: "&")).text
            #expect(second.components(separatedBy: "Accept Other").count == 3)
            let one = try id(of: "Other 1", door)
            let declined = try await me.post("/people/\(one)/unfriend", ["state": "waiting"])
            #expect(declined["Location"] == "/people/\(one)?done=declined")
            #expect(try await me.get("/people/\(one)").text.contains("Ask to be friends"))
        }
    }

    @Test func whom_both_know_is_counted_and_listed() async throws {
        try await PageDoor.run { door in
            let ada = try await door.join("Ada")
            _ = try await door.join("Ben")
            let (one, other) = (try id(of: "Ada", door), try id(of: "Ben", door))
            let page = "/people/\(other)"
            #expect(try await ada.get(page).text.contains("No mutual friends yet"))
            #expect(try await ada.get("\(page)/mutual-friends").text.contains("anybody in common"))
            for number in 1...4 {
                _ = try await door.join("Friend \(number)")
                let friend = try id(of: "Friend \(number)", door)
                door.backend.state.withLock {
                    $0.friendships.insert(PageFriendship(asker: one, asked: friend, accepted: true))
                    $0.friendships.insert(PageFriendship(asker: friend, asked: other, accepted: true))
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
