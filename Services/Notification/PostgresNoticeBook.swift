import DurableMessaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes what people are told, and that they have seen to it, in the transaction of whoever says so.
struct PostgresNoticeBook: Sendable {
    let campuses: CampusSeparation
    let policy: NoticePolicy

    /// Rows of one statement.
    static let batch = 2_000
    /// More people than this hear of one thing without their own numbers.
    static let mostNumbered = 100
    /// People of one event.
    private static let mostTogether = 500

    func apply(_ telling: Telling, in transaction: CommandTransaction) async throws {
        for (person, key) in telling.settled { try await settle(key, for: person, in: transaction) }
        for (notice, people) in telling.notices { try await tell(notice, to: people, in: transaction) }
    }

    /// Tells people of something: each once, however often it is said, and nobody who is apart from the one who did it.
    func tell(_ notice: NewNotice, to people: [PersonID], in transaction: CommandTransaction) async throws {
        // Whoever erases somebody waits for us, and we for them: nothing that names the person is left behind.
        _ = try await transaction.query(Self.sharing)
        var rest = Set(people).sorted()[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batch))
            rest = rest.dropFirst(batch.count)
            let told = try await transaction.query(insertion(of: notice, to: batch, at: transaction.now))
                .filter { try $0.get("told") }
                .map { ToldNotice(id: try $0.get("id"), person: try $0.get("person"), notice) }
            try await announce(told, amongMany: people.count > Self.mostNumbered, in: transaction)
        }
    }

    /// Says on the live streams of these people that there is something. Of many at once nobody is counted for.
    func announce(_ told: [ToldNotice], amongMany: Bool = false, in transaction: CommandTransaction) async throws {
        guard amongMany else {
            let counts = try await unread(of: told.map(\.person), in: transaction)
            for notice in told {
                // Nobody counts what they do not see: whoever is suspended, or apart, tells them nothing.
                guard let unread = counts[notice.person] else { continue }
                transaction.publish(
                    Noticed(kind: notice.kind, notice: notice.id, unread: unread), about: "inbox/\(notice.person)",
                    to: .people([notice.person]), concerning: notice.actor.map { [$0] } ?? [])
            }
            return
        }
        var rest = told[...]
        while let first = rest.first {
            let together = rest.prefix(Self.mostTogether)
            rest = rest.dropFirst(together.count)
            transaction.publish(
                Noticed(kind: first.kind, notice: nil, unread: nil), about: "inbox/many",
                to: .people(Set(together.map(\.person))), concerning: first.actor.map { [$0] } ?? [])
        }
    }

    /// Somebody has seen to something where it is: its notice is read.
    func settle(_ key: NoticeKey, for person: PersonID, in transaction: CommandTransaction) async throws {
        try await read(where: "person = \(person) AND key = \(key.text)", of: person, in: transaction)
    }

    /// Somebody has read in a room, up to a message: where that was not the last, so much less is unread.
    func follow(_ event: MessagesRead, in transaction: CommandTransaction) async throws {
        let (key, read) = (NoticeKey.messages(in: event.room).text, Int64(event.marks.read))
        _ = try await transaction.query(
            """
            UPDATE notices SET count = greatest(1, least(count, latest - \(read)))::int
            WHERE person = \(event.by) AND key = \(key) AND latest > \(read) AND read_at IS NULL
            """)
        try await self.read(
            where: "person = \(event.by) AND key = \(key) AND latest <= \(read)", of: event.by, in: transaction)
    }

    /// Marks notices of one person as read, and says so where they were shown.
    /// - Returns: Whether any was unread.
    @discardableResult
    func read(where condition: SQLQuery, of person: PersonID, in transaction: CommandTransaction) async throws -> Bool {
        let rows = try await transaction.query(
            """
            UPDATE notices SET read_at = \(transaction.now), seen_at = coalesce(seen_at, \(transaction.now)),
                mail_at = NULL, push_at = NULL
            WHERE \(condition) AND read_at IS NULL RETURNING id, told
            """)
        guard !rows.isEmpty else { return false }
        let ids: [InboxNoticeID] = try rows.map { try $0.get("id") }
        _ = try await transaction.query("DELETE FROM deliveries WHERE notice = ANY(\(ids))")
        let shown: [InboxNoticeID] = try rows.filter { try $0.get("told") }.map { try $0.get("id") }
        guard !shown.isEmpty else { return true }
        let unread = try await count(of: person, in: transaction).unread
        transaction.publish(
            NoticesRead(notices: shown.count > Self.mostNumbered ? nil : shown.sorted(), unread: unread),
            about: "inbox/\(person)", to: .people([person]))
        return true
    }

    func count(of person: PersonID, in transaction: CommandTransaction) async throws -> InboxCount {
        try InboxCount(
            try await transaction.query(InboxSQL(campuses: campuses, now: transaction.now).count(of: person)))
    }

    private func unread(of people: [PersonID], in transaction: CommandTransaction) async throws -> [PersonID: Int] {
        guard !people.isEmpty else { return [:] }
        let rows = try await transaction.query(
            InboxSQL(campuses: campuses, now: transaction.now).counts(of: Array(Set(people))))
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.get("person", as: PersonID.self), try $0.get("unread")) })
    }

    // MARK: Erasure

    /// What was told to somebody, and what others were told of them.
    func erase(_ person: PersonID, in transaction: CommandTransaction) async throws -> [ErasedRecords] {
        let answers = try await transaction.pipeline([
            Self.excluding,
            "DELETE FROM notices WHERE person = \(person)",
            "DELETE FROM notices WHERE actor = \(person)",
            "DELETE FROM notice_choices WHERE person = \(person)",
            "DELETE FROM notice_settings WHERE person = \(person)",
            "DELETE FROM presence WHERE person = \(person)",
        ])
        let count = answers[1].affected
        return count > 0 ? [ErasedRecords(.notices, count)] : []
    }

    private static let sharing: SQLQuery =
        "SELECT pg_advisory_xact_lock_shared(hashtextextended(current_schema() || '/notices', 0))"
    private static let excluding: SQLQuery =
        "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/notices', 0))"
}

/// A notice that is shown from now on.
struct ToldNotice: Hashable, Sendable {
    var id: InboxNoticeID
    var person: PersonID
    var kind: InboxNoticeKind
    var actor: PersonID?

    init(id: InboxNoticeID, person: PersonID, _ notice: NewNotice) {
        (self.id, self.person, kind, actor) = (id, person, notice.kind, notice.actor)
    }

    init(_ row: PostgresRow) throws {
        (id, person) = (try row.get("id"), try row.get("person"))
        (kind, actor) = (try InboxNoticeKind(row), try row.get("actor"))
    }
}

extension InboxNoticeKind {
    init(_ row: PostgresRow) throws {
        let name: String = try row.get("kind")
        guard let kind = InboxNoticeKind(rawValue: name) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(name) is no kind of notice")
        }
        self = kind
    }
}

extension PostgresNoticeBook {
    /// One statement for many people, with what each of them has chosen. What is not later than what stands there changes nothing.
    ///
    /// A mail tells of something once until it is read, or has come to something else; push tells of each thing that comes on top.
    private func insertion(of notice: NewNotice, to people: [PersonID], at now: Date) -> SQLQuery {
        let usual = NoticeChoice.usual(notice.kind)
        let shown = now + policy.delay(of: notice.kind)
        let ids = people.map { _ in InboxNoticeID.new(at: now) }
        let apart: SQLQuery =
            notice.actor.map { "OR id = \($0)" } ?? ""
        let together: SQLQuery =
            notice.actor.map {
                "AND recipient.person <> \($0) AND recipient.person NOT IN (SELECT other FROM blocks WHERE person = \($0))"
            } ?? ""
        return """
            INSERT INTO notices (id, person, kind, key, actor, subject_kind, subject_id, title, about, rental, due,
                count, latest, happened_at, shown_at, told, mail_at, push_at)
            SELECT recipient.id, recipient.person, \(notice.kind.rawValue)::text, \(notice.key.text)::text, \(notice.actor),
                \(notice.subject.kind.rawValue)::text, \(notice.subject.id), \(notice.title)::text,
                \(notice.about?.rawValue)::text, \(notice.rental?.rawValue)::text, \(notice.due?.rawValue)::text, 1, \(notice.latest), \(notice.at), \(shown), \(shown <= now),
                CASE WHEN coalesce(choice.mail, \(usual.mail)) THEN
                    CASE coalesce(settings.mail, 'atOnce')
                        WHEN 'atOnce' THEN \(now + policy.mailDelay) WHEN 'daily' THEN \(now) END END,
                CASE WHEN coalesce(choice.push, \(usual.push)) THEN \(now + policy.pushDelay) END
            FROM unnest(\(ids)::uuid[], \(people)::uuid[]) AS recipient (id, person)
                LEFT JOIN notice_settings AS settings ON settings.person = recipient.person
                LEFT JOIN notice_choices AS choice
                    ON choice.person = recipient.person AND choice.kind = \(notice.kind.rawValue)
            WHERE recipient.person <> \(PersonID.nobody)
                AND NOT EXISTS (SELECT FROM people_erased WHERE people_erased.id = recipient.person \(apart)) \(together)
            ORDER BY recipient.person
            ON CONFLICT (person, key) DO UPDATE SET
                actor = excluded.actor, title = excluded.title, rental = excluded.rental, due = excluded.due,
                latest = excluded.latest, happened_at = excluded.happened_at,
                count = CASE WHEN \(notice.counts) AND notices.read_at IS NULL THEN notices.count + 1 ELSE 1 END,
                shown_at = CASE WHEN notices.read_at IS NULL THEN notices.shown_at ELSE excluded.shown_at END,
                told = CASE WHEN notices.read_at IS NULL THEN notices.told ELSE excluded.told END,
                mail_at = CASE
                    WHEN notices.read_at IS NULL AND (notices.rental, notices.due) IS NOT DISTINCT FROM (excluded.rental, excluded.due)
                    THEN notices.mail_at ELSE excluded.mail_at END,
                push_at = excluded.push_at, seen_at = NULL, read_at = NULL
            WHERE notices.latest < excluded.latest
            RETURNING id, person, told
            """
    }
}
