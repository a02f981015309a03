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

    /// What follows from events, in their order: what is told is written together, up to something that was seen to.
    func apply(_ tellings: [Telling], in transaction: CommandTransaction) async throws {
        let tellings = try await reachingModerators(tellings, in: transaction)
        // All at once and in order: whoever takes one inbox after the other waits for somebody who has taken them the other way round.
        let few = tellings.flatMap(\.notices).map(\.people).filter { $0.count <= Self.mostNumbered }
        let people = few.flatMap { $0 } + tellings.flatMap(\.settled).map(\.person)
        if people.count > 1 { try await transaction.query(Self.holding(people)) }
        var notices: [NoticeRound.Telling] = []
        for telling in tellings {
            if !telling.settled.isEmpty {
                try await tell(notices, in: transaction)
                notices = []
            }
            for (person, key) in telling.settled { try await settle(key, for: person, in: transaction) }
            notices += telling.notices
        }
        try await tell(notices, in: transaction)
    }

    /// With whom they concern where that is moderators, who are looked up before any inbox is held: whoever hears that somebody moderates no more
    /// takes them in that order.
    private func reachingModerators(_ tellings: [Telling], in transaction: CommandTransaction) async throws
        -> [Telling]
    {
        guard tellings.contains(where: { $0.dispute != nil }) else { return tellings }
        let moderators = try await ModeratorProjection.moderators(in: transaction)
        return tellings.map { $0.reaching(moderators) }
    }

    /// Tells people of something: each once, however often it is said, and nobody who is apart from the one who did it.
    func tell(_ notice: NewNotice, to people: [PersonID], in transaction: CommandTransaction) async throws {
        try await tell([(notice, people)], in: transaction)
    }

    /// The same of several things.
    private func tell(_ notices: [NoticeRound.Telling], in transaction: CommandTransaction) async throws {
        for round in NoticeRound.rounds(of: notices, numbered: Self.mostNumbered) {
            var rest = round.recipients[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(Self.batch))
                rest = rest.dropFirst(batch.count)
                // Whoever erases somebody waits for us, and we for them: nothing that names the person is left behind. A statement of its
                // own, which the snapshot of the next one is younger than.
                var statements = [Self.sharing]
                if !round.isMany { statements.append(Self.holding(batch.map(\.person))) }
                statements.append(insertion(of: round.notices, to: batch, at: transaction.now))
                let answers = try await transaction.pipeline(statements)
                let told = try answers[statements.count - 1].filter { try $0.get("told") }.map(ToldNotice.init)
                try await announce(told, amongMany: round.isMany, in: transaction)
            }
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

    /// Somebody does not moderate: no dispute waits for them.
    func settleDisputes(for person: PersonID, in transaction: CommandTransaction) async throws {
        let kind = InboxNoticeKind.rentalDisputed.rawValue
        try await read(where: "person = \(person) AND kind = \(kind)", of: person, in: transaction)
    }

    /// Somebody has read in a room, up to a message: where that was not the last, so much less is unread.
    func follow(_ event: MessagesRead, in transaction: CommandTransaction) async throws {
        let (key, read) = (NoticeKey.messages(in: event.room).text, Int64(event.marks.read))
        _ = try await transaction.pipeline([
            Self.holding([event.by]),
            """
            UPDATE notices SET count = greatest(1, least(count, latest - \(read)))::int, first = greatest(first, \(read) + 1)
            WHERE person = \(event.by) AND key = \(key) AND latest > \(read) AND read_at IS NULL
            """,
        ])
        try await self.read(
            where: "person = \(event.by) AND key = \(key) AND latest <= \(read)", of: event.by, in: transaction)
    }

    /// What moderators hide is counted no more, and where it was all there was, there is nothing to be told. What they show again is.
    func follow(_ event: MessageHidden, in transaction: CommandTransaction) async throws {
        guard let author = event.by else { return }
        let counted: SQLQuery = """
            key = \(NoticeKey.messages(in: event.room).text) AND actor = \(author) AND read_at IS NULL
                AND \(Int64(event.number)) BETWEEN coalesce(first, latest - count + 1) AND latest
            """
        let people: [PersonID] = try await transaction.query("SELECT person FROM notices WHERE \(counted)").map {
            try $0.get("person")
        }
        _ = try await transaction.query(Self.holding(people))
        if event.hidden {
            for person in people {
                try await read(where: "person = \(person) AND \(counted) AND count = 1", of: person, in: transaction)
            }
        }
        let change = event.hidden ? -1 : 1
        _ = try await transaction.query(
            "UPDATE notices SET count = count + \(change) WHERE \(counted) AND count + \(change) > 0")
    }

    /// Marks notices of one person as read, and says so where they were shown.
    /// - Returns: Whether any was unread.
    @discardableResult
    func read(where condition: SQLQuery, of person: PersonID, in transaction: CommandTransaction) async throws -> Bool {
        let rows = try await transaction.pipeline([
            Self.holding([person]),
            """
            UPDATE notices SET read_at = \(transaction.now), seen_at = coalesce(seen_at, \(transaction.now)),
                mail_at = NULL, push_at = NULL
            WHERE \(condition) AND read_at IS NULL RETURNING id, told
            """,
        ])[1]
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

    /// Marks notices of one person as seen: until there is something new, no mail and no device tells of them. They stay unread.
    func see(where condition: SQLQuery, of person: PersonID, in transaction: CommandTransaction) async throws {
        let ids: [InboxNoticeID] = try await transaction.pipeline([
            Self.holding([person]),
            """
            UPDATE notices SET seen_at = \(transaction.now), mail_at = NULL, push_at = NULL
            WHERE \(condition) AND seen_at IS NULL RETURNING id
            """,
        ])[1].map { try $0.get("id") }
        guard !ids.isEmpty else { return }
        _ = try await transaction.query("DELETE FROM deliveries WHERE notice = ANY(\(ids))")
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

    /// Until the end of the transaction nobody else writes to these inboxes, so that what is said of one is said in the order in which it happened, each
    /// time with the number that is unread then.
    static func holding(_ people: [PersonID]) -> SQLQuery { .lock("inbox", allOf: people) }

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
