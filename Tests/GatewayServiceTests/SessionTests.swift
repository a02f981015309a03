import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

@Suite struct SessionTests {
    static let path = "/v1/spots/\(SpotID.new())/claim"

    private static func signedIn(_ door: TestDoor, _ person: Person, _ session: SessionID) -> SignedIn {
        SignedIn(
            tokens: SessionTokens(
                accessToken: door.issuer.token(for: person.id, session: session), refreshToken: "next", expiresIn: 300),
            person: person)
    }

    @Test func a_call_that_needs_somebody_says_so() async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get("/v1/me")
            #expect(answer.status == 401)
            #expect(answer["WWW-Authenticate"] == "Bearer realm=\"kampong\"")
            #expect(try answer.problem().code == .unauthenticated)
        }
    }

    @Test func tokens_that_are_not_ours_are_refused() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(AuthMethods.signingKeys, SigningKeys(keys: [door.issuer.published]))
            let person = PersonID.new()
            let stranger = TokenIssuer()  // the same key id, another key
            let bad = [
                stranger.token(for: person), door.issuer.token(for: person, lifetime: -60),
                door.issuer.token(for: person, alg: "none"), door.issuer.token(for: person, alg: "HS256"),
                door.issuer.token(for: person, iss: "elsewhere"), door.issuer.token(for: person, aud: "others"),
                String(door.issuer.token(for: person).dropLast(3)), "a.b.c", "nonsense",
                TokenIssuer(kid: "made-up").token(for: person),
            ]
            for token in bad {
                let answer = try await door.get("/v1/me", [("Authorization", "Bearer \(token)")])
                #expect(answer.status == 401)
                #expect(answer["WWW-Authenticate"]?.contains("invalid_token") == true)
            }
            #expect(door.backend.asked("auth.me").isEmpty)
            // Also where nobody needs to be signed in: the client is to refresh, not to be taken for nobody.
            #expect(try await door.get("/v1/spots?near=1,2", [("Authorization", "Bearer x")]).status == 401)
        }
    }

    @Test func a_new_key_is_looked_up_when_it_comes() async throws {
        try await TestDoor.run { door async throws in
            let fresh = TokenIssuer(kid: "key-2")
            door.backend.answer(AuthMethods.signingKeys, SigningKeys(keys: [door.issuer.published, fresh.published]))
            door.backend.answer(AuthMethods.sessions, Page(items: []))
            let header = ("Authorization", "Bearer \(fresh.token(for: .new()))")
            #expect(try await door.get("/v1/sessions", [header]).status == 200)
        }
    }

    @Test func made_up_keys_do_not_bother_auth() async throws {
        let (backend, issuer, now) = (FakeBackend(), TokenIssuer(), Mutable(Date()))
        backend.answer(AuthMethods.signingKeys, SigningKeys(keys: [issuer.published]))
        let tokens = AccessTokens(backend: backend, logger: TestDoor.logger, clock: { now.value })
        for number in 0..<20 {
            let made = TokenIssuer(kid: "made-up-\(number)").token(for: .new())
            await #expect(throws: AccessTokenError.invalid) { try await tokens.verify(made) }
        }
        #expect(backend.asked("auth.signingKeys").count == 1)
        now.mutate { $0 += 6 }
        await #expect(throws: AccessTokenError.invalid) {
            try await tokens.verify(TokenIssuer(kid: "another").token(for: .new()))
        }
        #expect(backend.asked("auth.signingKeys").count == 2)
    }

    @Test func a_revoked_session_is_dead_at_once() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(AuthMethods.sessions, Page(items: []))
            let session = SessionID.new()
            let header = door.bearer(session: session)
            #expect(try await door.get("/v1/sessions", [header]).status == 200)
            door.tokens.revoke([.init(id: session, until: Date(timeIntervalSinceNow: 300))])
            #expect(try await door.get("/v1/sessions", [header]).status == 401)
            #expect(try await door.get("/v1/sessions", [door.bearer()]).status == 200)
        }
    }

    @Test func bad_credentials_do_no_harm_where_none_are_needed() async throws {
        try await TestDoor.run { door async throws in
            door.backend.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, "Over."))
            let answer = try await door.json(
                "POST", "/v1/sessions/refresh", "{}", [("Authorization", "Bearer expired")])
            #expect(door.backend.asked("auth.refresh").count == 1)
            #expect(answer.status == 401)
        }
    }

    @Test func the_device_is_what_the_browser_calls_itself() async throws {
        try await TestDoor.run { door async throws in
            _ = try await door.json(
                "POST", "/v1/sessions", "{}", [("User-Agent", "Phone \(String(repeating: "x", count: 300))")])
            let device = try WireJSON.decode(DeviceParameters.self, from: door.backend.asked[0].parameters).device
            #expect(device?.hasPrefix("Phone x") == true)
            #expect(device?.count == 200)
        }
    }

    // MARK: Cookies

    @Test func a_cookie_is_a_session_and_scripts_must_show_the_token() async throws {
        try await TestDoor.run { door async throws in
            let (person, session) = (PersonID.new(), SessionID.new())
            let cookie = ("Cookie", "kampong_access=\(door.issuer.token(for: person, session: session))")
            door.backend.on("auth.me") { _ in ServiceReply(body: Array("{}".utf8)) }
            door.backend.on("listings.claimSpot") { _ in ServiceReply(body: Array("{}".utf8)) }
            #expect(try await door.get("/v1/me", [cookie]).status == 200)
            #expect(door.backend.asked[0].caller.person == person)

            #expect(try await door.send("POST", Self.path, [cookie]).status == 403)
            let csrf = door.parts.pages.csrf
            let other = ("X-CSRF-Token", csrf.token(for: .new()))
            #expect(try await door.send("POST", Self.path, [cookie, other]).status == 403)
            let token = ("X-CSRF-Token", csrf.token(for: session))
            #expect(try await door.send("POST", Self.path, [cookie, token]).status == 200)
            // The token does not help another site.
            for header in [("Origin", "https://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
                #expect(try await door.send("POST", Self.path, [cookie, token, header]).status == 403)
            }
            for header in [
                ("Origin", "http://share.example"), ("Origin", "http://127.0.0.1:\(door.port)"),
                ("Sec-Fetch-Site", "same-origin"),
            ] {
                #expect(try await door.send("POST", Self.path, [cookie, token, header]).status == 200)
            }
            #expect(door.backend.asked("listings.claimSpot").count == 4)
        }
    }

    @Test func nobody_is_signed_in_by_another_site_whatever_their_cookies_are() async throws {
        try await TestDoor.run { door async throws in
            door.backend.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, ""))
            let form = ("Content-Type", "application/x-www-form-urlencoded")
            for cookie in ["a=b", "kampong_access=dead", "kampong_access=dead; kampong_refresh=dead"] {
                for header in [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example")] {
                    let answer = try await door.send(
                        "POST", "/sign-in", [form, ("Cookie", cookie), header],
                        body: Array("email=a%40b.c&password=x".utf8))
                    #expect(answer.status == 403)
                }
            }
            #expect(door.backend.asked("auth.signIn").isEmpty)
        }
    }

    @Test func an_expired_cookie_is_renewed_once_for_all_requests_of_a_page() async throws {
        try await TestDoor.run { door async throws in
            let (person, session) = (Person(id: .new(), name: "Maya", memberSince: Date()), SessionID.new())
            let signedIn = try WireJSON.encode(Self.signedIn(door, person, session))
            door.backend.on("auth.refresh") { asked in
                try await Task.sleep(for: .milliseconds(100))
                #expect(try WireJSON.decode(Refresh.self, from: asked.body).refreshToken == "old")
                return ServiceReply(body: signedIn)
            }
            door.backend.answer(AuthMethods.me, person)
            let expired = door.issuer.token(for: person.id, session: session, lifetime: -100)
            let cookie = ("Cookie", "kampong_access=\(expired); kampong_refresh=old")
            try await withThrowingTaskGroup(of: RawResponse.self) { group in
                for _ in 0..<8 { group.addTask { try await door.get("/v1/me", [cookie]) } }
                for try await answer in group {
                    #expect(answer.status == 200)
                    let cookies = answer.all("Set-Cookie")
                    #expect(cookies.contains { $0.hasPrefix("kampong_refresh=next;") && $0.contains("HttpOnly") })
                    #expect(cookies.contains { $0.hasPrefix("kampong_access=ey") && $0.contains("SameSite=Lax") })
                }
            }
            #expect(door.backend.asked("auth.refresh").count == 1)
        }
    }

    @Test func a_dead_cookie_is_taken_back_and_one_that_cannot_be_checked_is_kept() async throws {
        try await TestDoor.run { door async throws in
            let cookie = ("Cookie", "kampong_refresh=old")
            let away = try await door.get("/v1/me", [cookie])
            #expect(away.status == 503)
            #expect(away.all("Set-Cookie").isEmpty)
            door.backend.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, "Over."))
            let dead = try await door.get("/v1/me", [cookie])
            #expect(dead.status == 401)
            #expect(dead.all("Set-Cookie").contains { $0.hasPrefix("kampong_refresh=;") && $0.contains("Max-Age=0") })
        }
    }

    @Test func by_tls_cookies_and_headers_insist_on_it() async throws {
        var options = TestDoor.Options()
        options.publicURL = "https://share.example"
        try await TestDoor.run(options) { door async throws in
            door.backend.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, "Over."))
            let answer = try await door.get("/v1/me", [("Cookie", "__Host-kampong_refresh=old")])
            let cookies = answer.all("Set-Cookie")
            #expect(cookies.count == 2)
            #expect(cookies.allSatisfy { $0.hasPrefix("__Host-") && $0.contains("Secure") && $0.contains("Path=/") })
            #expect(answer["Strict-Transport-Security"]?.contains("max-age=31536000") == true)
        }
    }

    @Test func every_answer_carries_the_headers_that_protect() async throws {
        try await TestDoor.run { door async throws in
            for path in ["/v1/about", "/v1/nothing", "/nothing"] {
                let answer = try await door.get(path)
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                #expect(answer["Referrer-Policy"] == "same-origin")
                let policy = try #require(answer["Content-Security-Policy"])
                #expect(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(answer["Strict-Transport-Security"] == nil)
                #expect(answer["X-Request-Id"]?.count == 32)
            }
        }
    }
}
