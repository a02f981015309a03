import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import People
import Postgres
import TestKit
import WireProtocol

@testable import RidesService

/// The service without a bus, on a schema of its own in a real PostgreSQL. Its clock stands at noon until it is moved.
struct Rides: Sendable {
    let database: Database
    let people: PeopleProjection
    let store: RideStore
    let rides: RideUseCases
    let board: RideBoard
    let clock: FixedClock
    private let pool: PostgresPool
    private let settings: Settings

    /// What is asked of others, and what a community allows.
    private struct Settings: Sendable {
        var limits: RideLimits
        var campuses: CampusSeparation
        var ask: PeopleProjection.Ask
        var phone: @Sendable (PersonID) async throws -> String?
        var areFriends: @Sendable (PersonID, PersonID) async throws -> Bool
        var region: RideRegionRounds.Ask
        var town: @Sendable (Position) async throws -> String?
        var legs: AskForLegs
        var streets: StreetsQuestion.Ask
    }

    static func with(
        limits: RideLimits = limits, campuses: CampusSeparation = .off,
        ask: @escaping PeopleProjection.Ask = { _ in nil },
        phone: @escaping @Sendable (PersonID) async throws -> String? = { _ in nil },
        areFriends: @escaping @Sendable (PersonID, PersonID) async throws -> Bool = { _, _ in false },
        region: @escaping RideRegionRounds.Ask = { _ in nil },
        town: @escaping @Sendable (Position) async throws -> String? = { _ in nil },
        legs: @escaping AskForLegs = { _ in nil },
        streets: @escaping StreetsQuestion.Ask = { $0.others.map { _ in nil } },
        isolation: isolated (any Actor)? = #isolation, _ body: (Rides) async throws -> Void
    ) async throws {
        try await TestDatabase.with(configure: { $0.poolSize = 8 }) { test in
            let settings = Settings(
                limits: limits, campuses: campuses, ask: ask, phone: phone, areFriends: areFriends, region: region,
                town: town, legs: legs, streets: streets)
            let rides = Rides(on: test.pool, FixedClock(noon), settings)
            try await rides.database.migrate(RidesSchema.migrations)
            try await body(rides)
            await Task.detached { rides.board.stop() }.value
        }
    }

    private init(on pool: PostgresPool, _ clock: FixedClock, _ settings: Settings) {
        (self.pool, self.clock, self.settings) = (pool, clock, settings)
        database = Database(
            pool: pool, service: "rides", digestKey: Array("a secret of this test".utf8), clock: clock.read,
            logger: .quiet)
        people = PeopleProjection(
            database: database, campuses: settings.campuses, clock: clock.read, ask: settings.ask)
        store = RideStore(database: database, people: people)
        board = RideBoard()
        rides = RideUseCases(
            store: store, people: people, limits: settings.limits,
            // A slow machine finds the same.
            finder: RideSearch(
                store: store, board: board, askForStreets: settings.streets,
                patience: SearchStreets.Patience(one: 60, all: .seconds(60))),
            askForPhone: settings.phone, areFriends: settings.areFriends, askForRegion: settings.region,
            askForTown: settings.town, askForLegs: settings.legs, askForStreets: settings.streets, clock: clock.read)
    }

    /// Another process of the service, on the same schema.
    var replica: Rides { Rides(on: pool, clock, settings) }

    /// What time does.
    var rounds: RideRounds { RideRounds(store: store, logger: .quiet) }
}

// MARK: What people do

extension Rides {
    /// Maya's ride from San Luis Obispo by Salinas to San Francisco, two days after noon.
    func posted(
        by person: PersonID = maya, _ change: (inout RideDraft) -> Void = { _ in }
    ) async throws -> Ride {
        try await rides.post(Example.draft(change), .from(person))
    }

    /// - Parameter stops: where one gets in and out.
    func ask(
        _ ride: RideID, by person: PersonID = tom, _ stops: ClosedRange<Int> = 0...2,
        _ change: (inout SeatDraft) -> Void = { _ in }
    ) async throws -> SeatRequest {
        var draft = SeatDraft(
            from: SeatPointDraft(stop: stops.lowerBound), to: SeatPointDraft(stop: stops.upperBound))
        change(&draft)
        return try await rides.requestSeat(ride, draft, .from(person))
    }

    @discardableResult
    func act(
        _ request: SeatRequestID, _ act: SeatAct, by person: PersonID = maya, reason: String? = nil
    ) async throws -> SeatRequest {
        try await rides.act(request, act, SeatActDraft(reason: reason), .from(person))
    }

    /// A seat that its driver gave.
    func seated(
        _ person: PersonID = tom, in ride: RideID, _ stops: ClosedRange<Int> = 0...2,
        _ change: (inout SeatDraft) -> Void = { _ in }
    ) async throws -> SeatRequest {
        let asked = try await ask(ride, by: person, stops, change)
        return asked.state == .accepted ? asked : try await act(asked.id, .accept)
    }

    func seen(_ ride: RideID, by person: PersonID?) async throws -> Ride {
        try await rides.ride(ride, for: Caller(person: person))
    }

    func seen(_ request: SeatRequestID, by person: PersonID) async throws -> SeatRequest {
        try await rides.request(request, for: Caller(person: person))
    }

    func advance(hours: Double) { clock.advance(by: .seconds(hours * 3600)) }

    /// Everything that is due by now: what has left may have arrived, too.
    func pass() async throws {
        for _ in 1...3 { while try await rounds.round() {} }
    }
}

// MARK: What auth says, and what is told

extension Rides {
    func name(_ id: PersonID, _ name: String, campus: String? = nil) async throws {
        _ = try await database.query(
            """
            INSERT INTO people (id, name, campus, generation) SELECT \(id), \(name), \(campus), generation FROM people_snapshot
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, campus = excluded.campus
            """)
    }

    /// As auth's events tell it, but for what follows of it.
    func part(_ one: PersonID, _ other: PersonID) async throws {
        let pair = BlockedPair(one, other)
        _ = try await database.query(
            """
            INSERT INTO blocks (person, other, generation)
            VALUES (\(pair.low), \(pair.high), 1), (\(pair.high), \(pair.low), 1)
            """)
    }

    /// The events of one type so far, in order.
    func told<E: Event>(_ type: E.Type) async throws -> [E] {
        try await database.query(
            "SELECT payload::text AS payload FROM outbox WHERE header->>'type' = \(E.type) ORDER BY id"
        ).map { try WireJSON.decode(from: Array(try $0.get("payload", as: String.self).utf8)) }
    }

    /// What became of requests so far: who asked, and what it was.
    func changes() async throws -> [String] {
        try await told(SeatChanged.self).map { "\(nickname($0.request.rider.id)) \($0.what.rawValue)" }
    }
}

func nickname(_ person: PersonID) -> String {
    [maya: "maya", tom: "tom", lin: "lin", kim: "kim"][person] ?? "somebody"
}

extension RequestContext {
    /// A request of a person, new unless an id is given.
    static func from(
        _ person: PersonID?, id: UUID = .version7(), _ content: String = "", roles: Set<PersonRole> = []
    ) -> RequestContext {
        RequestContext(
            id: id, method: "rides.test", deadline: Date() + 60, caller: Caller(person: person, roles: roles),
            peer: .gateway, content: Array(content.utf8))
    }
}

/// Why it is refused of rides; nil where it is done.
func rideRefusal(_ body: () async throws -> some Any) async -> RideError? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? RideError }
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
