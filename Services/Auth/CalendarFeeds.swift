import Crypto
import FoundationEssentials
import Messaging
import WireProtocol

/// The address of somebody's calendar as it is kept: the address itself follows from the seed and a key outside the database, so neither
/// alone is one.
struct KeptCalendarFeed: Codable, Hashable, Sendable {
    static let seedLength = 16

    let person: PersonID
    let seed: [UInt8]
    let madeAt: Date

    static func new(for person: PersonID, at now: Date) -> KeptCalendarFeed {
        var random = SystemRandomNumberGenerator()
        let seed = (0..<seedLength).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return KeptCalendarFeed(person: person, seed: seed, madeAt: now)
    }

    func token(_ secrets: AuthSecrets) -> String { Base64URL.encode(secrets.calendarSecret(of: person, seed: seed)) }

    func shown(_ secrets: AuthSecrets) -> CalendarFeed {
        CalendarFeed(path: "/calendar/\(token(secrets)).ics", madeAt: madeAt)
    }
}

protocol CalendarFeedStore: Sendable {
    func feed(of person: PersonID) async throws -> KeptCalendarFeed?
    /// In the place of the one before.
    /// - Parameter digest: by which it is found.
    func keep(_ feed: KeptCalendarFeed, digest: [UInt8]) async throws
    /// - Returns: False where there was none.
    func remove(of person: PersonID) async throws -> Bool
    func person(of digest: [UInt8]) async throws -> PersonID?
}

/// What can be asked of the addresses of calendars.
struct CalendarFeedUseCases: Sendable {
    let database: any AuthDatabase
    let secrets: AuthSecrets
    let now: @Sendable () -> Date

    func feed(for caller: Caller) async throws -> CalendarFeed {
        guard let feed = try await database.stores.calendars.feed(of: try caller.requirePerson()) else {
            throw ServiceError.notFound("calendar")
        }
        return feed.shown(secrets)
    }

    /// What is remembered of the reply is no address either. The person is told.
    /// - Throws: `proof_needed`.
    func renew(_ context: RequestContext) async throws -> CalendarFeed {
        let person = try context.caller.requirePerson()
        let (secrets, now) = (secrets, now())
        let kept = try await database.command(context) { transaction in
            guard try await transaction.accounts.account(person, locked: true) != nil else {
                throw ServiceError(.unauthenticated, "Sign in again.")
            }
            try await transaction.requireProof(context.caller, at: now)
            let feed = KeptCalendarFeed.new(for: person, at: now)
            try await transaction.stores.calendars.keep(feed, digest: Self.digest(of: feed.token(secrets)))
            try await transaction.tell(KeptNotice(.new(at: now), .calendarMade, for: person, at: now), at: now)
            return feed
        }
        return kept.shown(secrets)
    }

    func end(_ context: RequestContext) async throws {
        let person = try context.caller.requirePerson()
        let now = now()
        _ = try await database.command(context) { transaction in
            try await transaction.requireProof(context.caller, at: now)
            if try await transaction.stores.calendars.remove(of: person) {
                try await transaction.tell(KeptNotice(.new(at: now), .calendarEnded, for: person, at: now), at: now)
            }
            return Nothing()
        }
    }

    /// - Throws: `not_found`, and nothing else, where it leads to nobody who is there.
    func owner(of token: String) async throws -> CalendarOwner {
        let missing = ServiceError.notFound("calendar")
        guard token.utf8.count <= 64,
            let person = try await database.stores.calendars.person(of: Self.digest(of: token)),
            let account = try await database.stores.accounts.accounts([person]).first,
            account.suspension?.isActive(at: now()) != true
        else { throw missing }
        return CalendarOwner(person: person, language: try await database.stores.notices.language(of: person))
    }

    private static func digest(of token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }
}
