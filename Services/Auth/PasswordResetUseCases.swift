import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked by who has forgotten a password.
struct PasswordResetUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let hasher: any PasswordHashing
    let policy: ResetPolicy
    let limits: AttemptLimits
    /// Whose identities may be removed with the old password.
    let identities: IdentityUseCases
    let now: @Sendable () -> Date

    static let dead = ServiceError.invalid([
        FieldError("token", "dead", "This link is no longer good. Ask for a new one.")
    ])

    /// Notes that somebody wants a mail. Nothing here looks for an account, so nothing tells whether there is one.
    /// - Throws: `too_many_requests` for a network address that asks for many; who asks often for one address is answered as ever, and
    ///   no further mail goes there.
    func request(_ form: PasswordResetRequest, language: String?, _ context: RequestContext) async throws {
        let email = try EmailAddress(ofField: form.email)
        let now = now()
        let network = secrets.attemptKey(
            ["resets", Attempt.network(of: context.caller.address ?? "")].map { Array($0.utf8) })
        let reset = PasswordResetCase(
            id: .version7(at: now), emailDigest: secrets.digest(of: email), requestedAt: now,
            expiresAt: now.addingTimeInterval(policy.lifetime))
        let mail = OutgoingMail(
            id: reset.id, kind: .passwordReset, language: Language.code(language), expiresAt: reset.expiresAt)
        _ = try await database.command(context) { transaction in
            let resets = transaction.stores.resets
            let tally = try await resets.tally(
                of: reset.emailDigest, from: network, since: now.addingTimeInterval(-policy.window))
            guard tally.network < policy.perNetwork else {
                throw ServiceError(
                    .tooManyRequests, "Too many requests from here. Try again later.", retryAfter: Int(policy.window))
            }
            guard tally.email < policy.perAddress else { return Nothing() }
            try await resets.add(reset, from: network)
            try await transaction.stores.outgoing.add(mail, dueAt: now)
            return Nothing()
        }
    }

    /// Whose password a link sets.
    /// - Throws: `invalid` at `token` where it is no longer good.
    func account(of text: String) async throws -> PasswordResetAccount {
        guard let (_, found) = try await find(text, in: database.stores) else { throw Self.dead }
        let account = found.account
        return PasswordResetAccount(
            name: account.profile.name, username: account.profile.username, memberSince: account.joinedAt,
            identities: try await identities.linked(to: account.id).map(\.provider))
    }

    /// Sets the password, once, and ends every session of the account.
    /// - Throws: `invalid` at `token` or `password`.
    func reset(_ form: PasswordReset, _ context: RequestContext) async throws {
        let now = now()
        // A repeated request finds its link spent, and is answered from the record: only the transaction says that a link is dead.
        let hash = try await newHash(form, context)
        _ = try await database.command(context) { transaction in
            guard let hash, let (token, found) = try await find(form.token, in: transaction.stores, locked: true),
                try await transaction.stores.resets.use(token.reset, for: token.account)
            else { throw Self.dead }
            try await transaction.stores.credentials.setPassword(hash, of: token.account)
            // Who holds the link reads the mail: what was guessed from here before was no attack.
            let attempt = Attempt(at: found.account.email, context, secrets)
            try await transaction.stores.attempts.forgive(
                attempt, knownUntil: now.addingTimeInterval(limits.remembered))
            try await transaction.end(.all, of: token.account, now)
            // Whoever had the old password may have left a way in for themselves.
            _ = try await transaction.stores.calendars.remove(of: token.account)
            try await transaction.stores.addresses.removeAll(of: token.account)
            let hadPasskeys = try await transaction.stores.passkeys.removeAll(of: token.account) > 0
            let kind: NoticeKind = hadPasskeys ? .passkeysReset : .passwordChanged
            try await transaction.tell(KeptNotice(.new(at: now), kind, for: token.account, at: now), at: now)
            if form.unlink == true { try await identities.unlinkAll(of: token.account, in: transaction, at: now) }
            return Nothing()
        }
    }

    private func newHash(_ form: PasswordReset, _ context: RequestContext) async throws -> [UInt8]? {
        guard let (_, found) = try await find(form.token, in: database.stores) else { return nil }
        let password: Password
        do throws(Objection) {
            password = try Password(
                choosing: form.password, email: found.account.email, common: identities.rules.common)
        } catch {
            throw ServiceError.invalid([error.error])
        }
        return try await hasher.hash(password, for: found.account.email, before: context.deadline)
    }

    private func find(
        _ text: String, in stores: AuthStores, locked: Bool = false
    ) async throws -> (ResetToken, CredentialedAccount)? {
        guard let token = ResetToken(text), let reset = try await stores.resets.reset(token.reset),
            reset.expiresAt > now(), let found = try await stores.credentials.account(token.account, locked: locked),
            found.account.mailbox != nil, secrets.digest(of: found.account.email) == reset.emailDigest
        else { return nil }
        let right = ResetToken(reset: reset.id, account: token.account, passwordHash: found.passwordHash, secrets)
        return right.matches(token) ? (token, found) : nil
    }
}

/// A language tag as it may be kept: `de`, `en-gb`; English for anything else.
enum Language {
    static func code(_ text: String?) -> String {
        guard let text = text?.lowercased(), (2...8).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") })
        else { return "en" }
        return text
    }
}
