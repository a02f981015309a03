import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// What people do, with links and forms alone.
@Suite struct PageFlowTests {
    @Test func whoever_is_not_signed_in_is_welcomed_or_led_to_the_door() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let welcome = try await visitor.get("/")
            #expect(welcome.status == 200)
            #expect(welcome.text.contains("Testholm is the place where neighbours share"))
            #expect(welcome.text.contains("href=\"/parking\""))
            let turned = try await visitor.get("/me/spots?x=1&y=2")
            #expect(turned.status == 303)
            #expect(turned["Location"] == "/sign-in?next=/me/spots%3Fx%3D1%26y%3D2")
            #expect(try await visitor.get("/me/alive").status == 401)
        }
    }

    @Test func a_wrong_form_says_so_at_its_fields_and_keeps_what_was_typed() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let fields = ["name": "Maya", "email": "maya", "password": "short"]
            let wrong = [FieldError("email", "email", "No address."), FieldError("password", "too_short", "Short.")]
            door.services.refuse(AuthMethods.signUp, .invalid(wrong))
            let page = try await visitor.post("/join", fields)
            #expect(page.status == 422)
            #expect(page.text.contains("That is not a whole email address."))
            #expect(page.text.contains("A little longer: eight characters or more."))
            #expect(page.text.contains("value=\"Maya\"") && page.text.contains("value=\"maya\""))
            #expect(!page.text.contains("value=\"short\""))
            #expect(page.text.components(of: "autofocus") == 1)
            #expect(page.text.components(of: "aria-invalid=\"true\"") == 2)
        }
    }

    @Test func signing_in_leads_back_to_where_one_was_on_this_site_only() async throws {
        try await PageDoor.run { door in
            let email = "\(UUID.version7())@example.org"
            let form = ["name": "Maya", "email": email, "password": "a good long one"]
            _ = try await PageVisitor(port: door.port).post("/join", form)
            for (next, target) in [
                ("/me/spots?of=claimed", "/me/spots?of=claimed"), ("//evil.example", "/"),
                ("https://evil.example", "/"),
                ("/\\evil.example", "/"), ("/sign-out", "/"), ("", "/"),
            ] {
                let visitor = PageVisitor(port: door.port)
                let answer = try await visitor.post("/sign-in", form.merging(["next": next]) { $1 })
                #expect(answer.status == 303)
                #expect(answer["Location"] == target, "\(next)")
            }
            door.services.refuse(AuthMethods.signIn, ServiceError(.wrongCredentials, "No."))
            let wrong = try await PageVisitor(port: door.port).post("/sign-in", form.merging(["password": "x"]) { $1 })
            #expect(wrong.status == 401)
            #expect(wrong.text.contains("Email or password is not right."))
        }
    }

    @Test func strangers_see_what_is_free_and_are_led_to_the_door_when_they_want_it() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.place.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)"
            let stranger = PageVisitor(port: door.port)
            let map = try await stranger.get("/parking?near=60.171,24.951")
            #expect(map.status == 200)
            #expect(map.text.contains("By the well"))
            #expect(map.text.contains("href=\"/join?next=/parking%3Fnear%3D60.171%2C24.951\""))
            #expect(!map.text.contains("data-signed-in") && !map.text.contains("class=\"tabs\""))
            #expect(try await stranger.get(path + "/card").text.contains("By the well"))
            let spot = try await stranger.get(path)
            #expect(spot.text.contains("Claim this spot"))
            #expect(
                !spot.text.contains("action=\"\(path)/observe\"") && !spot.text.contains("hx-get=\"\(path)/claim\""))
            for wanted in [path + "/claim", path + "/edit", path + "/remove", "/share"] {
                #expect(try await stranger.get(wanted)["Location"] == "/sign-in?next=\(wanted)")
            }
            let before = door.services.commands
            for done in ["claim", "release", "observe", "edit", "remove"] {
                #expect(
                    try await stranger.post("\(path)/\(done)", ["state": "gone"])["Location"]?.hasPrefix("/sign-in")
                        == true)
            }
            #expect(door.services.commands == before)
        }
    }

    static let place = ["latitude": "60.171", "longitude": "24.951", "kind": "garage"]

    @Test func a_spot_is_posted_once_however_often_its_form_is_sent() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            var form = Self.place.merging(["name": "", "price": "2,50", "key": "a-key"]) { $1 }
            let refused = try await maya.post("/share", form)
            #expect(refused.status == 422)
            #expect(refused.text.contains("Give it a name or an address."))
            #expect(refused.text.contains("value=\"2,50\"") && refused.text.contains("value=\"60.171\""))
            #expect(refused.text.contains("value=\"garage\" checked"))
            form["name"] = "By the well"
            form["key"] = UUID.version7().uuidString
            for _ in 1...3 {
                let posted = try await maya.post("/share", form)
                #expect(posted.status == 303)
                #expect(posted["Location"] == "/parking?near=60.171%2C24.951&done=posted")
            }
            let drafts = try door.services.done(ListingsMethods.postSpot).map(\.content)
            #expect(drafts.count == 1 && drafts[0].kind == .garage)
            #expect(drafts[0].price == Money(amount: 250, currency: "EUR"))
            let map = try await maya.get("/parking?near=60.171,24.951&done=posted")
            #expect(map.text.contains("By the well") && map.text.contains("€2.50"))
            #expect(map.text.contains("Your spot is on the map. Thank you!"))
        }
    }

    @Test func a_spot_is_claimed_after_asking_and_the_second_one_is_told_kindly() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.place.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)"
            let (ben, cleo) = (try await door.join("Ben"), try await door.join("Cleo"))
            #expect(try await ben.get(path).text.contains("Claim this spot"))
            #expect(try await ben.get(path + "/claim").text.contains("Claim “By the well”?"))
            #expect(try await maya.get(path + "/claim").status == 303)
            let won = try await ben.post(path + "/claim", ["key": UUID.version7().uuidString])
            #expect(won["Location"] == path + "?done=claimed")
            let id = try #require(door.spots().first).id
            #expect(try door.services.asked(ListingsMethods.claimSpot).map(\.parameters.id) == [id])
            try door.claimed(by: "Ben")
            door.services.refuse(ListingsMethods.claimSpot, ServiceError(.alreadyClaimed, "Someone was faster."))
            let lost = try await cleo.post(path + "/claim", ["key": UUID.version7().uuidString])
            #expect(lost.status == 409)
            #expect(lost.text.contains("Somebody was faster") && lost.text.contains("Back to the map"))
            #expect(try await ben.get(path).text.contains("This spot is yours."))
            #expect(try await maya.get(path).text.contains("Ben has claimed it."))
            #expect(!(try await cleo.get(path).text.contains("Ben has claimed it.")))
            // A page that hears of it asks who it was: the two are told, nobody else.
            let asking = [("HX-Request", "true")]
            #expect(try await maya.get(path + "/claimed", asking).text.contains("Ben has just claimed it."))
            #expect(try await ben.get(path + "/claimed", asking).text.contains("You have just claimed it."))
            let other = try await cleo.get(path + "/claimed", asking).text
            #expect(other.contains("This spot has just been claimed.") && !other.contains("Ben"))
            // No warning: it is what spots are there for. And it costs nothing, which does not say that it can be had.
            let page = try await cleo.get(path).text
            #expect(page.contains("icons.svg#hand") && !page.contains("icons.svg#warning"))
            #expect(page.contains(">No charge<") && !page.contains(">Free<") && !page.contains(">Available<"))
            let back = try await ben.post(path + "/release", ["key": UUID.version7().uuidString])
            #expect(back["Location"] == path + "?done=released")
            #expect(try door.services.asked(ListingsMethods.releaseSpot).map(\.parameters.id) == [id])
            door.shared.mutate { ($0[0].state, $0[0].claim) = (.free, nil) }
            #expect(try await cleo.get(path).text.contains("Claim this spot"))
            #expect(try await maya.get(path + "/claimed", asking).status == 404)
        }
    }

    /// What is said to whoever comes too late is what has happened, not the most frequent reason.
    @Test(
        arguments: [
            (.claimed, false, 600, "Somebody was faster", "has been claimed by somebody else"),
            (.expired, false, -1, "Its time is over", "Nobody has claimed it"),
            // Its time may pass between the claim and the look at it.
            (.expired, false, 600, "Its time is over", "Nobody has claimed it"),
            (.expired, true, 600, "It is gone", "say that “By the well” is no longer free"),
            (.removed, false, 600, "It was taken back", "has taken it off the map"),
            (nil, false, 0, "It is no longer there", "has left the map"),
        ] as [(SpotState?, Bool, Int, String, String)])
    func who_comes_too_late_is_told_why(
        _ state: SpotState?, _ isSeenGone: Bool, _ seconds: Int, _ title: String, _ words: String
    ) async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.place.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)"
            let ben = try await door.join("Ben")
            door.shared.mutate { spots in
                guard let state else { return spots.removeAll() }
                (spots[0].state, spots[0].likelyGone) = (state, isSeenGone)
                spots[0].expiresAt = Date() + Double(seconds)
            }
            let refusal = state == nil ? ServiceError.notFound("spot") : ServiceError(.alreadyClaimed, "Too late.")
            door.services.refuse(ListingsMethods.claimSpot, refusal)
            let late = try await ben.post(path + "/claim", ["key": UUID.version7().uuidString])
            #expect(late.status == 409)
            #expect(late.text.contains("<h1>\(title)</h1>") && late.text.contains("<title>\(title)"))
            #expect(late.text.contains(words))
            #expect(late.text.contains("Somebody was faster") == (state == .claimed))
            guard state != nil else { return }
            let asked = try await ben.get(path + "/claim")
            #expect(asked.status == 200 && asked.text.contains("<h1>\(title)</h1>") && asked.text.contains(words))
            if state == .expired {
                let page = try await ben.get(path).text
                #expect(page.contains("Neighbours say that this spot is gone.") == isSeenGone)
                #expect(page.contains("time is over.") != isSeenGone)
            }
        }
    }

    @Test func ones_own_claim_is_not_somebody_elses() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.post("/share", Self.place.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)"
            let ben = try await door.join("Ben")
            try door.claimed(by: "Ben")
            #expect(try await ben.get(path + "/claim")["Location"] == path)
            #expect(try await maya.get(path + "/claim")["Location"] == path)
        }
    }

    /// By which scripts say ages, whatever the clock of the device says; not on the page that is kept for later.
    @Test func pages_say_when_they_were_made() async throws {
        try await PageDoor.run { door in
            let stranger = PageVisitor(port: door.port)
            let said = try #require(
                try await stranger.get("/join").text.firstMatch(of: /<body[^>]* data-now="([^"]+)"/))
            let made = try #require(WireJSON.date(from: String(said.1)))
            #expect(abs(made.timeIntervalSinceNow) < 60)
            #expect(!(try await stranger.get("/offline").text.contains("data-now")))
        }
    }

    @Test func only_the_one_who_posted_may_change_or_remove() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            _ = try await maya.post("/share", Self.place.merging(["name": "By the well"]) { $1 })
            let path = "/spots/\(try #require(door.spots().first).id)"
            #expect(try await ben.get(path + "/edit").status == 403)
            #expect(try await ben.get(path + "/remove").status == 403)
            let form = Self.place.merging(["name": "By the old well", "price": "", "lifetime": "same"]) { $1 }
            #expect(try await ben.post(path + "/edit", form).status == 403)
            #expect(try await maya.post(path + "/edit", form)["Location"] == path + "?done=saved")
            let changes = try door.services.asked(ListingsMethods.changeSpot)
            #expect(changes.map(\.content.name) == ["By the old well"])
            #expect(try await maya.post(path + "/remove", [:])["Location"] == "/me/spots?done=removed")
            let removals = try door.services.asked(ListingsMethods.removeSpot)
            #expect(removals.map(\.parameters.id) == changes.map(\.parameters.id))
        }
    }

    @Test func a_service_that_is_away_is_said_kindly_and_typed_words_are_kept() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            door.services.refuse(ListingsMethods.spots, ServiceError(.unavailable, "listings is away", retryAfter: 2))
            let page = try await maya.get("/parking")
            #expect(page.status == 503)
            #expect(page["Retry-After"] == "2")
            #expect(page.text.contains("One moment, please") && page.text.contains("href=\"/parking\""))
            #expect(!page.text.contains("listings is away"))
            door.services.refuse(ListingsMethods.postSpot, ServiceError(.outcomeUnknown, "no answer"))
            let key = UUID.version7().uuidString
            let kept = try await maya.post("/share", Self.place.merging(["name": "By the well", "key": key]) { $1 })
            #expect(kept.status == 503)
            // The same key: sending it again cannot post it twice.
            #expect(kept.text.contains("value=\"By the well\"") && kept.text.contains("value=\"\(key)\""))
        }
    }

    @Test func a_session_that_ends_leads_back_to_the_door_also_within_a_page() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            for visitor in [maya, ben] { _ = try await visitor.get("/me") }
            door.endSessions()
            #expect(try await maya.get("/me/spots")["Location"] == "/sign-in?next=/me/spots")
            let asked = [("HX-Request", "true"), ("HX-Current-URL", "http://share.example/parking?bbox=1,2,3,4")]
            let part = try await ben.get("/parking", asked)
            #expect(part.status == 401)
            #expect(part["HX-Redirect"] == "/sign-in?next=/parking%3Fbbox%3D1%2C2%2C3%2C4")
        }
    }
}

extension String {
    /// How often something stands in it.
    func components(of part: String) -> Int { ranges(of: part).count }
}
