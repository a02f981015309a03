import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import WireProtocol

/// Every SQL statement about mails and texts.
struct PostgresMailStore: MailQueue, MailRecords {
    let database: Database

    func accept(_ mail: Mail, _ context: RequestContext) async throws {
        _ = try await database.command(context) { transaction in
            // The same request from long ago, whose record is pruned by now, was delivered by then.
            try await transaction.query(
                """
                INSERT INTO mails (id, channel, template, sealed, accepted_at, due_at, expires_at)
                VALUES (\(mail.id), \(mail.channel.rawValue), \(mail.template), \(mail.sealed), \(mail.acceptedAt),
                    \(mail.acceptedAt), \(mail.expiresAt))
                ON CONFLICT (id) DO NOTHING
                """)
            return Nothing()
        }
    }

    func claim(_ channel: MailChannel, atMost count: Int, now: Date, lease: Date) async throws -> [Mail] {
        try await database.query(
            """
            UPDATE mails SET due_at = \(lease), attempts = attempts + 1
            WHERE id IN (
                SELECT id FROM mails
                WHERE state = 'waiting' AND channel = \(channel.rawValue) AND due_at <= \(now) AND expires_at > \(now)
                ORDER BY due_at LIMIT \(count) FOR UPDATE SKIP LOCKED)
            RETURNING id, template, sealed, attempts, accepted_at, expires_at
            """
        ).map { row in
            Mail(
                id: try row.get("id"), channel: channel, template: try row.get("template"),
                sealed: try row.get("sealed"), attempts: try row.get("attempts"),
                acceptedAt: try row.get("accepted_at"), expiresAt: try row.get("expires_at"))
        }
    }

    func settle(_ mail: Mail, as verdict: MailVerdict, now: Date) async throws {
        let isOurs: SQLQuery = "id = \(mail.id) AND state = 'waiting' AND attempts = \(mail.attempts)"
        let change: SQLQuery
        switch verdict {
        case .withdrawn:
            _ = try await database.query("DELETE FROM mails WHERE \(isOurs)")
            return
        case .delivered: change = "state = 'delivered', sealed = NULL, reason = NULL, ended_at = \(now)"
        case .again(let at, let reason): change = "due_at = \(at), reason = \(reason)"
        case .dead(let reason): change = "state = 'dead', reason = \(reason), ended_at = \(now)"
        }
        _ = try await database.query("UPDATE mails SET \(change) WHERE \(isOurs)")
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

    func tally(_ channel: MailChannel, now: Date) async throws -> MailTally {
        let rows = try await database.read(
            """
            SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'dead') AS dead,
                min(accepted_at) FILTER (WHERE state = 'waiting') AS oldest
            FROM mails WHERE state <> 'delivered' AND channel = \(channel.rawValue)
            """)
        let oldest: Date? = try rows[0].get("oldest")
        return MailTally(
            waiting: try rows[0].get("waiting"), dead: try rows[0].get("dead"),
            oldest: oldest.map { now.timeIntervalSince($0) } ?? 0)
    }

    func dead() async throws -> [DeadMail] {
        try await database.read(
            """
            SELECT id, channel, template, reason, attempts, accepted_at, ended_at, sealed IS NOT NULL AS retry FROM mails
            WHERE state = 'dead' ORDER BY ended_at DESC, id LIMIT 1000
            """
        ).map { row in
            DeadMail(
                id: try row.get("id"), channel: MailChannel(rawValue: try row.get("channel")) ?? .mail,
                template: try row.get("template"), reason: try row.get("reason"), attempts: try row.get("attempts"),
                acceptedAt: try row.get("accepted_at"), endedAt: try row.get("ended_at"), canRetry: try row.get("retry")
            )
        }
    }

    func retryDead(now: Date, _ context: RequestContext) async throws -> Int {
        try await database.command(context) { transaction in
            try await transaction.query(
                """
                UPDATE mails SET state = 'waiting', attempts = 0, due_at = \(now), ended_at = NULL
                WHERE state = 'dead' AND sealed IS NOT NULL AND expires_at > \(now)
                """
            ).affected
        }
    }

    // MARK: For operators

    private static func kept(_ now: Date) -> SQLQuery {
        """
        id, channel, template, state, accepted_at, attempts, reason,
        state = 'dead' AND sealed IS NOT NULL AND expires_at > \(now) AS retry
        """
    }

    func mails(_ channel: MailChannel, delivered: Bool, after: KeptMailID?, limit: Int, now: Date) async throws
        -> [KeptMail]
    {
        let states: SQLQuery = delivered ? "" : "AND state <> 'delivered'"
        let onwards: SQLQuery =
            after.map { "AND (accepted_at, id) < (SELECT accepted_at, id FROM mails WHERE id = \($0.uuid))" } ?? ""
        return try await database.read(
            """
            SELECT \(Self.kept(now)) FROM mails WHERE channel = \(channel.rawValue) \(states) \(onwards)
            ORDER BY accepted_at DESC, id DESC LIMIT \(limit)
            """
        ).map(KeptMail.init)
    }

    func mail(_ id: KeptMailID, now: Date) async throws -> KeptMail? {
        try await database.read("SELECT \(Self.kept(now)) FROM mails WHERE id = \(id.uuid)").first.map(KeptMail.init)
    }

    func retry(_ id: KeptMailID, now: Date, _ context: RequestContext) async throws {
        _ = try await database.command(context) { transaction in
            let changed = try await transaction.query(
                """
                UPDATE mails SET state = 'waiting', attempts = 0, due_at = \(now), ended_at = NULL
                WHERE id = \(id.uuid) AND state = 'dead' AND sealed IS NOT NULL AND expires_at > \(now)
                """
            ).affected
            guard changed == 1 else {
                throw ServiceError(.wrongState, "It was not given up, or its time is over.")
            }
            return Nothing()
        }
    }
}

extension KeptMail {
    fileprivate init(_ row: PostgresRow) throws {
        guard let channel = MailChannel(rawValue: try row.get("channel")),
            let state = MailState(rawValue: try row.get("state"))
        else { throw PostgresError(.unexpectedValue, debugDetail: "a channel or a state that there is not") }
        self.init(
            id: KeptMailID(try row.get("id")), channel: channel, template: try row.get("template"), state: state,
            acceptedAt: try row.get("accepted_at"), attempts: try row.get("attempts"), reason: try row.get("reason"),
            canRetry: try row.get("retry"))
    }
}
