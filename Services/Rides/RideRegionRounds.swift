import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Asks Places in which regions the stops of open rides lie, and for their ways along streets, where that is not known: because it was away when
/// they were posted, or knew of none. Rounds of their own: nothing else waits for another service.
struct RideRegionRounds: Service, CustomStringConvertible {
    /// Nil where there is no region. Asked of the middle of a field of the grid.
    typealias Ask = @Sendable (Position) async throws -> String?

    let store: RideStore
    let logger: Logger
    let ask: Ask
    let askForLegs: AskForLegs
    var batch = 20
    var pause = Duration.seconds(1)

    /// When it is asked again: where no answer came, and where there was no region, or there were no streets.
    static let again: (unanswered: TimeInterval, unknown: TimeInterval) = (60, 86_400)

    var description: String { "regions and streets of rides" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "regions of rides wait for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let rides = try await store.transaction {
            try await $0.takeUnplaced(atMost: batch, until: Self.again.unanswered, logger: logger)
        }
        for ride in rides {
            let placed: OfferedRide
            do { placed = try await asked(ride) } catch {
                logger.notice("regions of rides wait for Places", metadata: ["error": "\(error)"])
                return false
            }
            do {
                try await store.transaction { try await $0.place(placed, again: Self.again.unknown) }
            } catch let error as PostgresError where error.isUnreadable {
                // Its other way: it is asked for again by itself.
                logger.error(
                    "a ride cannot be read", metadata: ["ride": "\(ride.id)", "error": "\(error.debugDetail)"])
            }
        }
        return rides.count >= batch
    }

    private func asked(_ ride: OfferedRide) async throws -> OfferedRide {
        var placed = ride
        for index in placed.way.stops.indices where placed.way.stops[index].region == nil {
            placed.way.stops[index].region = try await ask(placed.way.stops[index].position.onGrid)
        }
        if placed.legs == nil { placed.legs = try await askForLegs(placed.way.points) }
        return placed
    }
}

extension RideTransaction {
    /// Some that no other process asks for until then. What cannot be read is logged, and rests as long.
    fileprivate func takeUnplaced(
        atMost limit: Int, until later: TimeInterval, logger: Logger
    ) async throws -> [OfferedRide] {
        try await transaction.query(
            """
            UPDATE rides SET regions_due = \(now + later) WHERE id IN (
                SELECT id FROM rides WHERE regions_due <= \(now) ORDER BY regions_due LIMIT \(unescaped: "\(limit)")
                FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING \(OfferedRide.columns)
            """
        ).compactMap { row -> OfferedRide? in
            do { return try OfferedRide(row) } catch let error as PostgresError where error.isUnreadable {
                let id: RideID = try row.get("id")
                logger.error("a ride cannot be read", metadata: ["ride": "\(id)", "error": "\(error.debugDetail)"])
                return nil
            }
        }
    }

    /// Keeps the regions of stops that are still where they were, and the legs between them.
    fileprivate func place(_ known: OfferedRide, again later: TimeInterval) async throws {
        guard let ride = try await locked([known.id]).first else { return }
        var placed = ride
        for (index, stop) in known.way.stops.enumerated() where ride.way.stops.indices.contains(index) {
            if ride.way.stops[index].position == stop.position { placed.way.stops[index].region = stop.region }
        }
        try await keep(placed, insteadOf: ride)
        if placed.legs == nil, placed.way.points == known.way.points { placed.legs = known.legs }
        // By themselves: people are not told of streets, but along them a search may find it no more.
        _ = try await transaction.query(
            """
            UPDATE rides SET leg_metres = \(placed.legs?.map(\.metres)), leg_seconds = \(placed.legs?.map(\.seconds)),
                regions_due = \(placed.asksPlaces ? now + later : nil)
            WHERE id = \(known.id)
            """)
        var measured = ride
        measured.legs = placed.legs
        tellSearches(of: measured, since: ride)
    }
}
