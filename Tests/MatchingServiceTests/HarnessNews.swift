import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import WireProtocol

@testable import MatchingService
@testable import People

/// What auth says, and what is told.
extension Deliveries {
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

    /// With all that follows of it.
    func hear(_ event: some Event) async throws {
        let consumer = DurableConsumer(database: database)
        let community = Community(
            people: people, blocks: BlockProjection(database: database) { _ in Page(items: []) },
            suspensions: SuspensionProjection(database: database))
        let wanted = WantedStore(database: database, people: people)
        MatchingHandlers(store: store, wanted: wanted).follow(community, on: consumer)
        let epoch = UUID(uuidString: "019AA3F0-0000-7A66-8F70-8192A3B4C5D6")!
        let position = try await consumer.offset(of: "auth").map { $0.position + 1 } ?? 1
        try await consumer.hear(event, at: position, of: epoch, on: clock.now)
    }

    func suspend(_ person: PersonID, until: Date?) async throws {
        try await hear(
            PersonSuspended(person: person, suspension: Suspension(since: clock.now, until: until, reason: "x")))
    }

    func block(_ one: PersonID, _ other: PersonID) async throws {
        try await hear(PeopleBlocked(pair: BlockedPair(one, other)))
    }

    func erase(_ person: PersonID) async throws { try await hear(PersonErased(erasure: .new(), person: person)) }

    /// The events of one type so far, in order.
    func told<E: Event>(_ type: E.Type) async throws -> [E] {
        try await database.query(
            "SELECT payload::text AS payload FROM outbox WHERE header->>'type' = \(E.type) ORDER BY id"
        ).map { try WireJSON.decode(from: Array(try $0.get("payload", as: String.self).utf8)) }
    }

    func headers<E: Event>(of type: E.Type) async throws -> [EventHeader] {
        try await database.query(
            "SELECT header::text AS header FROM outbox WHERE header->>'type' = \(E.type) ORDER BY id"
        ).map { try WireJSON.decode(EventHeader.self, from: Array(try $0.get("header", as: String.self).utf8)) }
    }

    /// What became of matches so far, in order.
    func updates() async throws -> [MatchUpdate.Change] { try await told(MatchUpdate.self).map(\.what) }
}
