import FoundationEssentials
import Testing
import WireProtocol

/// Forgotten passwords, with links and forms alone.
@Suite struct PageRecoveryTests {
    /// Auth as it knows a mail's link, and what else leads into that account.
    static func know(_ token: String, besides identities: [IdentityProvider] = [], at door: PageDoor) {
        let dead = ServiceError.invalid([FieldError("token", "dead", "No longer good.")])
        door.services.on(AuthMethods.passwordReset) { request in
            guard request.content.token == token else { throw dead }
            return PasswordResetAccount(name: "Maya", username: "maya", memberSince: Date(), identities: identities)
        }
        door.services.on(AuthMethods.resetPassword) { request in
            guard request.content.token == token else { throw dead }
            return Nothing()
        }
    }

    @Test func who_has_forgotten_the_password_is_sent_to_the_mailbox_and_learns_nothing_else() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            #expect(try await visitor.get("/sign-in").text.contains("href=\"/forgot-password\""))
            #expect(try await visitor.get("/forgot-password").text.contains("Forgot your password?"))
            let odd = ServiceError.invalid([FieldError("email", "email", "Not an email address.")])
            door.services.refuse(AuthMethods.requestPasswordReset, odd)
            let wrong = try await visitor.post("/forgot-password", ["email": "maya"])
            door.services.answer(AuthMethods.requestPasswordReset, Nothing())
            #expect(wrong.status == 422)
            #expect(wrong.text.contains("That is not a whole email address.") && wrong.text.contains("value=\"maya\""))
            let asked = try await visitor.post("/forgot-password", ["email": "nobody@example.org"])
            #expect(asked.status == 303 && asked["Location"] == "/forgot-password/sent")
            let sent = try await visitor.get("/forgot-password/sent")
            #expect(sent.text.contains("Look into your mail") && !sent.text.contains("nobody@example.org"))
        }
    }

    @Test func the_mail_is_asked_for_in_the_readers_language() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            let german = [("Accept-Language", "de")]
            #expect(try await visitor.get("/forgot-password", german).text.contains("Passwort vergessen?"))
            _ = try await visitor.post("/forgot-password", ["email": "maya@example.org"], german)
            #expect(try door.services.asked(AuthMethods.requestPasswordReset).map(\.parameters.language) == ["de"])
        }
    }

    @Test func a_link_leads_to_a_new_password_and_from_there_to_the_door() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            Self.know("good", at: door)
            let page = try await visitor.get("/new-password?token=good")
            #expect(page.status == 200)
            #expect(page.text.contains("For the account of Maya, a member since"))
            // No link on the page carries the token on.
            #expect(!page.text.contains("href=\"/new-password") && !page.text.contains("next=/new-password"))
            let tooShort = ServiceError.invalid([FieldError("password", "too_short", "Use at least 8.")])
            door.services.refuse(AuthMethods.resetPassword, tooShort)
            let short = try await visitor.post("/new-password", ["token": "good", "password": "short"])
            door.services.refuse(AuthMethods.resetPassword, nil)
            #expect(short.status == 422)
            #expect(short.text.contains("A little longer: eight characters or more."))
            #expect(!short.text.contains("value=\"short\""))
            let set = try await visitor.post("/new-password", ["token": "good", "password": "a good long one"])
            #expect(set["Location"] == "/sign-in?done=passwordSet")
            #expect(try await visitor.get("/sign-in?done=passwordSet").text.contains("Your new password is set."))
        }
    }

    @Test func a_dead_link_is_said_kindly_before_and_after_the_form() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            Self.know("good", at: door)
            for page in [
                try await visitor.get("/new-password?token=old"), try await visitor.get("/new-password"),
                try await visitor.post("/new-password", ["token": "old", "password": "a good long one"]),
            ] {
                #expect(page.status == 422)
                #expect(page.text.contains("This link is no longer good"))
                #expect(page.text.contains("href=\"/forgot-password\""))
            }
        }
    }

    @Test func a_service_that_is_away_is_said_and_the_key_stays() async throws {
        try await PageDoor.run { door in
            let visitor = PageVisitor(port: door.port)
            _ = try await visitor.get("/forgot-password")
            door.services.refuse(AuthMethods.requestPasswordReset, ServiceError(.unavailable, "away", retryAfter: 1))
            let key = UUID.version7().uuidString
            let page = try await visitor.post("/forgot-password", ["email": "maya@example.org", "key": key])
            #expect(page.status == 503)
            #expect(page.text.contains("value=\"\(key)\"") && page.text.contains("value=\"maya@example.org\""))
        }
    }
}
