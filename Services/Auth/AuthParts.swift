import FoundationEssentials
import Logging
import Reactor
import ServiceKit
import WebClient
import WireProtocol

/// The use cases on their database, without the bus around them.
struct AuthParts: Sendable {
    let accounts: AccountUseCases
    let friends: FriendUseCases
    let blocks: BlockUseCases
    let sessions: SessionUseCases
    let keys: KeyUseCases
    let resets: PasswordResetUseCases
    let campuses: CampusUseCases
    let phones: PhoneUseCases
    let reviews: ReviewUseCases
    let erasures: ErasureUseCases
    let exports: DataExportUseCases
    let identities: IdentityUseCases
    let passkeys: PasskeyUseCases
    let reports: ReportUseCases
    let moderation: ModerationUseCases
    let roles: RoleUseCases
    let suspensions: SuspensionUseCases
    let notices: NoticeUseCases
    let calendars: CalendarFeedUseCases
    let ways: WaysInUseCases
    let tokens: TokenIssuer
    let upkeep: AuthUpkeep
    let database: any AuthDatabase
    let now: @Sendable () -> Date

    var endpoint: AuthEndpoint {
        AuthEndpoint(
            accounts: accounts, friends: friends, blocks: blocks, sessions: sessions, keys: keys, resets: resets,
            campuses: campuses, phones: phones, reviews: reviews, erasures: erasures, exports: exports,
            identities: identities, passkeys: passkeys,
            reports: reports, moderation: moderation, roles: roles, suspensions: suspensions,
            notices: notices, calendars: calendars, ways: ways, tokens: tokens)
    }

    init(
        _ configuration: AuthConfiguration, _ secrets: AuthSecrets, _ database: any AuthDatabase,
        hasher: any PasswordHashing, subject: @escaping Subjects.AskForSubject,
        messages: @escaping Subjects.AskForMessages = { _ in throw ServiceError.notFound("message") },
        commitments: @escaping ErasureUseCases.AskForCommitments = { _ in [] }, logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        let policy = configuration.sessions
        accounts = AccountUseCases(
            database: database, secrets: secrets, hasher: hasher, rules: configuration.rules,
            limits: configuration.limits, policy: policy, passwords: configuration.identities.passwords, now: now)
        friends = FriendUseCases(database: database, limits: configuration.friends, now: now)
        blocks = BlockUseCases(database: database, limits: configuration.blocks, now: now)
        sessions = SessionUseCases(database: database, secrets: secrets, policy: policy, logger: logger, now: now)
        campuses = CampusUseCases(
            database: database, secrets: secrets, campuses: configuration.campuses, policy: configuration.verifications,
            now: now)
        phones = PhoneUseCases(database: database, secrets: secrets, policy: configuration.phones, now: now)
        reviews = ReviewUseCases(database: database, policy: configuration.reviews, now: now)
        erasures = ErasureUseCases(database: database, accounts: accounts, commitments: commitments, now: now)
        exports = DataExportUseCases(database: database, now: now)
        self.database = database
        self.now = now
        identities = IdentityUseCases(
            database: database, secrets: secrets, rules: configuration.rules, settings: configuration.identities,
            connections: configuration.identities.providers.map { provider in
                // A client for each: one that is slow does not hold up the others.
                let web = WebClient(name: provider.id, atOnce: 4)
                return ProviderConnection(provider, web: web, logger: logger, now: now)
            }, passkeyHost: configuration.party?.id, policy: configuration.identitySignIns, sessions: policy, now: now)
        resets = PasswordResetUseCases(
            database: database, secrets: secrets, hasher: hasher, policy: configuration.resets,
            limits: configuration.limits, identities: identities, now: now)
        ways = WaysInUseCases(
            database: database, secrets: secrets, hasher: hasher, accounts: accounts,
            policy: configuration.verifications, now: now)
        passkeys = PasskeyUseCases(
            database: database, secrets: secrets, accounts: accounts, policy: configuration.passkeys,
            ceremonies: configuration.party.map { PasskeyCeremonies(party: $0) }, identities: configuration.identities,
            sessions: policy, now: now)
        let subjects = Subjects(database: database, askForSubject: subject, askForMessages: messages)
        reports = ReportUseCases(database: database, subjects: subjects, policy: configuration.reports, now: now)
        moderation = ModerationUseCases(database: database, subjects: subjects, now: now)
        suspensions = SuspensionUseCases(database: database, now: now)
        notices = NoticeUseCases(database: database, now: now)
        calendars = CalendarFeedUseCases(database: database, secrets: secrets, now: now)
        roles = RoleUseCases(database: database, secrets: secrets, now: now)
        let ring = KeyRing(secrets: secrets)
        keys = KeyUseCases(database: database, ring: ring, rotation: configuration.rotation, now: now)
        tokens = TokenIssuer(secrets: secrets, policy: policy, ring: ring)
        upkeep = AuthUpkeep(
            database: database, keys: keys, reviews: reviews, limits: configuration.limits,
            resets: configuration.resets,
            verifications: configuration.verifications, phones: configuration.phones,
            identities: configuration.identitySignIns,
            interval: .seconds(60), logger: logger,
            now: now)
    }

    /// Checks that secrets and database belong together, and loads or makes the signing keys: the parts are ready for requests.
    /// - Parameters:
    ///   - subject: asks the service that has what is reported.
    ///   - messages: asks chat for what is reported.
    ///   - commitments: asks whoever may know what keeps somebody from going.
    ///   - file: the secrets file where it was made just now; it goes again if the database has another.
    static func open(
        _ configuration: AuthConfiguration, _ secrets: AuthSecrets, _ database: PostgresAuthDatabase,
        subject: @escaping Subjects.AskForSubject, messages: @escaping Subjects.AskForMessages,
        commitments: @escaping ErasureUseCases.AskForCommitments, _ logger: Logger, refusingNew file: SecretsFile?
    ) async throws -> AuthParts {
        do {
            let cost = try await database.keystone.settle(
                secrets, path: configuration.secrets, cost: configuration.cost, logger: logger)
            let hasher = PasswordHasher(
                secrets: secrets, cost: cost, atOnce: configuration.hashesAtOnce, waiting: configuration.hashesWaiting)
            let parts = AuthParts(
                configuration, secrets, database, hasher: hasher, subject: subject, messages: messages,
                commitments: commitments, logger: logger, now: { Date() })
            try await parts.keys.tend()
            try await database.addressKeys.settle(secrets)
            if let party = configuration.party { try await database.stores.passkeys.adopt(host: party.id) }
            return parts
        } catch {
            if error is SecretsProblem { file?.remove() }
            throw error
        }
    }
}
