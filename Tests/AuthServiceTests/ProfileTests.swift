import Foundation
import Testing
import WireProtocol

@testable import AuthService

@Suite struct ProfileTests {
    private let photo = String(repeating: "0a", count: 32)

    @Test func changesAreSavedAndTold() async throws {
        try await AuthBench.run { auth in
            let person = try await auth.signUp("maya@example.org", name: "Maya").person
            let caller = Caller(person: person.id)
            func change(_ change: ProfileChange) async throws -> Person {
                try await auth.call(AuthMethods.changeProfile, Nothing(), change, as: caller)
            }
            let changed = try await change(
                ProfileChange(name: "Maya T.", username: "maya", region: "Clementi", photo: .set(photo)))
            #expect(changed.name == "Maya T.")
            #expect(changed.photo == photo)
            #expect(try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: caller) == changed)
            // What others do not see is no news to them.
            _ = try await change(ProfileChange(region: "Kent Ridge"))
            _ = try await change(ProfileChange())
            let bare = try await change(ProfileChange(username: "", region: "", photo: ""))
            #expect(bare.username == nil && bare.region == nil && bare.photo == nil)
            let news = try await auth.events(PersonChanged.self).map(\.event.person)
            #expect(news.map(\.name) == ["Maya", "Maya T.", "Maya T."])
            #expect(news.map(\.photo) == [nil, photo, nil])
        }
    }

    @Test func theSecondOfTwoWindowsIsTold() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org", name: "Maya").person
            let seen = try #require(maya.version)
            func change(_ change: ProfileChange) async throws -> Person {
                try await auth.call(AuthMethods.changeProfile, Nothing(), change, as: Caller(person: maya.id))
            }
            let first = try await change(ProfileChange(bio: "A cook.", version: seen))
            let late = try await refusal { try await change(ProfileChange(bio: "A baker.", version: seen)) }
            #expect(late == .changedMeanwhile(first.version) && first.version != seen)
            #expect(try await change(ProfileChange(bio: "A baker.", version: first.version)).bio == "A baker.")
            // What is so already takes nothing back, and who does not say what they saw changes what there is.
            #expect(try await change(ProfileChange(bio: "A baker.", version: seen)).bio == "A baker.")
            #expect(try await change(ProfileChange(bio: .remove)).version == seen)
        }
    }

    @Test func othersSeeWhatEverybodyMay() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org", name: "Maya", username: "maya").person
            let ben = try await auth.signUp("ben@example.org", name: "Ben").person
            let seen = try await auth.call(
                AuthMethods.person, PersonReference(id: maya.id), Nothing(), as: Caller(person: ben.id))
            #expect(seen.email == nil)
            var expected = maya
            (expected.email, expected.emailVerified, expected.mode, expected.version) = (nil, nil, nil, nil)
            #expect(seen == expected)
            let bytes = try await auth.bytes(AuthMethods.person, PersonReference(id: maya.id), Nothing())
            #expect(!String(decoding: bytes, as: UTF8.self).contains("example.org"))
            let nobody = try await refusal {
                try await auth.call(AuthMethods.person, PersonReference(id: .new()), Nothing())
            }
            #expect(nobody?.code == .notFound)
        }
    }

    @Test func withoutASessionThereIsNoProfile() async throws {
        try await AuthBench.run { auth in
            let anonymous = try await refusal { try await auth.call(AuthMethods.me, Nothing(), Nothing()) }
            #expect(anonymous?.code == .unauthenticated)
            let change = try await refusal {
                try await auth.call(AuthMethods.changeProfile, Nothing(), ProfileChange(name: "M"))
            }
            #expect(change?.code == .unauthenticated)
            let gone = try await refusal {
                try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: Caller(person: .new()))
            }
            #expect(gone?.code == .unauthenticated)
        }
    }

    @Test func badChangesAreRefusedWhole() async throws {
        try await AuthBench.run { auth in
            let person = try await auth.signUp("maya@example.org", name: "Maya").person
            let caller = Caller(person: person.id)
            let bad = try await refusal {
                try await auth.call(
                    AuthMethods.changeProfile, Nothing(), ProfileChange(name: "", region: "Atlantis"), as: caller)
            }
            #expect(bad?.errors.map(\.field) == ["name", "region"])
            #expect(try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: caller) == person)
        }
    }

    /// The version is what ETags are made of: it changes with the profile, and only then.
    @Test func theVersionFollowsTheProfile() async throws {
        try await AuthBench.run { auth in
            let id = try await auth.signUp("maya@example.org", name: "Maya").person.id
            func change(_ name: String) async throws -> Int {
                _ = try await auth.call(
                    AuthMethods.changeProfile, Nothing(), ProfileChange(name: .set(name)), as: Caller(person: id))
                return try await auth.parts.accounts.person(id, for: .anonymous).version
            }
            #expect(try await change("Maya") == 1)
            #expect(try await change("Maya T.") == 2)
            #expect(try await change("Maya T.") == 2)
        }
    }
}
