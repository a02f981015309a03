import Foundation
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

    private static func claims(_ token: String) throws -> AccessTokenClaims {
        let body = try #require(Base64URL.decode(token.split(separator: ".")[1]))
        return try WireJSON.decode(from: body)
    }
}
