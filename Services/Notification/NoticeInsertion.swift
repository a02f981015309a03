import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What can be told by one statement: many things to a few people each, or one thing to many.
struct NoticeRound {
    typealias Telling = (notice: NoticeRaised, people: [PersonID])

    /// A person, and the number of what they are told.
    struct Recipient: Hashable {
        var person: PersonID
        var notice: Int
    }

    private struct Row: Hashable {
        var person: PersonID
        var key: NoticeKey
    }

    private(set) var notices: [NoticeRaised] = []
    private(set) var recipients: [Recipient] = []
    /// Whether it is one thing that so many hear of that they are not counted for.
    private(set) var isMany = false
    private var rows: Set<Row> = []

    /// In their order: what somebody is told a second time under the same key stands in a later round, for a statement meets each row once.
    /// - Parameter most: More people than this hear of one thing by itself.
    static func rounds(of tellings: [Telling], numbered most: Int) -> [NoticeRound] {
        var rounds: [NoticeRound] = []
        for (notice, told) in tellings {
            let people = Set(told)
            let rows = people.map { Row(person: $0, key: notice.key) }
            let isMany = people.count > most
            if isMany || rounds.last.map({ $0.isMany || !$0.rows.isDisjoint(with: rows) }) ?? true {
                rounds.append(NoticeRound())
            }
            let last = rounds.count - 1
            rounds[last].notices.append(notice)
            rounds[last].rows.formUnion(rows)
            rounds[last].isMany = isMany
            let number = rounds[last].notices.count
            rounds[last].recipients += people.sorted().map { Recipient(person: $0, notice: number) }
        }
        return rounds
    }
}

extension PostgresNoticeBook {
    /// One statement for many people and things, with what each of them has chosen. What is not later than what stands there changes nothing.
    ///
    /// A mail tells of something once until it is seen, or has come to something else; push tells of each thing that comes on top. What comes
    /// while one waits to be told puts it off no further: else somebody who is written to again and again would be told when that ends.
    func insertion(
        of notices: [NoticeRaised], to recipients: [NoticeRound.Recipient], at now: Date
    ) throws -> SQLQuery {
        let ids = recipients.map { _ in InboxNoticeID.new(at: now) }
        let shown = notices.map { now + policy.delay(of: $0.kind) }
        let usual = notices.map { policy.kinds.usual($0.kind) }
        let first = notices.map { policy.kinds[$0.kind].isCounted ? $0.latest : nil }
        let facts = try notices.map { notice in
            try notice.values.map { String(decoding: try WireJSON.encode($0), as: UTF8.self) }
        }
        let isMoreOfTheSame: SQLQuery =
            """
            notices.seen_at IS NULL AND (notices.kind, notices.variant, notices.facts)
                IS NOT DISTINCT FROM (excluded.kind, excluded.variant, excluded.facts)
            """
        return """
            INSERT INTO notices (id, person, kind, key, actor, subject_kind, subject_id, title, variant, facts,
                count, first, latest, happened_at, until, shown_at, told, mail_at, push_at)
            SELECT recipient.id, recipient.person, notice.kind, notice.key, notice.actor, notice.subject_kind, notice.subject,
                notice.title, notice.variant, notice.facts::jsonb, 1, notice.first, notice.latest, notice.at, notice.until,
                notice.shown, notice.shown <= \(now),
                CASE WHEN coalesce(choice.mail, notice.mail) THEN
                    CASE coalesce(settings.mail, 'atOnce')
                        WHEN 'atOnce' THEN \(now + policy.mailDelay) WHEN 'daily' THEN \(now) END END,
                CASE WHEN coalesce(choice.push, notice.push) THEN notice.rings END
            FROM unnest(\(ids)::uuid[], \(recipients.map(\.person))::uuid[], \(recipients.map { Int64($0.notice) })::bigint[])
                    AS recipient (id, person, notice)
                JOIN unnest(
                    \(notices.map(\.kind.rawValue))::text[], \(notices.map(\.key.rawValue))::text[], \(notices.map(\.actor))::uuid[],
                    \(notices.map(\.subject.kind.rawValue))::text[], \(notices.map(\.subject.id))::uuid[],
                    \(notices.map(\.title))::text[], \(notices.map(\.variant))::text[], \(facts)::text[], \(first)::bigint[],
                    \(notices.map(\.latest))::bigint[],
                    \(notices.map(\.at))::timestamptz[], \(notices.map(\.until))::timestamptz[], \(shown)::timestamptz[],
                    \(usual.map(\.mail))::boolean[], \(usual.map(\.push))::boolean[], \(notices.map { now + policy.pushDelay(of: $0.kind) })::timestamptz[]
                ) WITH ORDINALITY AS notice (kind, key, actor, subject_kind, subject, title, variant, facts, first, latest, at, until,
                    shown, mail, push, rings, number) ON notice.number = recipient.notice
                LEFT JOIN notice_settings AS settings ON settings.person = recipient.person
                LEFT JOIN notice_choices AS choice ON choice.person = recipient.person AND choice.kind = notice.kind
            WHERE recipient.person <> \(PersonID.nobody) AND notice.actor IS DISTINCT FROM recipient.person
                AND NOT EXISTS (SELECT FROM people_erased WHERE people_erased.id IN (recipient.person, notice.actor) OFFSET 0)
                AND NOT EXISTS (
                    SELECT FROM blocks WHERE blocks.person = notice.actor AND blocks.other = recipient.person OFFSET 0)
            ORDER BY recipient.person, notice.number
            ON CONFLICT (person, key) DO UPDATE SET
                kind = excluded.kind, subject_kind = excluded.subject_kind, subject_id = excluded.subject_id,
                actor = excluded.actor, title = excluded.title, variant = excluded.variant, facts = excluded.facts,
                latest = excluded.latest, happened_at = excluded.happened_at, until = excluded.until,
                count = CASE WHEN excluded.first IS NOT NULL AND notices.read_at IS NULL THEN notices.count + 1 ELSE 1 END,
                first = CASE WHEN notices.read_at IS NULL THEN coalesce(notices.first, excluded.first) ELSE excluded.first END,
                shown_at = CASE WHEN \(isMoreOfTheSame) THEN notices.shown_at ELSE excluded.shown_at END,
                told = CASE WHEN notices.read_at IS NULL THEN notices.told ELSE excluded.told END,
                mail_at = CASE WHEN \(isMoreOfTheSame) THEN notices.mail_at ELSE excluded.mail_at END,
                push_at = CASE WHEN \(isMoreOfTheSame) AND excluded.push_at IS NOT NULL
                    THEN coalesce(notices.push_at, excluded.push_at) ELSE excluded.push_at END,
                seen_at = NULL, read_at = NULL
            WHERE notices.latest < excluded.latest
            RETURNING id, person, told, kind, actor
            """
    }
}
