import FoundationEssentials
import Messaging
import WireProtocol

/// Who may do more than others.
///
/// Who has a role is looked up at each call: what a token says of it may be some minutes old.
struct RoleUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let now: @Sendable () -> Date

    // MARK: At the command line

    func holders(of role: PersonRole) async throws -> Page<RoleHolder> {
        Page(items: try await database.stores.roles.holders(of: role).map(RoleHolder.init))
    }

    /// Gives the role or takes it away, with a line in the audit log. It holds from the next call on.
    ///
    /// Anybody may join with an address. So an address gives the role only to the account that has shown it.
    /// - Returns: Whom it could mean. Where that is not one, none was changed.
    func change(_ change: RoleChange, _ context: RequestContext) async throws -> Page<RoleHolder> {
        let now = now()
        let address = EmailAddress(change.who)
        return try await database.command(context) { transaction in
            let found = try await find(change.who, address, in: transaction.stores)
            guard !found.isEmpty else { throw ServiceError.notFound("account") }
            let meant = address == nil ? found : change.meant(among: found)
            guard meant.count == 1, let id = meant.first?.id,
                var account = try await transaction.accounts.account(id, locked: true)
            else { return Page(items: (meant.isEmpty ? found : meant).map(RoleHolder.init)) }
            // Somebody else may have shown it in this moment.
            if change.isGranted, let address, account.mailbox?.key != address.key {
                throw ServiceError(.unavailable, "Try again.", retryAfter: 1)
            }
            let before = account.roles
            if change.isGranted { account.roles.insert(change.role) } else { account.roles.remove(change.role) }
            if account.roles != before {
                try await transaction.stores.roles.setRoles(account.roles, of: id)
                try await transaction.stores.audit.add(
                    AuditRecord(
                        id: .new(at: now), at: now, by: nil, act: change.audited, person: id,
                        before: ["roles": before.listed], after: ["roles": account.roles.listed]))
                transaction.publish(RolesChanged(person: id, roles: RoleHolder(account).roles), "person/\(id)")
            }
            return Page(items: [RoleHolder(account)])
        }
    }

    private func find(_ who: String, _ address: EmailAddress?, in stores: AuthStores) async throws -> [Account] {
        if let id = PersonID(who) { return try await stores.accounts.account(id, locked: false).map { [$0] } ?? [] }
        let digest = address.map { secrets.digest(of: $0) }
        let username = who.hasPrefix("@") ? String(who.dropFirst()) : who
        return try await stores.roles.accounts(emailDigest: digest, username: username.lowercased())
    }

    // MARK: Operators

    /// - Throws: `forbidden`, `unauthenticated`.
    func requireOperator(_ caller: Caller) async throws {
        _ = try await database.stores.requireOperator(caller, at: now())
    }

    /// Notes what an operator does before it is done: what is not noted is not done.
    func note(_ act: OperatorAct, _ context: RequestContext) async throws {
        guard [.readMail, .retryMail].contains(act.act) else {
            throw ServiceError(.malformed, "This is nothing that an operator does with a mail.")
        }
        let now = now()
        _ = try await database.command(context) { transaction in
            let me = try await transaction.stores.requireOperator(context.caller, at: now)
            try await transaction.stores.audit.add(
                AuditRecord(
                    id: .new(at: now), at: now, by: me, act: act.act, person: me,
                    after: ["mail": act.mail.uuidString.lowercased()]))
            return Nothing()
        }
    }
}

extension AuthStores {
    fileprivate func requireOperator(_ caller: Caller, at now: Date) async throws -> PersonID {
        let me = try caller.requirePerson()
        guard try await roles.holds(.operator, me, at: now) else {
            throw ServiceError(.forbidden, "Only operators may do that.")
        }
        return me
    }
}

extension RoleChange {
    /// Of those who have said an address: who has shown it is given a role, and who has the role loses it.
    fileprivate func meant(among found: [Account]) -> [Account] {
        if isGranted { return found.filter { $0.mailbox != nil } }
        let holders = found.filter { $0.roles.contains(role) }
        return holders.isEmpty ? found : holders
    }

    fileprivate var audited: AuditedAct {
        switch role {
        case .moderator: isGranted ? .grantModerator : .revokeModerator
        case .operator: isGranted ? .grantOperator : .revokeOperator
        }
    }
}

extension Set<PersonRole> {
    fileprivate var listed: String { map(\.rawValue).sorted().joined(separator: " ") }
}

extension RoleHolder {
    fileprivate init(_ account: Account) {
        self.init(
            id: account.id, name: account.profile.name, username: account.profile.username,
            memberSince: account.joinedAt, roles: account.roles.sorted { $0.rawValue < $1.rawValue },
            emailVerified: account.emailVerifiedAt != nil)
    }
}
