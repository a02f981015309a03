import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Asks Places in which regions the stops of open rides lie of which that is not known, because it was away when they were posted, or knew of
/// none. Rounds of their own: nothing else waits for another service.
struct RideRegionRounds: Service, CustomStringConvertible {
    /// Nil where there is no region. Asked of the middle of a field of the grid.
    typealias Ask = @Sendable (Position) async throws -> String?

    let store: RideStore
    let logger: Logger
    let ask: Ask
    var batch = 20
    var pause = Duration.seconds(1)

    /// When it is asked again: where no answer came, and where there was no region.
    static let again: (unanswered: TimeInterval, unknown: TimeInterval) = (60, 86_400)

    var description: String { "regions of rides" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "regions of rides wait for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let rides = try await store.transaction {
            try await $0.takeUnplaced(atMost: batch, until: Self.again.unanswered)
        }
        for ride in rides {
            var placed = ride.way
            do {
                for index in placed.stops.indices where placed.stops[index].region == nil {
                    placed.stops[index].region = try await ask(placed.stops[index].position.onGrid)
                }
            } catch {
                logger.notice("regions of rides wait for Places", metadata: ["error": "\(error)"])
                return false
            }
            let way = placed
            try await store.transaction { try await $0.place(ride.id, on: way, again: Self.again.unknown) }
        }
        return rides.count >= batch
    }
}

extension RideTransaction {
    /// Some that no other process asks for until then.
    fileprivate func takeUnplaced(atMost limit: Int, until later: TimeInterval) async throws -> [OfferedRide] {
        try await transaction.query(
            """
            UPDATE rides SET regions_due = \(now + later) WHERE id IN (
                SELECT id FROM rides WHERE regions_due <= \(now) ORDER BY regions_due LIMIT \(unescaped: "\(limit)")
                FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING \(OfferedRide.columns)
            """
        ).map(OfferedRide.init)
    }

    /// Keeps the regions of stops that are still where they were.
    fileprivate func place(_ id: RideID, on way: RideWay, again later: TimeInterval) async throws {
        guard let ride = try await locked([id]).first else { return }
        var placed = ride
        for (index, stop) in way.stops.enumerated() where ride.way.stops.indices.contains(index) {
            if ride.way.stops[index].position == stop.position { placed.way.stops[index].region = stop.region }
        }
        try await keep(placed, insteadOf: ride)
        if ride.state == .open, !placed.way.isPlaced {
            _ = try await transaction.query("UPDATE rides SET regions_due = \(now + later) WHERE id = \(id)")
        }
    }
}
