import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// What time does: ends availabilities and offers, lets orders lapse, completes what nobody denies, reminds of what is due, closes rooms about what is over, ends what is of
/// people who are suspended, and forgets where somebody was.
///
/// What is due is in the database, by its time: nothing is forgotten while all replicas are away, and of those that run each takes what no other
/// is at.
struct DeliveryRounds: Service, CustomStringConvertible {
    let store: DeliveryStore
    let logger: Logger
    var batch = 100
    var pause = Duration.seconds(1)

    var description: String { "delivery rounds" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "what is due of deliveries waits for the database") {
            try await round()
        }
    }

    /// What cannot be read keeps nothing else from being done.
    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let passed = [
            try await store.pass("matches", "due_at", atMost: batch) { try await $0.passMatches($1, atMost: $2) },
            try await store.pass("orders", "due_at", atMost: batch) { try await $0.passOrders($1, atMost: $2) },
            try await store.pass("availabilities", "due_at", atMost: batch) {
                try await $0.passAvailabilities($1, atMost: $2)
            },
            try await store.pass("matches", "remind_at", atMost: batch) {
                try await $0.remindOfMatches($1, atMost: $2)
            },
            try await store.pass("availabilities", "remind_at", atMost: batch) {
                try await $0.remindOfEnds($1, atMost: $2)
            },
            try await store.pass("matches", "talk_until", atMost: batch) { try await $0.closeRooms($1, atMost: $2) },
            try await reconcile(),
            try await store.transaction { try await $0.forgetPlaces(atMost: batch) },
        ]
        return passed.contains { $0 >= batch }
    }

    private func reconcile() async throws -> Int {
        try await store.reconcile(
            all: { try await $0.reconcile(atMost: batch) },
            people: { try await $0.suspendedPeople(atMost: batch) },
            steps: [
                { try await $0.reconcile($1, atMost: 1) }
            ])
    }
}

extension DeliveryTransaction {
    /// Of each availability one match at a time, as what becomes of the one is what the next one finds.
    /// - Returns: how many were looked at.
    fileprivate func passMatches(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let found = try await transaction.query(
            """
            SELECT id, availability FROM matches WHERE \(rows.condition(at: now)) ORDER BY due_at
            LIMIT \(unescaped: "\(limit)")
            """)
        var (ids, availabilities): ([MatchID], Set<AvailabilityID>) = ([], [])
        for row in found where availabilities.insert(try row.get("availability")).inserted {
            ids.append(try row.get("id"))
        }
        let due = try await locked(ids, whereFree: true)
        for held in due {
            if let decision = held.match.pass(at: now) { _ = try await keep(decision, of: held) }
        }
        // Those that were left out are there still.
        return ids.count < found.count && !due.isEmpty ? limit : due.count
    }

    /// Nobody is asked for these, so that no availability is to be locked.
    fileprivate func passOrders(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await transaction.query(
            """
            SELECT \(PlacedOrder.columns) FROM orders WHERE \(rows.condition(at: now)) ORDER BY due_at
            LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try PlacedOrder($0, words) }
        for order in due {
            if let decision = order.pass(at: now) {
                _ = try await keep(decision, insteadOf: order)
            } else {
                // It could not be read when it was looked at, and can be by now: whoever may bring it is looked for.
                _ = try await transaction.query(
                    "UPDATE orders SET due_at = \(order.dueAt) WHERE id = \(order.id)")
            }
        }
        return due.count
    }

    /// What is offered to those who end is withdrawn, and its orders go on.
    fileprivate func passAvailabilities(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await transaction.query(
            """
            SELECT \(OfferedAvailability.columns) FROM availabilities WHERE \(rows.condition(at: now)) ORDER BY due_at
            LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(OfferedAvailability.init)
        try await lockMatches(with: due.map(\.id))
        for availability in due {
            if let decision = availability.pass(at: now) { _ = try await keep(decision, insteadOf: availability) }
        }
        return due.count
    }

    // MARK: Reminders, each once

    fileprivate func remindOfMatches(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await transaction.query(
            """
            SELECT \(MatchAgreement.columns) FROM matches WHERE \(rows.condition(at: now)) ORDER BY remind_at
            LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try MatchAgreement($0, words) }
        if due.isEmpty { return 0 }
        let found = try await transaction.query(
            "SELECT \(PlacedOrder.columns) FROM orders WHERE id = ANY(\(due.map(\.order)))")
        let orders = try Dictionary(found.map { try PlacedOrder($0, words) }.map { ($0.id, $0) }) { one, _ in one }
        for match in due {
            _ = try await transaction.query(
                "UPDATE matches SET remind_at = \(match.remindAt(after: now)) WHERE id = \(match.id)")
            guard let occasion = match.occasion(at: now), let order = orders[match.order] else { continue }
            let news = try await news(of: match, in: order, by: nil)
            publish(MatchReminder(match: news, about: occasion), of: match)
        }
        return due.count
    }

    fileprivate func remindOfEnds(_ rows: DueRows, atMost limit: Int) async throws -> Int {
        let due = try await transaction.query(
            """
            SELECT \(OfferedAvailability.columns) FROM availabilities WHERE \(rows.condition(at: now)) ORDER BY remind_at
            LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(OfferedAvailability.init)
        for availability in due {
            _ = try await transaction.query(
                """
                UPDATE availabilities SET remind_at = \(availability.remindAt(after: now)) WHERE id = \(availability.id)
                """)
            // Who is paused is asked already, and what is over is told as that.
            guard availability.isThere(at: now) else { continue }
            transaction.publish(
                AvailabilityChanged(availability, .endsSoon), about: "availability/\(availability.id)",
                to: .people([availability.deliverer]))
        }
        return due.count
    }

    // MARK: Forgetting

    /// How long a point is kept after which none came, and a restaurant where nobody is any more.
    private static let (pointsKept, restaurantsKept): (TimeInterval, TimeInterval) = (600, 86_400)

    fileprivate func forgetPlaces(atMost limit: Int) async throws -> Int {
        let answers = try await transaction.pipeline([
            """
            DELETE FROM positions WHERE match IN (
                SELECT match FROM positions WHERE at < \(now - Self.pointsKept) ORDER BY at
                LIMIT \(unescaped: "\(limit)") FOR UPDATE SKIP LOCKED)
            RETURNING match
            """,
            """
            DELETE FROM restaurants WHERE id IN (
                SELECT id FROM restaurants WHERE until < \(now - Self.restaurantsKept) ORDER BY until
                LIMIT \(unescaped: "\(limit)") FOR UPDATE SKIP LOCKED)
            RETURNING id
            """,
        ])
        return answers.map(\.count).max() ?? 0
    }
}
