import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What a look has seen is kept. Locks are taken in this order: the row of `searchables`, rows of `wanted` by their ids, rows of `finds`, rows of `hits`.

extension WantedTransaction {
    /// Keeps what can be found now, as its service says it.
    /// - Parameter isNews: otherwise it was there before it is known here, nobody knows since when.
    /// - Returns: false where its owner has erased themselves: nobody finds it.
    func keepSearchable(_ thing: Searchable, isNews: Bool = true) async throws -> Bool {
        try await !transaction.query(keeping(thing, isNews: isNews)).isEmpty
    }

    /// Answers a row where it is kept. Keys that stay are not written anew, however long they are: so their index is left alone.
    func keeping(_ thing: Searchable, isNews: Bool) -> SQLQuery {
        let globe: SQLQuery = thing.position.map { $0.globe } ?? "NULL::cube"
        let appeared: SQLQuery = isNews ? "\(now)" : "'-infinity'"
        return """
            INSERT INTO searchables (kind, subject, owner, title, thing, keys, globe, is_for_one, appeared_at, changed_at,
                is_there)
            VALUES (\(thing.subject.kind.rawValue), \(thing.subject.id), \(thing.owner), \(thing.title),
                \(thing.thing?.rawValue), \(thing.keys.map(\.rawValue)), \(globe), \(thing.isForOne), \(appeared), \(now), true)
            ON CONFLICT (kind, subject) DO UPDATE
            SET owner = excluded.owner, title = excluded.title, thing = excluded.thing,
                keys = CASE WHEN searchables.keys = excluded.keys THEN searchables.keys ELSE excluded.keys END,
                globe = excluded.globe, is_for_one = excluded.is_for_one, changed_at = excluded.changed_at, is_there = true, gone_at = NULL,
                appeared_at = CASE WHEN searchables.is_there THEN searchables.appeared_at ELSE excluded.appeared_at END
            RETURNING kind
            """
    }

    /// Keeps which of some searches find it anew, and which do not find it any more though their persons wait to be told.
    func keep(_ judged: [WantedCandidate], found: Set<WantedID>, of thing: Searchable) async throws {
        let changed = judged.filter { found.contains($0.id) != $0.isFound }
        if changed.isEmpty { return }
        let losers = Set(changed.filter(\.isFound).map(\.person))
        if !losers.isEmpty {
            // What they have found may be told by others of theirs: all of these are locked together, in the order of their ids.
            try await transaction.query(
                """
                SELECT FROM wanted
                WHERE id = ANY(\(changed.map(\.id))) OR (person = ANY(\(losers.sorted())) AND state <> 'ended')
                ORDER BY id FOR NO KEY UPDATE
                """)
        }
        // Who looks for something else by now is not judged by what they looked for.
        let locked = try await transaction.query(
            """
            SELECT wanted.id
            FROM unnest(\(changed.map(\.id)), \(changed.map(\.query))) AS judged (id, query)
                JOIN wanted ON wanted.id = judged.id
            WHERE wanted.query = judged.query AND wanted.state = 'live' AND wanted.due_at > \(now)
            ORDER BY wanted.id FOR NO KEY UPDATE OF wanted
            """
        ).map { try $0.get("id", as: WantedID.self) }
        let finding = locked.filter { found.contains($0) }
        let losing = locked.filter { !found.contains($0) }
        try await add(finding, of: thing)
        try await drop(losing, of: thing.subject)
    }

    /// Of somebody who was told of it already nothing more is said.
    private func add(_ ids: [WantedID], of thing: Searchable) async throws {
        if ids.isEmpty { return }
        let (kind, subject) = (thing.subject.kind.rawValue, thing.subject.id)
        try await transaction.pipeline([
            """
            WITH added AS (
                INSERT INTO finds (wanted, kind, subject, found_at, is_new)
                SELECT id, \(kind)::text, \(subject), \(now), true FROM unnest(\(ids)) AS id ORDER BY id
                ON CONFLICT DO NOTHING
                RETURNING finds.wanted)
            UPDATE wanted SET found = wanted.found + 1, last_found_at = \(now) FROM added WHERE wanted.id = added.wanted
            """,
            """
            INSERT INTO hits (kind, subject, person, wanted, state, found_at, tell_at)
            SELECT DISTINCT ON (wanted.person) \(kind)::text, \(subject), wanted.person, wanted.id, 'waiting', \(now),
                \(WantedWaves.first(isForOne: thing.isForOne, at: now))
            FROM wanted WHERE wanted.id = ANY(\(ids)) ORDER BY wanted.person, wanted.id
            ON CONFLICT DO NOTHING
            """,
        ])
    }

    private func drop(_ ids: [WantedID], of subject: Subject) async throws {
        if ids.isEmpty { return }
        try await transaction.pipeline(
            [
                """
                WITH dropped AS (
                    DELETE FROM finds
                    WHERE finds.wanted = ANY(\(ids)) AND \(subject.isHere("finds")) AND finds.is_new
                    RETURNING finds.wanted)
                UPDATE wanted SET found = greatest(0, wanted.found - 1) FROM dropped WHERE wanted.id = dropped.wanted
                """
            ] + passingOn(from: ids, where: subject.isHere("hits")))
    }

    /// What was to be told by some searches is told by another one of the same person that finds it too, or not at all.
    /// - Parameter condition: of which hits.
    func passingOn(from ids: [WantedID], where condition: SQLQuery) -> [SQLQuery] {
        let others: SQLQuery = """
            FROM finds JOIN wanted ON wanted.id = finds.wanted
            WHERE finds.kind = hits.kind AND finds.subject = hits.subject AND finds.is_new
                AND wanted.person = hits.person AND wanted.state = 'live' AND NOT wanted.id = ANY(\(ids))
            """
        return [
            """
            DELETE FROM hits
            WHERE hits.wanted = ANY(\(ids)) AND \(condition) AND hits.state IN ('waiting', 'late')
                AND NOT EXISTS (SELECT \(others))
            """,
            // What was to be told later by the one may be told at once by the other.
            """
            UPDATE hits
            SET wanted = (SELECT wanted.id \(others) ORDER BY wanted.id LIMIT 1), state = 'waiting',
                tell_at = CASE WHEN hits.state = 'late' THEN \(now) ELSE hits.tell_at END
            WHERE hits.wanted = ANY(\(ids)) AND \(condition) AND hits.state IN ('waiting', 'late')
            """,
        ]
    }

    // MARK: What is gone

    /// So many people hear in one transaction that something is gone.
    private static let mostLosing = 1000

    /// It can be found no more. Who waits to be told of it never is, and is told if it comes back; who was told hears that it is gone.
    /// - Returns: whether there are more of them.
    func lose(_ look: WantedLook) async throws -> Bool {
        let subject = look.subject
        let known = try await transaction.query(
            """
            UPDATE searchables
            SET is_there = false, gone_at = coalesce(gone_at, \(now))
            WHERE \(subject.isHere("searchables")) RETURNING kind
            """)
        let rows = try await transaction.query(
            """
            SELECT person, state <> 'told' AS waits FROM hits
            WHERE \(subject.isHere("hits")) AND state IN ('waiting', 'late', 'told')
            ORDER BY person LIMIT \(unescaped: "\(Self.mostLosing)")
            """)
        let people: [PersonID] = try rows.map { try $0.get("person") }
        if !people.isEmpty {
            let waiting: [PersonID] = try rows.filter { try $0.get("waits", as: Bool.self) }.map {
                try $0.get("person")
            }
            publishLoss(of: subject, to: try await lose(subject, people, ofWhom: waiting))
        }
        if people.count == Self.mostLosing { return true }
        // Nothing is known of what somebody had who has erased themselves, nor who has found it.
        if known.isEmpty {
            try await transaction.pipeline([
                "DELETE FROM finds WHERE \(subject.isHere("finds"))",
                "DELETE FROM hits WHERE \(subject.isHere("hits"))",
            ])
        }
        try await settleSeeking(along: subject)
        try await finish(look)
        return false
    }

    /// - Returns: those who were told of it.
    private func lose(
        _ subject: Subject, _ people: [PersonID], ofWhom waiting: [PersonID]
    ) async throws -> [PersonID] {
        let answers = try await transaction.pipeline([
            // A round that tells them ends first.
            """
            SELECT wanted.id FROM finds JOIN wanted ON wanted.id = finds.wanted
            WHERE \(subject.isHere("finds")) AND finds.is_new AND wanted.person = ANY(\(waiting))
            ORDER BY wanted.id FOR NO KEY UPDATE OF wanted
            """,
            """
            DELETE FROM hits
            WHERE \(subject.isHere("hits")) AND person = ANY(\(people)) AND state IN ('waiting', 'late')
            RETURNING person
            """,
            """
            UPDATE hits SET state = 'gone'
            WHERE \(subject.isHere("hits")) AND person = ANY(\(people)) AND state = 'told'
            RETURNING person
            """,
        ])
        let untold: [PersonID] = try answers[1].map { try $0.get("person") }
        if !untold.isEmpty {
            try await transaction.query(
                """
                WITH dropped AS (
                    DELETE FROM finds USING wanted AS own
                    WHERE own.id = finds.wanted AND own.person = ANY(\(untold)) AND \(subject.isHere("finds"))
                        AND finds.is_new
                    RETURNING finds.wanted)
                UPDATE wanted SET found = greatest(0, wanted.found - 1) FROM dropped WHERE wanted.id = dropped.wanted
                """)
        }
        return try answers[2].map { try $0.get("person") }
    }

    private func publishLoss(of subject: Subject, to people: [PersonID]) {
        for start in stride(from: 0, to: people.count, by: WantedTelling.mostTold) {
            let part = Array(people[start..<min(start + WantedTelling.mostTold, people.count)])
            transaction.publish(
                WantedFound(subject, isGone: true), about: subject.key, to: .people(Set(part)))
            transaction.publish(
                NoticeSettled([.found(subject)], for: .people(part)), about: subject.key, to: .nobody)
        }
    }
}
