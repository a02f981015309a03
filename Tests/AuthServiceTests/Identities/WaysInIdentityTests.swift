import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Identities as ways into an account: linked and unlinked with a proof, told, and gone with the old password where that is wanted.
@Suite struct WaysInIdentityTests {
    @Test func a_new_password_by_mail_removes_what_else_leads_in_where_that_is_wanted() async throws {
        try await IdentityBench.run { (bench) async throws in
            let auth = bench.auth
            for (unlink, left) in [(nil, 1), (true, 0)] as [(Bool?, Int)] {
                let email = "p\(left)@example.org"
                let ticket = try await bench.visit(sub: "\(left)").ticket
                let person = try await bench.signUp(ticket, email: email).person
                let token = try #require(try await auth.tokens(for: email).first)
                let account: PasswordResetAccount = try await auth.call(
                    AuthMethods.passwordReset, Nothing(), PasswordResetLink(token: token))
                #expect(account.identities?.map(\.name) == ["Campus Login"])
                let _: Nothing = try await auth.call(
                    AuthMethods.resetPassword, Nothing(),
                    PasswordReset(token: token, password: "a path through the reeds", unlink: unlink))
                #expect(try await bench.linked(Caller(person: person.id)).count == left)
                let kinds = try await auth.call(
                    AuthMethods.notices, Nothing(), Nothing(), as: Caller(person: person.id)
                ).items.map(\.kind)
                #expect(Set(kinds) == (left == 1 ? [.passwordChanged] : [.passwordChanged, .identityUnlinked]))
            }
        }
    }

    @Test func linking_and_unlinking_are_told_and_take_a_proof() async throws {
        try await IdentityBench.run { (bench) async throws in
            let auth = bench.auth
            let maya = try await auth.fresh(try await auth.signUp("maya@example.org").person.id)
            let ticket = try #require(try await bench.visit().ticket)
            auth.clock.advance(by: .seconds(601))
            let refused = try await refusal {
                try await auth.call(AuthMethods.linkIdentity, Nothing(), IdentityTicket(ticket: ticket), as: maya)
            }
            #expect(refused?.code == .proofNeeded)
            // The ticket is still good for who comes back with a proof.
            _ = try await bench.link(ticket, as: maya)
            let stale = try await refusal {
                try await auth.call(
                    AuthMethods.unlinkIdentity, IdentityProviderReference(id: "campus"), Nothing(), as: maya)
            }
            #expect(stale?.code == .proofNeeded)
            auth.clock.advance(by: .seconds(1))
            try await bench.unlink(as: maya)
            let told = try await auth.call(AuthMethods.notices, Nothing(), Nothing(), as: maya).items
            #expect(told.map(\.kind) == [.identityUnlinked, .identityLinked])
            #expect(told.allSatisfy { $0.title == "Campus Login" })
        }
    }

    /// A provider that says that an address is the person's shows it as well as a code does.
    @Test func a_provider_that_vouches_shows_an_address() async throws {
        try await IdentityBench.run { (bench) async throws in
            func join(_ sub: String, _ email: String, verified: Bool, typed: String) async throws -> Bool? {
                let ticket = try await bench.visit(
                    sub: sub, ["name": "Maya", "email": email, "email_verified": verified]
                ).ticket
                return try await bench.signUp(ticket, email: typed).person.emailVerified
            }
            #expect(try await join("1", "maya@example.org", verified: true, typed: "Maya@example.org") == true)
            #expect(try await join("2", "ben@example.org", verified: false, typed: "ben@example.org") == false)
            #expect(try await join("3", "cleo@example.org", verified: true, typed: "other@example.org") == false)
            // Somebody has it already: it stays theirs until it is shown by its mail.
            #expect(try await join("4", "maya@example.org", verified: true, typed: "maya@example.org") == false)
        }
    }
}
