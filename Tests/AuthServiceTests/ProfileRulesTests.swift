import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// Tables of what people type, and what we say to it.
@Suite struct ProfileRulesTests {
    let rules = ProfileRules(regions: ["Kent Ridge", "Clementi"])
    let photo = String(repeating: "0a", count: 32)

    private func form(
        email: String = "maya@example.org", password: String = "quiet river stones", name: String = "Maya",
        username: String? = nil, region: String? = nil, photo: String? = nil
    ) -> SignUp {
        SignUp(email: email, password: password, name: name, username: username, region: region, photo: photo)
    }

    let now = Date(timeIntervalSince1970: 1_795_232_513)

    private func complaints(_ change: ProfileChange) -> [String] {
        do throws(ServiceError) {
            _ = try rules.apply(change, to: Profile(name: "Maya"), now: now)
            return []
        } catch {
            #expect(error.errors.allSatisfy { $0.message.hasSuffix(".") })
            return error.errors.map { "\($0.field) \($0.code)" }
        }
    }

    private func complaints(_ form: SignUp) -> [String] {
        do throws(ServiceError) {
            _ = try rules.check(form)
            return []
        } catch {
            #expect(error.code == .invalid)
            #expect(error.errors.allSatisfy { $0.message.hasSuffix(".") })
            return error.errors.map { "\($0.field) \($0.code)" }
        }
    }

    @Test(arguments: [
        ("maya@example.org", "maya@example.org"), ("  Maya.Tan+spots@Example.ORG \n", "Maya.Tan+spots@example.org"),
        ("o'neill@a-b.co", "o'neill@a-b.co"), ("müller@bücher.example", "müller@bücher.example"),
        ("用户@例子.广告", "用户@例子.广告"), ("e\u{301}va@x.org", "\u{E9}va@x.org"),
        ("x@xn--bcher-kva.example", "x@xn--bcher-kva.example"), ("1@2.example", "1@2.example"),
    ]) func addresses(_ input: String, _ text: String) throws {
        let email = try #require(EmailAddress(input))
        #expect(Array(email.text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(arguments: [
        "", "maya", "@example.org", "maya@", "maya@localhost", "ma ya@example.org", "maya@exa mple.org", ".maya@x.org",
        "maya.@x.org", "ma..ya@x.org", "maya@-x.org", "maya@x-.org", "maya@x..org", "maya@x.org.", "maya@10.0.0.1",
        "\"maya\"@x.org", "maya@[10.0.0.1]", "a@b@c.org", "maya@x_y.org", "maya\u{0}@x.org", "maya\r\nBcc:a@x.org",
        "<maya@x.org>", "maya@x.org,ben@x.org", String(repeating: "a", count: 65) + "@x.org",
        "a@" + String(repeating: "b", count: 64) + ".org",
        "a@" + Array(repeating: String(repeating: "b", count: 60), count: 5).joined(separator: ".") + ".org",
    ]) func notAddresses(_ input: String) {
        #expect(EmailAddress(input) == nil)
        #expect(complaints(form(email: input)) == ["email \(input.isEmpty ? "required" : "email")"])
    }

    @Test func oneAddressHoweverItIsTyped() throws {
        let keys = ["Maya@Example.org", " maya@example.ORG", "MAYA@EXAMPLE.ORG"].map { EmailAddress($0)?.key }
        #expect(Set(keys) == ["maya@example.org"])
        let domains = ["b@bücher.example", "B@BU\u{308}CHER.example", "b@xn--bcher-kva.example"]
            .compactMap { EmailAddress($0) }
        #expect(Set(domains.map(\.key)) == ["b@xn--bcher-kva.example"])
        #expect(domains.allSatisfy { $0.earlier?.key == "b@bücher.example" })
        #expect(EmailAddress("b@example.org")?.earlier == nil)
    }

    @Test(arguments: [
        ("", "required"), ("short", "too_short"), ("1234567", "too_short"), ("password", "common"),
        ("PassWord1", "common"), ("12345678", "common"), ("aaaaaaaaaa", "common"), ("abcabcabcabc", "common"),
        ("MAYA@example.org", "same_as_email"), (String(repeating: "wxyzv", count: 205), "too_long"),
    ]) func badPasswords(_ password: String, _ code: String) {
        #expect(complaints(form(password: password)) == ["password \(code)"])
    }

    @Test(arguments: ["quiet river", "hunter2!hunter", "ünïcödés", "        x", String(repeating: "wxyzv", count: 204)])
    func goodPasswords(_ password: String) {
        #expect(complaints(form(password: password)) == [])
    }

    @Test func passwordsAreTheSameOnEveryKeyboard() throws {
        let composed = try #require(Password(attempt: "cr\u{E8}me br\u{FB}l\u{E9}e"))
        let decomposed = try #require(Password(attempt: "cre\u{300}me bru\u{302}le\u{301}e"))
        #expect(composed.bytes == decomposed.bytes)
        #expect(composed.bytes != Password(attempt: "creme brulee")?.bytes)
        #expect(Password(attempt: "") == nil)
        #expect(Password(attempt: String(repeating: "x", count: 1025)) == nil)
    }

    @Test(arguments: [
        ("", "required"), (" \t", "required"), (String(repeating: "x", count: 81), "too_long"),
        ("a" + String(repeating: "\u{301}", count: 900), "too_long"), ("May\u{7}a", "not_allowed"),
        ("Ma\nya", "not_allowed"), ("\u{202E}ayaM", "not_allowed"), ("\u{200D}\u{200D}", "not_allowed"),
    ]) func badNames(_ name: String, _ code: String) { #expect(complaints(form(name: name)) == ["name \(code)"]) }

    @Test(arguments: ["M", "Åsa 👩‍🌾", "محمد", "陳大文", String(repeating: "👩‍🌾", count: 50)])
    func goodNames(_ name: String) { #expect(complaints(form(name: name)) == []) }

    @Test func usernames() throws {
        #expect(try rules.check(form(username: "Maya.Tan_9")).profile.username == "maya.tan_9")
        #expect(try rules.check(form(username: "  ")).profile.username == nil)
        for bad in ["ab", String(repeating: "a", count: 31)] {
            #expect(complaints(form(username: bad)) == ["username length"])
        }
        for bad in ["may a", "måya", "maya-tan", "maya@x", "ＭＡＹＡ"] {
            #expect(complaints(form(username: bad)) == ["username characters"])
        }
    }

    @Test func regionsAndPhotos() throws {
        #expect(try rules.check(form(region: " Clementi ")).profile.region == "Clementi")
        #expect(complaints(form(region: "Atlantis")) == ["region unknown"])
        let open = ProfileRules()
        #expect(try open.check(form(region: "Atlantis")).profile.region == "Atlantis")
        #expect(try rules.check(form(photo: photo.uppercased())).profile.photo == photo)
        for bad in ["../etc/passwd", String(repeating: "g", count: 64), String(photo.dropLast())] {
            #expect(complaints(form(photo: bad)) == ["photo photo"])
        }
    }

    @Test func everythingIsSaidAtOnce() {
        let all = form(email: "x", password: "y", name: "", username: "!", region: "z", photo: "p")
        #expect(
            complaints(all).map { $0.prefix { $0 != " " } } == [
                "email", "password", "name", "username", "region", "photo",
            ])
    }

    @Test func changesKeepWhatTheyLeaveOut() throws {
        func applied(_ change: ProfileChange) throws -> Profile { try rules.apply(change, to: old, now: now) }
        let old = Profile(
            name: "Maya", username: "maya", region: "A region of old", photo: photo,
            phone: try PhoneNumber("+6591234567"), bio: "A cook.", car: PersonCar(make: "Toyota"), mode: .delivering)
        #expect(try applied(ProfileChange()) == old)
        #expect(try applied(ProfileChange(name: "M")).name == "M")
        let empty = ProfileChange(username: "", region: "", photo: "", phone: " ", bio: "\n", car: .set(PersonCar()))
        #expect(try applied(empty) == Profile(name: "Maya", mode: .delivering))
        let null = ProfileChange(
            username: .remove, region: .remove, photo: .remove, phone: .remove, bio: .remove, car: .remove,
            mode: .remove)
        #expect(try applied(null) == Profile(name: "Maya"))
        #expect(complaints(ProfileChange(name: " ", region: "Atlantis")) == ["name required", "region unknown"])
        #expect(complaints(ProfileChange(name: .remove)) == ["name required"])
    }
}
