import DurableMessaging
import Foundation
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Signing in with an outside identity provider, against a real PostgreSQL.
@Suite struct IdentityTests {
    @Test func who_is_new_joins_and_is_known_the_next_time() async throws {
        try await IdentityBench.run { (bench) async throws in
            let profile: [String: any Sendable] = [
                "name": "Maya Tan", "email": "Maya@example.org", "email_verified": true,
                "preferred_username": "Maya.Tan",
                "picture": "\(bench.provider.issuer)/maya.png",
            ]
            let way = try await bench.start(next: "/parking")
            #expect(way.query["response_type"] == "code" && way.query["client_id"] == "kampong")
            #expect(way.query["code_challenge_method"] == "S256" && way.challenge.count == 43)
            #expect(way.query["redirect_uri"] == IdentityBench.redirect && way.query["scope"] == "openid profile email")
            let first = try await bench.finish(way, code: bench.agree(way, profile))
            #expect(first.signedIn == nil && !first.link && first.next == "/parking")
            let proposal = try await bench.proposal(first.ticket)
            #expect(
                proposal
                    == IdentityProposal(
                        provider: IdentityProvider(id: "campus", name: "Campus Login"), name: "Maya Tan",
                        email: "Maya@example.org", username: "maya.tan", picture: true, hasAccount: false,
                        next: "/parking"))

            // What the form says of the name does not count.
            let account = try await bench.signUp(first.ticket, name: "Somebody else", username: "maya")
            #expect(account.person.name == "Maya Tan" && account.person.username == "maya")
            #expect(try await bench.auth.events(PersonChanged.self).map(\.event.person.name) == ["Maya Tan"])

            let second = try await bench.visit(["name": "Maya Lim", "email": "maya.lim@example.org"])
            #expect(second.ticket == nil && second.signedIn?.person.id == account.person.id)
            // The name follows; the address that the account has here does not.
            #expect(second.signedIn?.person.name == "Maya Lim" && second.signedIn?.person.email == "maya@example.org")
            #expect(
                try await bench.auth.events(PersonChanged.self).map(\.event.person.name) == ["Maya Tan", "Maya Lim"])
            let me = Caller(person: account.person.id)
            #expect(try await bench.linked(me).map(\.account) == ["maya.lim@example.org"])
            let sessions = try await bench.auth.call(AuthMethods.sessions, Nothing(), Nothing(), as: me)
            #expect(sessions.items.count == 2 && sessions.items.allSatisfy { $0.device == "A browser" })
            _ = try await bench.auth.refresh(second.signedIn?.refreshToken ?? "")
        }
    }

    /// Also when their sessions are long gone; and in the one that they choose on the pages afterwards.
    @Test func who_joins_so_is_written_to_in_their_language() async throws {
        try await IdentityBench.run { (bench) async throws in
            let auth = bench.auth
            let account = try await bench.signUp(
                try await bench.visit(["name": "Maya Tan"]).ticket, language: "de-DE")
            let me = account.person.id
            try await auth.showAddress("maya@example.org")
            func language(_ kind: NoticeKind) async throws -> String? {
                try await auth.stores.transaction { transaction in
                    try await transaction.tell(
                        KeptNotice(.new(at: auth.clock.now), kind, for: me, title: "x", at: auth.clock.now),
                        at: auth.clock.now)
                }
                let office = PostOffice()
                _ = try await auth.mails(to: office).round()
                return office.orders.last?.language
            }
            #expect(try await language(.passkeyAdded) == "de-de")
            _ = try await auth.database.query("DELETE FROM sessions")
            auth.clock.advance(by: .seconds(60))
            #expect(try await language(.passkeyRemoved) == "de-de")
            let _: Nothing = try await auth.call(
                AuthMethods.setLanguage, LanguageParameters(language: "en"), Nothing(), as: Caller(person: me))
            auth.clock.advance(by: .seconds(60))
            #expect(try await language(.passkeyAdded) == "en")
        }
    }

    @Test func an_address_is_nobody_and_a_subject_of_another_issuer_is_somebody_else() async throws {
        try await IdentityBench.run { (bench) async throws in
            let verified: [String: any Sendable] = [
                "name": "Maya", "email": "maya@example.org", "email_verified": true,
            ]
            let maya = try await bench.signUp(try await bench.visit(sub: "1", verified).ticket)
            // The same address, another subject: not her.
            let other = try await bench.visit(sub: "2", verified)
            #expect(other.signedIn == nil && other.ticket != nil)
            #expect(try await bench.proposal(other.ticket).hasAccount)
            #expect(try await bench.visit(sub: "1", ["name": "Maya"]).signedIn?.person.id == maya.person.id)
            let secrets = bench.auth.secrets
            #expect(
                secrets.identityDigest(issuer: "https://a", subject: "bc")
                    != secrets.identityDigest(issuer: "https://ab", subject: "c"))
        }
    }

    @Test func a_verified_address_with_an_account_is_linked_by_its_password_and_never_by_itself() async throws {
        try await IdentityBench.run { (bench) async throws in
            let maya = try await bench.auth.signUp("maya@example.org", name: "Maya").person
            let unshown = try await bench.visit([
                "name": "Maya Tan", "email": "maya@example.org", "email_verified": true,
            ])
            // Whoever typed it first does not stand in the way of whose it is.
            #expect(try await !bench.proposal(unshown.ticket).hasAccount)
            try await bench.auth.showAddress("maya@example.org")
            let verified: [String: any Sendable] = [
                "name": "Maya Tan", "email": "maya@example.org", "email_verified": true,
            ]
            let outcome = try await bench.visit(verified)
            #expect(outcome.signedIn == nil)
            #expect(try await bench.proposal(outcome.ticket).hasAccount)
            // What a provider only supposes is told to nobody.
            let supposed = try await bench.visit(sub: "9", ["name": "M", "email": "maya@example.org"])
            #expect(try await !bench.proposal(supposed.ticket).hasAccount)

            let session = try await bench.auth.signIn("maya@example.org")
            let linked = try await bench.link(outcome.ticket, as: Caller(person: session.person.id))
            #expect(linked.provider.name == "Campus Login" && linked.name)
            let back = try await bench.visit(verified)
            #expect(back.signedIn?.person.id == maya.id && back.signedIn?.person.name == "Maya Tan")
        }
    }

    @Test func the_name_is_locked_while_a_provider_gives_it() async throws {
        try await IdentityBench.run { (bench) async throws in
            let account = try await bench.signUp(try await bench.visit().ticket)
            let me = Caller(person: account.person.id)
            func rename(_ name: String) async throws -> Person {
                try await bench.auth.call(
                    AuthMethods.changeProfile, Nothing(), ProfileChange(name: .set(name), bio: "Hello."), as: me)
            }
            let refused = try await refusal { try await rename("Queen Maya") }
            #expect(refused?.errors.map { "\($0.field) \($0.code)" } == ["name locked"])
            #expect(try await rename(" Maya Tan").bio == "Hello.")
            // A provider without a name leaves it to the person.
            let plain = try await bench.visit(sub: "2", [:])
            #expect(try await bench.proposal(plain.ticket).name == nil)
            #expect(try await refusal { try await bench.signUp(plain.ticket) }?.errors.map(\.field) == ["name"])
            let second = try await bench.signUp(plain.ticket, email: "b@example.org", name: "Ben")
            let ben = Caller(person: second.person.id)
            let renamed = try await bench.auth.call(
                AuthMethods.changeProfile, Nothing(), ProfileChange(name: "Benno"), as: ben)
            #expect(renamed.name == "Benno")
            #expect(try await bench.visit(sub: "2", [:]).signedIn?.person.name == "Benno")
        }
    }

    @Test func the_only_way_in_stays_until_there_is_a_password() async throws {
        try await IdentityBench.run { (bench) async throws in
            let account = try await bench.signUp(try await bench.visit().ticket)
            let me = Caller(person: account.person.id)
            #expect(try await refusal { try await bench.unlink(as: me) }?.code == .lastWayIn)
            // No password leads into it, the empty one neither.
            for password in ["", "quiet river stones", String(repeating: "\0", count: 32)] {
                #expect(try await refusal { try await bench.auth.signIn("maya@example.org", password) } != nil)
            }
            try await bench.auth.showAddress("maya@example.org")
            let office = PostOffice()
            let _: Nothing = try await bench.auth.call(
                AuthMethods.requestPasswordReset, LanguageParameters(), PasswordResetRequest(email: "maya@example.org"))
            _ = try await bench.auth.mails(to: office).round()
            let token = try #require(office.orders.last?.passwordReset?.accounts.first?.token)
            let _: Nothing = try await bench.auth.call(
                AuthMethods.resetPassword, Nothing(), PasswordReset(token: token, password: "a path through the reeds"))
            try await bench.unlink(as: me)
            #expect(try await bench.linked(me).isEmpty)
            #expect(
                try await bench.auth.signIn("maya@example.org", "a path through the reeds").person.id
                    == account.person.id)
            // Whom the provider sends now is new, and the name is free.
            #expect(try await bench.visit().signedIn == nil)
            #expect(try await refusal { try await bench.unlink(as: me) }?.code == .notFound)
        }
    }

    @Test func an_identity_belongs_to_one_account_and_an_account_has_one_of_each_provider() async throws {
        try await IdentityBench.run { (bench) async throws in
            _ = try await bench.signUp(try await bench.visit(sub: "1").ticket)
            let ben = Caller(person: try await bench.auth.newcomer("Ben"))
            let tickets = [try await bench.visit(sub: "2").ticket, try await bench.visit(sub: "3").ticket]
            _ = try await bench.link(tickets[0], as: ben)
            #expect(try await refusal { try await bench.link(tickets[1], as: ben) }?.code == .identityTaken)
            // Two windows, one person: the second sign-up finds the first.
            let (one, two) = (try await bench.visit(sub: "4").ticket, try await bench.visit(sub: "4").ticket)
            _ = try await bench.signUp(one, email: "four@example.org")
            #expect(try await refusal { try await bench.signUp(two, email: "4@example.org") }?.code == .identityTaken)
            #expect(try await bench.auth.count("accounts") == 3)
        }
    }

    @Test func where_one_joins_with_a_provider_only_no_password_makes_an_account() async throws {
        try await IdentityBench.run({ configuration, _ in configuration.identities.passwords = false }) {
            (bench) async throws in
            #expect(try await refusal { try await bench.auth.signUp("maya@example.org") }?.code == .forbidden)
            _ = try await bench.signUp(try await bench.visit().ticket)
            let providers = try await bench.auth.call(AuthMethods.identityProviders, Nothing(), Nothing())
            #expect(providers.items.map(\.id) == ["campus"] && !providers.passwords)
        }
    }

    @Test func neither_secrets_nor_what_a_provider_says_can_be_read_in_the_database() async throws {
        try await IdentityBench.run { (bench) async throws in
            let profile: [String: any Sendable] = ["name": "Maya Tan", "email": "maya.at.campus@example.org"]
            let way = try await bench.start()
            let code = bench.agree(way, sub: "subject-24400320", profile)
            let waiting = try await bench.finish(way, code: code)
            let other = try await bench.start()
            let done = try await bench.finish(other, code: bench.agree(other, sub: "subject-2", profile))
            _ = try await bench.signUp(done.ticket, email: "maya@example.org")
            _ = try await bench.visit(sub: "subject-2", profile)
            let dump = try await bench.auth.dump(besides: ["identities", "identity_sign_ins", "refusals"])
            #expect(dump.contains("campus") && dump.contains("Maya Tan"))
            var secrets = [
                way.state, way.nonce, other.nonce, code, waiting.ticket ?? "?", "subject-", ".at.campus", "at-1",
                ProviderDouble.secret, IdentityBench.browser,
            ]
            let id = try #require(IdentityToken(way.state)).signIn
            secrets.append(Base64URL.encode(bench.auth.secrets.identitySecret(.verifier, of: id)))
            for secret in secrets {
                let hex = secret.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
                #expect(!dump.contains(secret) && !dump.contains(hex), "\(secret)")
            }
        }
    }
}
