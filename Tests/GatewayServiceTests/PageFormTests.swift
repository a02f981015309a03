import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// A form does its work once, however often and in whatever state of things it is sent.
@Suite struct PageFormTests {
    private static let place = PageFlowTests.place.merging(["name": "By the well", "lifetime": "20"]) { $1 }

    private static func form(_ fields: [String: String] = [:]) -> [String: String] {
        place.merging(["key": UUID.version7().uuidString]) { $1 }.merging(fields) { $1 }
    }

    @Test func a_time_that_was_chosen_makes_the_same_request_at_any_moment() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let form = Self.form()
            door.services.refuse(ListingsMethods.postSpot, .lost)
            let unknown = try await maya.post("/share", form)
            #expect(unknown.status == 503)
            #expect(unknown.text.contains("value=\"\(form["key"]!)\""))
            door.services.refuse(ListingsMethods.postSpot, nil)
            #expect(try await maya.post("/share", form)["Location"] == "/parking?near=60.171%2C24.951&done=posted")
            let sent = try door.services.asked(ListingsMethods.postSpot)
            #expect(sent.count == 2 && sent[0].id == sent[1].id && sent[0].content == sent[1].content)
            #expect(sent[0].content.lifetime == .minutes(20))
        }
    }

    @Test func a_spot_that_was_shared_already_is_shown_and_not_shared_again() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            var form = Self.form()
            door.services.refuse(ListingsMethods.postSpot, .lost)
            _ = try await maya.post("/share", form)
            door.services.refuse(ListingsMethods.postSpot, .doneBefore)
            form["name"] = "By the old well"
            for _ in 1...2 {
                #expect(try await maya.post("/share", form)["Location"] == "/me/spots?done=sharedBefore")
            }
            #expect(try door.services.done(ListingsMethods.postSpot).map(\.content.name) == ["By the well"])
            let mine = try await maya.get("/me/spots?done=sharedBefore")
            #expect(mine.text.contains("Your spot was shared when you sent the form before."))
        }
    }

    @Test func what_was_refused_may_be_sent_again_under_its_key() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            var form = Self.form(["lifetime": "1440"])
            door.services.refuse(
                ListingsMethods.postSpot, .invalid([FieldError("lifetime", "too_late", "At most 30 minutes.")]))
            let refused = try await maya.post("/share", form)
            #expect(refused.status == 422)
            #expect(refused.text.contains("A spot of this kind may not stay on the map for that long."))
            #expect(refused.text.contains("value=\"\(form["key"]!)\""))
            form["lifetime"] = "10"
            door.services.refuse(ListingsMethods.postSpot, nil)
            #expect(try await maya.post("/share", form).status == 303)
            #expect(try door.services.done(ListingsMethods.postSpot).count == 1)
        }
    }

    @Test func the_time_of_a_spot_stays_or_is_set_anew_as_one_chooses() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.form())
            let path = "/spots/\(try #require(door.spots().first).id)/edit"
            let page = try await maya.get(path)
            #expect(page.text.contains("<option value=\"same\" selected>As it is</option>"))
            // What stays is not said: meanwhile a passer-by may have made it shorter.
            for (lifetime, said) in [("same", nil), ("", .longest), ("10", .minutes(10))] as [(String, SpotLifetime?)] {
                #expect(try await maya.post(path, Self.form(["lifetime": lifetime])).status == 303)
                let draft = try #require(try door.services.asked(ListingsMethods.changeSpot).last).content
                #expect(draft.lifetime == said && draft.expiresAt == nil, "\(lifetime)")
            }
            door.services.refuse(
                ListingsMethods.changeSpot, .invalid([FieldError("lifetime", "too_late", "At most 30 minutes.")]))
            let refused = try await maya.post(path, Self.form(["lifetime": "1440"]))
            #expect(refused.text.contains("<option value=\"same\">As it is</option>"))
            #expect(try await maya.post(path, Self.form(["lifetime": "soon"])).status == 422)
        }
    }

    @Test func an_observation_in_between_does_not_make_another_request_of_a_change() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.form())
            let path = "/spots/\(try #require(door.spots().first).id)"
            var form = Self.form(["lifetime": "same", "name": "By the old well"])
            door.services.refuse(ListingsMethods.changeSpot, .lost)
            #expect(try await maya.post(path + "/edit", form).status == 503)
            door.services.refuse(ListingsMethods.changeSpot, nil)
            door.shared.mutate { $0[0].expiresAt += 60 }
            #expect(try await maya.post(path + "/edit", form)["Location"] == path + "?done=saved")
            let sent = try door.services.asked(ListingsMethods.changeSpot)
            #expect(sent.count == 2 && sent[0].id == sent[1].id && sent[0].content == sent[1].content)
            form["name"] = "By the new well"
            door.services.refuse(ListingsMethods.changeSpot, .doneBefore)
            #expect(try await maya.post(path + "/edit", form)["Location"] == path + "?done=savedBefore")
            #expect(try door.services.done(ListingsMethods.changeSpot).map(\.content.name) == ["By the old well"])
        }
    }

    @Test func there_and_gone_are_two_requests() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            _ = try await maya.post("/share", Self.form())
            let path = "/spots/\(try #require(door.spots().first).id)/observe"
            let key = UUID.version7().uuidString
            door.services.refuse(ListingsMethods.observeSpot, .lost)
            #expect(try await ben.post(path, ["state": "gone", "key": key]).status == 503)
            door.services.refuse(ListingsMethods.observeSpot, nil)
            for state in ["gone", "there", "there"] {
                #expect(try await ben.post(path, ["state": state, "key": key]).status == 303)
            }
            #expect(try door.services.done(ListingsMethods.observeSpot).map(\.content.state) == [.gone, .there])
        }
    }

    @Test func whoever_ends_a_spot_within_its_page_loads_the_page_anew() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya").post("/share", Self.form())
            let path = "/spots/\(try #require(door.spots().first).id)/observe"
            let part = [("HX-Request", "true"), ("HX-Target", "observe")]
            for (name, refresh) in [("Ben", nil), ("Cleo", "true")] as [(String, String?)] {
                // The second one who says so ends it.
                door.shared.mutate { $0[0].state = name == "Ben" ? .free : .expired }
                let answer = try await door.join(name).post(path, ["state": "gone"], part)
                #expect(answer.status == 200)
                #expect(answer["HX-Refresh"] == refresh)
            }
        }
    }

    @Test func joining_and_signing_in_twice_makes_one_account_and_one_session() async throws {
        try await PageDoor.run { door in
            let email = "\(UUID.version7())@example.org"
            var form = [
                "name": "Maya", "email": email, "password": "a good long one", "key": UUID.version7().uuidString,
            ]
            let maya = Person(id: .new(), name: "Maya", email: email, memberSince: Date())
            door.services.answer(AuthMethods.signUp, door.admit(maya))
            for _ in 1...2 { #expect(try await PageVisitor(port: door.port).post("/join", form).status == 303) }
            form["name"] = "Maya Tan"
            door.services.refuse(AuthMethods.signUp, .doneBefore)
            #expect(
                try await PageVisitor(port: door.port).post("/join", form)["Location"] == "/sign-in?done=joinedBefore")
            #expect(try door.services.done(AuthMethods.signUp).map(\.content.name) == ["Maya"])
            form["key"] = UUID.version7().uuidString
            door.services.answer(AuthMethods.signIn, door.letIn(maya))
            let visitor = PageVisitor(port: door.port)
            for _ in 1...2 {
                visitor.forget()
                #expect(try await visitor.post("/sign-in", form).status == 303)
            }
            #expect(try door.services.done(AuthMethods.signIn).count == 1)
            let fresh = try await PageVisitor(port: door.port).get("/sign-in")
            // The form for passkeys has one too, and so has the form that ends the other session.
            for (page, forms) in [(fresh, 2), (try await visitor.get("/me/sessions"), 1)] {
                #expect(page.text.components(of: "name=\"key\" value=\"0") == forms)
            }
        }
    }

    @Test func a_key_is_held_to_the_rule_of_the_header() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            for key in ["two words", String(repeating: "k", count: 256)] {
                let refused = try await maya.post("/share", Self.form(["key": key]))
                #expect(refused.status == 400)
            }
            #expect(try door.services.asked(ListingsMethods.postSpot).isEmpty)
        }
    }
}
