import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import WireProtocol

@testable import MatchingService
@testable import People

/// Standing searches without a bus, beside deliveries in a schema of their own in a real PostgreSQL. What is looked for of others is in `stock`. The clock
/// stands at noon until it is moved.
struct Searches: Sendable {
    let deliveries: Deliveries
    let stock: Stock
    let store: WantedStore
    let useCases: WantedUseCases

    var database: Database { deliveries.database }
    var clock: FixedClock { deliveries.clock }
    /// Those of others, and this service itself.
    var services: SearchedServices { useCases.services }

    static func with(
        limits: WantedLimits = WantedLimits(), campuses: CampusSeparation = .off,
        isolation: isolated (any Actor)? = #isolation, _ body: (Searches) async throws -> Void
    ) async throws {
        try await Deliveries.with(campuses: campuses) { deliveries in
            try await body(Searches(in: deliveries, limits, Stock()))
        }
    }

    init(in deliveries: Deliveries, _ limits: WantedLimits = WantedLimits(), _ stock: Stock = Stock()) {
        (self.deliveries, self.stock) = (deliveries, stock)
        store = WantedStore(database: deliveries.database, people: deliveries.people)
        useCases = WantedUseCases(
            store: store, limits: limits, services: stock.services.beside(deliveries.useCases),
            seeking: stock.seeking, clock: deliveries.clock.read)
    }

    /// Another process of the service, on the same schema.
    var replica: Searches { Searches(in: deliveries.replica, useCases.limits, stock) }
}

// MARK: What is looked for

/// Cars with some words in their title.
func cars(_ words: String? = nil) -> WantedQuery { WantedQuery(things: ThingQuery(kind: .car, q: words)) }

/// Spots around the restaurant.
func spots(within radius: Int) -> WantedQuery { WantedQuery(spots: SpotQuery(near: position(0), radius: radius)) }

extension Searches {
    /// A car that somebody lets; Maya, unless it is said otherwise. Nobody was told that it is there.
    @discardableResult
    func car(_ title: String, of owner: PersonID = maya) -> Subject {
        let subject = Subject(ThingID.new(at: clock.now))
        stock.put(Stock.Item(subject: subject, owner: owner, title: title, thing: .car))
        return subject
    }

    /// A spot so many metres east of the restaurant.
    @discardableResult
    func spot(_ east: Double, of owner: PersonID = maya) -> Subject {
        let subject = Subject(SpotID.new(at: clock.now))
        stock.put(Stock.Item(subject: subject, owner: owner, title: "Spot", position: position(east)))
        return subject
    }

    /// As if a look had found it there some days ago.
    func appeared(_ subject: Subject, daysAgo days: Double = 0) async throws {
        guard let found = stock.item(subject)?.searchable else { return }
        let moment = clock.now - days * 86_400
        _ = try await database.query(
            """
            INSERT INTO searchables (kind, subject, owner, title, thing, keys, globe, is_for_one, appeared_at, changed_at, is_there)
            VALUES (\(subject.kind.rawValue), \(subject.id), \(found.owner), \(found.title), \(found.thing?.rawValue),
                \(found.keys.map(\.rawValue)), \(found.position?.globe ?? "NULL"), \(found.isForOne), \(moment), \(moment), true)
            """)
        try await store.transaction { try await $0.hear(of: [subject]) }
    }
}

// MARK: What people do

extension Searches {
    /// Tom looks for it from now on, unless it is somebody else.
    @discardableResult
    func post(_ query: WantedQuery, by person: PersonID = tom, id: UUID = .version7()) async throws -> Wanted {
        try await useCases.post(WantedDraft(query: query), .from(person, id: id))
    }

    @discardableResult
    func change(_ id: WantedID, _ change: WantedChange, by person: PersonID = tom) async throws -> Wanted {
        try await useCases.change(id, change, .from(person))
    }

    func seen(_ id: WantedID, by person: PersonID = tom) async throws -> Wanted {
        try await useCases.wanted(id, for: Caller(person: person))
    }

    func finds(_ id: WantedID, by person: PersonID = tom) async throws -> [WantedFind] {
        try await useCases.finds(WantedFindQuery(id: id, limit: 100), for: Caller(person: person)).items
    }
}

// MARK: What is stored

extension Searches {
    func count(_ table: SQLQuery) async throws -> Int {
        try await database.query("SELECT count(*) AS number FROM \(table)")[0].get("number")
    }

    /// The keys under which a search is listed.
    func keys(of id: WantedID) async throws -> [String] {
        try await database.query("SELECT key FROM wanted_keys WHERE wanted = \(id) ORDER BY key").map {
            try $0.get("key")
        }
    }

    /// Whether it is known what was there when it began.
    func isSettled(_ id: WantedID) async throws -> Bool {
        try await database.query("SELECT is_settled FROM wanted WHERE id = \(id)")[0].get("is_settled")
    }

    /// What some of somebody's searches have found; they are told of it by the first of them.
    func hit(
        _ subject: Subject, _ state: String = "waiting", by searches: [WantedID], of person: PersonID = tom
    ) async throws {
        let now = clock.now
        let told: Date? = state == "waiting" || state == "late" ? nil : now
        for id in searches {
            _ = try await database.query(
                """
                INSERT INTO finds (wanted, kind, subject, found_at, is_new)
                VALUES (\(id), \(subject.kind.rawValue), \(subject.id), \(now), true)
                """)
            _ = try await database.query("UPDATE wanted SET found = found + 1, last_found_at = \(now) WHERE id = \(id)")
        }
        _ = try await database.query(
            """
            INSERT INTO hits (kind, subject, person, wanted, state, found_at, tell_at, told_at)
            VALUES (\(subject.kind.rawValue), \(subject.id), \(person), \(searches.first), \(state), \(now), \(now), \(told))
            """)
    }

    /// By which search somebody is told of something, and how far that is; nil where there is nothing to tell.
    func hit(of subject: Subject, for person: PersonID = tom) async throws -> (by: WantedID?, state: String)? {
        try await database.query(
            """
            SELECT wanted, state FROM hits
            WHERE kind = \(subject.kind.rawValue) AND subject = \(subject.id) AND person = \(person)
            """
        ).first.map { (by: try $0.get("wanted"), state: try $0.get("state")) }
    }
}

/// Why it is refused of searches; nil where it is done.
func wantedRefusal(_ body: () async throws -> some Any) async -> WantedError? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? WantedError }
}
