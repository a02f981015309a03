import FoundationEssentials
import HTTPTypes
import Testing
import WireProtocol

@testable import GatewayService

/// Passkeys, as far as pages have them without a script: what a browser would have made comes in the form.
@Suite struct PagePasskeyTests {
    private static let made =
        #"{"id":"AQ","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA","transports":["internal"]},"authenticatorAttachment":"platform"}"#
    static func signed(by name: String) -> String {
        #"{"id":"AQ","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","userHandle":""#
            + name + #""}}"#
    }

    /// The value of the only hidden field of a name that is not empty.
    private func key(_ page: String) throws -> String {
        let rest = try #require(page.split(separator: "name=\"key\" value=\"").dropFirst().last)
        return String(rest.prefix { $0 != "\"" })
    }

    /// Auth as it asks for a password before it says what a browser is to make.
    private static func takesOne(at door: PageDoor) {
        door.services.on(AuthMethods.passkeyOptions) { request in
            guard request.content.password == "a walk along the harbour" else {
                throw ServiceError.invalid([FieldError("password", "wrong", "Wrong.")])
            }
            return PasskeyCreationOptions(
                rp: .init(id: "share.example", name: "Testholm"),
                user: .init(id: "aGFuZGxl", name: "maya@example.org", displayName: "Maya \"M\" <Tan>"),
                challenge: "Y2hhbGxlbmdl", algorithms: [-7], timeout: 600_000, excludeCredentials: [])
        }
    }

    /// Auth as it lets in whose name the browser says.
    static func letsIn(at door: PageDoor) {
        door.services.on(AuthMethods.signInWithPasskey) { request in
            let name = request.content.credential.response.userHandle
            guard let person = door.people().first(where: { $0.name == name }) else {
                throw ServiceError(
                    .passkeyRefused, "Unknown.", errors: [FieldError("credential", "unknown", "Unknown.")])
            }
            return door.letIn(person)
        }
    }

    @Test func one_of_an_earlier_host_says_so_and_can_be_removed() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let old = Passkey(id: .new(), name: "My phone", synced: true, addedAt: Date(), elsewhere: "old.example")
            door.services.answer(AuthMethods.passkeys, Page(items: [old]))
            let page = try await maya.get("/me/passkeys").text
            #expect(page.contains("Made for old.example: it doesn&#39;t work here any more."))
            #expect(page.contains("This community has another address than before."))
            #expect(page.contains("href=\"/me/passkeys/\(old.id)/remove\""))
        }
    }

    @Test func one_is_added_renamed_and_removed() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            Self.takesOne(at: door)
            door.services.answer(AuthMethods.passkeys, Page(items: []))
            var phone = Passkey(id: .new(), name: "My phone", synced: true, addedAt: Date())
            door.services.answer(AuthMethods.addPasskey, phone)
            #expect(try await maya.get("/me").text.contains("href=\"/me/passkeys\""))
            let empty = try await maya.get("/me/passkeys").text
            #expect(empty.contains("You have none yet.") && empty.contains("data-passkey-can=\"share.example\""))
            let form = try await maya.get("/me/passkeys/add").text
            #expect(form.contains("type=\"password\"") && form.contains("/js/passkey.js"))
            let wrong = try await maya.post("/me/passkeys/add", ["name": "My phone", "password": "no"])
            #expect(wrong.status == 422 && wrong.text.contains("This is not your password."))
            #expect(wrong.text.contains("value=\"My phone\"") && !wrong.text.contains("value=\"no\""))
            let nameless = try await maya.post(
                "/me/passkeys/add", ["name": "", "password": "a walk along the harbour"])
            #expect(nameless.status == 422 && nameless.text.contains("Give it a name."))
            let make = try await maya.post(
                "/me/passkeys/add", ["name": "My phone", "password": "a walk along the harbour"])
            #expect(make.status == 200 && make.text.contains("data-passkey=\"create\""))
            // What the browser is asked for stands in an attribute, whatever people are called.
            #expect(make.text.contains("&quot;challenge&quot;:&quot;Y2hhbGxlbmdl&quot;"))
            #expect(!make.text.contains("<Tan>") && !make.text.contains("walk along"))
            let fields = ["name": "My phone", "credential": Self.made, "key": try key(make.text)]
            for _ in 0..<2 {
                let added = try await maya.post("/me/passkeys", fields)
                #expect(added.status == 303 && added["Location"] == "/me/passkeys?done=passkeyAdded")
            }
            let drafts = try door.services.done(AuthMethods.addPasskey).map(\.content)
            #expect(drafts.map(\.name) == ["My phone"] && drafts.first?.credential.id == "AQ")
            door.services.answer(AuthMethods.passkeys, Page(items: [phone]))
            let list = try await maya.get("/me/passkeys?done=passkeyAdded").text
            #expect(list.contains("My phone") && list.contains("synced") && list.contains("not used yet"))
            #expect(list.contains("Your passkey is there."))
            let id = phone.id
            phone.name = "Old <phone>"
            door.services.answer(AuthMethods.renamePasskey, phone)
            let renamed = try await maya.post("/me/passkeys/\(id)", ["name": "Old <phone>"])
            #expect(renamed.status == 303 && renamed["Location"] == "/me/passkeys?done=saved")
            let names = try door.services.asked(AuthMethods.renamePasskey)
            #expect(names.map(\.parameters.id) == [id] && names.map(\.content.name) == ["Old <phone>"])
            door.services.answer(AuthMethods.passkeys, Page(items: [phone]))
            #expect(try await maya.get("/me/passkeys").text.contains("Old &lt;phone&gt;"))
            let required = ServiceError.invalid([FieldError("name", "required", "A name.")])
            door.services.refuse(AuthMethods.renamePasskey, required)
            #expect(try await maya.post("/me/passkeys/\(id)", ["name": ""]).status == 422)
            let ask = try await maya.get("/me/passkeys/\(id)/remove").text
            #expect(ask.contains("Remove “Old &lt;phone&gt;”?"))
            door.services.answer(AuthMethods.removePasskey, Nothing())
            let removed = try await maya.post("/me/passkeys/\(id)/remove", [:])
            #expect(try door.services.asked(AuthMethods.removePasskey).map(\.parameters.id) == [id])
            door.services.answer(AuthMethods.passkeys, Page(items: []))
            #expect(removed["Location"] == "/me/passkeys?done=passkeyRemoved")
            for path in ["/me/passkeys/\(id)", "/me/passkeys/\(id)/remove"] {
                #expect(try await maya.get(path).status == 404)
            }
        }
    }

    @Test func what_cannot_be_read_or_is_refused_is_said_above_the_form() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let junk = try await maya.post("/me/passkeys", ["name": "Phone", "credential": "{"])
            #expect(junk.status == 422 && junk.text.contains("What your device sent cannot be read here."))
            for (error, said) in [
                (ServiceError(.passkeyStale, "Stale."), "That took too long, or was done before."),
                (ServiceError(.passkeyTaken, "Taken."), "This passkey leads into an account already."),
                (ServiceError(.tooManyPasskeys, "Many."), "You have as many passkeys as one may."),
                (
                    .invalid([FieldError("credential", "other_origin", "Elsewhere.")]),
                    "This was made on a page that is not ours."
                ),
            ] {
                door.services.refuse(AuthMethods.addPasskey, error)
                let page = try await maya.post("/me/passkeys", ["name": "Phone", "credential": Self.made])
                #expect(page.status == ProblemStatus.status(of: error.code).code && page.text.contains(said))
                #expect(page.text.contains("role=\"alert\"") && page.text.contains("action=\"/me/passkeys/add\""))
            }
            door.services.refuse(AuthMethods.removePasskey, ServiceError(.lastWayIn, "The last one."))
            let last = try await maya.post("/me/passkeys/\(PasskeyID.new())/remove", [:])
            #expect(last.status == 409 && last.text.contains("Without it you could not sign in any more."))
        }
    }

    @Test func a_signed_challenge_opens_a_session_and_leads_back() async throws {
        try await PageDoor.run { door in
            _ = try await door.join("Maya")
            Self.letsIn(at: door)
            let visitor = PageVisitor(port: door.port)
            let page = try await visitor.get("/sign-in?next=/parking").text
            #expect(page.contains("data-passkey=\"get\"") && page.contains("autocomplete=\"username webauthn\""))
            #expect(page.contains("value=\"/parking\""))
            let fields = ["credential": Self.signed(by: "Maya"), "next": "/parking", "key": try key(page)]
            let back = try await visitor.post("/sign-in/passkey", fields)
            #expect(back.status == 303 && back["Location"] == "/parking")
            #expect(back.all("Set-Cookie").contains { $0.hasPrefix("kampong_access=") && $0.contains("HttpOnly") })
            #expect(try await visitor.get("/me").text.contains("Maya"))
            let away = try await PageVisitor(port: door.port).post(
                "/sign-in/passkey", ["credential": Self.signed(by: "Maya"), "next": "//evil.example"])
            #expect(away["Location"] == "/")
            // Another site's form is none of ours.
            let other = try await PageVisitor(port: door.port).post(
                "/sign-in/passkey", ["credential": Self.signed(by: "Maya")], from: "cross-site")
            #expect(other.status == 403 && other["Set-Cookie"] == nil)
        }
    }

    @Test func what_does_not_lead_in_is_said_at_the_button() async throws {
        try await PageDoor.run { door in
            Self.letsIn(at: door)
            let visitor = PageVisitor(port: door.port)
            let unknown = try await visitor.post(
                "/sign-in/passkey", ["credential": Self.signed(by: "Nobody"), "next": "/parking"])
            #expect(unknown.status == 401)
            let said = "This passkey does not lead in here. It may have been removed."
            let form = try #require(unknown.text.split(separator: "data-passkey=\"get\"").last)
            #expect(form.contains(said) && form.contains("value=\"/parking\""))
            #expect(unknown["Set-Cookie"] == nil)
            #expect(try await visitor.post("/sign-in/passkey", ["credential": "nonsense"]).status == 422)
            for (error, words) in [
                (ServiceError(.passkeyStale, "Stale."), "That took too long, or was done before."),
                (.suspended(until: nil, reason: "Unkind words."), "Unkind words."),
                (ServiceError(.tooManyRequests, "Often.", retryAfter: 60), "Too many attempts."),
            ] {
                door.services.refuse(AuthMethods.signInWithPasskey, error)
                let page = try await visitor.post("/sign-in/passkey", ["credential": Self.signed(by: "Maya")])
                #expect(page.status == ProblemStatus.status(of: error.code).code && page.text.contains(words))
            }
        }
    }

    @Test func where_there_are_none_no_page_offers_them() async throws {
        try await PageDoor.run(passkeys: false) { door in
            let maya = try await door.join("Maya")
            door.services.answer(AuthMethods.passkeys, Page(items: []))
            #expect(!(try await maya.get("/me").text.contains("/me/passkeys")))
            let list = try await maya.get("/me/passkeys").text
            #expect(list.contains("This community has no passkeys") && !list.contains("/me/passkeys/add"))
            #expect(try await maya.get("/me/passkeys/add").status == 404)
            let door = try await PageVisitor(port: door.port).get("/sign-in").text
            #expect(!door.contains("data-passkey") && !door.contains("webauthn"))
        }
    }

    @Test func strangers_are_sent_to_sign_in() async throws {
        try await PageDoor.run { door in
            for path in ["/me/passkeys", "/me/passkeys/add", "/me/passkeys/\(PasskeyID.new())"] {
                let stranger = try await PageVisitor(port: door.port).get(path)
                #expect(stranger.status == 303 && stranger["Location"]?.hasPrefix("/sign-in") == true)
            }
        }
    }
}
