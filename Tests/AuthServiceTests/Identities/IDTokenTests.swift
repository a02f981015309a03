import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// OpenID Connect Core 1.0, 3.1.3.7, rule by rule.
@Suite struct IDTokenTests {
    private static let now = 1_795_232_513.0
    private static let keys = Result { try TestKeys("first") }
    private static let rules = IDTokenRules(
        issuer: "https://id.example.org", client: "kampong", nonce: "n-0S6_WzA2Mj",
        now: Date(timeIntervalSince1970: now))

    private static var claims: [String: Any] {
        [
            "iss": "https://id.example.org", "sub": "24400320", "aud": "kampong", "exp": now + 300, "iat": now - 2,
            "nonce": "n-0S6_WzA2Mj", "name": "Maya Tan",
        ]
    }

    /// What becomes of a token: nil where it is believed.
    private func outcome(
        _ token: String, _ keys: [ProviderKeys.Key]? = nil, _ rules: IDTokenRules = rules
    ) async throws -> IDTokenProblem? {
        let known = try keys ?? Self.keys.get().published()
        do throws(IDTokenProblem) {
            let header = try IDTokenHeader(of: token)
            guard let key = ProviderKeys(keys: known).key(for: header) else { throw .key }
            try rules.check(try await key.verify(token, header))
            return nil
        } catch {
            return error
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var expected: IDTokenProblem?
        /// NSNull takes a claim out.
        var change: @Sendable () -> [String: Any]

        init(_ name: String, _ expected: IDTokenProblem?, _ change: @escaping @Sendable () -> [String: Any]) {
            (testDescription, self.expected, self.change) = (name, expected, change)
        }
    }

    static let cases: [Case] = [
        Case("as it should be", nil) { [:] },
        Case("another issuer", .issuer) { ["iss": "https://id.example.com"] },
        Case("the issuer with a slash more", .issuer) { ["iss": "https://id.example.org/"] },
        Case("for another client", .audience) { ["aud": "other"] },
        Case("for nobody", .audience) { ["aud": [String]()] },
        Case("for us, in a list", nil) { ["aud": ["kampong"]] },
        Case("for several, without the one that asked", .party) { ["aud": ["kampong", "other"]] },
        Case("for several, asked for by another", .party) { ["aud": ["kampong", "other"], "azp": "other"] },
        Case("for several, asked for by us", nil) { ["aud": ["other", "kampong"], "azp": "kampong"] },
        Case("asked for by another", .party) { ["azp": "other"] },
        Case("with another nonce", .nonce) { ["nonce": "n-0S6_WzA2Mk"] },
        Case("without a nonce", .nonce) { ["nonce": NSNull()] },
        Case("expired", .expired) { ["exp": now - 61] },
        Case("expired within the leeway", nil) { ["exp": now - 59] },
        Case("without an end", .shape) { ["exp": NSNull()] },
        Case("with an end in words", .shape) { ["exp": "tomorrow"] },
        Case("from the future", .issued) { ["iat": now + 61] },
        Case("from the future within the leeway", nil) { ["iat": now + 59] },
        Case("made long ago", .issued) { ["iat": now - 661] },
        Case("without a beginning", .shape) { ["iat": NSNull()] },
        Case("not yet good", .notYet) { ["nbf": now + 61] },
        Case("without a subject", .shape) { ["sub": NSNull()] },
        Case("with an empty subject", .subject) { ["sub": ""] },
        Case("with an endless subject", .subject) { ["sub": String(repeating: "a", count: 256)] },
        Case("with a subject that is a number", .shape) { ["sub": 7] },
    ]

    @Test(arguments: cases) func claims(_ test: Case) async throws {
        let claims = Self.claims.merging(test.change()) { _, new in new }.filter { !($0.value is NSNull) }
        #expect(try await outcome(Self.keys.get().token(claims)) == test.expected)
    }

    @Test(
        arguments: [
            ("RS256", nil), ("ES256", nil), ("EdDSA", nil), ("none", .algorithm), ("HS256", .algorithm),
            ("PS256", .algorithm), ("RS512", .algorithm), ("nOnE", .algorithm), ("", .algorithm),
        ] as [(String, IDTokenProblem?)])
    func algorithms(_ algorithm: String, _ expected: IDTokenProblem?) async throws {
        #expect(try await outcome(Self.keys.get().token(Self.claims, algorithm)) == expected)
    }

    @Test func a_key_is_good_for_its_own_algorithm_only() async throws {
        let keys = try Self.keys.get()
        // Signed by one key, named as another; and the other way round.
        #expect(try await outcome(keys.token(Self.claims, "ES256", header: ["kid": "first-RS256"])) == .key)
        #expect(try await outcome(keys.token(Self.claims, "RS256", header: ["kid": "first-ES256"])) == .key)
        #expect(
            try await outcome(keys.token(Self.claims, "EdDSA", header: ["alg": "ES256", "kid": "first-ES256"]))
                == .signature)
        #expect(
            try await outcome(keys.token(Self.claims, "ES256", header: ["alg": "RS256", "kid": "first-RS256"]))
                == .signature)
    }

    @Test func an_unknown_key_is_none_and_a_token_without_one_has_to_be_unambiguous() async throws {
        let (keys, other) = (try Self.keys.get(), try TestKeys("other"))
        #expect(try await outcome(other.token(Self.claims)) == .key)
        #expect(try await outcome(other.token(Self.claims, header: ["kid": "first-RS256"])) == .signature)
        #expect(try await outcome(keys.token(Self.claims, header: ["kid": NSNull()])) == nil)
        let both = try keys.published() + other.published()
        #expect(try await outcome(keys.token(Self.claims, header: ["kid": NSNull()]), both) == .key)
        // A rotated key: the provider publishes the new one beside the old one.
        #expect(try await outcome(other.token(Self.claims), both) == nil)
        #expect(try await outcome(keys.token(Self.claims), other.published()) == .key)
    }

    @Test func keys_for_something_else_or_too_short_are_none() async throws {
        let keys = try Self.keys.get()
        let token = try keys.token(Self.claims)
        for change in [
            { $0.use = "enc" }, { $0.alg = "RS512" }, { $0.kty = "oct" }, { $0.n = nil }, { $0.e = nil },
            { $0.n = $0.n.map { String($0.prefix(170)) } },
        ] as [(inout ProviderKeys.Key) -> Void] {
            var published = try keys.published()
            change(&published[0])
            #expect(try await outcome(token, published) == .key)
        }
    }

    @Test func a_letter_changed_anywhere_is_noticed() async throws {
        let keys = try Self.keys.get()
        for algorithm in ["RS256", "ES256", "EdDSA"] {
            let parts = try keys.token(Self.claims, algorithm).split(separator: ".").map(String.init)
            let claims = try JSONSerialization.data(withJSONObject: Self.claims.merging(["sub": "1"]) { _, new in new })
            #expect(try await outcome("\(parts[0]).\(Base64URL.encode(claims)).\(parts[2])") == .signature)
            #expect(try await outcome("\(parts[0]).\(parts[1]).") == .signature)
            #expect(try await outcome("\(parts[0]).\(parts[1]).\(parts[2].dropLast(4))AAAA") == .signature)
        }
    }

    @Test func what_is_no_token_or_asks_for_more_than_we_know_is_none() async throws {
        let token = try Self.keys.get().token(Self.claims)
        for text in ["", "a.b", "a.b.c", "..", "\(token).x", "{}.{}.", String(repeating: "a", count: 70_000) + ".b.c"] {
            #expect(try await outcome(text) == .shape)
        }
        #expect(try await outcome(Self.keys.get().token(Self.claims, header: ["crit": ["exp"]])) == .critical)
        // A key that the token brings along is not asked.
        let other = try TestKeys("first")
        let jwk = ["kty": "RSA", "n": try other.published()[0].n!, "e": "AQAB"]
        #expect(try await outcome(other.token(Self.claims, header: ["jwk": jwk])) == .signature)
    }

    @Test func keys_of_other_kinds_do_not_take_the_rest_with_them() throws {
        let text = #"""
            {"keys": [{"kty": "AKP", "alg": "ML-DSA-65", "pub": "AA"}, {"no": 1}, 7, {"kty": "oct", "k": "AA"},
            {"kty": "EC", "crv": "P-256", "kid": "a", "x": "AA", "y": "AA"}]}
            """#
        let keys = try JSONDecoder().decode(ProviderKeys.self, from: Data(text.utf8))
        #expect(keys.keys.map(\.kty) == ["AKP", "oct", "EC"])
    }

    @Test func profiles_take_what_is_there() throws {
        func read(_ text: String) throws -> ProviderProfile {
            try JSONDecoder().decode(ProviderProfile.self, from: Data(text.utf8))
        }
        let whole = try read(
            #"{"name": " Maya Tan ", "email": "maya@example.org", "email_verified": true, "preferred_username": "maya", "picture": "https://id.example.org/p"}"#
        )
        #expect(whole.name == "Maya Tan" && whole.emailIsVerified && whole.isWhole)
        #expect(try read(#"{"given_name": "Maya", "family_name": "Tan"}"#).name == "Maya Tan")
        #expect(try read(#"{"email": "a@example.org", "email_verified": "true"}"#).emailIsVerified)
        let odd = try read(#"{"name": 7, "email": ["a"], "email_verified": "yes", "picture": {}}"#)
        #expect(odd.name == nil && odd.email == nil && !odd.emailIsVerified && odd.picture == nil)
        // What is said of one address is not said of another.
        let mine = try read(#"{"email": "a@example.org"}"#)
        let theirs = try read(#"{"email": "b@example.org", "email_verified": true, "name": "B"}"#)
        let completed = mine.completed(by: theirs)
        #expect(completed.email == "a@example.org" && !completed.emailIsVerified && completed.name == "B")
    }

    @Test func names_are_taken_as_this_community_takes_them() {
        func name(_ text: String?) -> String? {
            var profile = ProviderProfile()
            profile.name = text
            return ProvidedIdentity(subject: "1", profile: profile).name(by: ProfileRules())
        }
        #expect(name("Åsa") == "Åsa")
        #expect(name(String(repeating: "n", count: 200))?.count == 80)
        #expect(name("\u{202E}evil") == nil && name("   ") == nil && name(nil) == nil && name("a\nb") == nil)
    }
}
