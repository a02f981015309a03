import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// Sessions of browsers that are renewed on the way.
@Suite struct RefreshingTests {
    private let person = Person(id: .new(), name: "Maya", memberSince: Date())
    private let session = SessionID.new()

    private func answerRefreshes(_ door: TestDoor) throws {
        let tokens = SessionTokens(
            accessToken: door.issuer.token(for: person.id, session: session), refreshToken: "next", expiresIn: 300)
        door.backend.answer(AuthMethods.refresh, SignedIn(tokens: tokens, person: person))
        door.backend.answer(AuthMethods.me, person)
    }

    private static func hasRenewed(_ answer: RawResponse) -> Bool {
        answer.all("Set-Cookie").contains { $0.hasPrefix("kampong_refresh=next;") }
    }

    private static let html = ("Accept", "text/html")
    private static let form = ("Content-Type", "application/x-www-form-urlencoded")

    @Test func a_stranger_with_made_up_tokens_is_held_back_before_auth_is_asked() async throws {
        var options = TestDoor.Options()
        options.limits = [.signIn: 5]
        try await TestDoor.run(options) { door async throws in
            door.backend.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, "Over."))
            var statuses: [Int] = []
            for number in 0..<8 {
                statuses.append(try await door.get("/v1/me", [("Cookie", "kampong_refresh=made-up-\(number)")]).status)
            }
            #expect(statuses == [401, 401, 401, 401, 401, 429, 429, 429])
            #expect(door.backend.asked("auth.refresh").count == 5)
            // Who is held back keeps their cookies: they may be good.
            let answer = try await door.get("/v1/me", [("Cookie", "kampong_refresh=mine")])
            #expect(answer.all("Set-Cookie").isEmpty && answer["Retry-After"] != nil)
        }
    }

    @Test func a_token_that_holds_costs_nothing() async throws {
        var options = TestDoor.Options()
        options.limits = [.signIn: 3]
        try await TestDoor.run(options) { [self] door async throws in
            try answerRefreshes(door)
            for number in 0..<10 {
                let answer = try await door.get("/v1/me", [("Cookie", "kampong_refresh=good-\(number)")])
                #expect(answer.status == 200 && Self.hasRenewed(answer))
            }
        }
    }

    @Test func a_renewed_session_reaches_the_browser_with_a_refusal_too() async throws {
        try await TestDoor.run { [self] door async throws in
            try answerRefreshes(door)
            let path = "/v1/spots/\(SpotID.new())/claim"
            // A script without its token; a form of another site; a page that is not there.
            let script = try await door.send("POST", path, [("Cookie", "kampong_refresh=a")])
            #expect(script.status == 403 && Self.hasRenewed(script))
            let foreign = try await door.send(
                "POST", "/sign-out", [("Cookie", "kampong_refresh=b"), ("Sec-Fetch-Site", "cross-site"), Self.form])
            #expect(foreign.status == 403 && Self.hasRenewed(foreign))
            let missing = try await door.get("/nothing", [("Cookie", "kampong_refresh=c"), Self.html])
            #expect(missing.status == 404 && Self.hasRenewed(missing))
        }
    }

    @Test func a_page_that_sets_another_cookie_keeps_the_renewed_session() async throws {
        try await TestDoor.run { [self] door async throws in
            try answerRefreshes(door)
            let csrf = door.parts.pages.csrf.token(for: session)
            let cookie = ("Cookie", "kampong_refresh=a")
            let answer = try await door.send(
                "POST", "/language", [cookie, Self.form, Self.html], body: Array("language=de&csrf=\(csrf)".utf8))
            #expect(answer.all("Set-Cookie").contains { $0.hasPrefix("kampong_language=") })
            #expect(Self.hasRenewed(answer))
            // Likewise a dead session's cookies are taken back beside it.
            door.backend.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, "Over."))
            let dead = try await door.send(
                "POST", "/language", [("Cookie", "kampong_refresh=b"), Self.form, Self.html],
                body: Array("language=de".utf8))
            #expect(dead.all("Set-Cookie").contains { $0.hasPrefix("kampong_language=") })
            #expect(dead.all("Set-Cookie").contains { $0.hasPrefix("kampong_refresh=;") })
        }
    }

    @Test func a_dead_session_does_not_open_forms_to_other_sites() async throws {
        try await TestDoor.run { door async throws in
            door.backend.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, "Over."))
            let answer = try await door.send(
                "POST", "/sign-in",
                [("Cookie", "kampong_refresh=dead"), ("Sec-Fetch-Site", "cross-site"), Self.form, Self.html],
                body: Array("email=maya@example.org&password=quiet+river+stones".utf8))
            #expect(answer.status == 403)
            #expect(door.backend.asked("auth.signIn").isEmpty)
        }
    }
}
