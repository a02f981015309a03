import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// The way to an identity provider and back, with links and forms alone.
@Suite struct PageIdentityTests {
    private static let state = String(repeating: "s", count: 64)
    static let back = "/v1/identity-providers/campus/callback?state=\(state)&iss=https://id.example.org&code="

    static let campus = IdentityProvider(id: "campus", name: "Campus Login")
    private static let ticket = Base64URL.encode(Array("a good ticket in here".utf8))
    static let linked = LinkedIdentity(
        provider: campus, account: "maya@campus.example.org", name: true, since: Date(), lastUsedAt: Date())

    private static func check(_ ticket: IdentityTicket) throws {
        guard ticket.ticket == Self.ticket else { throw ServiceError(.identityStale, "Begin again.") }
    }

    /// What the provider says of whoever comes from there and is new.
    static func propose(picture: [UInt8] = [], hasAccount: Bool = false, at door: PageDoor) {
        door.services.on(AuthMethods.identityProposal) { request in
            try Self.check(request.content)
            return IdentityProposal(
                provider: Self.campus, name: "Maya Tan", email: "maya@campus.example.org", username: "maya.tan",
                picture: !picture.isEmpty, hasAccount: hasAccount, next: "/parking")
        }
        door.services.on(AuthMethods.identityPicture) { request in
            try Self.check(request.content)
            guard !picture.isEmpty else { throw ServiceError.notFound("picture") }
            return IdentityPicture(base64: Data(picture).base64EncodedString())
        }
    }

    /// The way to the provider and back.
    /// - Parameter known: whom the code `known` lets in.
    static func lead(_ known: @escaping @Sendable () -> SignedIn? = { nil }, at door: PageDoor) {
        door.services.on(AuthMethods.startIdentity) { request in
            guard request.content.provider == Self.campus.id else { throw ServiceError.notFound("identity provider") }
            if request.content.link { _ = try request.caller.requirePerson() }
            return IdentityRedirect(url: "https://id.example.org/authorize?state=s")
        }
        door.services.on(AuthMethods.finishIdentity) { request in
            let came = request.content
            guard came.state == Self.state else { throw ServiceError(.identityStale, "Begin again.") }
            if came.error != nil { throw ServiceError(.identityDenied, "You said no.") }
            if came.code == "bad" { throw ServiceError(.identityRefused, "Not to be trusted.") }
            let next = try door.services.asked(AuthMethods.startIdentity).last?.content.next
            if came.code == "known" { return IdentityOutcome(signedIn: known(), next: next) }
            return IdentityOutcome(ticket: Self.ticket, link: came.code == "link", next: next)
        }
    }

    /// Auth as it makes an account of what the form says.
    private static func letJoin(at door: PageDoor) {
        door.services.on(AuthMethods.signUpWithIdentity) { request in
            let given = request.content
            guard given.email.contains(".") else {
                throw ServiceError.invalid([FieldError("email", "email", "Not an email address.")])
            }
            guard given.username != "taken" else { throw ServiceError.usernameTaken }
            return door.admit(
                Person(
                    id: .new(), name: "Maya Tan", username: given.username, email: given.email, memberSince: Date()))
        }
    }

    /// With a provider that is there.
    private func withProvider(_ body: @Sendable @escaping (PageDoor, PageVisitor) async throws -> Void) async throws {
        try await PageDoor.run { door in
            door.services.answer(
                AuthMethods.identityProviders, IdentityProviders(items: [Self.campus], passwords: true))
            Self.lead(at: door)
            Self.propose(at: door)
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
            door.services.answer(
                AuthMethods.identityProviders, IdentityProviders(items: [Self.campus], passwords: false))
            #expect(try await !visitor.get("/join").text.contains("name=\"password\""))
            #expect(try await visitor.get("/join").text.contains("Sign in with Campus Login"))
            #expect(try await visitor.get("/sign-in").text.contains("name=\"password\""))
            door.services.refuse(AuthMethods.identityProviders, ServiceError(.unavailable, "Away."))
            #expect(try await visitor.get("/sign-in").status == 200)
            door.services.answer(AuthMethods.identityProviders, IdentityProviders(items: [], passwords: true))
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
            let starts = try door.services.asked(AuthMethods.startIdentity).map(\.content)
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
            let session = door.letIn(try door.person("Maya"))
            Self.lead({ session }, at: door)
            // Without the cookie of the beginning, nothing is asked of auth.
            #expect(try await visitor.get(Self.back + "known").status == 409)
            #expect(try door.services.asked(AuthMethods.finishIdentity).isEmpty)
            _ = try await visitor.get("/v1/identity-providers/campus/authorize?next=/parking")
            let back = try await visitor.get(Self.back + "known")
            #expect(back.status == 303 && back["Location"] == "/parking")
            #expect(back.all("Set-Cookie").contains { $0.hasPrefix("kampong_access=") && $0.contains("HttpOnly") })
            // Twice is once: the same request to auth.
            let again = try await visitor.get(Self.back + "known")
            let cookies = [back, again].map { $0.all("Set-Cookie").map { $0.prefix { $0 != ";" } } }
            #expect(cookies[0] == cookies[1])
            #expect(try door.services.done(AuthMethods.finishIdentity).count == 1)
            #expect(try await visitor.get("/me").text.contains("Maya"))
        }
    }

    @Test func who_is_new_finds_a_form_with_a_locked_name() async throws {
        try await withProvider { door, visitor in
            Self.letJoin(at: door)
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
            door.services.answer(AuthMethods.identities, Page(items: [Self.linked]))
            #expect(try await visitor.get("/me/edit").text.contains("Your name comes from Campus Login"))
        }
    }

    @Test func the_providers_picture_is_looked_at_and_kept_as_any_other() async throws {
        let picture = try await Pictures.noise(300, 200, "png")
        try await withProvider { door, visitor in
            Self.letJoin(at: door)
            Self.propose(picture: picture, at: door)
            _ = try await visitor.get("/v1/identity-providers/campus/authorize")
            _ = try await visitor.get(Self.back + "new")
            #expect(try await visitor.get("/join/with").text.contains("Take my picture from Campus Login"))
            let seen = try await visitor.get("/join/with/picture")
            #expect(seen.status == 200 && seen["Content-Type"] == "image/webp" && PhotoFormat(seen.body) == .webp)
            _ = try await visitor.post("/join/with", ["email": "maya@example.org", "providersPicture": "yes"])
            let photo = try #require(try door.person("Maya Tan").photo)
            #expect(try await visitor.get("/photos/\(photo)/thumb").body == seen.body)
        }
        // What is no picture keeps nobody out.
        try await withProvider { door, visitor in
            Self.letJoin(at: door)
            Self.propose(picture: Array("no picture".utf8), at: door)
            _ = try await visitor.get("/v1/identity-providers/campus/authorize")
            _ = try await visitor.get(Self.back + "new")
            #expect(try await visitor.get("/join/with/picture").status == 303)
            let fields = ["email": "maya@example.org", "providersPicture": "yes"]
            #expect(try await visitor.post("/join/with", fields)["Location"] == "/?done=joined")
            #expect(try door.person("Maya Tan").photo == nil)
        }
    }

    @Test func who_has_an_account_shows_it_by_its_password() async throws {
        try await withProvider { door, visitor in
            _ = try await PageVisitor(port: door.port).post(
                "/join", ["name": "Maya", "email": "maya@campus.example.org", "password": "a good long one"])
            Self.propose(hasAccount: true, at: door)
            door.services.answer(AuthMethods.linkIdentity, Self.linked)
            _ = try await visitor.get("/v1/identity-providers/campus/authorize")
            _ = try await visitor.get(Self.back + "new")
            #expect(try await visitor.get("/join/with")["Location"] == "/join/with/account")
            #expect(try await visitor.get("/join/with?new=1").status == 200)
            let page = try await visitor.get("/join/with/account").text
            #expect(page.contains("There is an account with this address already."))
            let fields = ["email": "maya@campus.example.org", "password": "not this one"]
            door.services.refuse(AuthMethods.signIn, ServiceError(.wrongCredentials, "No."))
            let wrong = try await visitor.post("/join/with/account", fields)
            door.services.refuse(AuthMethods.signIn, nil)
            #expect(wrong.status == 401 && wrong.text.contains("Email or password is not right."))
            let right = fields.merging(["password": "a good long one"]) { $1 }
            #expect(try await visitor.post("/join/with/account", right)["Location"] == "/?done=linked")
            let links = try door.services.asked(AuthMethods.linkIdentity)
            #expect(links.map(\.content.ticket) == [Self.ticket])
            #expect(try links.map(\.caller.person) == [door.person("Maya").id])
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
            #expect(try door.services.asked(AuthMethods.linkIdentity).isEmpty)
            door.services.answer(AuthMethods.linkIdentity, Self.linked)
            // Another site's page cannot say yes.
            #expect(try await maya.post("/me/identities/link", ["key": "k"], from: "cross-site").status == 403)
            #expect(try await maya.post("/me/identities/link", ["key": "k"], withToken: false).status == 403)
            #expect(
                try await maya.post("/me/identities/link", ["key": "k"])["Location"] == "/me/identities?done=linked")
            #expect(try door.services.asked(AuthMethods.linkIdentity).map(\.content.ticket) == [Self.ticket])
            door.services.answer(AuthMethods.identities, Page(items: [Self.linked]))
            let list = try await maya.get("/me/identities").text
            #expect(list.contains("Unlink") && !list.contains("Link Campus Login"))
            #expect(try await maya.get("/me/identities/campus/unlink").text.contains("Unlink Campus Login?"))
            door.services.answer(AuthMethods.unlinkIdentity, Nothing())
            let left = try await maya.post("/me/identities/campus/unlink", ["key": "u"])
            #expect(try door.services.asked(AuthMethods.unlinkIdentity).map(\.parameters.id) == ["campus"])
            #expect(left["Location"] == "/me/identities?done=unlinked")
            door.services.refuse(AuthMethods.unlinkIdentity, ServiceError(.lastWayIn, "The only way in."))
            let last = try await maya.post("/me/identities/campus/unlink", ["key": "v"])
            #expect(last.status == 409 && last.text.contains("Choose a password first"))
        }
    }
}
