import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// What happens to notices as time passes: those that waited are shown, what is due for push is handed over, what is old goes.
///
/// Any number of replicas may run: each takes what no other is at, and each step is one transaction.
struct NoticeRounds: Service, CustomStringConvertible {
    let database: Database
    let book: PostgresNoticeBook
    let devices: PushDevices
    let logger: Logger
    let now: @Sendable () -> Date
    var pause = Duration.milliseconds(500)
    var sweepInterval = Duration.seconds(60)
    var batch = 200
    var sweepBatch = 5_000

    var description: String { "notice rounds" }

    func run() async throws {
        async let sweeping: Void = repeatRounds(
            every: sweepInterval, logger: logger, failing: "old notices could not be deleted"
        ) {
            try await sweep() == sweepBatch
        }
        await repeatRounds(every: pause, logger: logger, failing: "notices wait") {
            let told = try await tell()
            return try await push() == batch || told == batch
        }
        await sweeping
    }

    /// Shows what was not read while it waited.
    /// - Returns: How many there were.
    @discardableResult
    func tell() async throws -> Int {
        let now = now()
        // Looked for without a transaction first: mostly there is nothing.
        guard
            try await !database.read(
                "SELECT FROM notices WHERE NOT told AND read_at IS NULL AND shown_at <= \(now) ORDER BY shown_at LIMIT 1"
            ).isEmpty
        else { return 0 }
        return try await database.transaction { transaction in
            let answers = try await transaction.pipeline([
                Self.taking,
                """
                SELECT id, person FROM notices WHERE NOT told AND read_at IS NULL AND shown_at <= \(now)
                ORDER BY shown_at LIMIT \(unescaped: "\(batch)")
                """,
            ])
            guard try answers[0][0].get("free") else { return 0 }
            let ids: [InboxNoticeID] = try answers[1].map { try $0.get("id") }
            let people: [PersonID] = try answers[1].map { try $0.get("person") }
            // Inboxes before their rows, as whoever reads and whoever writes to them: they would wait for us, and we for them.
            // Rows that somebody has all the same (an erasure) are left to the next round.
            let told = try await transaction.pipeline([
                PostgresNoticeBook.holding(people),
                """
                UPDATE notices SET told = true
                WHERE id IN (
                    SELECT id FROM notices
                    WHERE id = ANY(\(ids)) AND NOT told AND read_at IS NULL AND shown_at <= \(now)
                    FOR UPDATE SKIP LOCKED)
                RETURNING id, person, kind, actor
                """,
            ])[1].map(ToldNotice.init)
            // One by one, also where there are many: they are of many things.
            for start in stride(from: 0, to: told.count, by: PostgresNoticeBook.mostNumbered) {
                let end = min(start + PostgresNoticeBook.mostNumbered, told.count)
                try await book.announce(Array(told[start..<end]), in: transaction)
            }
            return told.count
        }
    }

    /// One replica at a time: another would find the same notices, wait for their inboxes, and have nothing left to show.
    private static let taking: SQLQuery =
        "SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '/notices/showing', 0)) AS free"

    /// Hands over what is due for push, or says when to look again.
    /// - Returns: How many there were.
    @discardableResult
    func push() async throws -> Int {
        let (now, policy) = (now(), book.policy)
        // What is not shown yet waits until it is: both are due at the same moment, and this one may look first.
        guard
            try await !database.read("SELECT FROM notices WHERE push_at <= \(now) AND told ORDER BY push_at LIMIT 1")
                .isEmpty
        else { return 0 }
        return try await database.transaction { transaction in
            let taken = try await transaction.query(
                """
                SELECT \(InboxSQL.columns) FROM notices WHERE push_at <= \(now) AND told ORDER BY push_at
                LIMIT \(unescaped: "\(batch)") FOR UPDATE SKIP LOCKED
                """
            ).map { try KeptInboxNotice($0, policy.kinds) }
            let people = Array(Set(taken.map(\.person)))
            let wanted = try await NoticeSettingsStore.preferences(of: people, policy) {
                try await transaction.query($0)
            }
            let seen = try await Presence.last(of: people) { try await transaction.query($0) }
            var (due, done, later) = ([HandedOver](), [InboxNoticeID](), [(InboxNoticeID, Date)]())
            for kept in taken {
                let preferences = wanted[kept.person] ?? .usual(policy)
                let time = preferences.pushTime(
                    of: kept.notice.kind, at: kept.began(policy), seen: seen[kept.person], now: now, policy)
                if let time, time > now {
                    later.append((kept.notice.id, time))
                } else {
                    done.append(kept.notice.id)
                    if time != nil { due.append(HandedOver(kept, now, policy)) }
                }
            }
            try await transaction.pipeline([
                handOver(due, at: now),
                "UPDATE notices SET push_at = NULL WHERE id = ANY(\(done))",
                """
                UPDATE notices SET push_at = later.at
                FROM unnest(\(later.map(\.0))::uuid[], \(later.map(\.1))::timestamptz[]) AS later (id, at)
                WHERE notices.id = later.id
                """,
            ])
            return taken.count
        }
    }

    /// What is due for devices.
    private struct HandedOver {
        let notice: InboxNoticeID
        /// By which it takes its place among what waits.
        let since: Date
        /// When it is of no more use.
        let until: Date

        init(_ kept: KeptInboxNotice, _ now: Date, _ policy: NoticePolicy) {
            notice = kept.notice.id
            since = now - policy.pushLead(of: kept.notice.kind)
            until = kept.until ?? now + policy.pushLifetime(of: kept.notice.kind)
        }
    }

    /// A delivery for each device, due when the device is not left alone any more. Where one of the same notice waits already, it says
    /// what is new by itself.
    private func handOver(_ due: [HandedOver], at now: Date) -> SQLQuery {
        """
        INSERT INTO deliveries (notice, device, due_at, expires_at)
        SELECT notices.id, device.id,
            CASE WHEN device.rests_until > \(now) THEN device.rests_until ELSE due.since END, due.until
        FROM unnest(\(due.map(\.notice))::uuid[], \(due.map(\.since))::timestamptz[], \(due.map(\.until))::timestamptz[])
                AS due (notice, since, until)
            JOIN notices ON notices.id = due.notice JOIN (\(devices.rows)) AS device ON device.person = notices.person
        WHERE notices.told
            AND \(InboxSQL(campuses: book.campuses, now: now).isNews)
        ORDER BY notices.id, device.id
        ON CONFLICT (notice, device) DO UPDATE
        SET due_at = excluded.due_at, expires_at = excluded.expires_at, attempts = 0
        """
    }

    /// Deletes what is old, so much at once.
    /// - Returns: How many notices.
    @discardableResult
    func sweep() async throws -> Int {
        let now = now()
        _ = try await database.query("DELETE FROM presence WHERE seen_at < \(now - 86_400)")
        _ = try await database.query("DELETE FROM deliveries WHERE expires_at <= \(now)")
        return try await database.query(
            """
            DELETE FROM notices WHERE id IN (
                SELECT id FROM notices WHERE happened_at < \(now - book.policy.retention)
                ORDER BY happened_at LIMIT \(unescaped: "\(sweepBatch)") FOR UPDATE SKIP LOCKED)
            """
        ).affected
    }
}
