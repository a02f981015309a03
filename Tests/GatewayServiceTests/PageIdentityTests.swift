import FoundationEssentials
import Synchronization
import Testing
import WireProtocol

@testable import GatewayService

/// The way to an identity provider and back, with links and forms alone.
@Suite struct PageIdentityTests {
    private static let state = String(repeating: "s", count: 64)
    private static let back = "/v1/identity-providers/campus/callback?state=\(state)&iss=https://id.example.org&code="

    /// With a provider that is there.
    private func withProvider(_ body: @Sendable @escaping (PageDoor, PageVisitor) async throws -> Void) async throws {
        try await PageDoor.run { door in
            door.backend.state.withLock { $0.identities.providers = [PageIdentities.campus] }
            try await body(door, PageVisitor(port: door.port))
        }
    }

    @Test func there_is_a_button_for_each_provider_and_none_where_there_is_none() async throws {
        try await withProvider { door, visitor in
            for path in ["/sign-in?next=/parking", "/join?next=/parking"] {
                let page = try await visitor.get(path).text
                #expect(page.contains("Sign in with Campus Login"))
                #expect(page.contains("href=\"/v1/identity-providers/campus/authorize?next=/parking\""))
                #expect(page.contains("name=\"password\""))
            }
            door.backend.state.withLock { $0.identities.passwords = false }
            #expect(try await !visitor.get("/join").text.contains("name=\"password\""))
            #expect(try await visitor.get("/join").text.contains("Sign in with Campus Login"))
            #expect(try await visitor.get("/sign-in").text.contains("name=\"password\""))
            door.services.refuse(AuthMethods.identityProviders, ServiceError(.unavailable, "Away."))
            #expect(try await visitor.get("/sign-in").status == 200)
            door.services.refuse(AuthMethods.identityProviders, nil)
            door.backend.state.withLock { ($0.identities.providers, $0.identities.passwords) = ([], true) }
            #expect(try await !visitor.get("/sign-in").text.contains("identity-providers"))
        }
    }

    @Test func the_way_there_is_bound_to_the_browser_and_leads_back_to_pages_of_ours_only() async throws {
        try await withProvider { door, visitor in
            let there = try await visitor.get("/v1/identity-providers/campus/authorize?next=/parking")
            #expect(there.status == 303 && there["Location"] == "https://id.example.org/authorize?state=s")
            let cookie = try #require(there["Set-Cookie"])
            #expect(
                cookie.hasPrefix("kampong_browser=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            _ = try await visitor.get("/v1/identity-providers/campus/authorize?next=//evil.example")
            let other = PageVisitor(port: door.port)
            _ = try await other.get("/v1/identity-providers/campus/authorize?next=https://evil.example/")
            let starts = door.backend.state.withLock(\.identities.starts)
            #expect(starts.map(\.next) == ["/parking", nil, nil])
            #expect(starts[0].browser == starts[1].browser && starts[0].browser != starts[2].browser)
            #expect(starts[0].redirect == "http://share.example/v1/identity-providers/campus/callback")
            let unknown = try await visitor.get("/v1/identity-providers/other/authorize")
            #expect(unknown.status == 404 && unknown["Content-Type"]?.hasPrefix("text/html") == true)
            // To link, one has to be signed in.
            #expect(
                try await visitor.get("/v1/identity-providers/campus/authorize?link=true")["Location"] == "/sign-in")
        }
    }

    @Test func who_is_known_is_signed_in_and_back_where_they_were() async throws {
        try await withProvider { door, visitor in
            _ = try await door.join("Maya")
            door.backend.state.withLock { $0.identities.known = ["code-1": $0.people.keys.first!] }
            // Without the cookie of the beginning, nothing is asked of auth.
            #expect(try await visitor.get(Self.back + "code-1").status == 409)
            #expect(door.backend.state.withLock(\.identities.returns).isEmpty)
            _ = try await visitor.get("/v1/identity-providers/campus/authorize?next=/parking")
            let back = try await visitor.get(Self.back + "code-1")
            #expect(back.status == 303 && back["Location"] == "/parking")
            #expect(back.all("Set-Cookie").contains { $0.hasPrefix("kampong_access=") && $0.contains("HttpOnly") })
            // Twice is once: the same request to auth.
            let again = try await visitor.get(Self.back + "code-1")
            let cookies = [back, again].map { $0.all("Set-Cookie").map { $0.prefix { $0 != ";" } } }
            #expect(cookies[0] == cookies[1])
            #expect(door.backend.state.withLock(\.identities.returns).count == 1)
            #expect(try await visitor.get("/me").text.contains("Maya"))
        }
    }

    @Test func who_is_new_finds_a_form_with_a_locked_name() async throws {
        try await withProvider { door, visitor in
            _ = try await visitor.get("/v1/identity-providers/campus/authorize?next=/parking")
            let back = try await visitor.get(Self.back + "new")
            #expect(back.status == 303 && back["Location"] == "/join/with")
            #expect(back.all("Set-Cookie").contains { $0.hasPrefix("kampong_ticket=") && $0.contains("HttpOnly") })
            let page = try await visitor.get("/join/with").text
            #expect(page.contains("value=\"Maya Tan\"") && page.contains("readonly"))
            #expect(page.contains("Your name comes from Campus Login"))
            #expect(page.contains("value=\"maya.tan\"") && page.contains("value=\"maya@campus.example.org\""))
            #expect(!page.contains("providersPicture") && !page.contains("a good ticket"))
            let wrong = try await visitor.post("/join/with", ["email": "maya", "username": "maya"])
            #expect(wrong.status == 422 && wrong.text.contains("That is not a whole email address."))
            #expect(wrong.text.contains("value=\"maya\"") && wrong.text.contains("value=\"Maya Tan\""))
            let taken = try await visitor.post("/join/with", ["email": "maya@example.org", "username": "taken"])
            #expect(taken.status == 409 && taken.text.contains("Somebody has that name already."))
            let fields = ["email": "maya@example.org", "username": "maya", "next": "/parking"]
            let joined = try await visitor.post("/join/with", fields)
            #expect(joined.status == 303 && joined["Location"] == "/parking?done=joined")
            #expect(joined.all("Set-Cookie").contains { $0.hasPrefix("kampong_ticket=;") })
            #expect(try await visitor.get("/me/edit").text.contains("Your name comes from Campus Login"))
        }
    }

    @Test func the_providers_picture_is_looked_at_and_kept_as_any_other() async throws {
        let picture = try await Pictures.noise(300, 200, "png")
        try await withProvider { door, visitor in
            door.backend.state.withLock { $0.identities.picture = picture }
            _ = try await visitor.get("/v1/identity-providers/campus/authorize")
            _ = try await visitor.get(Self.back + "new")
            #expect(try await visitor.get("/join/with").text.contains("Take my picture from Campus Login"))
            let seen = try await visitor.get("/join/with/picture")
            #expect(seen.status == 200 && seen["Content-Type"] == "image/webp" && PhotoFormat(seen.body) == .webp)
            _ = try await visitor.post("/join/with", ["email": "maya@example.org", "providersPicture": "yes"])
            let photo = try #require(door.backend.state.withLock { $0.people.values.first?.photo })
            #expect(try await visitor.get("/photos/\(photo)/thumb").body == seen.body)
        }
        // What is no picture keeps nobody out.
        try await withProvider { door, visitor in
            door.backend.state.withLock { $0.identities.picture = Array("no picture".utf8) }
            _ = try await visitor.get("/v1/identity-providers/campus/authorize")
            _ = try await visitor.get(Self.back + "new")
            #expect(try await visitor.get("/join/with/picture").status == 303)
            let fields = ["email": "maya@example.org", "providersPicture": "yes"]
            #expect(try await visitor.post("/join/with", fields)["Location"] == "/?done=joined")
            #expect(door.backend.state.withLock { $0.people.values.first?.photo } == nil)
        }
    }

    @Test func who_has_an_account_shows_it_by_its_password() async throws {
        try await withProvider { door, visitor in
            _ = try await PageVisitor(port: door.port).post(
                "/join", ["name": "Maya", "email": "maya@campus.example.org", "password": "a good long one"])
            door.backend.state.withLock { $0.identities.hasAccount = true }
            _ = try await visitor.get("/v1/identity-providers/campus/authorize")
            _ = try await visitor.get(Self.back + "new")
            #expect(try await visitor.get("/join/with")["Location"] == "/join/with/account")
            #expect(try await visitor.get("/join/with?new=1").status == 200)
            let page = try await visitor.get("/join/with/account").text
            #expect(page.contains("There is an account with this address already."))
            let fields = ["email": "maya@campus.example.org", "password": "not this one"]
            let wrong = try await visitor.post("/join/with/account", fields)
            #expect(wrong.status == 401 && wrong.text.contains("Email or password is not right."))
            let right = fields.merging(["password": "a good long one"]) { $1 }
            #expect(try await visitor.post("/join/with/account", right)["Location"] == "/?done=linked")
            #expect(door.backend.state.withLock { $0.identities.linked.count } == 1)
        }
    }

    @Test func refusals_of_the_way_back_are_pages_for_people_and_data_for_programs() async throws {
        try await withProvider { door, visitor in
            _ = try await visitor.get("/v1/identity-providers/campus/authorize")
            for (query, status, words) in [
                ("state=\(Self.state)&error=access_denied", 403, "You did not agree"),
                ("state=\(Self.state)&code=bad", 502, "cannot be trusted"), ("state=other&code=a", 409, "Begin again"),
                ("", 409, "Begin again"), ("error=access_denied", 409, "Begin again"),
            ] {
                let address = "/v1/identity-providers/campus/callback?\(query)"
                let page = try await visitor.get(address)
                #expect(page.status == status && page.text.contains(words), "\(query)")
                #expect(page.text.contains("href=\"/sign-in\"") && !page.text.contains("href=\"/v1/"), "\(query)")
                let data = try await RawHTTP.send(
                    port: door.port, "GET", address, [("Accept", "application/json")], body: [])
                #expect(try data.problem().status == 409)
            }
        }
    }

    @Test func programs_get_the_same_as_data() async throws {
        try await withProvider { door, _ in
            let there = try await RawHTTP.send(
                port: door.port, "GET", "/v1/identity-providers/campus/authorize", [("Accept", "application/json")],
                body: [])
            #expect(try there.json(IdentityRedirect.self).url.hasPrefix("https://id.example.org/"))
            let cookie = try #require(there["Set-Cookie"]).prefix { $0 != ";" }
            let back = try await RawHTTP.send(
                port: door.port, "GET", Self.back + "new",
                [("Accept", "application/json"), ("Cookie", String(cookie))],
                body: [])
            #expect(try back.status == 200 && back.json(IdentityOutcome.self).ticket != nil)
        }
    }

    @Test func linking_is_asked_about_before_and_the_last_way_in_stays() async throws {
        try await withProvider { door, _ in
            let maya = try await door.join("Maya")
            #expect(try await maya.get("/me").text.contains("href=\"/me/identities\""))
            #expect(try await maya.get("/me/identities").text.contains("Link Campus Login"))
            _ = try await maya.get("/v1/identity-providers/campus/authorize?link=true")
            let back = try await maya.get(Self.back + "link")
            #expect(back["Location"] == "/me/identities/link")
            let question = try await maya.get("/me/identities/link").text
            #expect(question.contains("Link Campus Login?") && question.contains("maya@campus.example.org"))
            #expect(door.backend.state.withLock(\.identities.linked).isEmpty)
            // Another site's page cannot say yes.
            #expect(try await maya.post("/me/identities/link", ["key": "k"], from: "cross-site").status == 403)
            #expect(try await maya.post("/me/identities/link", ["key": "k"], withToken: false).status == 403)
            #expect(
                try await maya.post("/me/identities/link", ["key": "k"])["Location"] == "/me/identities?done=linked")
            let list = try await maya.get("/me/identities").text
            #expect(list.contains("Unlink") && !list.contains("Link Campus Login"))
            #expect(try await maya.get("/me/identities/campus/unlink").text.contains("Unlink Campus Login?"))
            let left = try await maya.post("/me/identities/campus/unlink", ["key": "u"])
            #expect(left["Location"] == "/me/identities?done=unlinked")
            door.backend.state.withLock { state in state.people.keys.forEach { state.identities.linked[$0] = false } }
            let last = try await maya.post("/me/identities/campus/unlink", ["key": "v"])
            #expect(last.status == 409 && last.text.contains("Choose a password first"))
        }
    }
}
