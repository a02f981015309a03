import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Who is an operator, as auth says it to other services.
@Suite struct OperatorTests {
    @Test func the_role_is_looked_up_at_each_call_and_no_token_and_no_other_role_stands_in_for_it() async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let maya = try await auth.signUp("maya@example.org").person.id
            let mod = try await village.moderators(1)[0]
            func require(_ caller: Caller) async throws -> ErrorCode? {
                try await refusal {
                    let _: Nothing = try await auth.call(AuthMethods.operatorAccess, Nothing(), Nothing(), as: caller)
                }?.code
            }
            #expect(try await require(Caller()) == .unauthenticated)
            for person in [maya, mod, .new()] {
                #expect(try await require(Caller(person: person, roles: [.operator, .moderator])) == .forbidden)
            }
            #expect(try await change(maya, true, auth).map(\.roles) == [[.operator]])
            // Whatever an older token says.
            #expect(try await require(Caller(person: maya)) == nil)
            #expect(
                try await auth.call(AuthMethods.roleHolders, RoleQuery(role: .operator), Nothing()).items.map(\.id) == [
                    maya
                ])
            #expect(
                try await auth.call(AuthMethods.roleHolders, RoleQuery(role: .moderator), Nothing()).items.map(\.id)
                    == [mod])
            // An operator keeps no order.
            #expect(try await refusal { try await village.cases(by: maya) }?.code == .forbidden)
            _ = try await change(maya, false, auth)
            #expect(try await require(Caller(person: maya, roles: [.operator])) == .forbidden)
            let log = try await village.audit(of: maya, by: mod)
            #expect(Set(log.map(\.act)) == [.grantOperator, .revokeOperator])
        }
    }

    @Test func what_they_do_is_noted_once_and_what_others_do_not_at_all() async throws {
        try await ModerationVillage.run { village in
            let auth = village.auth
            let maya = try await auth.signUp("maya@example.org").person.id
            let mod = try await village.moderators(1)[0]
            _ = try await change(maya, true, auth)
            let (mail, request) = (UUID.version7(), UUID.version7())
            func note(_ act: AuditedAct, _ person: PersonID, _ id: UUID = .version7()) async throws -> ErrorCode? {
                try await refusal {
                    let _: Nothing = try await auth.call(
                        AuthMethods.noteOperatorAct, Nothing(), OperatorAct(act, of: mail), as: Caller(person: person),
                        id: id)
                }?.code
            }
            auth.clock.advance(by: .seconds(1))
            for _ in 0..<2 { #expect(try await note(.readMail, maya, request) == nil) }
            #expect(try await note(.readMail, mod) == .forbidden)
            #expect(try await note(.suspend, maya) == .malformed)
            let log = try await village.audit(of: maya, by: mod)
            #expect(log.map(\.act) == [.readMail, .grantOperator])
            #expect(log[0].by?.id == maya)
            #expect(log[0].changes == [AuditChange(of: "mail", from: nil, to: mail.uuidString.lowercased())])
        }
    }

    private func change(_ person: PersonID, _ isGranted: Bool, _ auth: AuthBench) async throws -> [RoleHolder] {
        try await auth.call(
            AuthMethods.changeRole, Nothing(),
            RoleChange(who: person.description, role: .operator, isGranted: isGranted)
        ).items
    }
}
