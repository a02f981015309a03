import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import WireProtocol

/// What operators can ask of pushes that were given up.
struct DeadPushUseCases: Sendable {
    let database: Database
    let access: OperatorAccess
    /// For how long one that is tried again is worth it.
    let lifetime: TimeInterval
    let now: @Sendable () -> Date

    /// What was not seen, and is to be told still.
    private static let canRetry: SQLQuery =
        "EXISTS (SELECT FROM notices WHERE notices.id = dead_pushes.notice AND notices.seen_at IS NULL)"

    func pushes(_ query: DeadPushQuery, for caller: Caller) async throws -> Page<DeadPush> {
        try await access.require(caller)
        let limit = min(max(1, query.limit ?? 20), DeadPushQuery.largest)
        var onwards: SQLQuery = ""
        if let cursor = query.cursor {
            guard let id = DeadPushID(cursor) else { throw ServiceError(.malformed, "The cursor is none of ours.") }
            onwards =
                "WHERE (ended_at, dead_pushes.id) < ((SELECT ended_at FROM dead_pushes WHERE id = \(id)), \(id))"
        }
        let rows = try await database.read(
            """
            SELECT dead_pushes.id, devices.kind AS device, dead_pushes.kind, reason, attempts, ended_at,
                \(Self.canRetry) AS can_retry
            FROM dead_pushes JOIN devices ON devices.id = dead_pushes.device \(onwards)
            ORDER BY ended_at DESC, dead_pushes.id DESC LIMIT \(unescaped: "\(limit + 1)")
            """)
        let found = FoundPage(try rows.map { try DeadPush($0) }, of: limit)
        return Page(items: found.shown, next: found.last?.id.description)
    }

    /// Lays it down anew for the same device.
    func retry(_ id: DeadPushID, _ context: RequestContext) async throws {
        try await access.require(context.caller)
        let (now, until) = (now(), now() + lifetime)
        _ = try await database.command(context) { transaction in
            let rows = try await transaction.query(
                "SELECT \(Self.canRetry) AS can_retry FROM dead_pushes WHERE id = \(id) FOR UPDATE")
            guard let row = rows.first else { throw ServiceError.notFound("push") }
            guard try row.get("can_retry") else {
                throw ServiceError(.wrongState, "This was seen meanwhile: there is nothing to be told.")
            }
            _ = try await transaction.pipeline([
                // Whoever says so may know that its server is back.
                """
                UPDATE devices SET rests_until = NULL
                WHERE id = (SELECT device FROM dead_pushes WHERE dead_pushes.id = \(id))
                """,
                """
                INSERT INTO deliveries (notice, device, due_at, expires_at)
                SELECT notice, device, \(now), \(until) FROM dead_pushes WHERE id = \(id)
                ON CONFLICT ON CONSTRAINT deliveries_once DO NOTHING
                """,
                "DELETE FROM dead_pushes WHERE id = \(id)",
            ])
            return Nothing()
        }
    }

    func forget(_ id: DeadPushID, _ context: RequestContext) async throws {
        try await access.require(context.caller)
        _ = try await database.command(context) { transaction in
            guard try await transaction.query("DELETE FROM dead_pushes WHERE id = \(id)").affected == 1 else {
                throw ServiceError.notFound("push")
            }
            return Nothing()
        }
    }

    /// Request → use case → reply.
    func answer(on router: inout RequestRouter) {
        router.on(NotificationMethods.deadPushes) { query, _, context in
            try await pushes(query, for: context.caller)
        }
        router.on(NotificationMethods.retryDeadPush) { push, _, context in
            try await retry(push.id, context)
            return Nothing()
        }
        router.on(NotificationMethods.forgetDeadPush) { push, _, context in
            try await forget(push.id, context)
            return Nothing()
        }
    }
}

extension DeadPush {
    fileprivate init(_ row: PostgresRow) throws {
        guard let device = PushKind(rawValue: try row.get("device")) else {
            throw PostgresError(.unexpectedValue, debugDetail: "a kind of device that there is not")
        }
        self.init(
            id: try row.get("id"), device: device, kind: try InboxNoticeKind(row), reason: try row.get("reason"),
            attempts: try row.get("attempts"), endedAt: try row.get("ended_at"), canRetry: try row.get("can_retry"))
    }
}
