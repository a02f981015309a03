import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresReviewStore: ReviewStore {
    let statements: any Statements
    let fields: FieldSeal
    let apart: Apartness

    private static let encounterColumns: SQLQuery = "kind, subject, low, high, title, completed_at"
    private static let reviewColumns: SQLQuery =
        """
        id, kind, subject, author, about, rating, text, written_at, opens_at, published_at, reply, replied_at, hidden_at,
        hidden_reason
        """

    // MARK: Encounters

    func add(_ encounter: CompletedEncounter) async throws {
        let people = [encounter.low.uuid, encounter.high.uuid]
        try await statements.query(
            """
            INSERT INTO encounters (\(Self.encounterColumns))
            SELECT \(encounter.subject.kind.rawValue), \(encounter.subject.id.uuid), \(encounter.low.uuid),
                \(encounter.high.uuid), \(encounter.title), \(encounter.completedAt)
            WHERE (SELECT count(*) FROM accounts WHERE id = ANY(\(people))) = 2
            ON CONFLICT DO NOTHING
            """)
    }

    func lockedEncounter(_ subject: Subject, of one: PersonID, and other: PersonID) async throws
        -> CompletedEncounter?
    {
        let (low, high) = (min(one, other), max(one, other))
        return try await statements.query(
            """
            SELECT \(Self.encounterColumns) FROM encounters
            WHERE kind = \(subject.kind.rawValue) AND subject = \(subject.id.uuid) AND low = \(low.uuid) AND high = \(high.uuid)
            FOR NO KEY UPDATE
            """
        ).first.map(CompletedEncounter.init)
    }

    func waiting(
        for person: PersonID, with other: PersonID?, since: Date, after: MomentCursor?, limit: Int
    ) async throws -> [WaitingEncounter] {
        let limit: SQLQuery = "LIMIT \(unescaped: "\(limit + 1)")"
        let earlier: SQLQuery = after.map { "AND (completed_at, subject) < (\($0.time), \($0.id))" } ?? ""
        // The person is the one or the other; each side has its index.
        func side(_ own: String, _ others: String) -> SQLQuery {
            let (own, others): (SQLQuery, SQLQuery) = ("\(unescaped: own)", "\(unescaped: others)")
            let only: SQLQuery = other.map { "AND \(others) = \($0.uuid)" } ?? ""
            return """
                (SELECT \(Self.encounterColumns) FROM encounters AS encounter
                WHERE \(own) = \(person.uuid) \(only) AND completed_at > \(since) \(earlier) 
                    \(apart.each(others, from: person))
                    AND NOT EXISTS (
                        SELECT FROM reviews
                        WHERE reviews.kind = encounter.kind AND reviews.subject = encounter.subject
                            AND author = \(own) AND about = \(others))
                ORDER BY completed_at DESC, subject DESC \(limit))
                """
        }
        return try await statements.query(
            """
            SELECT \(Self.encounterColumns) FROM (\(side("low", "high")) UNION ALL \(side("high", "low"))) AS both_sides
            ORDER BY completed_at DESC, subject DESC \(limit)
            """
        ).map { row in
            let encounter = try CompletedEncounter(row)
            return WaitingEncounter(
                encounter: encounter, other: encounter.low == person ? encounter.high : encounter.low)
        }
    }

    // MARK: Reviews

    func reviews(_ subject: Subject, between one: PersonID, and other: PersonID) async throws
        -> [WrittenReview]
    {
        let people = [one.uuid, other.uuid]
        return try await statements.query(
            """
            SELECT \(Self.reviewColumns) FROM reviews
            WHERE kind = \(subject.kind.rawValue) AND subject = \(subject.id.uuid) AND author = ANY(\(people)) AND about = ANY(\(people))
            """
        ).map(WrittenReview.init)
    }

    func add(_ review: WrittenReview) async throws {
        try await statements.query(
            """
            INSERT INTO reviews (id, kind, subject, author, about, rating, text, written_at, opens_at)
            VALUES (\(review.id.uuid), \(review.subject.kind.rawValue), \(review.subject.id.uuid), \(review.author.uuid),
                \(review.about.uuid), \(review.rating), \(review.text), \(review.writtenAt), \(review.opensAt))
            """)
    }

    func publish(_ review: WrittenReview) async throws -> Account? {
        let isFirst =
            try await statements.query(
                """
                UPDATE reviews SET published_at = \(review.publishedAt)
                WHERE id = \(review.id.uuid) AND published_at IS NULL
                """
            ).affected == 1
        guard isFirst else { return nil }
        return try await count(review, times: 1)
    }

    func due(at now: Date, atMost limit: Int) async throws -> [WrittenReview] {
        try await statements.query(
            """
            SELECT \(Self.reviewColumns) FROM reviews WHERE published_at IS NULL AND opens_at <= \(now)
            ORDER BY opens_at LIMIT \(limit) FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(WrittenReview.init)
    }

    func review(_ id: ReviewID, locked: Bool) async throws -> WrittenReview? {
        let lock: SQLQuery = locked ? "FOR NO KEY UPDATE" : ""
        return try await statements.query(
            "SELECT \(Self.reviewColumns) FROM reviews WHERE id = \(id.uuid) \(lock)"
        ).first.map(WrittenReview.init)
    }

    func published(
        about person: PersonID, for reader: ReviewReader, after: MomentCursor?, limit: Int
    ) async throws -> [WrittenReview] {
        let earlier: SQLQuery = after.map { "AND (published_at, id) < (\($0.time), \($0.id))" } ?? ""
        let together: SQLQuery =
            switch reader {
            case .anybody(let viewer): apart.each("author", from: viewer)
            case .archive: ""
            }
        // Which ones is in the index, and in its order; else PostgreSQL reads all that there are about somebody and sorts them.
        return try await statements.query(
            """
            SELECT \(Self.reviewColumns) FROM reviews
            WHERE id IN (
                SELECT id FROM reviews
                WHERE about = \(person.uuid) AND published_at IS NOT NULL AND hidden_at IS NULL \(earlier)
                    \(together)
                ORDER BY published_at DESC, id DESC LIMIT \(unescaped: "\(limit + 1)"))
            ORDER BY published_at DESC, id DESC
            """
        ).map(WrittenReview.init)
    }

    func written(by person: PersonID, after: MomentCursor?, limit: Int) async throws -> [WrittenReview] {
        let earlier: SQLQuery = after.map { "AND (written_at, id) < (\($0.time), \($0.id))" } ?? ""
        return try await statements.query(
            """
            SELECT \(Self.reviewColumns) FROM reviews WHERE author = \(person.uuid) \(earlier)
            ORDER BY written_at DESC, id DESC LIMIT \(unescaped: "\(limit + 1)")
            """
        ).map(WrittenReview.init)
    }

    func encounters(of person: PersonID, after: MomentCursor?, limit: Int) async throws -> [CompletedEncounter] {
        let earlier: SQLQuery = after.map { "AND (completed_at, subject) < (\($0.time), \($0.id))" } ?? ""
        let limit: SQLQuery = "LIMIT \(unescaped: "\(limit + 1)")"
        func side(_ own: SQLQuery) -> SQLQuery {
            """
            (SELECT \(Self.encounterColumns) FROM encounters WHERE \(own) = \(person.uuid) \(earlier)
            ORDER BY completed_at DESC, subject DESC \(limit))
            """
        }
        return try await statements.query(
            """
            SELECT \(Self.encounterColumns) FROM (\(side("low")) UNION ALL \(side("high"))) AS both_sides
            ORDER BY completed_at DESC, subject DESC \(limit)
            """
        ).map(CompletedEncounter.init)
    }

    func set(_ hiding: Hiding?, of id: ReviewID) async throws -> Account? {
        let changed = try await statements.query(
            """
            UPDATE reviews SET hidden_at = \(hiding?.at), hidden_reason = \(hiding?.reason)
            WHERE id = \(id.uuid) AND published_at IS NOT NULL AND (hidden_at IS NULL) = \(hiding != nil)
            RETURNING \(Self.reviewColumns)
            """
        ).first.map(WrittenReview.init)
        guard let review = changed else { return nil }
        return try await count(review, times: hiding == nil ? 1 : -1)
    }

    /// Adds a review to what those of a person come to, or takes it from there.
    private func count(_ review: WrittenReview, times: Int) async throws -> Account? {
        try await statements.query(
            """
            UPDATE accounts
            SET rating_sum = rating_sum + \(times * review.rating), rating_count = rating_count + \(times),
                version = version + 1
            WHERE id = \(review.about.uuid) RETURNING \(PostgresAccountStore.columns)
            """
        ).first.map { try Account($0, fields) }
    }

    func reply(to review: WrittenReview) async throws {
        try await statements.query(
            """
            UPDATE reviews SET reply = \(review.reply?.text), replied_at = \(review.reply?.at)
            WHERE id = \(review.id.uuid)
            """)
    }
}

extension Subject {
    fileprivate init(_ row: PostgresRow) throws {
        let name: String = try row.get("kind")
        guard let kind = SubjectKind(rawValue: name), kind.uses.contains(.encounters) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(name) is no kind of encounter")
        }
        self.init(kind: kind, id: ID(try row.get("subject")))
    }
}

extension CompletedEncounter {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            subject: try Subject(row), title: try row.get("title"), low: PersonID(try row.get("low")),
            high: PersonID(try row.get("high")), completedAt: try row.get("completed_at"))
    }
}

extension WrittenReview {
    fileprivate init(_ row: PostgresRow) throws {
        let (reply, repliedAt): (String?, Date?) = (try row.get("reply"), try row.get("replied_at"))
        let (hiddenAt, reason): (Date?, String?) = (try row.get("hidden_at"), try row.get("hidden_reason"))
        self.init(
            id: ReviewID(try row.get("id")), subject: try Subject(row),
            author: PersonID(try row.get("author")),
            about: PersonID(try row.get("about")), rating: try row.get("rating"), text: try row.get("text"),
            writtenAt: try row.get("written_at"), opensAt: try row.get("opens_at"),
            publishedAt: try row.get("published_at"),
            reply: reply.flatMap { text in repliedAt.map { ReviewReply(text: text, at: $0) } },
            hidden: reason.flatMap { reason in hiddenAt.map { Hiding(at: $0, reason: reason) } })
    }
}
