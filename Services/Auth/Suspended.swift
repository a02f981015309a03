import FoundationEssentials
import Messaging
import WireProtocol

// Who is suspended: kept with the account, and over by its time alone.

protocol SuspensionStore: Sendable {
    /// Of somebody who opens a session: a suspension that is being made at this moment is waited for, and one that comes later waits.
    func suspensionAwaited(of person: PersonID) async throws -> Suspension?
    func suspension(of person: PersonID) async throws -> Suspension?
    /// Nil lifts it.
    func set(_ suspension: Suspension?, of person: PersonID) async throws
    /// Those that run, in the order of the people's ids.
    func suspended(after: PersonID?, at now: Date, limit: Int) async throws -> [SuspendedPerson]
}

extension SuspensionStore {
    /// - Throws: `suspended`, with why and until when.
    func require(_ person: PersonID, at now: Date) async throws {
        if let found = try await suspension(of: person), found.isActive(at: now) { throw found.refusal }
    }
}

extension Suspension {
    static let longestDays = 365

    /// What is said to the one who is suspended, and to nobody else.
    var refusal: ServiceError { .suspended(until: until, reason: reason) }
}

struct SuspensionUseCases: Sendable {
    let database: any AuthDatabase
    let now: @Sendable () -> Date

    /// What the one who is suspended may know of it: why, and until when.
    func own(_ caller: Caller) async throws -> Suspension {
        let person = try caller.requirePerson()
        guard let found = try await database.stores.suspensions.suspension(of: person), found.isActive(at: now()) else {
            throw ServiceError.notFound("suspension")
        }
        return found
    }

    /// For services that begin, or begin anew.
    func suspended(_ query: PeopleQuery) async throws -> Page<SuspendedPerson> {
        let limit = min(max(1, query.limit), PeopleQuery.largest)
        let found = try await database.stores.suspensions.suspended(after: query.after, at: now(), limit: limit + 1)
        let page = Array(found.prefix(limit))
        return Page(items: page, next: found.count > limit ? page.last?.person.description : nil)
    }
}
