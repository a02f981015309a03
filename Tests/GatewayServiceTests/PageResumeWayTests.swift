import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What was sent when the session had ended is there again whichever way one signs in, without scripts.
@Suite struct PageResumeWayTests {
    /// Signs Maya in again; where that leads.
    private typealias Way = @Sendable (PageDoor, PageVisitor) async throws -> RawResponse

    /// What she types at the door, without the field in which the sign-in page takes a form along.
    private static func typed(_ door: PageDoor) throws -> [String: String] {
        ["email": try door.person("Maya").email ?? "", "password": "a good long one", "key": Visit.newKey()]
    }

    private static func ways() -> [(name: String, goesBackTo: String, go: Way)] {
        let provider: Way = { _, maya in
            _ = try await maya.get("/v1/identity-providers/campus/authorize?next=/me/edit")
            return try await maya.get(PageIdentityTests.back + "known")
        }
        let account: Way = { door, maya in
            _ = try await maya.get("/v1/identity-providers/campus/authorize?next=/me/edit")
            #expect(try await maya.get(PageIdentityTests.back + "new")["Location"] == "/join/with")
            return try await maya.post("/join/with/account", try typed(door))
        }
        let passkey: Way = { _, maya in
            let fields = ["credential": PagePasskeyTests.signed(by: "Maya"), "next": "/me/edit", "key": Visit.newKey()]
            return try await maya.post("/sign-in/passkey", fields)
        }
        let mail: Way = { door, maya in
            let email = try door.person("Maya").email ?? ""
            #expect(try await maya.post("/forgot-password", ["email": email])["Location"] == "/forgot-password/sent")
            #expect(try await maya.get("/new-password?token=good").status == 200)
            let set = try await maya.post("/new-password", ["token": "good", "password": "a good long one"])
            #expect(set["Location"] == "/sign-in?done=passwordSet")
            #expect(try await maya.get("/sign-in?done=passwordSet").text.contains("What you typed is kept"))
            return try await maya.post("/sign-in", try typed(door))
        }
        let again: Way = { door, maya in
            // By way of the other doors, and in another language.
            for path in ["/join?next=/me/edit", "/forgot-password", "/sign-in"] { _ = try await maya.get(path) }
            _ = try await maya.post("/language", ["language": "de", "next": "/sign-in"])
            #expect(try await maya.get("/sign-in").text.contains("bleibt eine Stunde lang da"))
            _ = try await maya.post("/language", ["language": "en", "next": "/sign-in"])
            return try await maya.post("/sign-in", try typed(door))
        }
        return [
            ("a provider", "/resume?next=/me/edit", provider), ("an account", "/resume?done=linked", account),
            ("a passkey", "/resume?next=/me/edit", passkey), ("a mail", "/resume", mail), ("doors", "/resume", again),
        ]
    }

    private func withMaya(_ body: @Sendable @escaping (PageDoor, PageVisitor) async throws -> Void) async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let person = try door.person("Maya")
            let providers = IdentityProviders(items: [PageIdentityTests.campus], passwords: true)
            door.services.answer(AuthMethods.identityProviders, providers)
            PageIdentityTests.lead({ door.letIn(person) }, at: door)
            PageIdentityTests.propose(at: door)
            door.services.answer(AuthMethods.linkIdentity, PageIdentityTests.linked)
            PagePasskeyTests.letsIn(at: door)
            door.services.answer(AuthMethods.requestPasswordReset, Nothing())
            PageRecoveryTests.know("good", at: door)
            try await body(door, maya)
        }
    }

    @Test func it_is_there_again_whichever_way_one_signs_in() async throws {
        for way in Self.ways() {
            try await withMaya { door, maya in
                let ended = try await door.sendEnded(maya, bio: "A cook & \"more\"")
                #expect(ended.status == 401 && ended.text.contains("whichever way you sign in"), "\(way.name)")
                let cookie = try #require(ended.all("Set-Cookie").first { $0.hasPrefix("kampong_typed=") })
                #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
                #expect(cookie.contains("Max-Age=3600"))
                let came = try await way.go(door, maya)
                #expect(came.status == 303 && came["Location"] == way.goesBackTo, "\(way.name)")
                #expect(try door.person("Maya").bio != "A cook & \"more\"", "nothing is sent by itself")
                let page = try await maya.get(way.goesBackTo)
                #expect(page.status == 200 && page.text.contains("You are signed in again"), "\(way.name)")
                #expect(page.text.contains("A cook &amp; &quot;more&quot;") && page.text.contains("href=\"/me/edit\""))
                // Looked at twice it is still there; sent, it is gone.
                let form = ["name": "Maya", "mode": "delivering", "bio": "A cook", "key": Visit.newKey()]
                #expect(try await maya.get("/resume").status == 200)
                #expect(try await maya.post("/me/edit", form)["Location"] == "/me?done=saved", "\(way.name)")
                #expect(maya.cookies["kampong_typed"] == nil, "\(way.name)")
                #expect(try await maya.get("/resume?next=/parking")["Location"] == "/parking", "\(way.name)")
            }
        }
    }

    @Test func somebody_else_who_signs_in_there_sees_nothing_of_it() async throws {
        try await withMaya { door, maya in
            _ = try await door.join("Ben")
            let benEmail = try #require(try door.person("Ben").email)
            #expect(try await door.sendEnded(maya, bio: "A cook.").status == 401)
            let kept = try #require(maya.cookies["kampong_typed"])
            let fields = ["email": benEmail, "password": "a good long one", "key": Visit.newKey()]
            let came = try await maya.post("/sign-in", fields)
            #expect(came["Location"] == "/" && maya.cookies["kampong_typed"] == nil)
            // Not even where the cookie is put back.
            maya.cookies["kampong_typed"] = kept
            let shown = try await maya.get("/resume")
            #expect(shown.status == 303 && shown["Location"] == "/" && !shown.text.contains("A cook."))
            // Whoever signs out leaves nothing.
            #expect(try await maya.post("/sign-out", [:])["Location"] == "/?done=signedOut")
            #expect(maya.cookies["kampong_typed"] == nil)
        }
        // A new account is somebody else.
        try await withMaya { door, maya in
            let ended = try await door.sendEnded(maya, bio: "A cook.")
            #expect(ended.status == 401)
            let fields = ["name": "Otto", "email": "otto@example.org", "password": "a good long one"]
            #expect(try await maya.post("/join", fields)["Location"] == "/?done=joined")
            #expect(maya.cookies["kampong_typed"] == nil)
        }
    }

    @Test func a_forged_one_is_shown_to_nobody() async throws {
        try await withMaya { door, maya in
            let id = try door.person("Maya").id
            // A stranger says of a form that it was hers.
            let stranger = PageVisitor(port: door.port)
            for sender in [id.description, "\(id).AAAA", ""] {
                let answer = try await stranger.post("/me/edit", ["bio": "Evil", "sender": sender])
                #expect(answer.status == 303 && stranger.cookies["kampong_typed"] == nil, "\(sender)")
            }
            // And another site has her browser send it.
            for site in ["cross-site", "same-site"] {
                let answer = try await stranger.post("/me/edit", ["bio": "Evil", "sender": id.description], from: site)
                #expect(answer.status == 403 && answer.all("Set-Cookie").isEmpty, "\(site)")
            }
            let others = CSRF(key: Array(repeating: 7, count: 32), publicURL: "http://share.example").forms
            let form = SubmittedForm([("bio", "Evil")])
            let made = try #require(KeptForm(form, of: id, sentTo: "/me/edit", from: nil, at: Date()))
            let foreign = try #require(others.seal(made))
            for forged in [foreign, "nonsense", "AAAA"] {
                maya.cookies["kampong_typed"] = forged
                let shown = try await maya.get("/resume?next=/me")
                #expect(shown["Location"] == "/me" && !shown.text.contains("Evil"))
                #expect(try await maya.get("/resume?next=//evil.example")["Location"] == "/")
            }
            // One that is an hour old.
            let old = try #require(KeptForm(form, of: id, sentTo: "/me/edit", from: nil, at: Date() - 3601))
            let ours = CSRF(key: TestDoor.csrfKey, publicURL: "http://share.example").forms
            let sealed: String = try #require(ours.seal(old))
            maya.cookies["kampong_typed"] = sealed
            #expect(try await maya.get("/resume")["Location"] == "/")
            #expect(try await stranger.get("/resume")["Location"]?.hasPrefix("/sign-in") == true)
        }
    }

    /// Letters that cannot be made small.
    private func noise(_ count: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }

    @Test func what_a_cookie_cannot_take_is_said_and_there_with_the_password() async throws {
        try await withMaya { door, maya in
            let ended = try await door.sendEnded(maya, bio: noise(9000))
            #expect(ended.status == 401 && ended.text.contains("It is too long to come along by another page."))
            #expect(maya.cookies["kampong_typed"] == nil)
            let kept: String = try #require(ended.text.hiddenField("kept"))
            let fields = try Self.typed(door).merging(["kept": kept, "next": "/me/edit"]) { $1 }
            let resumed = try await maya.post("/sign-in", fields)
            #expect(resumed.status == 200 && resumed.text.contains("You are signed in again"))
        }
        // What people write becomes small enough.
        try await withMaya { door, maya in
            let bio = (0..<120).map { "Sentence \($0) of somebody who has much to say." }.joined(separator: " ")
            let ended = try await door.sendEnded(maya, bio: bio)
            #expect(ended.text.contains("whichever way you sign in"))
            #expect(maya.cookies["kampong_typed"] != nil)
        }
    }

    @Test func pictures_take_nothing_of_what_was_typed_along_with_them() async throws {
        try await withMaya { door, maya in
            let sender: String = try #require(try await maya.get("/me/edit").text.hiddenField("sender"))
            door.endSessions()
            let fields = ["name": "Maya", "mode": "delivering", "bio": "A cook.", "sender": sender]
            let picture = [UInt8](repeating: 7, count: 300_000)
            let ended = try await maya.upload("/me/edit", fields, file: picture)
            #expect(ended.status == 401 && ended.text.contains("whichever way you sign in"))
            #expect(try await maya.post("/sign-in", try Self.typed(door))["Location"] == "/resume")
            let page = try await maya.get("/resume").text
            #expect(page.contains("A cook.") && page.contains("Pictures that you had chosen are not kept."))
            // Where it is too much, that is said.
            door.endSessions()
            let much = fields.merging(["bio": noise(KeptForm.largest)]) { $1 }
            let lost = try await maya.upload("/me/edit", much, file: picture)
            #expect(lost.status == 401 && lost.text.contains("could not be kept: it is too large"))
            #expect(maya.cookies["kampong_typed"] == nil, "nothing older stands in for it")
        }
    }
}
