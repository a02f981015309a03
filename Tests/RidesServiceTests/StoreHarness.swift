import DurableMessaging
import FoundationEssentials
import Messaging
@testable import People
import Postgres
import TestKit
import WireProtocol

@testable import RidesService

// What the tests of the tables ask besides.

extension Rides {
    // MARK: What is there

    /// As it is, whoever looks.
    func stored(_ id: RideID) async throws -> OfferedRide? {
        try await store.ride(id, for: nil, isModerator: true)?.ride
    }

    func stored(_ id: SeatRequestID) async throws -> SeatAgreement? { try await store.seats([id])[id] }

    func states(_ seats: [SeatRequestID]) async throws -> [SeatState?] {
        let found = try await store.seats(seats)
        return seats.map { found[$0]?.state }
    }

    /// How many rides there are of which the load or the detour is not what the accepted requests make of them, or more than is offered.
    func wrongSums() async throws -> Int {
        try await database.query(
            """
            SELECT count(*) AS wrong FROM rides
            CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(at ORDER BY at), '{}') AS marks, coalesce(array_agg(people ORDER BY at), '{}') AS load
                FROM (
                    SELECT at, (SELECT coalesce(sum(seats), 0) FROM seat_requests
                        WHERE ride = rides.id AND state = 'accepted' AND board_at <= at AND at < leave_at)::int2 AS people
                    FROM (
                        SELECT DISTINCT unnest(ARRAY[board_at, leave_at]) AS at FROM seat_requests
                        WHERE ride = rides.id AND state = 'accepted') AS points) AS sums) AS whole
            WHERE whole.marks <> rides.marks OR whole.load <> rides.load OR NOT seats >= ALL (whole.load)
                OR detour_used <> (SELECT coalesce(sum(detour), 0) FROM seat_requests WHERE ride = rides.id AND state = 'accepted')
                OR detour_used > max_detour
            """)[0].get("wrong")
    }

    func headers<E: Event>(of type: E.Type) async throws -> [EventHeader] {
        try await database.query(
            "SELECT header::text AS header FROM outbox WHERE header->>'type' = \(E.type) ORDER BY id"
        ).map { try WireJSON.decode(EventHeader.self, from: Array(try $0.get("header", as: String.self).utf8)) }
    }

    // MARK: What auth says

    /// With all that follows of it.
    func hear(_ event: some Event) async throws {
        let consumer = DurableConsumer(database: database)
        let community = Community(
            people: people, blocks: BlockProjection(database: database) { _ in Page(items: []) },
            suspensions: SuspensionProjection(database: database))
        RidesHandlers(store: store).follow(community, on: consumer)
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
}
