import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import People
import Postgres
import TestKit
import WireProtocol

@testable import ListingsService

/// The service without a bus, on a schema of its own in a real PostgreSQL. Its clock stands at noon until it is moved.
struct Listings: Sendable {
    let database: Database
    let people: PeopleProjection
    let blocks: BlockProjection
    let store: SpotStore
    let spots: SpotUseCases
    let rentals: RentalUseCases
    let clock: FixedClock

    static func with(
        limits: SpotLimits = limits, renting: RentalLimits = rentalLimits, campuses: CampusSeparation = .off,
        ask: @escaping PeopleProjection.Ask = { _ in nil },
        phone: @escaping @Sendable (PersonID) async throws -> String? = { _ in nil },
        isolation: isolated (any Actor)? = #isolation, _ body: (Listings) async throws -> Void
    ) async throws {
        try await TestDatabase.with(configure: { $0.poolSize = 8 }) { test in
            let clock = FixedClock(noon)
            let database = Database(
                pool: test.pool, service: "listings", digestKey: Array("a secret of this test".utf8),
                clock: clock.read, logger: .quiet)
            try await database.migrate(ListingsSchema.migrations)
            let people = PeopleProjection(
                database: database, campuses: campuses, clock: clock.read, ask: ask)
            let blocks = BlockProjection(database: database) { _ in Page(items: []) }
            let store = SpotStore(database: database, people: people)
            let spots = SpotUseCases(store: store, people: people, limits: limits, clock: clock.read)
            let rentals = RentalUseCases(
                store: RentalStore(
                    database: database, people: people,
                    seal: PlateSeal(secret: Array("another secret".utf8), logger: .quiet),
                    plateTries: renting.plateTries),
                people: people, limits: renting, askForPhone: phone, clock: clock.read)
            try await body(
                Listings(
                    database: database, people: people, blocks: blocks, store: store, spots: spots, rentals: rentals,
                    clock: clock))
        }
    }

    /// What time does to spots.
    var rounds: SpotRounds { SpotRounds(store: store, limits: limits, logger: .quiet) }

    /// As it is, whoever looks.
    func stored(_ id: SpotID) async throws -> ParkingSpot? {
        try await store.spot(id, for: .everything)
    }

    /// A free spot of Maya's.
    func posted(_ draft: SpotDraft = draft(), by person: PersonID = maya) async throws -> Spot {
        try await spots.post(draft, .from(person))
    }

    func found(_ query: SpotQuery, by person: PersonID? = nil) async throws -> Page<Spot> {
        try await spots.spots(query, for: Caller(person: person))
    }

    /// What was published so far, in order; without what rooms, searches and people are told, unless that is asked for.
    func events(of type: String? = nil) async throws -> [EventHeader] {
        try await database.query("SELECT header::text AS header FROM outbox ORDER BY id").map {
            try WireJSON.decode(EventHeader.self, from: Array(try $0.get("header", as: String.self).utf8))
        }.filter { header in
            let besides = [RoomSubjectChanged.type, ClaimChanged.type, SearchableChanged.type] + NoticeNews.types
            return type == nil ? !besides.contains(header.type) : header.type == type
        }
    }

    /// The events of one type so far, in order.
    func told<E: Event>(_ type: E.Type) async throws -> [E] {
        try await database.query(
            "SELECT payload::text AS payload FROM outbox WHERE header->>'type' = \(E.type) ORDER BY id"
        ).map { try WireJSON.decode(from: Array(try $0.get("payload", as: String.self).utf8)) }
    }
}

extension RequestContext {
    /// A request of a person, new unless an id is given.
    static func from(
        _ person: PersonID?, id: UUID = .version7(), _ content: String = "", method: String = "listings.test"
    ) -> RequestContext {
        RequestContext(
            id: id, method: method, deadline: Date() + 60, caller: Caller(person: person), peer: .gateway,
            content: Array(content.utf8))
    }
}

/// Why it is refused of spots; nil where it is done.
func spotRefusal(_ body: () async throws -> some Any) async -> SpotError? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? SpotError }
}

/// The code with which it is refused; nil where it is done.
func refusalCode(_ body: () async throws -> some Any) async -> ErrorCode? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? any Refusal)?.serviceError.code ?? ErrorCode(rawValue: "\(error)") }
}

/// So many different people.
func crowd(_ count: Int) -> [PersonID] { (0..<count).map { _ in .new() } }

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
