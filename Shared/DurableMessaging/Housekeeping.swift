import FoundationEssentials
import Logging
import Messaging
import Metrics
import Postgres
import ServiceLifecycle

/// Measures outbox and dead letters, and forgets what is old enough.
struct Housekeeping: Service, CustomStringConvertible {
    let database: Database
    var description: String { "housekeeping" }

    func run() async throws {
        let metrics = MessagingMetrics(service: database.service)
        await cancelWhenGracefulShutdown {
            var nextPruning = ContinuousClock.now
            while !Task.isCancelled {
                do {
                    try await database.measure(metrics)
                    if ContinuousClock.now >= nextPruning {
                        nextPruning = .now + database.settings.pruneInterval
                        try await database.prune()
                    }
                } catch  where !Task.isCancelled {
                    database.logger.warning("housekeeping failed", metadata: ["reason": "\(error)"])
                } catch {}
                try? await Task.sleep(for: database.settings.measureInterval)
            }
        }
    }
}

/// What Prometheus is told of a service's events.
struct MessagingMetrics: Sendable {
    let oldestUnnumbered: Gauge
    let head: Gauge
    let deadLetters: Gauge

    init(service: String) {
        let labels = [("publisher", service)]
        oldestUnnumbered = Gauge(label: "kampong_outbox_oldest_unnumbered_seconds", dimensions: labels)
        head = Gauge(label: "kampong_outbox_head", dimensions: labels)
        deadLetters = Gauge(label: "kampong_dead_letters", dimensions: labels)
    }
}

extension Database {
    func measure(_ metrics: MessagingMetrics) async throws {
        metrics.oldestUnnumbered.record(try await sequencer.outbox.oldestUnnumbered())
        metrics.head.record(try await head()?.position ?? 0)
        let dead = try await pool.read("SELECT count(*) AS count FROM dead_letters")
        metrics.deadLetters.record(try dead[0].get("count", as: Int64.self))
    }

    /// Forgets events and requests past their time, a thousand at a time, so that no transaction is long.
    package func prune() async throws {
        let events = clock().addingTimeInterval(-settings.keepEvents.timeInterval)
        while try await sequencer.outbox.prune(numberedBefore: events, limit: 1000) == 1000 {}
        let requests = clock().addingTimeInterval(-settings.keepRequests.timeInterval)
        try await prune("requests", "answered_at", before: requests)
        try await prune("refusals", "until", before: clock())
    }

    /// In order and by their places, because PostgreSQL would read the whole table otherwise. A row that is written anew meanwhile has
    /// another place, and stays.
    private func prune(_ table: SQLQuery, _ time: SQLQuery, before moment: Date) async throws {
        var forgotten = 1000
        while forgotten == 1000 {
            forgotten = try await pool.query(
                """
                DELETE FROM \(table) WHERE ctid = ANY (ARRAY(
                    SELECT ctid FROM \(table) WHERE \(time) < \(moment) ORDER BY \(time) LIMIT 1000))
                """
            ).affected
        }
    }
}
