import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked about one's own ways in: the password, the address, and the proof that it is oneself.
struct WaysInUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let hasher: any PasswordHashing
    let accounts: AccountUseCases
    let policy: VerificationPolicy
    let now: @Sendable () -> Date

    /// Lets ways in be added and removed in this session for a while.
    /// - Throws: `invalid` at `password`, `too_many_requests`.
    func prove(_ form: ProofOfPerson, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        guard let session = context.caller.session else { throw ServiceError(.unauthenticated, "Sign in first.") }
        let account = try await accounts.account(of: person)
        guard try await database.stores.identities.hasPassword(person) else { throw AccountUseCases.signInAgain }
        try await accounts.prove(form.password, of: account, context)
        let now = now()
        _ = try await database.command(context) { transaction in
            try await transaction.sessions.prove(session, of: person, at: now)
            return Nothing()
        }
    }

    /// Sets another password, and signs every other device out. The person is told.
    /// - Throws: `invalid` at `current` or `password`, `proof_needed`, `too_many_requests`.
    func changePassword(_ form: PasswordChange, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        let account = try await accounts.account(of: person)
        var wrong: ServiceError?
        if let current = form.current {
            wrong = try await refusal(of: current, account, at: "current", context)
        }
        let refused = wrong
        let hash = try await hash(of: form.password, account, context)
        let now = now()
        // A repeated request finds another password, and is answered from the record: only the transaction refuses.
        _ = try await database.command(context) { transaction in
            if let refused { throw refused }
            guard let found = try await transaction.accounts.account(person, locked: true) else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            if form.current == nil { try await transaction.requireProof(context.caller, at: now) }
            // The hash is of the address: one that changed in this moment has another.
            guard found.email.key == account.email.key else {
                throw ServiceError(.unavailable, "Try again.", retryAfter: 1)
            }
            try await transaction.stores.credentials.setPassword(hash, of: person)
            try await transaction.stores.addresses.removeAll(of: person)
            try await transaction.end(.others(than: context.caller.session), of: person, now)
            try await transaction.tell(KeptNotice(.new(at: now), .passwordChanged, for: person, at: now), at: now)
            return Nothing()
        }
    }

    /// Notes that somebody wants a code to their address, or to one that shall take its place. Nothing here looks for whose it is.
    /// - Throws: `invalid` at `email` or `password`, `proof_needed`, `too_many_requests`.
    func changeEmail(_ form: EmailChange, language: String?, _ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        let email = try EmailAddress(ofField: form.email)
        guard let found = try await database.stores.credentials.account(person, locked: false) else {
            throw ServiceError(.unauthenticated, "Sign in again.")
        }
        let kept = try await kept(form.password, for: email, of: found, context)
        let now = now()
        let verification = AddressVerification(
            id: .version7(at: now), person: person, email: email, digest: secrets.digest(of: email),
            passwordHash: kept.hash, replaces: found.passwordHash, requestedAt: now,
            expiresAt: now.addingTimeInterval(policy.lifetime))
        let mail = verification.outgoing(.emailCode, in: language)
        _ = try await database.command(context) { transaction in
            if let refusal = kept.refusal { throw refusal }
            if kept.needsProof { try await transaction.requireProof(context.caller, at: now) }
            let addresses = transaction.stores.addresses
            let tally = try await addresses.tally(of: person, to: verification.digest, since: policy.since(now))
            try await transaction.send(mail, after: tally, policy, at: now) { try await addresses.add(verification) }
            return Nothing()
        }
    }

    /// Makes the address the person's, and takes it from whoever had shown it before.
    /// - Throws: `invalid` at `code`.
    func confirmEmail(_ form: EmailConfirmation, _ context: RequestContext) async throws -> Person {
        let person = try context.caller.requirePerson()
        let now = now()
        // Counted in a statement of its own: what the refusal rolls back must not be the count.
        let found = try await database.stores.addresses.attempt(by: person, now: now, atMost: policy.attempts)
        let isRight = found.map { VerificationCode.isSame(form.code, secrets.emailCode(of: $0.id)) }
        return try await database.command(context) { transaction in
            guard let found, isRight == true, try await transaction.stores.addresses.spend(found.id, at: now)
            else { throw CampusUseCases.wrong }
            return try await transaction.settle(found, now)
        }
    }

    // MARK: What becomes of the password

    /// What is kept of the password under an address: the hash is salted with it.
    private struct Kept: Sendable {
        var hash: [UInt8]
        var refusal: ServiceError?
        /// Whether the session has to show who asks, since no password does.
        var needsProof = false
    }

    private func kept(
        _ password: String?, for email: EmailAddress, of found: CredentialedAccount, _ context: RequestContext
    ) async throws -> Kept {
        var kept = Kept(hash: found.passwordHash)
        guard email.key != found.account.email.key else {
            if found.account.mailbox == email {
                kept.refusal = ServiceError.invalid([
                    FieldError("email", "same", "This is your address, and you have shown it.")
                ])
            }
            return kept
        }
        guard try await database.stores.identities.hasPassword(found.account.id) else {
            // Chance stands in the place of the hash, and is chance under any address.
            kept.needsProof = true
            return kept
        }
        kept.refusal = try await refusal(of: password ?? "", found.account, at: "password", context)
        guard kept.refusal == nil, let text = password, let password = Password(attempt: text) else { return kept }
        kept.hash = try await hasher.hash(password, for: email, before: context.deadline)
        return kept
    }

    private func hash(of text: String, _ account: Account, _ context: RequestContext) async throws -> [UInt8] {
        let password: Password
        do throws(Objection) {
            password = try Password(choosing: text, email: account.email, common: accounts.rules.common)
        } catch {
            throw ServiceError.invalid([error.error])
        }
        return try await hasher.hash(password, for: account.email, before: context.deadline)
    }

    /// What is wrong with a password that shall show who asks.
    private func refusal(
        of password: String, _ account: Account, at field: String, _ context: RequestContext
    ) async throws -> ServiceError? {
        do {
            try await accounts.prove(password, of: account, context)
            return nil
        } catch let error as ServiceError where error.code == .invalid {
            return ServiceError.invalid(error.errors.map { FieldError(field, $0.code, $0.message) })
        }
    }
}

extension AuthTransaction {
    /// Makes sure that it is the person who adds or removes a way in, and not somebody who found their device.
    /// - Throws: `proof_needed` where they have not shown it in this session lately.
    func requireProof(_ caller: Caller, at now: Date) async throws {
        guard let id = caller.session, let session = try await sessions.session(id), session.person == caller.person,
            session.isProven(at: now)
        else {
            throw ServiceError(
                .proofNeeded, "Show first that it is you: enter your password, or sign out and in again.")
        }
    }

    /// Tells somebody that their account is signed in on one more device: not of the first one, nor of one that says what another says.
    func tellOfDevice(_ issued: IssuedSession, _ device: DeviceParameters, at now: Date) async throws {
        let person = issued.person.id
        let others = try await sessions.live(of: person, now: now).filter { $0.id != issued.session }
        let name = LoginSession.device(device.device)
        guard !others.isEmpty, !others.contains(where: { $0.device == name }) else { return }
        try await tell(KeptNotice(.new(at: now), .signedIn, for: person, at: now), at: now)
    }

    fileprivate func settle(_ verification: AddressVerification, _ now: Date) async throws -> Person {
        let person = verification.person
        let others = try await stores.addresses.lock(verification.digest, for: person)
        guard let before = try await stores.credentials.account(person, locked: true),
            before.passwordHash == verification.replaces
        else { throw CampusUseCases.wrong }
        for other in others {
            try await stores.addresses.lose(other)
            try await tell(KeptNotice(.new(at: now), .emailMoved, for: other, at: now), at: now)
        }
        try await stores.addresses.keep(verification, at: now)
        if before.account.email.key != verification.email.key {
            if let old = before.account.mailbox { try await tellLeft(old, of: person, at: now) }
            try await tell(KeptNotice(.new(at: now), .emailChanged, for: person, at: now), at: now)
        }
        guard let account = try await accounts.account(person, locked: false) else {
            throw ServiceError(.unauthenticated, "Sign in again.")
        }
        return account.own
    }

    /// Who had got in leads the mails elsewhere; the one whose account it is reads it here.
    private func tellLeft(_ address: EmailAddress, of person: PersonID, at now: Date) async throws {
        let mail = OutgoingMail(
            id: .version7(at: now), kind: .leftAddress,
            language: try await stores.notices.language(of: person) ?? Language.code(nil),
            expiresAt: now.addingTimeInterval(KeptNotice.mailLifetime))
        try await stores.outgoing.add(mail, dueAt: now)
        try await stores.addresses.keep(left: address, for: mail.id)
    }
}
