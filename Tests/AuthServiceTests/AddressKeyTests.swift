import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// `bücher.example` and `xn--bcher-kva.example` are one domain, at every door and in accounts from before they were.
@Suite struct AddressKeyTests {
    private static let (typed, sent) = ("b@bücher.example", "b@xn--bcher-kva.example")

    /// As it was made when an address was told apart by how it was typed.
    private func makeEarlier(_ auth: AuthBench, _ person: PersonID, _ address: EmailAddress, _ password: String)
        async throws
    {
        let hash = try await auth.passwords.hash(
            try #require(Password(attempt: password)), for: address, before: Date() + 30)
        _ = try await auth.pool.query(
            """
            UPDATE accounts SET email = \(address.text), email_digest = \(auth.secrets.digest(of: address)),
                password_hash = \(hash)
            WHERE id = \(person.uuid)
            """)
    }

    @Test func one_address_is_one_account_however_its_domain_is_written() async throws {
        try await AuthBench.run { auth in
            let ben = try await auth.signUp(Self.typed).person
            #expect(ben.email == Self.typed)
            #expect(try await auth.signIn(Self.sent).person.id == ben.id)
            #expect(try await auth.signUp(Self.sent).person.id == ben.id)
            #expect(try await auth.signIn("B@BÜCHER.example").person.id == ben.id)
            let token = try #require(try await auth.tokens(for: Self.sent).first)
            try await auth.reset(token, to: "another good one")
            #expect(try await auth.signIn(Self.typed, "another good one").person.id == ben.id)
            let weak = try await refusal { try await auth.signUp("x@bücher.example", "x@xn--bcher-kva.example") }
            #expect(weak?.errors.map(\.code) == ["same_as_email"])
        }
    }

    @Test func accounts_from_before_are_found_by_both_and_keep_their_passwords() async throws {
        try await AuthBench.run { auth in
            let ben = try await auth.newcomer("Ben")
            let earlier = try #require(EmailAddress(Self.typed)?.earlier)
            try await makeEarlier(auth, ben, earlier, "quiet river stones")
            #expect(try await refusal { try await auth.signIn(Self.typed) }?.code == .wrongCredentials)
            for _ in 0..<2 { try await auth.stores.addressKeys.settle(auth.secrets) }
            for email in [Self.typed, Self.sent] { #expect(try await auth.signIn(email).person.id == ben) }
            #expect(try await auth.signUp(Self.sent).person.id == ben)
            let token = try #require(try await auth.tokens(for: Self.sent).first)
            try await auth.reset(token, to: "another good one")
            #expect(try await auth.signIn(Self.sent, "another good one").person.id == ben)
            #expect(try await refusal { try await auth.signIn(Self.sent) }?.code == .wrongCredentials)
        }
    }

    /// Nobody knows whose it is: both get in, and neither is written to until one shows it.
    @Test func of_two_with_one_address_neither_has_shown_it() async throws {
        try await AuthBench.run { auth in
            let first = try await auth.signUp(Self.sent, "of the first one").person.id
            let second = try await auth.newcomer("Ben")
            try await makeEarlier(auth, second, try #require(EmailAddress(Self.typed)?.earlier), "of the second one")
            _ = try await auth.pool.query("UPDATE accounts SET email_verified_at = joined_at")
            try await auth.stores.addressKeys.settle(auth.secrets)
            let rows = try await auth.pool.query(
                "SELECT DISTINCT email_digest, email_verified_at IS NULL AS open FROM accounts")
            #expect(rows.count == 1)
            #expect(try rows[0].get("open", as: Bool.self))
            for email in [Self.typed, Self.sent] {
                #expect(try await auth.signIn(email, "of the first one").person.id == first)
                #expect(try await auth.signIn(email, "of the second one").person.id == second)
            }
        }
    }

    /// `ｍａｐｌｅ.example` was let in as typed, and is `maple.example`.
    @Test func a_keyboard_s_letters_were_an_account_of_their_own() async throws {
        let (wide, plain) = ("b@ｍａｐｌｅ.example", "b@maple.example")
        try await AuthBench.run { auth in
            let owner = try await auth.signUp(plain, "of the first one").person.id
            _ = try await auth.pool.query("UPDATE accounts SET email_verified_at = joined_at")
            let second = try await auth.newcomer("Ben")
            try await makeEarlier(auth, second, try #require(EmailAddress(wide)?.earlier), "of the second one")
            _ = try await auth.pool.query(
                "UPDATE accounts SET email = \(wide), email_verified_at = NULL WHERE id = \(second.uuid)")
            for _ in 0..<2 { try await auth.stores.addressKeys.settle(auth.secrets) }
            let digests = try await auth.pool.query("SELECT DISTINCT email_digest FROM accounts")
            #expect(digests.count == 1)
            // Who had not shown it takes it from nobody.
            let shown = try await auth.pool.query("SELECT id FROM accounts WHERE email_verified_at IS NOT NULL")
            #expect(try shown.map { try $0.get("id", as: UUID.self) } == [owner.uuid])
            #expect(try await auth.signIn(wide, "of the second one").person.id == second)
            for email in [wide, plain, "B@ＭＡＰＬＥ。example"] {
                #expect(try await auth.signIn(email, "of the first one").person.id == owner)
            }
        }
    }

    /// Of three that were shown none keeps it, in whichever order they come.
    @Test func of_three_with_one_address_none_has_shown_it() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp("b@maple.example", "of the first one")
            for (number, wide) in ["b@ｍaple.example", "b@ｍａple.example"].enumerated() {
                let person = try await auth.newcomer("Ben \(number)")
                try await makeEarlier(auth, person, try #require(EmailAddress(wide)?.earlier), "of number \(number)")
                _ = try await auth.pool.query("UPDATE accounts SET email = \(wide) WHERE id = \(person.uuid)")
            }
            _ = try await auth.pool.query("UPDATE accounts SET email_verified_at = joined_at")
            try await auth.stores.addressKeys.settle(auth.secrets)
            let rows = try await auth.pool.query(
                "SELECT DISTINCT email_digest, email_verified_at IS NULL AS open FROM accounts")
            #expect(rows.count == 1)
            #expect(try rows[0].get("open", as: Bool.self))
        }
    }

    @Test func the_work_at_the_door_tells_nothing_of_such_a_domain_either() async throws {
        try await AuthBench.run { auth in
            _ = try await auth.signUp(Self.typed)
            _ = auth.counts.take()
            _ = try await refusal { try await auth.signIn(Self.sent, "not this one") }
            let known = auth.counts.take()
            _ = try await refusal { try await auth.signIn("nobody@bücher.example", "not this one") }
            #expect(auth.counts.take() == known)
        }
    }
}
