internal import Messaging
internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Who may keep order: what the operator can ask.
struct ModeratorUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let now: @Sendable () -> Date

    func moderators() async throws -> Page<ModeratorAccount> {
        Page(items: try await database.stores.moderators.moderators().map(ModeratorAccount.init))
    }

    /// Gives the role or takes it away, with a line in the audit log. It holds from the next call on.
    /// - Returns: Whom it could mean. Where that is more than one, none was changed.
    func change(_ change: ModeratorChange, _ context: RequestContext) async throws -> Page<ModeratorAccount> {
        let now = now()
        return try await database.command(context) { transaction in
            let found = try await find(change.who, in: transaction.stores)
            guard !found.isEmpty else { throw ServiceError.notFound("account") }
            guard found.count == 1, let id = found.first?.id,
                var account = try await transaction.accounts.account(id, locked: true)
            else { return Page(items: found.map(ModeratorAccount.init)) }
            let before = account.roles
            if change.isModerator { account.roles.insert(.moderator) } else { account.roles.remove(.moderator) }
            if account.roles != before {
                try await transaction.stores.moderators.setRoles(account.roles, of: id)
                try await transaction.stores.audit.add(
                    AuditRecord(
                        id: .new(at: now), at: now, by: nil,
                        act: change.isModerator ? .grantModerator : .revokeModerator, person: id,
                        before: ["roles": before.listed], after: ["roles": account.roles.listed]))
            }
            return Page(items: [ModeratorAccount(account)])
        }
    }

    private func find(_ who: String, in stores: AuthStores) async throws -> [Account] {
        if let id = PersonID(who) { return try await stores.accounts.account(id, locked: false).map { [$0] } ?? [] }
        let digest = EmailAddress(who).map { secrets.digest(of: $0) }
        let username = who.hasPrefix("@") ? String(who.dropFirst()) : who
        return try await stores.moderators.accounts(emailDigest: digest, username: username.lowercased())
    }
}

extension Set<PersonRole> {
    fileprivate var listed: String { map(\.rawValue).sorted().joined(separator: " ") }
}

extension ModeratorAccount {
    fileprivate init(_ account: Account) {
        self.init(
            id: account.id, name: account.profile.name, username: account.profile.username,
            memberSince: account.joinedAt, isModerator: account.roles.contains(.moderator))
    }
}
