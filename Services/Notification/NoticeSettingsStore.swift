import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// Who wants to hear what, in the tables `notice_settings` and `notice_choices`.
struct NoticeSettingsStore: Sendable {
    let database: Database
    let policy: NoticePolicy

    /// Nil where somebody has chosen nothing.
    func kept(of person: PersonID) async throws -> NoticePreferences? {
        let found = try await Self.preferences(of: [person], policy) { try await database.read($0) }
        return found[person]
    }

    /// - Returns: Of those alone who have chosen something.
    static func preferences(
        of people: [PersonID], _ policy: NoticePolicy, asking: (SQLQuery) async throws -> PostgresRows
    ) async throws -> [PersonID: NoticePreferences] {
        var found: [PersonID: NoticePreferences] = [:]
        let settings = try await asking(
            """
            SELECT person, mail, digest_hour, quiet_from, quiet_to, time_zone FROM notice_settings
            WHERE person = ANY(\(people))
            """)
        for row in settings { found[try row.get("person")] = try NoticePreferences(row, policy) }
        let choices = try await asking(
            "SELECT person, kind, mail, push FROM notice_choices WHERE person = ANY(\(people))")
        for row in choices {
            let kind = InboxNoticeKind(rawValue: try row.get("kind"))
            // A kind that there is no more has nothing to say.
            guard policy.kinds.knows(kind) else { continue }
            let choice = NoticeChoice(kind: kind, mail: try row.get("mail"), push: try row.get("push"))
            found[try row.get("person"), default: .usual(policy)].choices[kind] = choice
        }
        return found
    }

    static func save(_ preferences: NoticePreferences, of person: PersonID, in transaction: CommandTransaction)
        async throws
    {
        let choices = preferences.choices.values.sorted { $0.kind.rawValue < $1.kind.rawValue }
        _ = try await transaction.pipeline([
            """
            INSERT INTO notice_settings (person, mail, digest_hour, quiet_from, quiet_to, time_zone)
            VALUES (\(person), \(preferences.mail.rawValue), \(preferences.digestHour),
                \(preferences.quiet?.from.minute), \(preferences.quiet?.to.minute), \(preferences.timeZone))
            ON CONFLICT (person) DO UPDATE SET mail = excluded.mail, digest_hour = excluded.digest_hour,
                quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, time_zone = excluded.time_zone
            """,
            "DELETE FROM notice_choices WHERE person = \(person)",
            """
            INSERT INTO notice_choices (person, kind, mail, push)
            SELECT \(person), kind, mail, push
            FROM unnest(\(choices.map(\.kind.rawValue))::text[], \(choices.map(\.mail))::boolean[],
                \(choices.map(\.push))::boolean[]) AS choice (kind, mail, push)
            """,
            // What waits is looked at anew, by what holds from now on.
            "UPDATE notices SET mail_at = \(transaction.now) WHERE person = \(person) AND mail_at > \(transaction.now)",
            "UPDATE notices SET push_at = \(transaction.now) WHERE person = \(person) AND push_at > \(transaction.now)",
        ])
    }

    /// What somebody wants, while nobody else changes it.
    static func locked(_ person: PersonID, _ policy: NoticePolicy, in transaction: CommandTransaction) async throws
        -> NoticePreferences
    {
        _ = try await transaction.query(.lock("person", person))
        return try await preferences(of: [person], policy) { try await transaction.query($0) }[person]
            ?? .usual(policy)
    }
}

extension NoticePreferences {
    fileprivate init(_ row: PostgresRow, _ policy: NoticePolicy) throws {
        self = .usual(policy)
        mail = NoticeMailMode(rawValue: try row.get("mail")) ?? .atOnce
        digestHour = try row.get("digest_hour")
        let (from, to) = (try row.get("quiet_from", as: Int?.self), try row.get("quiet_to", as: Int?.self))
        quiet = from.flatMap { TimeOfDay(minute: $0) }.flatMap { from in
            to.flatMap { TimeOfDay(minute: $0) }.map { QuietTimes(from: from, to: $0) }
        }
        // A zone that the system no longer has is the community's.
        let zone: String = try row.get("time_zone")
        if let named = WallClock(named: zone) { (timeZone, clock) = (zone, named) }
    }
}

/// What people can ask about what they are told.
struct NoticeSettingsUseCases: Sendable {
    let store: NoticeSettingsStore
    let tokens: UnsubscribeTokens
    let people: PeopleProjection
    let contacts: NoticeMailer.AskContacts

    private var policy: NoticePolicy { store.policy }

    func settings(for caller: Caller) async throws -> NoticeSettings {
        let me = try caller.requirePerson()
        return (try await store.kept(of: me) ?? .usual(policy)).answer
    }

    func change(_ wanted: NoticeSettings, _ context: RequestContext) async throws -> NoticeSettings {
        let me = try context.caller.requirePerson()
        return try await store.database.command(context, meaning: PeopleErasure.refusal(of:)) { [policy] transaction in
            let next = try await NoticeSettingsStore.locked(me, policy, in: transaction).changed(to: wanted)
            try await NoticeSettingsStore.save(next, of: me, in: transaction)
            return next.answer
        }
    }

    /// - Throws: `not_found` for a token that is none of ours.
    func unsubscription(_ token: String) async throws -> Unsubscription {
        guard let named = tokens.named(by: token) else { throw ServiceError.notFound("subscription") }
        let kept = try await store.kept(of: named.person) ?? .usual(policy)
        return Unsubscription(
            kinds: named.sorted(as: policy.kinds), ended: kept.hasEnded(named.kinds),
            account: await account(of: named.person))
    }

    /// Whoever has the token may, and as often as they like.
    func unsubscribe(_ token: String, _ context: RequestContext) async throws -> Unsubscription {
        guard let named = tokens.named(by: token) else { throw ServiceError.notFound("subscription") }
        var ended: Unsubscription = try await store.database.command(context, meaning: PeopleErasure.refusal(of:)) {
            [policy] transaction in
            var next = try await NoticeSettingsStore.locked(named.person, policy, in: transaction)
            if let kinds = named.kinds {
                for kind in kinds {
                    let choice = NoticeChoice(kind: kind, mail: false, push: next.choice(kind).push)
                    next.choices[kind] = choice == next.kinds.usual(kind) ? nil : choice
                }
            } else {
                next.mail = .never
            }
            try await NoticeSettingsStore.save(next, of: named.person, in: transaction)
            return Unsubscription(kinds: named.sorted(as: policy.kinds), ended: true)
        }
        // Afterwards, so that no name is kept with the reply.
        ended.account = await account(of: named.person)
        return ended
    }

    /// Whose mails they are, as others see them and never by an address; nil where nobody can tell.
    private func account(of person: PersonID) async -> String? {
        if let username = (try? await contacts([person]))?.first?.username { return "@\(username)" }
        guard let known = try? await people.summaries(of: [person]), known.knows(person) else { return nil }
        return known[person].name
    }
}

extension UnsubscribeTokens.Named {
    fileprivate func sorted(as all: NoticeKinds) -> [InboxNoticeKind]? { kinds.map { all.kinds.filter($0.contains) } }
}

extension NoticePreferences {
    fileprivate func hasEnded(_ kinds: Set<InboxNoticeKind>?) -> Bool {
        mail == .never || kinds.map { $0.allSatisfy { !choice($0).mail } } ?? false
    }
}
