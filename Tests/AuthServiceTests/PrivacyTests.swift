import Crypto
import Foundation
import Postgres
import Testing
import WireProtocol

@testable import AuthService

/// A telephone number is for its owner alone: not for others, not in events, and not to be read from the database.
@Suite struct PrivacyTests {
    private static let phone = "+6591234567"

    @Test func nobody_else_learns_a_telephone_number() async throws {
        try await AuthBench.run { auth in
            let maya = try await auth.signUp("maya@example.org", name: "Maya", username: "maya").person
            let caller = Caller(person: maya.id)
            let change = ProfileChange(
                name: "Maya T.", phone: "+65 9123 4567", bio: "A cook.\nTwo children.",
                car: .set(PersonCar(make: "Toyota", model: "Yaris", year: 2015, color: "blue")),
                mode: .set(.delivering))
            let id = UUID.version7()
            let changed = try await auth.call(AuthMethods.changeProfile, Nothing(), change, as: caller, id: id)
            #expect(changed.phone == Self.phone && changed.mode == .delivering)
            #expect(try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: caller) == changed)
            // Again, from what is remembered of the first time.
            #expect(try await auth.call(AuthMethods.changeProfile, Nothing(), change, as: caller, id: id) == changed)
            let signedIn = try await auth.signIn("maya@example.org")
            #expect(signedIn.person == changed)
            #expect(try await auth.refresh(signedIn.refreshToken).person == changed)

            for other in [Caller.anonymous, Caller(person: .new()), caller] {
                let bytes = try await auth.bytes(AuthMethods.person, PersonReference(id: maya.id), Nothing(), as: other)
                let seen = try WireJSON.decode(Person.self, from: bytes)
                #expect(seen.bio == change.bio.given && seen.car == changed.car && seen.username == "maya")
                #expect(seen.phone == nil && seen.email == nil && seen.mode == nil)
                #expect(!Self.tells(String(decoding: bytes, as: UTF8.self)))
            }
            #expect(try await auth.events(PersonChanged.self).count == 2)
            #expect(!Self.tells(try await auth.dump()))
        }
    }

    /// Also hexadecimal, as `bytea` is written out.
    private static func tells(_ text: String) -> Bool {
        let digits = String(phone.dropFirst())
        let hex = digits.utf8.map { String($0, radix: 16) }.joined()
        return [digits, "9123 4567", hex].contains { text.contains($0) }
    }

    @Test func a_telephone_number_opens_in_its_own_row_and_column_only() async throws {
        try await AuthBench.run { auth in
            let people = [
                try await auth.signUp("maya@example.org").person.id, try await auth.signUp("ben@example.org").person.id,
            ]
            for (person, phone) in zip(people, ["+6591234567", "+6598765432"]) {
                _ = try await auth.call(
                    AuthMethods.changeProfile, Nothing(), ProfileChange(phone: .set(phone)), as: Caller(person: person))
            }
            // Somebody with the database alone puts one person's number into the other's account.
            _ = try await auth.pool.query(
                "UPDATE accounts SET phone = (SELECT phone FROM accounts WHERE id = \(people[0].uuid)) WHERE id = \(people[1].uuid)"
            )
            await #expect(throws: (any Error).self) {
                try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: Caller(person: people[1]))
            }
            _ = try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: Caller(person: people[0]))
        }
    }

    @Test func keys_may_be_replaced_and_what_was_sealed_before_still_opens() throws {
        let (first, second) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let (row, other) = (UUID(), UUID())
        let old = FieldSeal(keys: [1: first])
        let new = FieldSeal(keys: [1: first, 2: second])
        let sealed = try old.seal("+6591234567", field: "accounts.phone", of: row)
        #expect(try new.open(sealed, field: "accounts.phone", of: row) == "+6591234567")
        let again = try new.seal("+6591234567", field: "accounts.phone", of: row)
        #expect(again.first == 2 && sealed.first == 1)
        #expect(try new.open(again, field: "accounts.phone", of: row) == "+6591234567")
        #expect(throws: FieldSeal.UnknownKey.self) { try old.open(again, field: "accounts.phone", of: row) }
        // The version is part of what is authenticated, as are field, row and content.
        #expect(throws: (any Error).self) { try new.open([1] + again.dropFirst(), field: "accounts.phone", of: row) }
        #expect(throws: (any Error).self) { try new.open(sealed, field: "accounts.email", of: row) }
        #expect(throws: (any Error).self) { try new.open(sealed, field: "accounts.phone", of: other) }
        for index in sealed.indices {
            var broken = sealed
            broken[index] ^= 1
            #expect(throws: (any Error).self) { try old.open(broken, field: "accounts.phone", of: row) }
        }
        #expect(try old.seal("+6591234567", field: "accounts.phone", of: row) != sealed)
    }
}
