import FoundationEssentials
import GatewayService
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
            door.services.on(AuthMethods.username) { request in
                let name = request.parameters.username
                return UsernameAvailability(username: name, free: false, suggestions: [name + "2", name + "_7"])
            }
            door.services.refuse(AuthMethods.signUp, .usernameTaken)
            let page = try await PageVisitor(port: door.port).post(
                "/join", Self.form(["username": "maya", "region": "South"]))
            #expect(page.status == 409)
            #expect(page.text.contains("<p class=\"error\" id=\"username-error\">Somebody has that name already.</p>"))
            // To be read without scripts, and to be pressed with them.
            #expect(page.text.contains("<span class=\"without-script\">maya2</span>"))
            #expect(page.text.contains("data-suggest=\"maya_7\""))
            #expect(page.text.contains("<option value=\"South\" selected>"))
            door.services.refuse(AuthMethods.signUp, nil)
            door.services.refuse(AuthMethods.changeProfile, .usernameTaken)
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
            door.services.on(AuthMethods.username) { request in
                let name = request.parameters.username
                if name.contains("!") {
                    throw ServiceError.invalid([FieldError("username", "characters", "Use letters.")])
                }
                let isFree = name != "maya" || request.caller.person != nil
                return UsernameAvailability(username: name, free: isFree, suggestions: isFree ? [] : [name + "2"])
            }
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
            let short = ServiceError.invalid([FieldError("password", "too_short", "Use at least 8.")])
            door.services.refuse(AuthMethods.signUp, short)
            let refused = try await PageVisitor(port: door.port).upload(
                "/join", Self.form(["password": "short"]), file: Array("no picture".utf8))
            #expect(refused.status == 422 && !refused.text.contains("That is not a picture"))
            #expect(try door.services.asked(AuthMethods.changeProfile).isEmpty)
        }
    }

    static let whole = [
        "name": "Maya", "username": "maya", "region": "North", "bio": "A cook.\r\nTwo <children>.",
        "phone": "+65 9123 4567", "carMake": "Toyota", "carModel": "Yaris", "carYear": "2015", "carColor": "blue",
        "mode": "delivering",
    ]

    @Test func a_whole_profile_is_edited_and_shown_and_emptied_again() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let form = Self.whole.merging(["key": UUID.version7().uuidString]) { $1 }
            for _ in 0..<2 {  // sent twice, it is one command
                #expect(try await maya.post("/me/edit", form)["Location"] == "/me?done=saved")
            }
            #expect(try door.services.done(AuthMethods.changeProfile).count == 1)
            let me = try await maya.get("/me")
            for words in [
                "@maya · North", "Two &lt;children&gt;.", "+65 9123 4567", "Toyota Yaris, blue, 2015", "I deliver",
            ] {
                #expect(me.text.contains(words), "\(words)")
            }
            let edit = try await maya.get("/me/edit")
            #expect(edit.text.contains(">\nA cook.\r\nTwo &lt;children&gt;.</textarea>"))
            #expect(edit.text.contains("value=\"delivering\" checked") && edit.text.contains("value=\"Yaris\""))
            _ = try await maya.post("/me/edit", ["name": "Maya", "mode": "ordering"])
            let bare = try door.person("Maya")
            #expect(bare.phone == nil && bare.bio == nil && bare.car == nil && bare.username == nil)
            #expect(bare.mode == .ordering)
        }
    }

    @Test func others_see_a_profile_without_what_is_its_owners_alone() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            _ = try await maya.post("/me/edit", Self.whole)
            let id = try door.person("Maya").id
            let page = try await ben.get("/people/\(id)")
            for words in ["@maya · North", "Two &lt;children&gt;.", "Toyota Yaris, blue, 2015", "member since"] {
                #expect(page.text.contains(words), "\(words)")
            }
            for words in ["9123", "@example.org", "I deliver"] { #expect(!page.text.contains(words), "\(words)") }
        }
    }

    @Test func what_is_wrong_with_a_profile_is_said_at_its_fields() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let form = Self.whole.merging(["phone": "9123 4567", "carYear": "1492"]) { $1 }
            let wrong = [
                FieldError("phone", "country", "Begin with +."), FieldError("car.year", "out_of_range", "From 1886."),
            ]
            door.services.refuse(AuthMethods.changeProfile, .invalid(wrong))
            let page = try await maya.post("/me/edit", form)
            #expect(page.status == 422)
            #expect(page.text.contains("id=\"phone-error\">Begin with + and the country"))
            #expect(page.text.contains("id=\"carYear-error\">No car was built in that year."))
            #expect(page.text.contains("value=\"9123 4567\"") && page.text.contains("value=\"1492\""))
            let none = try await maya.post("/me/edit", Self.whole.merging(["carYear": "old"]) { $1 })
            #expect(none.status == 422 && none.text.contains("A year is a number, such as 2015."))
        }
    }

    @Test func somebody_is_opened_from_their_post_with_what_they_share_now() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            for number in 1...22 {
                _ = try await maya.post("/share", PageFlowTests.place.merging(["name": "Place \(number)."]) { $1 })
            }
            _ = try await ben.post("/share", PageFlowTests.place.merging(["name": "Ben's own"]) { $1 })
            let spots = door.spots()
            door.shared.mutate { $0[21].state = .claimed }
            let post = try await ben.get("/spots/\(spots[0].id)")
            let link = try #require(post.text.firstRange(of: "href=\"/people/"))
            let path = "/people/" + post.text[link.upperBound...].prefix { $0 != "\"" }
            let page = try await ben.get(path)
            #expect(page.text.contains("What Maya shares now"))
            #expect(page.text.contains("Place 21.") && page.text.contains("Place 2."))
            #expect(!page.text.contains("Place 22.") && !page.text.contains("own</a>"))
            let next = try #require(page.text.firstRange(of: "rel=\"next\" href=\""))
            let more = String(page.text[next.upperBound...].prefix { $0 != "\"" })
            let rest = try await ben.get(more, [("HX-Request", "true"), ("HX-Target", "more")])
            #expect(rest.text.contains("Place 1.") && !rest.text.contains("Place 2.") && !rest.text.contains("<html"))
            #expect(try await maya.get(path).text.contains("What you share now"))
            door.services.refuse(PeerRole.listings.methods.shelf, ServiceError(.unavailable, "Away."))
            let alone = try await ben.get(path)
            #expect(alone.status == 200 && alone.text.contains("be shown just now"))
        }
    }
}
