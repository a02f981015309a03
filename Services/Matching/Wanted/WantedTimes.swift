import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// What time does to standing searches: digests are told, people are reminded, searches end and are forgotten. None of it reads what a search looks for.
///
/// What is due is in the database, by its time: nothing is forgotten while all replicas are away, and of those that run each takes what no other is at.
struct WantedTimes: Service, CustomStringConvertible {
    let store: WantedStore
    let logger: Logger
    var batch = 100
    /// Much may go with one of these, or be told of together.
    var forgetting = 20
    /// So much of a digest is counted in one transaction.
    var counting = 500
    var pause = Duration.seconds(1)

    var description: String { "times of searches" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "what is due of searches waits for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let digests = try await store.transaction { try await $0.tellDigests(atMost: forgetting, counting: counting) }
        let reminded = try await store.transaction { try await $0.remind(atMost: batch) }
        let ended = try await store.transaction { try await $0.end(atMost: batch) }
        let forgotten = try await store.transaction { try await $0.forgetSearches(atMost: forgetting) }
        let faded = try await store.transaction { try await $0.forgetThings(atMost: forgetting) }
        return max(reminded, ended) >= batch || max(digests, forgotten, faded) >= forgetting
    }
}

/// A search of which something is due.
struct DueSearch: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    let isLive: Bool
    let isSuspended: Bool
    /// How much of its digest is counted already.
    let digesting: Int

    init(_ row: PostgresRow) throws {
        (id, person) = (try row.get("id"), try row.get("person"))
        (isLive, isSuspended) = (try row.get("is_live"), try row.get("is_suspended"))
        digesting = try row.get("digesting")
    }
}

extension WantedTransaction {
    /// Those that nobody else is at, locked.
    func due(by time: SQLQuery, where condition: SQLQuery, atMost limit: Int) async throws -> [DueSearch] {
        try await transaction.query(
            """
            SELECT id, person, digesting, state = 'live' AND due_at > \(now) AS is_live,
                (\(SuspensionProjection.isAmongSuspended("wanted.person", at: now))) AS is_suspended
            FROM wanted WHERE \(time) <= \(now) AND \(condition)
            ORDER BY \(time) LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE OF wanted SKIP LOCKED
            """
        ).map(DueSearch.init)
    }

    func publish(_ occasion: WantedReminder.Occasion, of search: DueSearch, number: Int? = nil) {
        // Who is suspended is told nothing, and sees it when they are back.
        if search.isSuspended { return }
        transaction.publish(
            WantedReminder(wanted: search.id, person: search.person, about: occasion, number: number),
            about: "wanted/\(search.id)", to: .people([search.person]))
    }

    /// How many things each has found that are there still, and were not told of one by one. However many these are, of each search so many are counted at once;
    /// it is told when all are.
    fileprivate func tellDigests(atMost limit: Int, counting most: Int) async throws -> Int {
        let due = try await due(by: "digest_at", where: "true", atMost: limit)
        if due.isEmpty { return 0 }
        // They are told of together, and of none by itself any more.
        let rows = try await transaction.query(
            """
            WITH late AS (
                SELECT own.kind, own.subject, own.person
                FROM unnest(\(due.map(\.id))) AS due (id) CROSS JOIN LATERAL (
                    SELECT hits.kind, hits.subject, hits.person FROM hits
                    WHERE hits.wanted = due.id AND hits.state = 'late' LIMIT \(unescaped: "\(most)")) AS own
            ), told AS (
                UPDATE hits SET state = 'told' FROM late
                WHERE hits.kind = late.kind AND hits.subject = late.subject AND hits.person = late.person
                    AND hits.state = 'late'
                RETURNING hits.wanted, hits.kind, hits.subject)
            SELECT told.wanted, count(*) AS counted, count(*) FILTER (WHERE searchables.is_there) AS number
            FROM told LEFT JOIN searchables ON searchables.kind = told.kind AND searchables.subject = told.subject
            GROUP BY told.wanted
            """)
        var (counted, numbers): ([WantedID: Int], [WantedID: Int]) = ([:], [:])
        for search in due { numbers[search.id] = search.digesting }
        for row in rows {
            let id: WantedID = try row.get("wanted")
            counted[id] = try row.get("counted")
            numbers[id, default: 0] += try row.get("number", as: Int.self)
        }
        let whole = due.filter { counted[$0.id, default: 0] < most }
        let rest = due.filter { counted[$0.id, default: 0] >= most }
        try await transaction.pipeline([
            """
            UPDATE wanted SET digest_at = NULL, digested_at = \(now), digesting = 0
            WHERE id = ANY(\(whole.map(\.id)))
            """,
            """
            UPDATE wanted SET digesting = so_far.number
            FROM unnest(\(rest.map(\.id)), \(rest.map { numbers[$0.id, default: 0] })) AS so_far (id, number)
            WHERE wanted.id = so_far.id
            """,
        ])
        for search in whole where search.isLive {
            let number = numbers[search.id, default: 0]
            if number > 0 { publish(.digest, of: search, number: number) }
        }
        return rest.isEmpty ? due.count : limit
    }

    fileprivate func remind(atMost limit: Int) async throws -> Int {
        let due = try await due(by: "remind_at", where: "true", atMost: limit)
        if due.isEmpty { return 0 }
        let reminded = try await transaction.query(
            "UPDATE wanted SET remind_at = NULL WHERE id = ANY(\(due.map(\.id))) RETURNING id, due_at > \(now) AS is_early"
        )
        // What is over meanwhile is told as that.
        let early = Set(
            try reminded.filter { try $0.get("is_early", as: Bool.self) }.map { try $0.get("id", as: WantedID.self) })
        for search in due where early.contains(search.id) { publish(.endsSoon, of: search) }
        return due.count
    }

    /// As `WantedSearch.end`, whatever it looks for. What they have found is told by others of the same people, which are locked with them: where somebody else is
    /// at one of these, it is left to a later round.
    fileprivate func end(atMost limit: Int) async throws -> Int {
        let over: SQLQuery = "due_at <= \(now) AND state <> 'ended'"
        let people = try await transaction.query(
            "SELECT person FROM wanted WHERE \(over) ORDER BY due_at LIMIT \(unescaped: "\(limit)")"
        ).map { try $0.get("person", as: PersonID.self) }
        let free = try await lockSearches(of: Set(people), whereFree: true)
        if free.isEmpty { return 0 }
        let due = try await due(
            by: "due_at", where: "state <> 'ended' AND person = ANY(\(free.sorted()))", atMost: limit)
        if due.isEmpty { return 0 }
        let ids = due.map(\.id)
        try await dropWaiting(of: ids)
        try await transaction.query(
            """
            UPDATE wanted
            SET state = 'ended', changed_at = due_at, is_settled = true,
                due_at = due_at + make_interval(secs => \(WantedLimits.kept)), remind_at = NULL, digest_at = NULL,
                announce_due = NULL
            WHERE id = ANY(\(ids))
            """)
        for search in due { publish(.ended, of: search) }
        return due.count
    }

    // MARK: Forgetting

    /// What ended so long ago that it cannot be renewed, with what it found. What its person was told stays known.
    fileprivate func forgetSearches(atMost limit: Int) async throws -> Int {
        let due = try await due(by: "due_at", where: "state = 'ended'", atMost: limit)
        if due.isEmpty { return 0 }
        try await settleInvitations(of: due.map(\.id))
        _ = try await transaction.query("DELETE FROM wanted WHERE id = ANY(\(due.map(\.id)))")
        for search in due {
            transaction.publish(
                NoticeSettled([.wanted(search.id)], for: .people([search.person])), about: "wanted/\(search.id)",
                to: .nobody)
        }
        return due.count
    }

    /// What has been gone for so long that it is something new if it comes back.
    fileprivate func forgetThings(atMost limit: Int) async throws -> Int {
        let gone = try await transaction.query(
            """
            SELECT kind, subject FROM searchables
            WHERE gone_at < \(now - WantedLimits.kept)
            ORDER BY gone_at LIMIT \(unescaped: "\(limit)") FOR UPDATE SKIP LOCKED
            """)
        if gone.isEmpty { return 0 }
        let kinds: [String] = try gone.map { try $0.get("kind") }
        let subjects: [ID<Subject>] = try gone.map { try $0.get("subject") }
        try await transaction.pipeline(
            ["finds", "hits", "searchables"].map { (table: SQLQuery) -> SQLQuery in
                """
                DELETE FROM \(table) USING unnest(\(kinds)::text[], \(subjects)) AS gone (kind, subject)
                WHERE \(table).kind = gone.kind AND \(table).subject = gone.subject
                """
            })
        return gone.count
    }
}
