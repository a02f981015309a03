import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// Writes what people are told, and that they have seen to it, in the transaction of whoever says so.
struct PostgresNoticeBook: Sendable {
    let campuses: CampusSeparation
    let policy: NoticePolicy

    /// Rows of one statement.
    static let batch = 2_000
    /// More people than this hear of one thing without their own numbers.
    static let mostNumbered = 100
    /// Inboxes that are held at once: each is a place in the server's table of locks, which has few thousands.
    static let mostHeld = 1_000
    /// People of one event.
    private static let mostTogether = 500

    /// What services say, in their order: what is told is written together, up to something that was seen to.
    func apply(_ news: [NoticeNews], in transaction: CommandTransaction) async throws {
        let news = try await addressed(news, in: transaction)
        // All at once and in order: whoever takes one inbox after the other waits for somebody who has taken them the other way round.
        let people = Set(news.filter { !Self.isToldToMany($0.item, $0.people) }.flatMap { $0.people })
        // Where they are too many for that, nobody is counted for, and of what is read the number may be a moment old.
        let isHolding = people.count <= Self.mostHeld
        if isHolding, people.count > 1 { try await transaction.query(Self.holding(Array(people))) }
        var notices: [NoticeRound.Telling] = []
        for (item, people) in news {
            if case .raised(let notice) = item {
                notices.append((notice, people))
                continue
            }
            try await tell(notices, counting: isHolding, in: transaction)
            notices = []
            switch item {
            case .raised: break
            case .settled(let event): try await settle(event, for: people, isHolding: isHolding, in: transaction)
            case .recounted(let event): try await recount(event, in: transaction)
            }
        }
        try await tell(notices, counting: isHolding, in: transaction)
    }

    private static func isToldToMany(_ item: NoticeNews, _ people: [PersonID]) -> Bool {
        if case .raised = item { people.count > mostNumbered } else { false }
    }

    /// With those whom it concerns. Who moderates is looked up before any inbox is held: whoever hears that somebody moderates no more takes them in
    /// that order. Of what is recounted it is whoever was told of it.
    private func addressed(_ news: [NoticeNews], in transaction: CommandTransaction) async throws
        -> [(item: NoticeNews, people: [PersonID])]
    {
        var addressed: [(item: NoticeNews, people: [PersonID])] = []
        var moderators: [PersonID]?
        for item in news {
            let audience: NoticeAudience
            switch item {
            case .raised(let event): audience = event.to
            case .settled(let event): audience = event.to
            case .recounted(let event):
                let rows = try await transaction.query("SELECT person FROM notices WHERE \(Self.counting(event))")
                audience = .people(try rows.map { try $0.get("person") })
            }
            switch audience {
            case .people(let people): addressed.append((item, people))
            case .moderators(let others):
                let all: [PersonID]
                if let moderators {
                    all = moderators
                } else {
                    all = try await ModeratorProjection.moderators(in: transaction)
                    moderators = all
                }
                addressed.append((item, all.filter { !others.contains($0) }))
            }
        }
        return addressed
    }

    /// Tells people of several things: each once, however often it is said, and nobody who is apart from the one who did it.
    private func tell(
        _ notices: [NoticeRound.Telling], counting: Bool, in transaction: CommandTransaction
    ) async throws {
        for round in NoticeRound.rounds(of: notices, numbered: counting ? Self.mostNumbered : 0) {
            var rest = round.recipients[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(Self.batch))
                rest = rest.dropFirst(batch.count)
                // Whoever erases somebody waits for us, and we for them: nothing that names the person is left behind. A statement of its
                // own, which the snapshot of the next one is younger than.
                var statements = [Self.sharing]
                if !round.isMany { statements.append(Self.holding(batch.map(\.person))) }
                statements.append(try insertion(of: round.notices, to: batch, at: transaction.now))
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

    /// People have seen to something where it is: its notice is read. Where there is more by now than they have seen, so much less is unread.
    private func settle(
        _ event: NoticeSettled, for people: [PersonID], isHolding: Bool, in transaction: CommandTransaction
    ) async throws {
        guard !people.isEmpty else { return }
        let theirs: SQLQuery = "person = ANY(\(people)) AND key = ANY(\(event.keys.map(\.rawValue)))"
        guard let last = event.upTo else {
            try await read(where: theirs, of: people, isHolding: isHolding, in: transaction)
            return
        }
        var statements: [SQLQuery] = isHolding ? [Self.holding(people)] : []
        statements.append(
            """
            UPDATE notices SET count = greatest(1, least(count, latest - \(last)))::int, first = greatest(first, \(last) + 1)
            WHERE \(theirs) AND latest > \(last) AND read_at IS NULL
            """)
        _ = try await transaction.pipeline(statements)
        try await read(where: "\(theirs) AND latest <= \(last)", of: people, isHolding: isHolding, in: transaction)
    }

    /// Somebody does not moderate: nothing that is for moderators waits for them.
    func settleDisputes(for person: PersonID, in transaction: CommandTransaction) async throws {
        let kinds = policy.kinds.forModerators.map(\.rawValue)
        try await read(where: "person = \(person) AND kind = ANY(\(kinds))", of: person, in: transaction)
    }

    /// What is to be told no more is counted no more, and where it was all there was, there is nothing to be told. What is told again is counted again.
    private func recount(_ event: NoticeRecounted, in transaction: CommandTransaction) async throws {
        let counted = Self.counting(event)
        let people: [PersonID] = try await transaction.query("SELECT person FROM notices WHERE \(counted)").map {
            try $0.get("person")
        }
        _ = try await transaction.query(Self.holding(people))
        if !event.isTold {
            for person in people {
                try await read(where: "person = \(person) AND \(counted) AND count = 1", of: person, in: transaction)
            }
        }
        let change = event.isTold ? 1 : -1
        _ = try await transaction.query(
            "UPDATE notices SET count = count + \(change) WHERE \(counted) AND count + \(change) > 0")
    }

    /// Those notices in which it is counted.
    private static func counting(_ event: NoticeRecounted) -> SQLQuery {
        """
        key = \(event.key.rawValue) AND actor = \(event.actor) AND read_at IS NULL
            AND \(event.number) BETWEEN coalesce(first, latest - count + 1) AND latest
        """
    }

    /// Marks notices of one person as read, and says so where they were shown.
    /// - Returns: Whether any was unread.
    @discardableResult
    func read(where condition: SQLQuery, of person: PersonID, in transaction: CommandTransaction) async throws -> Bool {
        try await read(where: condition, of: [person], isHolding: true, in: transaction)
    }

    /// The same of several people, by as many statements.
    @discardableResult
    private func read(
        where condition: SQLQuery, of people: [PersonID], isHolding: Bool, in transaction: CommandTransaction
    ) async throws -> Bool {
        var statements: [SQLQuery] = isHolding ? [Self.holding(people)] : []
        statements.append(
            """
            UPDATE notices SET read_at = \(transaction.now), seen_at = coalesce(seen_at, \(transaction.now)),
                mail_at = NULL, push_at = NULL
            WHERE \(condition) AND read_at IS NULL RETURNING id, person, told
            """)
        let rows = try await transaction.pipeline(statements)[statements.count - 1]
        guard !rows.isEmpty else { return false }
        let ids: [InboxNoticeID] = try rows.map { try $0.get("id") }
        _ = try await transaction.query("DELETE FROM deliveries WHERE notice = ANY(\(ids))")
        var shown: [PersonID: [InboxNoticeID]] = [:]
        for row in rows {
            guard try row.get("told", as: Bool.self) else { continue }
            let (id, person): (InboxNoticeID, PersonID) = (try row.get("id"), try row.get("person"))
            shown[person, default: []].append(id)
        }
        let counts = try await unread(of: Array(shown.keys), in: transaction)
        for (person, ids) in shown.sorted(by: { $0.key < $1.key }) {
            transaction.publish(
                NoticesRead(notices: ids.count > Self.mostNumbered ? nil : ids.sorted(), unread: counts[person] ?? 0),
                about: "inbox/\(person)", to: .people([person]))
        }
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
        self.init(rawValue: try row.get("kind"))
    }
}
