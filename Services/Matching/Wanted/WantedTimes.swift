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
    /// Much may go with one of these.
    var forgetting = 20
    var pause = Duration.seconds(1)

    var description: String { "times of searches" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "what is due of searches waits for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let digests = try await store.transaction { try await $0.tellDigests(atMost: batch) }
        let reminded = try await store.transaction { try await $0.remind(atMost: batch) }
        let ended = try await store.transaction { try await $0.end(atMost: batch) }
        let forgotten = try await store.transaction { try await $0.forgetSearches(atMost: forgetting) }
        let faded = try await store.transaction { try await $0.forgetThings(atMost: forgetting) }
        return max(digests, reminded, ended) >= batch || max(forgotten, faded) >= forgetting
    }
}

/// A search of which something is due.
private struct DueSearch: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    let isLive: Bool
    let isSuspended: Bool

    init(_ row: PostgresRow) throws {
        (id, person) = (try row.get("id"), try row.get("person"))
        (isLive, isSuspended) = (try row.get("is_live"), try row.get("is_suspended"))
    }
}

extension WantedTransaction {
    /// Those that nobody else is at, locked.
    private func due(by time: SQLQuery, where condition: SQLQuery, atMost limit: Int) async throws -> [DueSearch] {
        try await transaction.query(
            """
            SELECT id, person, state = 'live' AND due_at > \(now) AS is_live,
                (\(SuspensionProjection.isAmongSuspended("wanted.person", at: now))) AS is_suspended
            FROM wanted WHERE \(time) <= \(now) AND \(condition)
            ORDER BY \(time) LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE OF wanted SKIP LOCKED
            """
        ).map(DueSearch.init)
    }

    private func publish(_ occasion: WantedReminder.Occasion, of search: DueSearch, number: Int? = nil) {
        // Who is suspended is told nothing, and sees it when they are back.
        if search.isSuspended { return }
        transaction.publish(
            WantedReminder(wanted: search.id, person: search.person, about: occasion, number: number),
            about: "wanted/\(search.id)", to: .people([search.person]))
    }

    /// How many things each has found that are there still, and were not told of one by one.
    fileprivate func tellDigests(atMost limit: Int) async throws -> Int {
        let due = try await due(by: "digest_at", where: "true", atMost: limit)
        if due.isEmpty { return 0 }
        let ids = due.map(\.id)
        let answers = try await transaction.pipeline([
            """
            SELECT hits.wanted, count(*) AS number
            FROM hits JOIN searchables ON searchables.kind = hits.kind AND searchables.subject = hits.subject
            WHERE hits.wanted = ANY(\(ids)) AND hits.state = 'late' AND searchables.is_there
            GROUP BY hits.wanted
            """,
            // They are told of together, and of none by itself any more.
            "UPDATE hits SET state = 'told' WHERE wanted = ANY(\(ids)) AND state = 'late'",
            "UPDATE wanted SET digest_at = NULL, digested_at = \(now) WHERE id = ANY(\(ids))",
        ])
        let numbers: [WantedID: Int] = try answers[0].reduce(into: [:]) { numbers, row in
            numbers[try row.get("wanted")] = try row.get("number")
        }
        for search in due where search.isLive {
            if let number = numbers[search.id] { publish(.digest, of: search, number: number) }
        }
        return due.count
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

    /// As `WantedSearch.end`, whatever it looks for.
    fileprivate func end(atMost limit: Int) async throws -> Int {
        let due = try await due(by: "due_at", where: "state <> 'ended'", atMost: limit)
        if due.isEmpty { return 0 }
        let ids = due.map(\.id)
        try await dropWaiting(of: ids)
        try await transaction.query(
            """
            UPDATE wanted
            SET state = 'ended', changed_at = due_at, is_settled = true,
                due_at = due_at + make_interval(secs => \(WantedLimits.kept)), remind_at = NULL, digest_at = NULL
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
