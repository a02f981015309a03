import FoundationEssentials
import Testing
import WireProtocol

/// Showing where one belongs, with links and forms alone.
@Suite struct PageCampusTests {
    private static let badge = "Hill Campus, verified"

    @Test func a_code_brings_the_badge_to_ones_own_page_the_persons_page_and_the_spot() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let before = try await maya.get("/me")
            #expect(before.text.contains("href=\"/me/campus\"") && !before.text.contains(Self.badge))
            #expect(try await maya.get("/me/campus").text.contains("Hill Campus"))
            let asked = try await maya.post("/me/campus", ["email": "maya@hill.example.org"])
            #expect(asked.status == 303 && asked["Location"] == "/me/campus/code")
            #expect(try await maya.get("/me/campus/code").text.contains("autocomplete=\"one-time-code\""))
            let wrong = try await maya.post("/me/campus/code", ["code": "000000"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not the code, or it is no longer good."))
            let right = try await maya.post("/me/campus/code", ["code": "048213"])
            #expect(right.status == 303 && right["Location"] == "/me?done=verified")
            let after = try await maya.get("/me?done=verified")
            #expect(after.text.contains(Self.badge) && after.text.contains("Everybody sees now where you belong."))

            _ = try await maya.post(
                "/share", ["name": "By the gate", "latitude": "60.17", "longitude": "24.95", "lifetime": "10"])
            let spot = try #require(door.spots().first)
            #expect(try await ben.get("/spots/\(spot.id)").text.contains(Self.badge))
            #expect(try await ben.get("/people/\(spot.postedBy.id)").text.contains(Self.badge))
            #expect(try await !ben.get("/me").text.contains(Self.badge))
        }
    }

    @Test func an_address_of_no_campus_is_an_error_at_its_field() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let page = try await maya.post("/me/campus", ["email": "maya@elsewhere.example"])
            #expect(page.status == 422 && page.text.contains("value=\"maya@elsewhere.example\""))
            #expect(page.text.contains("id=\"email-error\">This is no address of a campus here.</p>"))
        }
    }

    @Test func who_asks_too_often_is_told_so_and_strangers_are_shown_the_way_in() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            door.refuse(
                "auth.requestEmailVerification", with: ServiceError(.tooManyRequests, "Often.", retryAfter: 30))
            let page = try await maya.post("/me/campus", ["email": "maya@hill.example.org"])
            #expect(page.status == 429 && page.text.contains("role=\"alert\""))
            for path in ["/me/campus", "/me/campus/code"] {
                let stranger = try await PageVisitor(port: door.port).get(path)
                #expect(stranger.status == 303 && stranger["Location"]?.hasPrefix("/sign-in") == true)
            }
        }
    }
}
