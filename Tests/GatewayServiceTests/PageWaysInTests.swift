import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// Password, address, and the question whether it is oneself, with links and forms alone.
@Suite struct PageWaysInTests {
    private static let password = "a walk along the harbour"

    private static func wrong(_ field: String) -> ServiceError {
        .invalid([FieldError(field, "wrong", "Not the password.")])
    }

    @Test func an_address_that_may_be_a_strangers_says_so_until_its_code_comes() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let person = try #require(door.people().first)
            door.change("Maya") { $0.emailVerified = false }
            door.services.answer(AuthMethods.changeEmail, Nothing())
            #expect(try await maya.get("/").text.contains("href=\"/me/email\""))
            #expect(try await maya.get("/me").text.contains("not shown to be yours yet"))
            let page = try await maya.get("/me/email").text
            #expect(page.contains("You have not shown yet that") && page.contains("value=\"\(person.email ?? "?")\""))
            let asked = try await maya.post("/me/email", ["email": person.email ?? "", "password": ""])
            #expect(asked.status == 303 && asked["Location"] == "/me/email/code")
            #expect(try await maya.get("/me/email/code").text.contains("autocomplete=\"one-time-code\""))
            door.services.refuse(AuthMethods.confirmEmail, .invalid([FieldError("code", "wrong", "Not the code.")]))
            let wrong = try await maya.post("/me/email/code", ["code": "000000"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not the code"))
            door.change("Maya") { $0.emailVerified = true }
            door.services.answer(AuthMethods.confirmEmail, try door.person("Maya"))
            let right = try await maya.post("/me/email/code", ["code": "048213"])
            #expect(try door.services.asked(AuthMethods.confirmEmail).last?.content.code == "048213")
            #expect(right["Location"] == "/me?done=emailShown")
            #expect(!(try await maya.get("/me").text.contains("not shown to be yours yet")))
            #expect(!(try await maya.get("/").text.contains("href=\"/me/email\"")))
        }
    }

    @Test func another_address_takes_the_password_which_no_page_shows() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let new = ["email": "maya@new.example"]
            for (password, refusal, said) in [
                ("", ServiceError(.proofNeeded, "Show first that it is you."), "Your password is needed."),
                ("guess", Self.wrong("password"), "This is not your password."),
            ] {
                door.services.refuse(AuthMethods.changeEmail, refusal)
                let page = try await maya.post("/me/email", new.merging(["password": password]) { $1 })
                #expect(page.text.contains(said) && !page.text.contains("value=\"guess\""), "\(password)")
                #expect(page.text.contains("value=\"maya@new.example\""))
            }
            let odd = ServiceError.invalid([FieldError("email", "email", "Not an email address.")])
            door.services.refuse(AuthMethods.changeEmail, odd)
            let page = try await maya.post("/me/email", ["email": "maya", "password": Self.password])
            #expect(page.status == 422 && page.text.contains("That is not a whole email address."))
            door.services.answer(AuthMethods.changeEmail, Nothing())
            door.services.answer(AuthMethods.confirmEmail, try door.person("Maya"))
            let asked = try await maya.post("/me/email", new.merging(["password": Self.password]) { $1 })
            #expect(asked["Location"] == "/me/email/code")
            _ = try await maya.post("/me/email/code", ["code": "048213"])
            let change = EmailChange(email: "maya@new.example", password: Self.password)
            #expect(try door.services.asked(AuthMethods.changeEmail).last?.content == change)
            #expect(try door.services.asked(AuthMethods.confirmEmail).map(\.content.code) == ["048213"])
        }
    }

    @Test func a_password_is_changed_with_the_one_so_far() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            #expect(try await maya.get("/me").text.contains("href=\"/me/password\""))
            #expect(try await maya.get("/me/password").text.contains("autocomplete=\"current-password\""))
            let short = ServiceError.invalid([FieldError("password", "too_short", "Use at least 8.")])
            for (current, new, refusal, said) in [
                (
                    "", "another good one", ServiceError(.proofNeeded, "Show first that it is you."),
                    "Your password is needed."
                ),
                ("guess at it", "another good one", Self.wrong("current"), "This is not your password."),
                (Self.password, "short", short, "A little longer: eight characters or more."),
            ] {
                door.services.refuse(AuthMethods.changePassword, refusal)
                let page = try await maya.post("/me/password", ["current": current, "password": new])
                #expect(page.text.contains(said) && !page.text.contains("value=\"\(new)\""))
            }
            door.services.answer(AuthMethods.changePassword, Nothing())
            let changed = try await maya.post(
                "/me/password", ["current": Self.password, "password": "another good one"])
            #expect(changed["Location"] == "/me?done=passwordChanged")
            let change = PasswordChange(current: Self.password, password: "another good one")
            #expect(try door.services.asked(AuthMethods.changePassword).last?.content == change)
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
            door.services.refuse(AuthMethods.prove, Self.wrong("password"))
            let wrong = try await maya.post("/me/proof", ["password": "guess", "next": "/me/calendar"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not your password."))
            door.services.answer(AuthMethods.prove, Nothing())
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
            PageRecoveryTests.know("good", at: door)
            #expect(!(try await visitor.get("/new-password?token=good").text.contains("name=\"unlink\"")))
            PageRecoveryTests.know("good", besides: [IdentityProvider(id: "campus", name: "Campus & Co")], at: door)
            let page = try await visitor.get("/new-password?token=good").text
            #expect(page.contains("name=\"unlink\" value=\"yes\" checked") && page.contains("Campus &amp; Co"))
            let tooShort = ServiceError.invalid([FieldError("password", "too_short", "Use at least 8.")])
            door.services.refuse(AuthMethods.resetPassword, tooShort)
            let short = try await visitor.post("/new-password", ["token": "good", "password": "short"])
            door.services.refuse(AuthMethods.resetPassword, nil)
            #expect(short.text.contains("name=\"unlink\" value=\"yes\">"))
            _ = try await visitor.post(
                "/new-password", ["token": "good", "password": "a good long one", "unlink": "yes"])
            _ = try await visitor.post("/new-password", ["token": "good", "password": "another long one"])
            let resets = try door.services.asked(AuthMethods.resetPassword).suffix(2)
            #expect(resets.map(\.content.unlink) == [true, nil])
        }
    }
}
