import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// Whether a username is free, and what else is.
@Suite struct UsernameTests {
    private func ask(_ auth: AuthBench, _ username: String, as person: PersonID? = nil) async throws
        -> UsernameAvailability
    {
        try await auth.call(
            AuthMethods.username, UsernameQuestion(username: username), Nothing(), as: Caller(person: person))
    }

    @Test func a_free_one_is_free_and_a_taken_one_comes_with_free_ones_like_it() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org", username: "maya").person.id
            _ = try await auth.signUp("may@example.org", username: "maya_")
            _ = try await auth.signUp("mai@example.org", username: "maya3")
            #expect(try await ask(auth, "ben") == UsernameAvailability(username: "ben", free: true))
            let taken = try await ask(auth, " Maya")
            #expect(!taken.free && taken.username == "maya")
            #expect(taken.suggestions == ["maya2", "maya4", "maya5"])
            for name in taken.suggestions {
                #expect(try await auth.signUp("\(name)@example.org", username: name).person.username == name)
            }
            #expect(try await ask(auth, "maya", as: maya).free)
        }
    }

    @Test func what_is_none_is_refused_at_the_field() async throws {
        try await AuthBench.run { auth in
            for (bad, code) in [("ab", "length"), ("maya tan", "characters"), ("  ", "required")] {
                let refused = try await refusal { try await ask(auth, bad) }
                #expect(refused?.code == .invalid)
                #expect(refused?.errors.map(\.field) == ["username"] && refused?.errors.first?.code == code)
            }
        }
    }

    @Test func suggestions_are_usernames_however_long_the_wish_is() throws {
        var generator = SystemRandomNumberGenerator()
        for wish in ["may", String(repeating: "m", count: 30), "maya.tan_9"] {
            let all = UsernameSuggestions.like(wish, using: &generator)
            #expect(all.count >= 25 && !all.contains(wish))
            for name in all { #expect(try ProfileRules().username(name) == name) }
        }
    }

    @Test func where_the_plain_ones_are_taken_chance_finds_free_ones() {
        var generator = SystemRandomNumberGenerator()
        let plain = Set(["maya_"] + (2...9).map { "maya\($0)" } + (10...9_999).map { "maya\($0)" })
        let chosen = UsernameSuggestions.choose(
            from: UsernameSuggestions.like("maya", using: &generator), taken: plain)
        #expect(chosen.count == UsernameSuggestions.most)
        #expect(Set(chosen).isDisjoint(with: plain) && Set(chosen).count == chosen.count)
    }
}
