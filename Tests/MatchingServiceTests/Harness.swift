import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import ServiceKit
import Synchronization
import TestKit
import WireProtocol

@testable import MatchingService
@testable import People

/// The service without a bus, on a schema of its own in a real PostgreSQL. Its clock stands at noon until it is moved.
struct Deliveries: Sendable {
    let database: Database
    let people: PeopleProjection
    let store: DeliveryStore
    let useCases: DeliveryUseCases
    let clock: FixedClock
    let log: Lines
    private let pool: PostgresPool
    private let settings: Settings

    /// What is asked of others, and what a community allows.
    private struct Settings: Sendable {
        var limits: DeliveryLimits
        var campuses: CampusSeparation
        var ask: PeopleProjection.Ask
        var phone: @Sendable (PersonID) async throws -> String?
        var places: AskForPlaces
        var restaurants: AskForRestaurants
        var ways: AskForWays
    }

    /// Places knows what is in `Examples.swift`, and no streets.
    static func with(
        limits: DeliveryLimits = limits, campuses: CampusSeparation = .off,
        ask: @escaping PeopleProjection.Ask = { _ in nil },
        phone: @escaping @Sendable (PersonID) async throws -> String? = { _ in nil },
        places: @escaping AskForPlaces = { ids in ids.compactMap { known[$0] } },
        restaurants: @escaping AskForRestaurants = { _, _ in known.around },
        ways: @escaping AskForWays = { _, _ in throw ServiceError(.unavailable, "No streets are known.") },
        migrations: [Migration] = MatchingSchema.migrations,
        isolation: isolated (any Actor)? = #isolation, _ body: (Deliveries) async throws -> Void
    ) async throws {
        try await TestDatabase.with(configure: { $0.poolSize = 8 }) { test in
            let settings = Settings(
                limits: limits, campuses: campuses, ask: ask, phone: phone, places: places, restaurants: restaurants,
                ways: ways)
            let deliveries = Deliveries(on: test.pool, FixedClock(noon), Lines(), settings)
            try await deliveries.database.migrate(migrations)
            try await body(deliveries)
        }
    }

    private init(
        on pool: PostgresPool, _ clock: FixedClock, _ log: Lines, _ settings: Settings, key: String = "a secret"
    ) {
        (self.pool, self.clock, self.log, self.settings) = (pool, clock, log, settings)
        database = Database(
            pool: pool, service: "matching", digestKey: Array("a secret of this test".utf8), clock: clock.read,
            logger: log.logger)
        people = PeopleProjection(
            database: database, campuses: settings.campuses, clock: clock.read, ask: settings.ask)
        store = DeliveryStore(
            database: database, people: people, words: SealedWords(secret: Array(key.utf8), logger: .quiet))
        useCases = DeliveryUseCases(
            store: store, people: people, limits: settings.limits, askForPlaces: settings.places,
            askForRestaurants: settings.restaurants, askForWays: settings.ways, askForPhone: settings.phone,
            clock: clock.read)
    }

    /// Another process of the service, on the same schema.
    var replica: Deliveries { Deliveries(on: pool, clock, log, settings) }

    /// The same once its key is another one.
    var withAnotherKey: Deliveries { Deliveries(on: pool, clock, log, settings, key: "another secret") }
}

/// What the database's transactions have logged.
final class Lines: Sendable {
    private let kept = Mutex<[String]>([])

    fileprivate var logger: Logger {
        Logger(label: "matching") { label in
            ServiceLogHandler(service: "matching", label: label, format: .json, level: .debug) { line in
                self.kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }
        }
    }

    /// How many transactions PostgreSQL has ended since two waited for each other; they were tried again.
    var deadlocks: Int { kept.withLock { $0.count { $0.contains(SQLState.deadlockDetected) } } }
}

/// What Places knows: a name that no parameter hides.
private let known = places

// MARK: What people do

extension Deliveries {
    func advance(minutes: Double) { clock.advance(by: .seconds(minutes * 60)) }

    /// Tom's order, which asks Maya by name.
    func requested(
        by person: PersonID = tom, of availability: Availability, _ change: (inout OrderDraft) -> Void = { _ in }
    ) async throws -> (order: OrderID, match: MatchID) {
        let draft = Example.orderDraft {
            $0.availability = availability.id
            change(&$0)
        }
        let order = try await useCases.placeOrder(draft, .from(person))
        guard let asked = order.asked else { throw NobodyAsked() }
        return (order.id, asked.match)
    }
}

extension RequestContext {
    /// A request of a person, new unless an id is given.
    static func from(
        _ person: PersonID?, id: UUID = .version7(), _ content: String = "", roles: Set<PersonRole> = []
    ) -> RequestContext {
        RequestContext(
            id: id, method: "matching.test", deadline: Date() + 60, caller: Caller(person: person, roles: roles),
            peer: .gateway, content: Array(content.utf8))
    }
}

/// Why it is refused of deliveries; nil where it is done.
func deliveryRefusal(_ body: () async throws -> some Any) async -> DeliveryError? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? DeliveryError }
}

/// The code with which it is refused; nil where it is done.
func refusalCode(_ body: () async throws -> some Any) async -> ErrorCode? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? any Refusal)?.serviceError.code ?? ErrorCode(rawValue: "\(error)") }
}

/// The constraint by which the database refuses it; nil where it does not.
func constraint(_ body: () async throws -> some Any) async -> String? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? PostgresError)?.constraint ?? "\(error)" }
}

/// So many different people.
func crowd(_ count: Int) -> [PersonID] { (0..<count).map { _ in .new() } }

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
