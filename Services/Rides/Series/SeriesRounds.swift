import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Makes the rides of series whose next day is near enough, and forgets the doors of series that are over.
///
/// Each series is a transaction of its own, and each of its days has one ride at most, whoever makes it: what is cut off is made by the next round,
/// of whichever replica.
struct SeriesRounds: Service, CustomStringConvertible {
    let store: RideStore
    let limits: RideLimits
    let logger: Logger
    var batch = 100
    var pause = Duration.seconds(1)

    /// When it is asked again whether a driver is suspended still.
    static let again: TimeInterval = 3600

    var description: String { "rounds of series" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "rides of series wait for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let (store, batch) = (store, batch)
        let due = try await store.transaction { try await $0.dueSeries(atMost: batch) }
        var (made, failure): (Int, (any Error)?) = (0, nil)
        for series in due {
            do {
                if try await store.transaction({ try await $0.makeRides(of: series, within: limits) }) { made += 1 }
            } catch let error as PostgresError where error.isUnreadable {
                logger.error(
                    "a series cannot be read: it is looked at again in a minute",
                    metadata: ["series": "\(series.id)", "error": "\(error.debugDetail)"])
                try await store.transaction { try await $0.putOff(series.id) }
            } catch {
                // Others do not wait for one that does not work.
                failure = error
            }
        }
        let over = DueRows("ride_series", "doors_until")
        let forgotten = try await store.database.pass(over, atMost: batch, logger: logger) { rows in
            try await store.transaction { try await $0.forgetDoorsOfSeries(rows, atMost: batch) }
        }
        if let failure { throw failure }
        return max(made, forgotten) >= batch
    }
}

/// A series of which rides are due.
private struct DueSeries: Sendable {
    let id: RideSeriesID
    let driver: PersonID
}

extension RideTransaction {
    fileprivate func dueSeries(atMost limit: Int) async throws -> [DueSeries] {
        try await transaction.query(
            """
            SELECT id, driver FROM ride_series WHERE due_at <= \(now) ORDER BY due_at LIMIT \(unescaped: "\(limit)")
            """
        ).map { DueSeries(id: try $0.get("id"), driver: try $0.get("driver")) }
    }

    fileprivate func putOff(_ series: RideSeriesID) async throws {
        _ = try await transaction.query(
            """
            UPDATE ride_series SET due_at = \(now + Database.unreadableRest) WHERE id = \(series) AND due_at <= \(now)
            """)
    }

    /// What another process is at is left to it, and so is a driver who does something at that moment: people are locked before their series, and
    /// nobody is waited for here.
    /// - Returns: whether it was looked at.
    fileprivate func makeRides(of due: DueSeries, within limits: RideLimits) async throws -> Bool {
        guard try await transaction.query(.tryLock("person", due.driver))[0].get("is_locked") else { return false }
        let rows = try await transaction.query(
            """
            SELECT \(OfferedSeries.columns), \(SuspensionProjection.isSuspended("driver", at: now)) AS is_suspended
            FROM ride_series WHERE id = \(due.id) AND due_at <= \(now) FOR NO KEY UPDATE SKIP LOCKED
            """)
        guard let row = rows.first else { return false }
        let series = try OfferedSeries(row)
        if try row.get("is_suspended") {
            let next = series.isOver(at: now) ? nil : now + SeriesRounds.again
            _ = try await transaction.query(series.update(due: next))
        } else {
            let ways = KnownWays(rides: try await lastRides(of: series.id))
            try await makeRides(of: series, on: ways, within: limits)
        }
        return true
    }

    /// What is over for a month keeps no doors.
    fileprivate func forgetDoorsOfSeries(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await transaction.query(
            """
            SELECT \(OfferedSeries.columns) FROM ride_series
            WHERE \(rows.condition(at: now)) ORDER BY doors_until LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(OfferedSeries.init)
        if due.isEmpty { return 0 }
        try await transaction.pipeline(
            due.map { series in
                "UPDATE ride_series SET draft = \(JSON(series.draft.withoutDoors)), doors_until = NULL WHERE id = \(series.id)"
            })
        return due.count
    }
}

extension RideDraft {
    /// What everybody was told of it.
    fileprivate var withoutDoors: RideDraft {
        func middles(_ stops: [RideStopDraft]?) -> [RideStopDraft]? {
            stops?.map { RideStopDraft(name: $0.name, position: $0.position?.onGrid) }
        }
        var draft = self
        draft.stops = middles(stops)
        draft.returnRide?.stops = middles(returnRide?.stops)
        return draft
    }
}

extension SQLQuery {
    /// The same as `lock`, where nobody else has it.
    fileprivate static func tryLock<Kind>(_ purpose: String, _ key: ID<Kind>) -> SQLQuery {
        """
        SELECT pg_try_advisory_xact_lock(
            hashtextextended(current_schema() || '/' || \(purpose) || '/' || \(key.description), 0)) AS is_locked
        """
    }
}
