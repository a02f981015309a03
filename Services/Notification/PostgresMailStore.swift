import DurableMessaging
import Messaging
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every SQL statement about mails.
struct PostgresMailStore: MailQueue, MailRecords {
    let database: Database

    func accept(_ mail: Mail, _ context: RequestContext) async throws {
        _ = try await database.command(context) { transaction in
            // The same request from long ago, whose record is pruned by now, was delivered by then.
            try await transaction.query(
                """
                INSERT INTO mails (id, template, sealed, accepted_at, due_at, expires_at)
                VALUES (\(mail.id), \(mail.template), \(mail.sealed), \(mail.acceptedAt), \(mail.acceptedAt),
                    \(mail.expiresAt))
                ON CONFLICT (id) DO NOTHING
                """)
            return Nothing()
        }
    }

    func claim(atMost count: Int, now: Date, lease: Date) async throws -> [Mail] {
        try await database.query(
            """
            UPDATE mails SET due_at = \(lease), attempts = attempts + 1
            WHERE id IN (
                SELECT id FROM mails WHERE state = 'waiting' AND due_at <= \(now) AND expires_at > \(now)
                ORDER BY due_at LIMIT \(count) FOR UPDATE SKIP LOCKED)
            RETURNING id, template, sealed, attempts, accepted_at, expires_at
            """
        ).map { row in
            Mail(
                id: try row.get("id"), template: try row.get("template"), sealed: try row.get("sealed"),
                attempts: try row.get("attempts"), acceptedAt: try row.get("accepted_at"),
                expiresAt: try row.get("expires_at"))
        }
    }

    func settle(_ mail: Mail, as verdict: MailVerdict, now: Date) async throws {
        let change: SQLQuery =
            switch verdict {
            case .delivered: "state = 'delivered', sealed = NULL, reason = NULL, ended_at = \(now)"
            case .again(let at, let reason): "due_at = \(at), reason = \(reason)"
            case .dead(let reason): "state = 'dead', reason = \(reason), ended_at = \(now)"
            }
        _ = try await database.query(
            """
            UPDATE mails SET \(change)
            WHERE id = \(mail.id) AND state = 'waiting' AND attempts = \(mail.attempts)
            """)
    }

    func sweep(now: Date, forgotten: Date) async throws {
        _ = try await database.query(
            """
            UPDATE mails SET state = 'dead', ended_at = \(now), sealed = NULL,
                reason = 'Its time was over.' || coalesce(' Before that: ' || reason, '')
            WHERE state = 'waiting' AND expires_at <= \(now)
            """)
        _ = try await database.query(
            "UPDATE mails SET sealed = NULL WHERE state = 'dead' AND sealed IS NOT NULL AND expires_at <= \(now)")
        _ = try await database.query("DELETE FROM mails WHERE ended_at < \(forgotten)")
    }

    func tally(now: Date) async throws -> MailTally {
        let rows = try await database.read(
            """
            SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'dead') AS dead,
                min(accepted_at) FILTER (WHERE state = 'waiting') AS oldest
            FROM mails WHERE state <> 'delivered'
            """)
        let oldest: Date? = try rows[0].get("oldest")
        return MailTally(
            waiting: try rows[0].get("waiting"), dead: try rows[0].get("dead"),
            oldest: oldest.map { now.timeIntervalSince($0) } ?? 0)
    }

    func dead() async throws -> [DeadMail] {
        try await database.read(
            """
            SELECT id, template, reason, attempts, accepted_at, ended_at, sealed IS NOT NULL AS retry FROM mails
            WHERE state = 'dead' ORDER BY ended_at DESC, id LIMIT 1000
            """
        ).map { row in
            DeadMail(
                id: try row.get("id"), template: try row.get("template"), reason: try row.get("reason"),
                attempts: try row.get("attempts"), acceptedAt: try row.get("accepted_at"),
                endedAt: try row.get("ended_at"), canRetry: try row.get("retry"))
        }
    }

    func retryDead(now: Date, _ context: RequestContext) async throws -> Int {
        try await database.command(context) { transaction in
            try await transaction.query(
                """
                UPDATE mails SET state = 'waiting', due_at = \(now), ended_at = NULL
                WHERE state = 'dead' AND sealed IS NOT NULL AND expires_at > \(now)
                """
            ).affected
        }
    }
}
