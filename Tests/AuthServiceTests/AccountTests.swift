import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Signing up and in, against a real PostgreSQL.
@Suite struct AccountTests {
    @Test func signUpSignsIn() async throws {
        try await AuthBench.run { auth in
            let new = try await auth.call(
                AuthMethods.signUp, DeviceParameters(device: "Firefox"),
                SignUp(
                    email: " Maya@Example.org", password: "quiet river stones", name: " Maya Tan ",
                    username: "Maya.Tan",
                    region: "Clementi"), as: Caller(address: "203.0.113.7"))
            #expect(new.person.name == "Maya Tan")
            #expect(new.person.username == "maya.tan")
            #expect(new.person.email == "Maya@example.org")
            #expect(new.person.region == "Clementi")
            #expect(new.session.expiresIn == 300)
            let caller = Caller(person: new.person.id)
            #expect(try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: caller) == new.person)
            let again = try await auth.signIn("maya@example.org")
            #expect(again.person == new.person)
            #expect(again.refreshToken != new.session.refreshToken)
            let joined = try await auth.events(PersonChanged.self)
            #expect(joined.map(\.event.person) == [PersonSummary(id: new.person.id, name: "Maya Tan")])
            #expect(joined.map(\.header.audience) == [.nobody])
        }
    }

    @Test func signUpTwice() async throws {
        try await AuthBench.run { auth in
            let first = try await auth.signUp("maya@example.org", name: "Maya", username: "maya")
            // The same credentials lead into the account that there is, whatever else the form says.
            let same = try await auth.signUp("MAYA@example.org", name: "Someone", username: "maya")
            #expect(same.person == first.person)
            #expect(same.session.refreshToken != first.session.refreshToken)
            // Another password gets an account of its own: nothing tells that there was one.
            let other = try await auth.signUp("maya@example.org", "another password", name: "Someone")
            #expect(other.person.id != first.person.id)
            #expect(try await auth.signIn("maya@example.org").person.id == first.person.id)
            #expect(try await auth.signIn("maya@example.org", "another password").person.id == other.person.id)
            #expect(try await auth.count("accounts") == 2)
            #expect(try await auth.events(PersonChanged.self).count == 2)
        }
    }

    @Test func twentyAtOnceMakeOneAccount() async throws {
        try await AuthBench.run({ $0.limits.pair = 100 }) { auth in
            let people = try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { try await auth.signUp("maya@example.org", username: "maya") } }
                return try await group.reduce(into: []) { $0.append($1.person.id) }
            }
            #expect(Set(people).count == 1)
            #expect(try await auth.count("accounts") == 1)
            #expect(try await auth.events(PersonChanged.self).count == 1)
        }
    }

    @Test func aRepeatedSignUpHasOneEffectAndIdenticalAnswers() async throws {
        try await AuthBench.run { auth in
            let id = UUID.version7()
            let form = SignUp(email: "maya@example.org", password: "quiet river stones", name: "Maya")
            let caller = Caller(address: "203.0.113.7")
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await auth.bytes(AuthMethods.signUp, DeviceParameters(), form, as: caller, id: id)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Later too, and from another replica.
            auth.clock.advance(by: .seconds(30))
            let later = try await auth.bytes(AuthMethods.signUp, DeviceParameters(), form, as: caller, id: id)
            try await auth.withReplica { replica in
                let elsewhere = try await replica.bytes(
                    AuthMethods.signUp, DeviceParameters(), form, as: caller, id: id)
                #expect(Set(answers + [later, elsewhere]).count == 1)
            }
            #expect(try await auth.count("accounts") == 1)
            #expect(try await auth.count("sessions") == 1)
            let mismatch = try await refusal {
                try await auth.signUp("maya@example.org", "other words entirely", id: id)
            }
            #expect(mismatch?.code == .idempotencyMismatch)
        }
    }

    @Test func theDatabaseHoldsNeitherPasswordsNorTokens() async throws {
        try await AuthBench.run { auth in
            let new = try await auth.signUp("maya@example.org", "quiet river stones")
            let refreshed = try await auth.refresh(new.session.refreshToken)
            let dump = try await auth.dump()
            #expect(dump.contains("maya@example.org"))
            let tokens = [new.session.accessToken, new.session.refreshToken, refreshed.refreshToken]
            for secret in tokens + ["quiet river stones"] {
                #expect(!dump.contains(secret))
                #expect(
                    !dump.contains(Array(secret.utf8).map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()))
            }
        }
    }

    @Test func wrongAndUnknownLookTheSameAndCostTheSame() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            _ = auth.counts.take()
            let wrong = try await refusal { try await auth.signIn("maya@example.org", "not her password") }
            let wrongWork = auth.counts.take()
            let unknown = try await refusal { try await auth.signIn("nobody@example.org", "not her password") }
            let unknownWork = auth.counts.take()
            #expect(wrong?.code == .wrongCredentials)
            #expect(wrong == unknown)
            #expect(wrongWork == unknownWork)
            #expect(wrongWork.hashes == 1)
            #expect(wrongWork.statements.count == 3)
        }
    }

    @Test func signUpCostsTheSameForKnownAndUnknownAddresses() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org")
            _ = auth.counts.take()
            let taken = try await auth.signUp("maya@example.org", "another password", name: "Ben")
            let takenWork = auth.counts.take()
            let free = try await auth.signUp("ben@example.org", "another password", name: "Ben")
            let freeWork = auth.counts.take()
            #expect(takenWork == freeWork)
            #expect(takenWork.hashes == 1)
            #expect(Set([taken.person, free.person].map { [$0.name, $0.username ?? "", $0.region ?? ""] }).count == 1)
        }
    }

    @Test func usernamesAreTakenOnce() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("maya@example.org", username: "maya")
            let taken = try await refusal { try await auth.signUp("ben@example.org", username: "MAYA") }
            #expect(taken?.code == .usernameTaken)
            #expect(taken?.errors.map(\.field) == ["username"])
            #expect(taken?.errors.map(\.code) == ["username_taken"])
            #expect(try await auth.count("accounts") == 1)
            let ben = try await auth.signUp("ben@example.org", username: "ben")
            let change = try await refusal {
                try await auth.call(
                    AuthMethods.changeProfile, Nothing(), ProfileChange(username: "maya"),
                    as: Caller(person: ben.person.id))
            }
            #expect(change?.code == .usernameTaken)
        }
    }

    @Test func everythingWrongIsSaidAtItsField() async throws {
        try await AuthBench.run { auth in
            let bad = try await refusal { try await auth.signUp("maya", "short", name: "") }
            #expect(bad?.code == .invalid)
            #expect(bad?.errors.map(\.field) == ["email", "password", "name"])
            #expect(try await refusal { try await auth.signIn("maya", "x") }?.errors.map(\.field) == ["email"])
            #expect(try await refusal { try await auth.signIn("m@x.org", "") }?.errors.map(\.field) == ["password"])
            #expect(auth.counts.take().hashes == 0)
        }
    }
}
