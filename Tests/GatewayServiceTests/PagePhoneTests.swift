import FoundationEssentials
import Testing
import WireProtocol

/// Showing that a telephone number is one's own, with links and forms alone.
@Suite struct PagePhoneTests {
    private static let badge = "Phone verified"

    @Test func a_code_brings_the_badge_to_ones_own_page_and_the_persons_page_and_never_the_number() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let before = try await maya.get("/me")
            #expect(before.text.contains("href=\"/me/phone\"") && !before.text.contains(Self.badge))
            door.services.answer(AuthMethods.requestPhoneVerification, Nothing())
            let asked = try await maya.post("/me/phone", ["phone": "+65 9123 4567"])
            #expect(asked.status == 303 && asked["Location"] == "/me/phone/code")
            let numbers = try door.services.asked(AuthMethods.requestPhoneVerification).map(\.content.phone)
            #expect(numbers == ["+65 9123 4567"])
            door.services.refuse(AuthMethods.verifyPhone, .invalid([FieldError("code", "wrong", "Not the code.")]))
            #expect(try await maya.get("/me/phone/code").text.contains("autocomplete=\"one-time-code\""))
            let wrong = try await maya.post("/me/phone/code", ["code": "000000"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not the code, or it is no longer good."))
            door.change("Maya") { ($0.phone, $0.phoneVerified) = ("+6591234567", true) }
            door.services.answer(AuthMethods.verifyPhone, try door.person("Maya"))
            let right = try await maya.post("/me/phone/code", ["code": "048213"])
            #expect(try door.services.asked(AuthMethods.verifyPhone).last?.content.code == "048213")
            #expect(right.status == 303 && right["Location"] == "/me?done=phoneVerified")
            let after = try await maya.get("/me?done=phoneVerified")
            #expect(after.text.contains(Self.badge) && after.text.contains("Your number is verified now."))
            #expect(try await maya.get("/me/phone").text.contains("value=\"+6591234567\""))

            let id = try #require(door.people().first { $0.name == "Maya" }?.id)
            let seen = try await ben.get("/people/\(id)").text
            #expect(seen.contains(Self.badge) && !seen.contains("6591234567"))
            #expect(try await !ben.get("/me").text.contains(Self.badge))
        }
    }

    @Test func what_is_no_number_is_an_error_at_its_field_and_who_asks_often_is_told_so() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let foreign = ServiceError.invalid([FieldError("phone", "country", "Begin with +.")])
            door.services.refuse(AuthMethods.requestPhoneVerification, foreign)
            let page = try await maya.post("/me/phone", ["phone": "9123 4567"])
            #expect(page.status == 422 && page.text.contains("value=\"9123 4567\""))
            #expect(page.text.contains("id=\"phone-error\">Begin with + and the country"))
            door.services.refuse(
                AuthMethods.requestPhoneVerification, ServiceError(.tooManyRequests, "Often.", retryAfter: 60))
            let often = try await maya.post("/me/phone", ["phone": "+6591234567"])
            #expect(often.status == 429 && often.text.contains("role=\"alert\""))
            for path in ["/me/phone", "/me/phone/code"] {
                let stranger = try await PageVisitor(port: door.port).get(path)
                #expect(stranger.status == 303 && stranger["Location"]?.hasPrefix("/sign-in") == true)
            }
        }
    }

    @Test func where_no_texts_are_sent_no_page_speaks_of_it() async throws {
        try await PageDoor.run(texts: false) { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            #expect(!(try await maya.get("/me").text.contains("/me/phone")))
            for path in ["/me/phone", "/me/phone/code"] {
                #expect(try await maya.get(path).status == 404)
                #expect(try await maya.post(path, ["phone": "+6591234567", "code": "048213"]).status == 404)
            }
            // Nor of who had shown it when they were.
            let id = try #require(door.people().first { $0.name == "Maya" }?.id)
            door.change("Maya") { $0.phoneVerified = true }
            #expect(!(try await ben.get("/people/\(id)").text.contains(Self.badge)))
        }
    }

    @Test func who_lost_a_number_is_told_and_not_by_moderators() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let notice = Notice(id: .new(), kind: .phoneMoved, at: Date(), title: nil, text: nil, until: nil)
            door.services.answer(AuthMethods.notices, Page(items: [notice]))
            let page = try await maya.get("/me").text
            #expect(page.contains("Somebody else has shown that your verified telephone number is theirs now."))
            #expect(page.contains("News for you") && !page.contains("From the moderators"))
        }
    }
}
