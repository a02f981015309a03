import FoundationEssentials
import GatewayService
import Synchronization
import Testing
import WireProtocol

/// Joining with a whole profile, and changing it, with links and forms alone.
@Suite struct PageProfileTests {
    private static func form(_ more: [String: String] = [:]) -> [String: String] {
        ["name": "Maya", "email": "\(UUID.version7())@example.org", "password": "a good long one"]
            .merging(more) { $1 }
    }

    @Test func somebody_joins_with_username_and_region() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let page = try await visitor.get("/join")
            #expect(page.text.contains("<option value=\"North\">") && page.text.contains("hx-get=\"/usernames\""))
            let joined = try await visitor.post("/join", Self.form(["username": "maya", "region": "North"]))
            #expect(joined.status == 303 && joined["Location"] == "/?done=joined")
            let me = try await visitor.get("/me")
            #expect(me.text.contains("@maya · North"))
        }
    }

    @Test func a_taken_username_is_an_error_at_its_field_with_free_ones_to_choose_from() async throws {
        try await PageDoor.run { door in
            _ = try await PageVisitor(port: door.port).post("/join", Self.form(["username": "maya"]))
            let page = try await PageVisitor(port: door.port).post(
                "/join", Self.form(["username": "maya", "region": "South"]))
            #expect(page.status == 409)
            #expect(page.text.contains("<p class=\"error\" id=\"username-error\">Somebody has that name already.</p>"))
            // To be read without scripts, and to be pressed with them.
            #expect(page.text.contains("<span class=\"without-script\">maya2</span>"))
            #expect(page.text.contains("data-suggest=\"maya_7\""))
            #expect(page.text.contains("<option value=\"South\" selected>"))
            let editing = try await door.join("Ben")
            let again = try await editing.post("/me/edit", ["name": "Ben", "username": "maya"])
            #expect(again.status == 409 && again.text.contains("data-suggest=\"maya2\""))
        }
    }

    @Test func whether_a_username_is_free_is_said_while_it_is_typed() async throws {
        try await PageDoor.run { door in
            let owner = PageVisitor(port: door.port)
            _ = try await owner.post("/join", Self.form(["username": "maya"]))
            let stranger = PageVisitor(port: door.port)
            func said(_ query: String, to visitor: PageVisitor? = nil) async throws -> String {
                let answer = try await (visitor ?? stranger).get("/usernames?username=\(query)")
                #expect(answer.status == 200 && !answer.text.contains("<html"))
                return answer.text
            }
            #expect(try await said("maya.tan").contains("maya.tan is free."))
            #expect(try await said("maya").contains("How about one of these?"))
            #expect(try await said("m%21").contains("Letters from a to z, digits, dots and underscores, please."))
            #expect(try await said("") == "")
            // One's own is no news.
            #expect(try await said("maya", to: owner).contains("maya is free."))
        }
    }

    @Test func a_picture_that_will_not_do_keeps_nobody_from_joining() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let joined = try await visitor.upload("/join", Self.form(), file: Array("no picture".utf8))
            #expect(joined.status == 303)
            #expect(joined["Location"] == "/me/edit?picture=unsupported_media_type&done=joined")
            let page = try await visitor.get("/me/edit?picture=unsupported_media_type&done=joined")
            #expect(page.text.contains("That is not a picture we can read."))
            #expect(page.text.contains("value=\"Maya\""))
            // Nothing was stored for anybody who did not get in.
            let refused = try await PageVisitor(port: door.port).upload(
                "/join", Self.form(["password": "short"]), file: Array("no picture".utf8))
            #expect(refused.status == 422 && !refused.text.contains("That is not a picture"))
            #expect(door.backend.state.withLock { !$0.asked.contains("auth.changeProfile") })
        }
    }
}
