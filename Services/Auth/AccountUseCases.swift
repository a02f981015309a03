import DurableMessaging
import FoundationEssentials
import Messaging
import PlainText
import WireProtocol

/// What can be asked about accounts.
struct AccountUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let hasher: any PasswordHashing
    let rules: ProfileRules
    let limits: AttemptLimits
    let policy: SessionPolicy
    /// Whether one may join with a password.
    let passwords: Bool
    let now: @Sendable () -> Date

    /// Makes an account and signs in; with the credentials of an account that exists, signs in there.
    ///
    /// Nothing tells whether the address has an account: whoever knows its password learns of theirs, and anybody else
    /// gets one of their own. An address belongs to whoever proves it later, not to whoever typed it first.
    func signUp(_ form: SignUp, device: DeviceParameters, _ context: RequestContext) async throws
        -> IssuedSession
    {
        guard passwords else {
            throw ServiceError(.forbidden, "Here one joins with the community's identity provider.")
        }
        let (email, password, profile) = try rules.check(form)
        let attempt = Attempt(at: email, context, secrets)
        // An attempt at a password as much as a sign-in is, and never forgiven: it succeeds with a wrong one too.
        if let refusal = try await judge(attempt).verdict.refusal { throw refusal }
        let credentials = try await credentials(email, password, attempt, before: context.deadline)
        let now = now()
        let join: @Sendable (AuthTransaction) async throws -> IssuedSession = { transaction in
            let account = Account(id: .new(at: now), email: email, profile: profile, joinedAt: now)
            let joined = try await transaction.join(account, credentials)
            return try await transaction.open(joined, device: device, policy, secrets, now)
        }
        do {
            return try await database.command(context, join)
        } catch is UsernameTaken {
            // By the same sign-up under another request, perhaps: then there is an account to sign in to by now.
            return try await usernameChecked { try await database.command(context, join) }
        }
    }

    /// Opens a session on a new device.
    /// - Throws: `wrong_credentials`, after the same work whether or not the address has an account; `too_many_requests`.
    func signIn(_ form: SignIn, device: DeviceParameters, _ context: RequestContext) async throws
        -> IssuedSession
    {
        let email = try EmailAddress(ofField: form.email)
        guard let password = Password(attempt: form.password) else {
            throw ServiceError.invalid([FieldError("password", "required", "Enter your password.")])
        }
        let attempt = Attempt(at: email, context, secrets)
        let (verdict, isKnown) = try await judge(attempt)
        if case .refused(let refusal) = verdict { throw refusal }
        let credentials = try await credentials(email, password, attempt, before: context.deadline)
        let now = now()
        let wrong =
            verdict.refusal ?? ServiceError(.wrongCredentials, "The email address or the password is not right.")
        return try await database.command(context) { transaction in
            guard let account = try await transaction.accounts.account(with: credentials),
                verdict == .allowed || isKnown
            else { throw wrong }
            try await transaction.stores.attempts.forgive(
                attempt, knownUntil: now.addingTimeInterval(limits.remembered))
            let issued = try await transaction.open(account, device: device, policy, secrets, now)
            if !isKnown { try await transaction.tellOfDevice(issued, device, at: now) }
            return issued
        }
    }

    /// Makes sure that it is the person who asks, and not somebody who found their device. Counted as a sign-in is.
    /// - Throws: `invalid` at `password`; `tooManyRequests`.
    func prove(_ password: String, of account: Account, _ context: RequestContext) async throws {
        let wrong = ServiceError.invalid([FieldError("password", "wrong", "This is not your password.")])
        guard let password = Password(attempt: password) else {
            throw ServiceError.invalid([FieldError("password", "missing", "Enter your password.")])
        }
        let attempt = Attempt(at: account.email, context, secrets)
        let (verdict, isKnown) = try await judge(attempt)
        if case .refused(let refusal) = verdict { throw refusal }
        let credentials = try await credentials(account.email, password, attempt, before: context.deadline)
        guard let found = try await database.stores.accounts.account(with: credentials), found.id == account.id,
            verdict == .allowed || isKnown
        else { throw verdict.refusal ?? wrong }
        try await database.stores.attempts.withdraw(attempt)
    }

    /// By the password, or where the account has none, by having signed in just now.
    /// - Throws: `invalid` at `password`; `tooManyRequests`.
    func proveRecently(_ password: String, of account: Account, _ context: RequestContext) async throws {
        if try await database.stores.identities.hasPassword(account.id) {
            return try await prove(password, of: account, context)
        }
        guard let id = context.caller.session, let session = try await database.stores.sessions.session(id),
            session.person == account.id, session.isProven(at: now())
        else { throw Self.signInAgain }
    }

    static let signInAgain = ServiceError.invalid([
        FieldError(
            "password", "sign_in_again",
            "You have no password. Sign out and in again, and come back within ten minutes.")
    ])

    private func credentials(_ email: EmailAddress, _ password: Password, _ attempt: Attempt, before deadline: Date)
        async throws -> Credentials
    {
        do {
            let hash = try await hasher.hash(password, for: email, before: deadline)
            var credentials = Credentials(emailDigest: secrets.digest(of: email), passwordHash: hash)
            if let earlier = email.earlier {
                credentials.earlierHash = try await hasher.hash(password, for: earlier, before: deadline)
            }
            return credentials
        } catch {
            // Nothing was learnt, so nothing is counted.
            try? await database.stores.attempts.withdraw(attempt)
            throw error
        }
    }

    func judge(_ attempt: Attempt) async throws -> (verdict: AttemptVerdict, isKnown: Bool) {
        let now = now()
        let attempts = database.stores.attempts
        let tally = try await attempts.count(attempt, now: now, window: limits.window)
        let verdict = limits.verdict(on: tally, now: now)
        // Who is refused outright has tried nothing; counting it would keep people out for as long as they ask.
        if case .refused = verdict { try await attempts.withdraw(attempt) }
        return (verdict, tally.isKnown)
    }
}

// MARK: Profiles

extension AccountUseCases {
    func me(_ context: RequestContext) async throws -> Account {
        try await account(of: try context.caller.requirePerson())
    }

    /// Somebody's own, all of it.
    func account(of id: PersonID) async throws -> Account {
        guard let account = try await database.stores.accounts.account(id, locked: false) else {
            throw ServiceError(.unauthenticated, "Sign in again.")
        }
        return account
    }

    /// As somebody else sees them: not at all where the two are apart.
    func person(_ id: PersonID, for caller: Caller) async throws -> Account {
        guard let account = try await database.stores.accounts.account(id, for: caller.person) else {
            throw ServiceError.notFound("person")
        }
        // Moderators see whom they have to judge.
        if let suspension = account.suspension, suspension.isActive(at: now()), id != caller.person,
            try await !database.stores.keepsOrder(caller, at: now())
        {
            throw ServiceError(.notAvailable, "This profile is not available.")
        }
        return account
    }

    /// What services keep of somebody, whoever may see them.
    func summary(of id: PersonID) async throws -> PersonSummary {
        guard let summary = try await database.stores.friends.summaries(of: [id])[id] else {
            throw ServiceError.notFound("person")
        }
        return summary
    }

    /// One page of everybody, as everybody may see them.
    func people(_ query: PeopleQuery) async throws -> Page<PersonSummary> {
        let limit = min(max(1, query.limit), PeopleQuery.largest)
        let found = try await database.stores.accounts.people(after: query.after, limit: limit + 1)
        let page = Array(found.prefix(limit))
        return Page(items: page, next: found.count > limit ? page.last?.id.description : nil)
    }

    /// How these people are written to. Who has no account or is suspended is not among them: nobody writes to them of what they cannot
    /// look at.
    func contacts(_ query: ContactsQuery) async throws -> Page<Contact> {
        let people = Array(Set(query.people)).sorted().prefix(ContactsQuery.largest)
        let now = now()
        let found = try await database.stores.accounts.accounts(Array(people))
        let languages = try await database.stores.notices.languages(of: Array(people))
        return Page(
            items: found.filter { $0.suspension?.isActive(at: now) != true }.map { account in
                Contact(
                    person: account.id, email: account.mailbox?.text,
                    language: languages[account.id] ?? Language.code(nil),
                    username: account.profile.username)
            })
    }

    /// Telephone numbers of people who have dealings with each other, which is for the asking service to know. Who is suspended has none.
    func phones(_ query: PhonesQuery) async throws -> Page<PersonPhone> {
        let people = Array(Set(query.people)).sorted().prefix(PhonesQuery.largest)
        let now = now()
        let found = try await database.stores.accounts.accounts(Array(people))
        return Page(
            items: found.filter { $0.suspension?.isActive(at: now) != true }.compactMap { account in
                account.profile.phone.map { PersonPhone(person: account.id, phone: $0.text) }
            })
    }

    /// Whether a username can be had. A hint: who takes it first, has it.
    /// - Throws: `invalid` where it is none.
    func availability(of text: String, _ context: RequestContext) async throws -> UsernameAvailability {
        let username: String
        do throws(Objection) {
            guard let given = try rules.username(text.nonEmpty) else {
                throw Objection("username", "required", "Enter a username.")
            }
            username = given
        } catch {
            throw ServiceError.invalid([error.error])
        }
        var generator = SystemRandomNumberGenerator()
        let others = UsernameSuggestions.like(username, using: &generator)
        let taken = try await database.stores.accounts.takenUsernames(
            among: [username] + others, besides: context.caller.person)
        guard taken.contains(username) else { return UsernameAvailability(username: username, free: true) }
        return UsernameAvailability(
            username: username, free: false, suggestions: UsernameSuggestions.choose(from: others, taken: taken))
    }

    func changeProfile(_ change: ProfileChange, _ context: RequestContext) async throws -> Person {
        let id = try context.caller.requirePerson()
        let now = now()
        return try await database.command(context) { transaction in
            guard var account = try await transaction.accounts.account(id, locked: true) else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            let profile = try rules.apply(change, to: account.profile, now: now)
            guard profile == account.profile || ContentVersion.allows(change.version, account.profile.version) else {
                throw ServiceError.changedMeanwhile(account.profile.version)
            }
            if profile.name != account.profile.name { try await transaction.checkNameIsOwn(of: id) }
            let news = account.change(to: profile)
            try await usernameChecked { try await transaction.accounts.save(account) }
            for event in news { transaction.publish(event, "person/\(id)") }
            return account.own
        }
    }
}

/// Says at the field that somebody else has a username.
func usernameChecked<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
        return try await body()
    } catch is UsernameTaken {
        let words = "Someone has this username already. Choose another."
        throw ServiceError(.usernameTaken, words, errors: [FieldError("username", "username_taken", words)])
    }
}

extension AuthTransaction {
    /// The account with these credentials: the one that there is, or this one.
    fileprivate func join(_ account: Account, _ credentials: Credentials) async throws -> Account {
        if let found = try await accounts.account(with: credentials) { return found }
        guard try await accounts.add(account, credentials) else {
            // Another request was faster, and has committed: it is there now.
            guard let found = try await accounts.account(with: credentials) else {
                throw ServiceError(.unavailable, "Try again.", retryAfter: 1)
            }
            return found
        }
        publish(PersonChanged(person: account.summary), "person/\(account.id)")
        return account
    }
}
