import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What was sent when the session had ended goes through the sign-in page, and comes out for the same person alone.
@Suite struct PageResumeTests {
    private func signIn(_ name: String, _ door: PageDoor, taking kept: String) throws -> [String: String] {
        let email = try #require(try door.person(name).email)
        return ["email": email, "password": "a good long one", "kept": kept, "key": Visit.newKey(), "next": "/me/edit"]
    }

    @Test func the_same_person_sends_it_with_one_press() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let bio = "A cook.\r\nTwo children \"<b>\""
            let answer = try await door.sendEnded(maya, bio: bio)
            #expect(answer.status == 401 && answer.text.contains("Welcome back"))
            #expect(!answer.text.contains("A cook."), "whoever has the page cannot read it")
            let kept: String = try #require(answer.text.hiddenField("kept"))
            // A password that was wrong at first takes nothing away.
            door.services.refuse(AuthMethods.signIn, ServiceError(.wrongCredentials, "No."))
            let wrong = try await maya.post(
                "/sign-in", try signIn("Maya", door, taking: kept).merging(["password": "x"]) { $1 })
            #expect(wrong.text.hiddenField("kept") == kept)
            door.services.refuse(AuthMethods.signIn, nil)
            let resumed = try await maya.post("/sign-in", try signIn("Maya", door, taking: kept))
            #expect(resumed.status == 200 && resumed.text.contains("You are signed in again"))
            #expect(
                resumed.text.contains("action=\"/me/edit\"")
                    && resumed.text.contains("Two children &quot;&lt;b&gt;&quot;"))
            #expect(resumed.text.hiddenField("mode") == "delivering" && resumed.text.contains("href=\"/me/edit\""))
            let form = ["name": "Maya", "mode": "delivering", "bio": bio, "key": Visit.newKey()]
            let saved = try await maya.post("/me/edit", form)
            #expect(saved["Location"] == "/me?done=saved")
            #expect(saved.all("Set-Cookie").contains { $0.hasPrefix("kampong_typed=;") }, "it was sent")
            #expect(try door.person("Maya").bio == bio)
        }
    }

    @Test func nobody_else_gets_it_and_secrets_are_not_taken_along() async throws {
        try await PageDoor.run { door in
            let (maya, ben) = (try await door.join("Maya"), try await door.join("Ben"))
            let kept: String = try #require(try await door.sendEnded(maya, bio: "A cook.").text.hiddenField("kept"))
            let other = try await ben.post("/sign-in", try signIn("Ben", door, taking: kept))
            #expect(other["Location"] == "/me/edit" && !other.text.contains("A cook."))
            for forged in ["nonsense", String(kept.dropLast(3)) + "AAA", ""] {
                let visitor = PageVisitor(port: door.port)
                let answer = try await visitor.post("/sign-in", try signIn("Ben", door, taking: forged))
                #expect(answer.status == 303, "\(forged)")
            }
            door.endSessions()
            let id = try door.person("Maya").id
            let sender = CSRF(key: TestDoor.csrfKey, publicURL: "http://share.example").forms.sender(id)
            for secret in ["password", "code", "credential"] {
                let answer = try await maya.post("/me/erase", [secret: "x", "sender": sender])
                #expect(answer.status == 303 && answer["Location"]?.hasPrefix("/sign-in") == true, "\(secret)")
            }
            let large = String(repeating: "x", count: KeptForm.largest)
            let lost = try await maya.post("/me/edit", ["bio": large, "sender": sender])
            #expect(lost.status == 401 && lost.text.contains("could not be kept: it is too large"))
            #expect(lost.text.hiddenField("kept") == nil)
            // A form that does not say whom it was made for leads to the door as ever.
            #expect(try await maya.post("/me/edit", ["bio": "A cook."]).status == 303)
        }
    }

    @Test func it_is_kept_for_an_hour() throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let (person, back) = (PersonID.new(), "/me/edit?a=b")
        let form = SubmittedForm([("sender", "x"), ("bio", "A cook."), ("csrf", "x")])
        let kept = try #require(KeptForm(form, of: person, sentTo: "/me/edit", from: back, at: now))
        #expect(kept.fields == ["bio": "A cook."])
        let seal = CSRF(key: TestDoor.csrfKey, publicURL: "http://share.example").forms
        let sealed = try #require(seal.seal(kept))
        #expect(seal.open(sealed, at: now + 3599) == kept && seal.open(sealed, at: now + 3600) == nil)
        let others = CSRF(key: Array(repeating: 7, count: 32), publicURL: "http://share.example").forms
        #expect(others.open(sealed, at: now) == nil)
        for elsewhere in ["/sign-out", "/v1/me", "//evil.example"] {
            #expect(KeptForm(form, of: person, sentTo: elsewhere, from: nil, at: now) == nil, "\(elsewhere)")
        }
    }
    @Test func whom_a_form_was_made_for_nobody_else_can_say() {
        let seal = CSRF(key: TestDoor.csrfKey, publicURL: "http://share.example").forms
        let others = CSRF(key: Array(repeating: 7, count: 32), publicURL: "http://share.example").forms
        let (maya, ben) = (PersonID.new(), PersonID.new())
        let sender = seal.sender(maya)
        #expect(seal.person(sending: sender) == maya)
        let code = sender.split(separator: ".").last ?? ""
        let forged = [
            "", ".", "x", maya.description, "\(maya).", "\(ben).\(code)", "\(sender)AAAA",
            others.sender(maya),
        ]
        for text in forged {
            #expect(seal.person(sending: text) == nil, "\(text)")
        }
    }
}

extension PageDoor {
    /// Maya sends her profile, in a window whose session has ended meanwhile; what she is shown.
    func sendEnded(_ maya: PageVisitor, bio: String) async throws -> RawResponse {
        let page = try await maya.get("/me/edit").text
        let sender: String = try #require(page.hiddenField("sender"))
        #expect(try sender.hasPrefix("\(person("Maya").id)."))
        endSessions()
        let form = ["name": "Maya", "mode": "delivering", "bio": bio, "sender": sender, "key": Visit.newKey()]
        return try await maya.post("/me/edit", form, [("Referer", "http://share.example/me/edit")])
    }
}
