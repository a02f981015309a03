#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// Who may do more than others, as it is said at the command line; and what operators may do.

/// Gives somebody a role, or takes it away.
package struct RoleChange: Codable, Hashable, Sendable {
    /// An email address, a username, or an account's id. By an address a role is given only to who has shown that it is theirs.
    package var who: String
    package var role: PersonRole
    package var isGranted: Bool

    package init(who: String, role: PersonRole, isGranted: Bool) {
        self.who = who
        self.role = role
        self.isGranted = isGranted
    }
}

package struct RoleQuery: Codable, Hashable, Sendable {
    package var role: PersonRole
    package init(role: PersonRole) { self.role = role }
}

/// An account as it is told from others at the command line.
package struct RoleHolder: Codable, Hashable, Sendable {
    package var id: PersonID
    package var name: String
    package var username: String?
    package var memberSince: Date
    /// In the order of the names.
    package var roles: [PersonRole]
    /// Whether they have shown that their address is theirs.
    package var emailVerified: Bool?

    package init(
        id: PersonID, name: String, username: String?, memberSince: Date, roles: [PersonRole],
        emailVerified: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.username = username
        self.memberSince = memberSince
        self.roles = roles
        self.emailVerified = emailVerified
    }
}

/// What an operator does with one mail or text.
package struct OperatorAct: Codable, Hashable, Sendable {
    /// `readMail` or `retryMail`.
    package var act: AuditedAct
    package var mail: UUID

    package init(_ act: AuditedAct, of mail: UUID) {
        self.act = act
        self.mail = mail
    }
}

extension AuthMethods {
    /// The accounts that were meant. Of more than one none is changed: an address may have several. Nor is one that is to be given a role by an
    /// address that it has not shown.
    package static let changeRole = Method<Nothing, RoleChange, Page<RoleHolder>>(
        "auth.changeRole", .command, peers: [.operator])
    package static let roleHolders = Method<RoleQuery, Nothing, Page<RoleHolder>>(
        "auth.roleHolders", .query, peers: Capability.people.peers.union([.operator]))
    /// Refuses whoever is no operator at this moment, whatever their token says: `forbidden`, `unauthenticated`.
    package static let operatorAccess = Method<Nothing, Nothing, Nothing>(
        "auth.operatorAccess", .query, peers: [.notification])
    /// The same, with a line in the audit log.
    package static let noteOperatorAct = Method<Nothing, OperatorAct, Nothing>(
        "auth.noteOperatorAct", .command, peers: [.notification])
}

// MARK: Events

/// Somebody was given a role, or one was taken away. For services.
package struct RolesChanged: Event {
    package static let type = "rolesChanged"
    package var person: PersonID
    /// Those that are left, in the order of the names.
    package var roles: [PersonRole]

    package init(person: PersonID, roles: [PersonRole]) {
        self.person = person
        self.roles = roles
    }
}
