import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Who may keep order, as the operator says it.
@Suite struct ModeratorTests {
    @Test func an_account_is_found_by_address_username_or_id_and_changed_once() async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let maya = try await auth.signUp("maya@example.org", username: "maya").person.id
            try await auth.showAddress("maya@example.org")
            let request = UUID.version7()
            for _ in 0..<2 {
                let found = try await village.change("Maya@example.org", isModerator: true, id: request)
                #expect(found.map(\.id) == [maya] && found[0].isModerator && found[0].username == "maya")
            }
            #expect(
                try await auth.call(AuthMethods.roleHolders, RoleQuery(role: .moderator), Nothing()).items.map(\.id)
                    == [maya])
            // It is in the next token, and in what auth itself looks up.
            #expect(try await village.cases(by: maya).isEmpty)
            let session = try await auth.signIn("maya@example.org")
            let claims = try Self.claims(session.accessToken)
            #expect(claims.roles == [.moderator])
            try await village.change("@Maya", isModerator: true)
            #expect(try await village.audit(by: maya).map(\.act) == [.grantModerator])
            #expect(try await village.audit(by: maya)[0].by == nil)
            auth.clock.advance(by: .seconds(1))
            try await village.change("maya", isModerator: false)
            try await village.change(maya.description, isModerator: false)
            #expect(try await auth.call(AuthMethods.roleHolders, RoleQuery(role: .moderator), Nothing()).items.isEmpty)
            auth.clock.advance(by: .seconds(1))
            try await village.change(maya.description, isModerator: true)
            let log = try await village.audit(of: maya, by: maya)
            #expect(log.map(\.act) == [.grantModerator, .revokeModerator, .grantModerator])
            #expect(log[1].changes == [AuditChange(of: "roles", from: "moderator", to: "")])
            #expect(try await Self.claims(auth.refresh(session.refreshToken).accessToken).roles == [.moderator])
            let told = try await auth.events(RolesChanged.self).map(\.event)
            #expect(told.map(\.roles) == [[.moderator], [], [.moderator]] && told.allSatisfy { $0.person == maya })
        }
    }

    @Test func of_several_accounts_of_one_address_none_is_changed() async throws {
        try await ModerationVillage.run { village in
            let one = try await village.auth.signUp("maya@example.org").person.id
            let other = try await village.auth.signUp("maya@example.org", "another password").person.id
            let found = try await village.change("maya@example.org", isModerator: true)
            #expect(Set(found.map(\.id)) == [one, other] && found.allSatisfy { !$0.isModerator })
            #expect(try await village.change(other.description, isModerator: true).map(\.isModerator) == [true])
            for who in ["nobody@example.org", "nobody", "", PersonID.new().description] {
                #expect(try await refusal { try await village.change(who, isModerator: true) }?.code == .notFound)
            }
        }
    }

    /// Eve has joined with Maya's address, before her.
    @Test func by_an_address_a_role_goes_to_who_has_shown_it_and_to_nobody_else() async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let eve = try await auth.signUp("maya@example.org", name: "Eve").person.id
            let alone = try await village.change("Maya@example.org", isModerator: true)
            #expect(alone.map(\.id) == [eve] && alone[0].emailVerified == false && !alone[0].isModerator)
            let maya = try await auth.signUp("maya@example.org", "another password").person.id
            let both = try await village.change("maya@example.org", isModerator: true)
            #expect(both.count == 2 && both.allSatisfy { !$0.isModerator })
            #expect(try await holders(auth).isEmpty)
            #expect(try await auth.events(RolesChanged.self).isEmpty)
            #expect(try await auth.count("audit_log") == 0)
            #expect(try await refusal { try await village.cases(by: eve) }?.code == .forbidden)

            try await show("maya@example.org", auth, as: maya)
            let given = try await village.change("maya@example.org", isModerator: true)
            #expect(given.map(\.id) == [maya] && given[0].isModerator && given[0].emailVerified == true)
            #expect(try await holders(auth) == [maya])
            #expect(try await refusal { try await village.cases(by: eve) }?.code == .forbidden)
            // By her id Eve is meant, whatever address she has said.
            #expect(try await village.change(eve.description, isModerator: true).map(\.isModerator) == [true])
            #expect(try await village.change("maya@example.org", isModerator: false).count == 2)
            #expect(try await holders(auth) == [maya, eve])
            _ = try await village.change(maya.description, isModerator: false)
            // One of them has the role: it is that one who is meant.
            #expect(try await village.change("maya@example.org", isModerator: false).map(\.id) == [eve])
            #expect(try await holders(auth).isEmpty)
        }
    }

    @Test func an_address_that_was_shown_by_somebody_else_since_gives_its_earlier_owner_no_role() async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let ben = try await auth.signUp("office@example.org", name: "Ben").person.id
            try await show("office@example.org", auth, as: ben)
            let maya = try await auth.signUp("office@example.org", "another password").person.id
            try await show("office@example.org", auth, as: maya)
            #expect(try await village.change("office@example.org", isModerator: true).map(\.id) == [maya])
            #expect(try await holders(auth) == [maya])
        }
    }

    /// More than are looked at have joined with the address before.
    @Test func a_crowd_at_an_address_does_not_hide_whose_it_is() async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let crowd = try await auth.newcomers(120)
            let maya = try await auth.signUp("maya@example.org").person.id
            _ = try await auth.pool.query(
                """
                UPDATE accounts SET email = 'maya@example.org', email_digest = maya.email_digest,
                    joined_at = maya.joined_at - interval '1 day'
                FROM (SELECT email_digest, joined_at FROM accounts WHERE id = \(maya.uuid)) AS maya
                WHERE id = ANY(\(crowd.map(\.uuid)))
                """)
            #expect(try await village.change("maya@example.org", isModerator: true).count == 100)
            try await show("maya@example.org", auth, as: maya)
            #expect(try await village.change("maya@example.org", isModerator: true).map(\.id) == [maya])
            #expect(try await village.change("maya@example.org", isModerator: false).map(\.id) == [maya])
        }
    }

    private func holders(_ auth: AuthBench) async throws -> Set<PersonID> {
        Set(try await auth.call(AuthMethods.roleHolders, RoleQuery(role: .moderator), Nothing()).items.map(\.id))
    }

    /// Shows that the account's own address is theirs, by the code that is sent there.
    private func show(_ email: String, _ auth: AuthBench, as person: PersonID) async throws {
        let caller = try await auth.fresh(person)
        let _: Nothing = try await auth.call(
            AuthMethods.changeEmail, LanguageParameters(language: nil), EmailChange(email: email, password: nil),
            as: caller)
        let office = PostOffice()
        _ = try await auth.mails(to: office).round()
        let code = try #require(office.orders.first { $0.template == .emailCode }?.emailCode?.code)
        let _: Person = try await auth.call(
            AuthMethods.confirmEmail, Nothing(), EmailConfirmation(code: code), as: caller)
    }

    private static func claims(_ token: String) throws -> AccessTokenClaims {
        let body = try #require(Base64URL.decode(token.split(separator: ".")[1]))
        return try WireJSON.decode(from: body)
    }
}
