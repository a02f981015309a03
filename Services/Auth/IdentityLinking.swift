import FoundationEssentials
import Messaging
import PlainText
import WireProtocol

// What can be done with a ticket, and with what is linked.

extension IdentityUseCases {
    /// What a sign-up with this ticket begins with.
    /// - Throws: `identity_stale`.
    func proposal(of ticket: String, for caller: Caller) async throws -> IdentityProposal {
        let held = try await held(ticket, by: caller)
        guard held.signIn.usedAt == nil else { throw Self.stale }
        let provider = held.connection.settings
        let email = held.identity.email(at: provider)
        var hasAccount = false
        // Only who reads the mailbox learns that there is an account: the provider says that this one does.
        if let email, email.isVerified, held.signIn.person == nil {
            hasAccount = try await database.stores.identities.hasAccount(at: secrets.digest(of: email.address))
        }
        return IdentityProposal(
            provider: provider.shown, name: held.identity.name(by: rules), email: email?.address.text,
            username: try await username(for: held.identity), picture: held.identity.picture(at: provider) != nil,
            hasAccount: hasAccount, next: held.signIn.next)
    }

    /// The provider's username where it is one here and free, else one like it.
    private func username(for identity: ProvidedIdentity) async throws -> String? {
        let local = identity.profile.email.map { String($0.prefix { $0 != "@" && $0 != "+" }) }
        for candidate in [identity.profile.username, local] {
            guard let wanted = try? rules.username(candidate?.nonEmpty) else { continue }
            var generator = SystemRandomNumberGenerator()
            let others = UsernameSuggestions.like(wanted, using: &generator)
            let taken = try await database.stores.accounts.takenUsernames(among: [wanted] + others, besides: nil)
            return UsernameSuggestions.choose(from: [wanted] + others, taken: taken).first
        }
        return nil
    }

    /// - Throws: `not_found` where the provider has none, or does not give it.
    func picture(of ticket: String, _ context: RequestContext) async throws -> IdentityPicture {
        let held = try await held(ticket, by: context.caller)
        let bytes = await held.connection.picture(
            of: held.identity, before: context.deadline.addingTimeInterval(-0.5))
        guard let bytes else { throw ServiceError.notFound("picture") }
        return IdentityPicture(base64: Data(bytes).base64EncodedString())
    }

    /// Makes an account into which the provider leads, and no password.
    /// - Throws: `invalid`, `username_taken`; `identity_stale`; `identity_taken` where another ticket of the same identity was faster.
    func signUp(_ form: IdentitySignUp, device: DeviceParameters, _ context: RequestContext) async throws
        -> IssuedSession
    {
        let held = try await held(form.ticket, by: context.caller)
        guard held.signIn.person == nil else { throw Self.stale }
        let (email, profile) = try rules.check(form, name: held.identity.name(by: rules))
        let now = now()
        return try await usernameChecked {
            try await database.command(context) { transaction in
                guard try await transaction.identities.use(held.signIn.id, now: now) else { throw Self.stale }
                let account = Account(id: .new(at: now), email: email, profile: profile, joinedAt: now)
                let credentials = Credentials(withoutPassword: secrets.digest(of: email))
                guard try await transaction.accounts.add(account, credentials),
                    try await transaction.identities.add(link(held, to: account.id, now))
                else { throw Self.taken }
                transaction.publish(PersonChanged(person: account.summary), "person/\(account.id)")
                let vouched = held.identity.email(at: held.connection.settings)
                if let vouched, vouched.isVerified, vouched.address.key == email.key {
                    try await transaction.stores.addresses.vouch(for: account.id, at: now)
                }
                let joined = try await transaction.accounts.account(account.id, locked: false) ?? account
                return try await transaction.open(joined, device: device, sessions, secrets, now)
            }
        }
    }

    /// What the caller may sign in with.
    func linked(by caller: Caller) async throws -> Page<LinkedIdentity> {
        let person = try caller.requirePerson()
        return Page(items: try await linked(to: person))
    }

    func linked(to person: PersonID) async throws -> [LinkedIdentity] {
        try await database.stores.identities.identities(of: person).map(shown)
    }

    /// Links the identity with the caller's account. The person is told.
    /// - Throws: `proof_needed`, `identity_stale`, `identity_taken`.
    func link(_ ticket: String, _ context: RequestContext) async throws -> LinkedIdentity {
        let person = try context.caller.requirePerson()
        let held = try await held(ticket, by: context.caller)
        let now = now()
        return try await database.command(context) { transaction in
            guard try await transaction.identities.use(held.signIn.id, now: now) else { throw Self.stale }
            // The use of the ticket goes back with this refusal.
            try await transaction.requireProof(context.caller, at: now)
            guard var account = try await transaction.accounts.account(person, locked: true) else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            let identity = link(held, to: person, now)
            guard try await transaction.identities.add(identity) else { throw Self.taken }
            try await transaction.follow(held.identity.name(by: rules), &account)
            try await tell(.identityLinked, identity, in: transaction, at: now)
            return shown(identity)
        }
    }

    /// The person is told.
    /// - Throws: `proof_needed`; `not_found`; `last_way_in` where the person could not sign in any more.
    func unlink(_ provider: String, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        let now = now()
        _ = try await database.command(context) { transaction in
            // Held, so that of two who leave at once the second one sees what the first one left.
            guard try await transaction.accounts.account(person, locked: true) != nil else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            let all = try await transaction.identities.identities(of: person)
            guard let identity = all.first(where: { $0.provider == provider }) else {
                throw ServiceError.notFound("identity")
            }
            try await transaction.requireProof(context.caller, at: now)
            // A provider that the operator has given up leads nowhere.
            let others = all.filter { $0 != identity && known($0.provider) != nil }
            var hasAnother = try await transaction.identities.hasPassword(person)
            if !hasAnother {
                let passkeys = try await transaction.stores.passkeys.passkeys(of: person)
                hasAnother = passkeys.contains { $0.isGood(at: passkeyHost) }
            }
            guard hasAnother || !others.isEmpty else {
                throw ServiceError(
                    .lastWayIn,
                    "Without it you could not sign in any more. Choose a password first (Forgot your password?).")
            }
            try await transaction.identities.remove(identity)
            try await tell(.identityUnlinked, identity, in: transaction, at: now)
            return Nothing()
        }
    }

    /// Removes all of somebody's, who has another way in. They are told of each.
    func unlinkAll(of person: PersonID, in transaction: AuthTransaction, at now: Date) async throws {
        for identity in try await transaction.identities.identities(of: person) {
            try await transaction.identities.remove(identity)
            try await tell(.identityUnlinked, identity, in: transaction, at: now)
        }
    }

    private func tell(
        _ kind: NoticeKind, _ identity: Identity, in transaction: AuthTransaction, at now: Date
    ) async throws {
        let name = shown(identity).provider.name
        try await transaction.tell(
            KeptNotice(.new(at: now), kind, for: identity.person, title: name, at: now), at: now)
    }

    // MARK: Tickets

    private struct Held: Sendable {
        let signIn: IdentitySignIn
        let identity: ProvidedIdentity
        let connection: ProviderConnection
    }

    /// Whether it was used before is for a command to find out: a request that is repeated is answered as before.
    private func held(_ ticket: String, by caller: Caller) async throws -> Held {
        guard let token = IdentityToken(ticket), token.isGood(.ticket, secrets),
            let signIn = try await database.stores.identities.signIn(token.signIn), signIn.expiresAt > now(),
            signIn.person == nil || signIn.person == caller.person, let identity = signIn.identity,
            let connection = connections.first(where: { $0.settings.id == signIn.provider })
        else { throw Self.stale }
        return Held(signIn: signIn, identity: identity, connection: connection)
    }

    private func link(_ held: Held, to person: PersonID, _ now: Date) -> Identity {
        let provider = held.connection.settings
        return Identity(
            id: .version7(at: now), person: person, provider: provider.id, issuer: provider.issuer,
            digest: secrets.identityDigest(issuer: provider.issuer, subject: held.identity.subject),
            label: held.identity.label, givesName: held.identity.name(by: rules) != nil, since: now, lastUsedAt: now)
    }

    private func known(_ provider: String) -> IdentityProvider? {
        settings.providers.first { $0.id == provider }?.shown
    }

    private func shown(_ identity: Identity) -> LinkedIdentity {
        LinkedIdentity(
            provider: known(identity.provider) ?? IdentityProvider(id: identity.provider, name: identity.provider),
            account: identity.label, name: identity.givesName, since: identity.since, lastUsedAt: identity.lastUsedAt)
    }
}
