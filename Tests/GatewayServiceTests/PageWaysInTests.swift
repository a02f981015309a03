import FoundationEssentials
import GatewayService
import Synchronization
import Testing
import WireProtocol

/// Password, address, and the question whether it is oneself, with links and forms alone.
@Suite struct PageWaysInTests {
    private static let password = "a walk along the harbour"

    @Test func an_address_that_may_be_a_strangers_says_so_until_its_code_comes() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let person = try #require(door.people().first)
            door.backend.state.withLock { $0.people[person.id]?.emailVerified = false }
            #expect(try await maya.get("/").text.contains("href=\"/me/email\""))
            #expect(try await maya.get("/me").text.contains("not shown to be yours yet"))
            let page = try await maya.get("/me/email").text
            #expect(page.contains("You have not shown yet that") && page.contains("value=\"\(person.email ?? "?")\""))
            let asked = try await maya.post("/me/email", ["email": person.email ?? "", "password": ""])
            #expect(asked.status == 303 && asked["Location"] == "/me/email/code")
            #expect(try await maya.get("/me/email/code").text.contains("autocomplete=\"one-time-code\""))
            let wrong = try await maya.post("/me/email/code", ["code": "000000"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not the code"))
            let right = try await maya.post("/me/email/code", ["code": "048213"])
            #expect(right["Location"] == "/me?done=emailShown")
            #expect(!(try await maya.get("/me").text.contains("not shown to be yours yet")))
            #expect(!(try await maya.get("/").text.contains("href=\"/me/email\"")))
        }
    }

    @Test func another_address_takes_the_password_which_no_page_shows() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let new = ["email": "maya@new.example"]
            for (password, said) in [("", "Your password is needed."), ("guess", "This is not your password.")] {
                let page = try await maya.post("/me/email", new.merging(["password": password]) { $1 })
                #expect(page.text.contains(said) && !page.text.contains("value=\"guess\""), "\(password)")
                #expect(page.text.contains("value=\"maya@new.example\""))
            }
            let page = try await maya.post("/me/email", ["email": "maya", "password": Self.password])
            #expect(page.status == 422 && page.text.contains("That is not a whole email address."))
            let asked = try await maya.post("/me/email", new.merging(["password": Self.password]) { $1 })
            #expect(asked["Location"] == "/me/email/code")
            _ = try await maya.post("/me/email/code", ["code": "048213"])
            #expect(door.people().first?.email == "maya@new.example")
        }
    }

    @Test func a_password_is_changed_with_the_one_so_far() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            #expect(try await maya.get("/me").text.contains("href=\"/me/password\""))
            #expect(try await maya.get("/me/password").text.contains("autocomplete=\"current-password\""))
            for (current, new, said) in [
                ("", "another good one", "Your password is needed."),
                ("guess at it", "another good one", "This is not your password."),
                (Self.password, "short", "A little longer: eight characters or more."),
            ] {
                let page = try await maya.post("/me/password", ["current": current, "password": new])
                #expect(page.text.contains(said) && !page.text.contains("value=\"\(new)\""))
            }
            let changed = try await maya.post(
                "/me/password", ["current": Self.password, "password": "another good one"])
            #expect(changed["Location"] == "/me?done=passwordChanged")
        }
    }

    @Test func who_is_asked_whether_it_is_them_comes_back_to_where_they_were() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            door.services.refuse(AuthMethods.endCalendarFeed, ServiceError(.proofNeeded, "Show first that it is you."))
            let asked = try await maya.post("/me/calendar", ["do": "end"])
            #expect(asked.status == 303 && asked["Location"] == "/me/proof?next=/me/calendar")
            let page = try await maya.get("/me/proof?next=/me/calendar").text
            #expect(page.contains("Is it you?") && page.contains("value=\"/me/calendar\""))
            let wrong = try await maya.post("/me/proof", ["password": "guess", "next": "/me/calendar"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not your password."))
            let proven = try await maya.post("/me/proof", ["password": Self.password, "next": "/me/calendar"])
            #expect(proven["Location"] == "/me/calendar?done=proven")
            // Nowhere else than here.
            let away = try await maya.post("/me/proof", ["password": Self.password, "next": "//evil.example"])
            #expect(away["Location"] == "/me?done=proven")
        }
    }

    @Test func a_reset_offers_to_remove_what_else_leads_in() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            #expect(!(try await visitor.get("/new-password?token=good").text.contains("name=\"unlink\"")))
            door.backend.state.withLock { $0.resetIdentities = [IdentityProvider(id: "campus", name: "Campus & Co")] }
            let page = try await visitor.get("/new-password?token=good").text
            #expect(page.contains("name=\"unlink\" value=\"yes\" checked") && page.contains("Campus &amp; Co"))
            let short = try await visitor.post("/new-password", ["token": "good", "password": "short"])
            #expect(short.text.contains("name=\"unlink\" value=\"yes\">"))
            _ = try await visitor.post(
                "/new-password", ["token": "good", "password": "a good long one", "unlink": "yes"])
            _ = try await visitor.post("/new-password", ["token": "good", "password": "another long one"])
            #expect(door.backend.state.withLock(\.unlinked) == [true, nil])
        }
    }
}
