import FoundationEssentials
import Messaging
import WireProtocol

// The ports: what the use cases need of the database.

/// Transactions over what auth keeps.
protocol AuthDatabase: Sendable {
    /// A transaction that has its effect once for each request, and afterwards returns what it returned the first time.
    func command<Reply: Codable & Sendable>(
        _ context: RequestContext, _ body: @escaping @Sendable (AuthTransaction) async throws -> Reply
    ) async throws -> Reply

    /// A transaction that no request asked for.
    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (AuthTransaction) async throws -> Result
    ) async throws -> Result

    /// Single statements, each committed by itself.
    var stores: AuthStores { get }
}

struct AuthStores: Sendable {
    let accounts: any AccountStore
    let friends: any FriendStore
    let blocks: any BlockStore
    let sessions: any SessionStore
    let attempts: any AttemptStore
    let keys: any SigningKeyStore
    let credentials: any CredentialStore
    let resets: any PasswordResetStore
    let outgoing: any OutgoingMailStore
    let verifications: any VerificationStore
    let addresses: any AddressStore
    let phones: any PhoneStore
    let reviews: any ReviewStore
    let erasures: any ErasureStore
    let exports: any DataExportStore
    let identities: any IdentityStore
    let passkeys: any PasskeyStore
    let reports: any ReportStore
    let cases: any CaseStore
    let audit: any AuditStore
    let roles: any RoleStore
    let suspensions: any SuspensionStore
    let notices: any NoticeStore
    let calendars: any CalendarFeedStore
}

struct AuthTransaction: Sendable {
    let stores: AuthStores
    let publishing:
        @Sendable (_ event: any Event, _ aggregate: String, _ audience: Audience, _ concerned: [PersonID]) -> Void

    /// An event that becomes public with the commit; for services only, unless it says whose live stream it is for.
    func publish(
        _ event: any Event, _ aggregate: String, to audience: Audience = .nobody, concerning concerned: [PersonID] = []
    ) {
        publishing(event, aggregate, audience, concerned)
    }

    var accounts: any AccountStore { stores.accounts }
    var friends: any FriendStore { stores.friends }
    var sessions: any SessionStore { stores.sessions }
    var identities: any IdentityStore { stores.identities }
}

/// What an account is found by: nothing that tells one address from another without both.
struct Credentials: Hashable, Sendable {
    let emailDigest: [UInt8]
    let passwordHash: [UInt8]
    /// What the hash was before a domain had one way of writing it; nil where that is no other.
    var earlierHash: [UInt8]?
    /// Whether there is a password behind the hash: what is chance instead, no password makes.
    var hasPassword = true

    init(emailDigest: [UInt8], passwordHash: [UInt8]) {
        self.emailDigest = emailDigest
        self.passwordHash = passwordHash
    }

    /// Of an account into which a password does not lead.
    init(withoutPassword emailDigest: [UInt8]) {
        var generator = SystemRandomNumberGenerator()
        self.init(
            emailDigest: emailDigest, passwordHash: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
        hasPassword = false
    }
}

protocol AccountStore: Sendable {
    func account(with credentials: Credentials) async throws -> Account?
    /// - Parameter locked: For a change: others wait until the end of this transaction.
    func account(_ id: PersonID, locked: Bool) async throws -> Account?
    /// In the order of their ids.
    func accounts(_ ids: [PersonID]) async throws -> [Account]
    /// - Parameter viewer: Who asks; nil where nobody is signed in. For those who are apart there is none.
    func account(_ id: PersonID, for viewer: PersonID?) async throws -> Account?
    /// - Returns: False where these credentials have an account meanwhile.
    /// - Throws: `UsernameTaken`.
    func add(_ account: Account, _ credentials: Credentials) async throws -> Bool
    /// In the order of their ids.
    func people(after: PersonID?, limit: Int) async throws -> [PersonSummary]
    /// - Parameter person: Whose own does not count.
    func takenUsernames(among names: [String], besides person: PersonID?) async throws -> Set<String>
    /// - Throws: `UsernameTaken`.
    func save(_ account: Account) async throws
}

protocol FriendStore: Sendable {
    /// Lets nobody else change what is between two people, or how many friends they have, until the end of this transaction.
    /// - Returns: Those of them who have accounts.
    func lock(_ one: PersonID, _ other: PersonID) async throws -> [PersonID: PersonSummary]
    func summaries(of people: [PersonID]) async throws -> [PersonID: PersonSummary]
    /// Nil also where the two are apart, or the person is suspended.
    /// - Parameter viewer: Nil where nobody is signed in.
    func summary(of person: PersonID, for viewer: PersonID?, at now: Date) async throws -> PersonSummary?
    /// Those of them who are not apart from somebody.
    func reachable(_ people: [PersonID], from viewer: PersonID?) async throws -> Set<PersonID>
    func friendship(of one: PersonID, and other: PersonID) async throws -> Friendship?
    /// Whether they are friends, and neither is apart from the other.
    func areFriends(_ one: PersonID, _ other: PersonID) async throws -> Bool
    /// Friends, with those whom the person has asked.
    func count(of person: PersonID) async throws -> Int
    func add(_ friendship: Friendship) async throws
    func accept(_ friendship: Friendship) async throws
    func remove(_ friendship: Friendship) async throws
    /// One more than the page holds, where there are more.
    func friends(of person: PersonID, _ page: FriendPage) async throws -> [Friend]
    /// Friends of both, in the order of their ids, and how many there are in all.
    func mutual(
        _ one: PersonID, _ other: PersonID, after: PersonID?, limit: Int
    ) async throws -> (people: [PersonSummary], count: Int)
}

protocol BlockStore: Sendable {
    /// Whoever of the two did it. For a change, lock both first (`FriendStore.lock`).
    func block(between one: PersonID, and other: PersonID) async throws -> Block?
    func count(by person: PersonID) async throws -> Int
    func add(_ block: Block) async throws
    func remove(_ block: Block) async throws
    /// The latest first.
    func blocks(by person: PersonID, after: MomentCursor?, limit: Int) async throws -> [BlockedPerson]
    /// Those whom somebody has blocked and those who have blocked them, in the order of their ids.
    func apart(from person: PersonID, after: PersonID?, limit: Int) async throws -> [PersonID]
    /// Of everybody, in the order of the pairs.
    func pairs(after: BlockedPair?, limit: Int) async throws -> [BlockedPair]
}

/// Another account has the username.
struct UsernameTaken: Error {}

protocol SessionStore: Sendable {
    /// - Parameter passkey: with which it was opened.
    func open(_ session: LoginSession, token: RefreshToken, language: String?, passkey: PasskeyID?) async throws
    func session(_ id: SessionID) async throws -> LoginSession?
    /// Spends a token and puts its child in its place, if it is still the current one: one statement, one winner.
    func spend(_ token: RefreshToken, to session: LoginSession, child: RefreshToken) async throws -> Bool
    /// - Returns: Those that ended now.
    func end(_ which: EndedSessions, of person: PersonID, now: Date) async throws -> [RevokedSessions.Revoked]
    /// Notes that the person has shown that it is them.
    func prove(_ id: SessionID, of person: PersonID, at now: Date) async throws
    func live(of person: PersonID, now: Date) async throws -> [LoginSession]
    /// Those that ended while access tokens for them are not expired.
    func revoked(now: Date) async throws -> [RevokedSessions.Revoked]
    /// Forgets those that can't be used any more, so many at the most: of those that somebody ended, nobody needs to be warned any more.
    func prune(now: Date, atMost count: Int) async throws -> PrunedSessions
}

struct PrunedSessions: Sendable {
    var count = 0
    /// Those that nobody had ended, by whose they are: they were not used for too long.
    var expired: [PersonID: [RevokedSessions.Revoked]] = [:]
}

enum EndedSessions: Hashable, Sendable {
    case one(SessionID)
    /// Those that were opened with a passkey.
    case openedWith(PasskeyID, but: SessionID?)
    case others(than: SessionID?)
    case all
}

protocol AttemptStore: Sendable {
    /// Counts an attempt (once, however often its request comes), and says how many there were.
    func count(_ attempt: Attempt, now: Date, window: TimeInterval) async throws -> AttemptTally
    func withdraw(_ attempt: Attempt) async throws
    /// Someone got in: forgets their failures, and remembers from where they came.
    func forgive(_ attempt: Attempt, knownUntil: Date) async throws
    func prune(before: Date, now: Date) async throws
}

protocol SigningKeyStore: Sendable {
    func keys() async throws -> [SigningKey]
    /// The same, while every other replica waits until the end of this transaction.
    func keysLocked() async throws -> [SigningKey]
    func add(_ key: SigningKey) async throws
    func remove(_ keys: [SigningKey]) async throws
}
