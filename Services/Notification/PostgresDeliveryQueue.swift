import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What is due for push, in the table `deliveries`.
struct PostgresDeliveryQueue: DeliveryQueue {
    let database: Database
    let people: PeopleProjection
    let policy: NoticePolicy

    func claimDeliveries(atMost count: Int, besides busy: Set<UUID>, now: Date, lease: Date) async throws
        -> [PushDelivery]
    {
        // What nobody may be told any more is taken as well, and deleted: left where it is, it would stand before all others.
        while true {
            let taken = try await take(count, besides: Array(busy), now: now, lease: lease)
            guard !taken.isEmpty else { return [] }
            let ready = try await ready(taken, now: now, lease: lease)
            if !ready.isEmpty { return try await deliveries(ready, at: now) }
        }
    }

    /// What may ring now. What comes again in quiet hours waits for their end, as if it were handed over only then: so it has not expired by
    /// then, and is of use for as long as what comes in these hours for the first time.
    private func ready(_ taken: [PostgresRow], now: Date, lease: Date) async throws -> [PostgresRow] {
        let people = Set(try taken.map { try $0.get("person", as: PersonID.self) })
        let chosen = try await NoticeSettingsStore.preferences(of: Array(people), policy) {
            try await database.read($0)
        }
        var (ready, gone, later) = ([PostgresRow](), [UUID](), [(UUID, Date)]())
        for row in taken {
            let id: UUID = try row.get("delivery")
            let (person, isWanted) = (try row.get("person", as: PersonID.self), try row.get("wanted", as: Bool.self))
            let preferences = chosen[person] ?? .usual(policy)
            switch try isWanted ? preferences.pushAgainTime(of: InboxNoticeKind(row), now: now) : nil {
            case nil: gone.append(id)
            case let time? where time > now: later.append((id, time))
            default: ready.append(row)
            }
        }
        if !gone.isEmpty {
            _ = try await database.query("DELETE FROM deliveries WHERE id = ANY(\(gone)) AND due_at = \(lease)")
        }
        if !later.isEmpty {
            let ends = later.map { $0.1 + policy.pushLifetime }
            _ = try await database.query(
                """
                UPDATE deliveries SET due_at = later.at, expires_at = later.until, attempts = 0
                FROM unnest(\(later.map(\.0))::uuid[], \(later.map(\.1))::timestamptz[], \(ends)::timestamptz[])
                    AS later (id, at, until)
                WHERE deliveries.id = later.id AND due_at = \(lease)
                """)
        }
        return ready
    }

    /// Of each device what is due for the longest time: one at a time, so that a server that hangs has no more than one of ours with each of
    /// its devices, and each failure is one. Another replica may be at the next one of the same device; it finds that the device rests.
    ///
    /// What has grown since it was handed over waits until that is done again: told now, it would say all of it, and ring for it once more then.
    private func take(_ count: Int, besides busy: [UUID], now: Date, lease: Date) async throws -> [PostgresRow] {
        let statements = InboxSQL(campuses: people.campuses, now: now)
        func hasGrown(_ delivery: SQLQuery) -> SQLQuery {
            "EXISTS (SELECT FROM notices AS grown WHERE grown.id = \(delivery).notice AND grown.push_at IS NOT NULL OFFSET 0)"
        }
        return Array(
            try await database.query(
                """
                UPDATE deliveries SET due_at = \(lease), attempts = attempts + 1
                FROM notices
                WHERE deliveries.id IN (
                        SELECT id FROM deliveries AS next
                        WHERE due_at <= \(now) AND expires_at > \(now) AND device <> ALL(\(busy)::uuid[])
                            AND NOT \(hasGrown("next"))
                            AND NOT EXISTS (
                                SELECT FROM deliveries AS earlier
                                WHERE earlier.device = next.device AND earlier.expires_at > \(now)
                                    AND (earlier.due_at, earlier.id) < (next.due_at, next.id)
                                    AND NOT \(hasGrown("earlier")) OFFSET 0)
                        ORDER BY due_at LIMIT \(count) FOR UPDATE OF next SKIP LOCKED)
                    AND notices.id = deliveries.notice
                RETURNING \(InboxSQL.columns), deliveries.id AS delivery, deliveries.device, deliveries.attempts,
                    deliveries.expires_at, coalesce(\(statements.isNews), false) AS wanted
                """))
    }

    private func deliveries(_ rows: [PostgresRow], at now: Date) async throws -> [PushDelivery] {
        let statements = InboxSQL(campuses: people.campuses, now: now)
        let found = try rows.map { (try KeptInboxNotice($0, policy.kinds), $0) }
        let counted = try await database.read(statements.counts(of: Array(Set(found.map(\.0.person)))))
        let unread = Dictionary(
            uniqueKeysWithValues: try counted.map {
                (try $0.get("person", as: PersonID.self), try $0.get("unread", as: Int.self))
            })
        // What is taken is visible, so nobody among them is apart from the one who is told.
        let names = try await people.summaries(of: Set(found.compactMap(\.0.actor)))
        return try found.map { kept, row in
            PushDelivery(
                id: try row.get("delivery"), device: try row.get("device"), person: kept.person,
                notice: kept.named(names), unread: unread[kept.person] ?? 0, attempts: try row.get("attempts"),
                expiresAt: try row.get("expires_at"))
        }
    }

    /// Each time that it is handed over anew it gets another end, and its attempts are counted anew.
    private static func isStill(_ delivery: PushDelivery) -> SQLQuery {
        "id = \(delivery.id) AND attempts = \(delivery.attempts) AND expires_at = \(delivery.expiresAt)"
    }

    func settle(_ delivery: PushDelivery, again: Date?) async throws {
        let isOurs = Self.isStill(delivery)
        if let again {
            _ = try await database.query("UPDATE deliveries SET due_at = \(again) WHERE \(isOurs)")
        } else {
            _ = try await database.query("DELETE FROM deliveries WHERE \(isOurs)")
        }
    }

    func putBack(_ delivery: PushDelivery, until: Date) async throws {
        _ = try await database.query(
            "UPDATE deliveries SET due_at = \(until), attempts = attempts - 1 WHERE \(Self.isStill(delivery))")
    }

    func postponeDeliveries(to device: UUID, until: Date) async throws {
        // Whoever has one at this moment sees to it: it is handed over for when the device rests no longer, or is taken, and put back.
        _ = try await database.query(
            """
            UPDATE deliveries SET due_at = \(until)
            WHERE id IN (
                SELECT id FROM deliveries WHERE device = \(device) AND due_at < \(until) FOR UPDATE SKIP LOCKED)
            """)
    }

    func forgetDeliveries(to device: UUID) async throws {
        _ = try await database.query("DELETE FROM deliveries WHERE device = \(device)")
    }
}
