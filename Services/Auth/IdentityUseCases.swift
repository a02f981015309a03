import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked by who comes from an outside identity provider.
struct IdentityUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let rules: ProfileRules
    let settings: IdentitySettings
    let connections: [ProviderConnection]
    /// The host whose passkeys lead in here; nil where none do.
    let passkeyHost: String?
    let policy: IdentityPolicy
    let sessions: SessionPolicy
    let now: @Sendable () -> Date

    static let stale = ServiceError(
        .identityStale, "This took too long, was finished before, or began in another browser. Begin again.")
    static let taken = ServiceError(
        .identityTaken, "Somebody has an account with this identity already, or you have another one there.")

    /// What comes of a way back: a session, or a ticket.
    struct Finished: Sendable {
        var issued: IssuedSession?
        var ticket: String?
        var link = false
        var next: String?
    }

    var providers: IdentityProviders {
        IdentityProviders(items: settings.providers.map(\.shown), passwords: settings.passwords)
    }

    /// Where to send a browser.
    /// - Throws: `not_found`; `identity_away` where the provider does not answer; `too_many_requests`.
    func start(_ form: IdentityStart, _ context: RequestContext) async throws -> IdentityRedirect {
        let connection = try connection(form.provider)
        let person = form.link ? try context.caller.requirePerson() : nil
        let description = try await connection.description()
        let now = now()
        let signIn = IdentitySignIn(
            id: .version7(at: now), provider: form.provider, person: person, next: form.next, startedAt: now,
            expiresAt: now.addingTimeInterval(policy.lifetime))
        let network = secrets.attemptKey(
            ["identities", Attempt.network(of: context.caller.address ?? "")].map { Array($0.utf8) })
        let mayBegin = try await database.stores.identities.begin(
            signIn, from: network, atMost: policy.perNetwork, since: now.addingTimeInterval(-policy.window))
        guard mayBegin else {
            throw ServiceError(
                .tooManyRequests, "Too many attempts from here. Try again later.", retryAfter: Int(policy.window))
        }
        return IdentityRedirect(
            url: signIn.address(
                at: description.authorizationEndpoint, client: connection.settings.client, redirect: form.redirect,
                browser: form.browser, secrets))
    }

    /// Takes somebody in whom a provider sends back. Sent twice, it does its work once.
    /// - Throws: `identity_stale`, `identity_denied`, `identity_refused`; `identity_away` where the provider does not answer.
    func finish(_ form: IdentityReturn, _ context: RequestContext) async throws -> Finished {
        let connection = try connection(form.provider)
        guard let state = IdentityToken(form.state), state.isGood(.state, bound: Array(form.browser.utf8), secrets),
            let signIn = try await database.stores.identities.signIn(state.signIn), signIn.expiresAt > now(),
            signIn.provider == form.provider, signIn.person == nil || signIn.person == context.caller.person
        else { throw Self.stale }
        let description = try await connection.description()
        guard description.isAnswerer(form.issuer) else { throw ProviderConnection.refused }
        guard let code = form.code, form.error == nil else {
            _ = try await database.stores.identities.use(signIn.id, now: now())
            throw form.error == "access_denied"
                ? ServiceError(.identityDenied, "You did not agree, so nothing was done.") : ProviderConnection.refused
        }
        let identity = try await identity(of: signIn, code, form, connection, context)
        let ticket = IdentityToken(.ticket, of: signIn.id, secrets).text
        if signIn.person != nil { return Finished(ticket: ticket, link: true, next: signIn.next) }
        let digest = secrets.identityDigest(issuer: connection.settings.issuer, subject: identity.subject)
        guard let found = try await database.stores.identities.identity(digest, locked: false) else {
            return Finished(ticket: ticket, next: signIn.next)
        }
        let issued = try await enter(found, identity, signIn, device: form.device, context)
        return Finished(issued: issued, next: signIn.next)
    }

    /// What the provider says, asked once: a code is good once.
    private func identity(
        of signIn: IdentitySignIn, _ code: String, _ form: IdentityReturn, _ connection: ProviderConnection,
        _ context: RequestContext
    ) async throws -> ProvidedIdentity {
        if let identity = signIn.identity { return identity }
        try await connection.enter()
        do {
            let identity = try await asked(signIn, code, form, connection, context)
            await connection.leave()
            return identity
        } catch {
            await connection.leave()
            throw error
        }
    }

    private func asked(
        _ signIn: IdentitySignIn, _ code: String, _ form: IdentityReturn, _ connection: ProviderConnection,
        _ context: RequestContext
    ) async throws -> ProvidedIdentity {
        let store = database.stores.identities
        let deadline = context.deadline.addingTimeInterval(-0.5)
        guard try await store.claim(signIn.id, now: now()) else {
            return try await awaited(signIn.id, until: deadline)
        }
        do {
            let identity = try await connection.identity(
                for: code, verifier: signIn.verifier(secrets), nonce: signIn.nonce(secrets), redirect: form.redirect,
                before: deadline)
            try await store.keep(identity, of: signIn.id, until: now().addingTimeInterval(policy.ticket))
            return identity
        } catch {
            // The code may be spent: whoever waits for this one need not wait any longer.
            _ = try? await store.use(signIn.id, now: now())
            throw error
        }
    }

    /// Pressed twice, the same code comes twice; the second one waits for what the first one learns.
    private func awaited(_ id: UUID, until deadline: Date) async throws -> ProvidedIdentity {
        while Date() < deadline {
            guard let signIn = try await database.stores.identities.signIn(id), signIn.usedAt == nil,
                let claimed = signIn.claimedAt, now().timeIntervalSince(claimed) < policy.exchange
            else { break }
            if let identity = signIn.identity { return identity }
            try await Task.sleep(for: .milliseconds(50))
        }
        // It may have been used in the very moment: then it is there.
        guard let identity = try await database.stores.identities.signIn(id)?.identity else { throw Self.stale }
        return identity
    }

    /// Opens a session of the account that the identity is linked with; name and address there follow the provider.
    private func enter(
        _ found: Identity, _ provided: ProvidedIdentity, _ signIn: IdentitySignIn, device: DeviceParameters,
        _ context: RequestContext
    ) async throws -> IssuedSession {
        let now = now()
        return try await database.command(context) { transaction in
            guard try await transaction.identities.use(signIn.id, now: now),
                var account = try await transaction.accounts.account(found.person, locked: true),
                var identity = try await transaction.identities.identity(found.digest, locked: true),
                identity.person == account.id
            else { throw Self.stale }
            let name = provided.name(by: rules)
            (identity.label, identity.givesName, identity.lastUsedAt) = (provided.label, name != nil, now)
            try await transaction.identities.save(identity)
            try await transaction.follow(name, &account)
            let issued = try await transaction.open(account, device: device, sessions, secrets, now)
            try await transaction.tellOfDevice(issued, device, at: now)
            return issued
        }
    }

    func connection(_ id: String) throws(ServiceError) -> ProviderConnection {
        guard let connection = connections.first(where: { $0.settings.id == id }) else {
            throw .notFound("identity provider")
        }
        return connection
    }
}

extension AuthTransaction {
    /// Takes over the name that a provider gives.
    func follow(_ name: String?, _ account: inout Account) async throws {
        guard let name, name != account.profile.name else { return }
        var profile = account.profile
        profile.name = name
        let news = account.change(to: profile)
        try await accounts.save(account)
        for event in news { publish(event, "person/\(account.id)") }
    }

    /// - Throws: `invalid` at `name`, where a provider gives it.
    func checkNameIsOwn(of person: PersonID) async throws {
        guard try await identities.identities(of: person).contains(where: \.givesName) else { return }
        throw ServiceError.invalid([
            FieldError("name", "locked", "Your name comes from the identity provider that you are linked with.")
        ])
    }
}
