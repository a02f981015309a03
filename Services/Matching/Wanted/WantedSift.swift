import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import WireProtocol

// Of many things that are to be looked at, most are looked for by nobody: a commute of a hundred rides is offered at once. These are done together, in one
// transaction and by one question; what somebody may look for has a look of its own.

extension WantedLooks {
    /// - Returns: those that are left.
    func sift(_ subjects: [Subject]) async throws -> [Subject] {
        guard subjects.count >= many else { return subjects }
        do {
            let done = try await store.transaction { try await $0.finishUnsought(subjects, asking: services) }
            return subjects.filter { !done.contains($0) }
        } catch  where !Task.isCancelled {
            // One of them may be the reason: each is looked at by itself.
            logger.notice("things are looked at one by one", metadata: ["reason": .string("\(error)")])
            return subjects
        }
    }
}

extension WantedTransaction {
    /// Does for things of one kind that no search may find, and nobody waits to be told of, what a look at each would do.
    /// - Returns: these.
    fileprivate func finishUnsought(
        _ subjects: [Subject], asking services: SearchedServices
    ) async throws -> Set<Subject> {
        let looks = try await takeLooks(at: subjects)
        if looks.isEmpty { return [] }
        let things = try await services.searchables(looks.map(\.subject))
        let unsought = try await unsought(things)
        if unsought.isEmpty { return [] }
        let kept = try await keepSearchables(unsought, besides: try await noNews(among: looks))
        try await finish(looks.filter { kept.contains($0.subject) })
        return kept
    }

    /// The looks at them that nobody else is at, and that have neither begun nor failed.
    private func takeLooks(at subjects: [Subject]) async throws -> [WantedLook] {
        guard let kind = subjects.first?.kind else { return [] }
        let ids = subjects.map(\.id)
        let answers = try await transaction.pipeline([
            """
            SELECT subject FROM unnest(\(ids), \(subjects.map(\.key))::text[]) AS named (subject, key)
            WHERE pg_try_advisory_xact_lock(\(WantedLook.lock("named.key")))
            """,
            """
            SELECT kind, subject, min(id) AS id, max(id) AS last, bool_and(is_again) AS is_again FROM looks
            WHERE kind = \(kind.rawValue) AND subject = ANY(\(ids))
            GROUP BY kind, subject HAVING bool_and(after IS NULL AND tries = 0)
            """,
        ])
        let free = Set(try answers[0].map { try $0.get("subject", as: ID<Subject>.self) })
        return try answers[1].map(WantedLook.init(whole:)).filter { free.contains($0.subject.id) }
    }

    /// Those that no search is listed for, and nobody waits to be told of, in the order in which rows are locked.
    private func unsought(_ things: [Searchable]) async throws -> [Searchable] {
        guard let kind = things.first?.subject.kind else { return [] }
        let pairs = things.flatMap { thing in thing.keys.map { (thing.subject.id, $0.rawValue) } }
        let sought: SQLQuery = """
            SELECT DISTINCT own.subject FROM unnest(\(pairs.map { $0.0 }), \(pairs.map { $0.1 })::text[]) AS own (subject, key)
            WHERE EXISTS (SELECT FROM wanted_keys WHERE wanted_keys.key = own.key OFFSET 0)
            UNION ALL
            SELECT DISTINCT hits.subject FROM hits
            WHERE hits.kind = \(kind.rawValue) AND hits.subject = ANY(\(things.map(\.subject.id)))
                AND hits.state IN ('waiting', 'late')
            """
        // Searches grow from none to thousands within a day: a plan of before would read all of them for each key.
        let rows = try await transaction.query(sought.plannedAnew)
        let ids = Set(try rows.map { try $0.get("subject", as: ID<Subject>.self) })
        return things.filter { !ids.contains($0.subject.id) }
            .sorted { $0.subject.id < $1.subject.id }
    }

    /// Those of which nobody has said anything, and which are not known here (`isNoNews`).
    private func noNews(among looks: [WantedLook]) async throws -> Set<Subject> {
        let again = looks.filter(\.isAgain).map(\.subject)
        guard let kind = again.first?.kind else { return [] }
        let known = try await transaction.query(
            "SELECT kind, subject FROM searchables WHERE kind = \(kind.rawValue) AND subject = ANY(\(again.map(\.id)))"
        ).map { try Subject($0) }
        return Set(again).subtracting(known)
    }

    /// - Returns: those of people who have not erased themselves.
    private func keepSearchables(_ things: [Searchable], besides noNews: Set<Subject>) async throws -> Set<Subject> {
        let answers = try await transaction.pipeline(
            things.map { keeping($0, isNews: !noNews.contains($0.subject)) })
        return Set(zip(things, answers).filter { !$0.1.isEmpty }.map(\.0.subject))
    }

    private func finish(_ looks: [WantedLook]) async throws {
        guard let kind = looks.first?.subject.kind else { return }
        try await transaction.query(
            """
            DELETE FROM looks USING unnest(\(looks.map(\.subject.id)), \(looks.map(\.last))) AS done (subject, last)
            WHERE looks.kind = \(kind.rawValue) AND looks.subject = done.subject AND looks.id <= done.last
            """)
    }
}

extension WantedLook {
    /// Of all looks at one thing, none of which was begun.
    fileprivate init(whole row: PostgresRow) throws {
        self.init(
            subject: try Subject(row), id: try row.get("id"), after: nil, last: try row.get("last"),
            isAgain: try row.get("is_again"), tries: 0)
    }
}
