import DurableMessaging
import FoundationEssentials
import Logging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Tells people what their searches have found, as soon as it is their turn and not more than they bear. What waits to be looked at again is not told before.
///
/// One replica at a time: so nobody is told more at once than it is counted.
struct WantedTelling: Service, CustomStringConvertible {
    /// So many people are named in one event.
    static let mostTold = 200

    let store: WantedStore
    let logger: Logger
    let clock: @Sendable () -> Date
    var pause = Duration.milliseconds(250)
    /// What comes within it is told in one round.
    var gathering = Duration.milliseconds(5)
    var batch = 200
    /// Rung where there may be something to tell.
    let bell = RoundBell()

    var description: String { "what searches have found" }

    func run() async throws {
        await repeatRounds(
            every: pause, ringing: bell, gathering: gathering, logger: logger,
            failing: "what searches have found waits for the database"
        ) {
            try await round()
        }
    }

    /// - Returns: whether there is more to do at once.
    func round() async throws -> Bool {
        // Looked for without a transaction first: mostly there is nothing.
        let due = try await store.database.read(
            "SELECT FROM hits WHERE state = 'waiting' AND tell_at <= \(clock()) ORDER BY tell_at LIMIT 1")
        if due.isEmpty { return false }
        return try await store.transaction { try await $0.tellHits(atMost: batch, logger: logger) }
    }
}

/// What somebody is to be told of, as the table names it.
private struct DueHit: Hashable, Sendable {
    let kind: String
    let subject: ID<Subject>
    let person: PersonID
    /// The search by which they are told; nil where none is live that finds it.
    let wanted: WantedID?

    init(_ row: PostgresRow) throws {
        (kind, subject) = (try row.get("kind"), try row.get("subject"))
        (person, wanted) = (try row.get("person"), try row.get("wanted"))
    }

    /// In an SQL statement, under the name `named`.
    static func rows(_ hits: [DueHit]) -> SQLQuery {
        """
        unnest(\(hits.map(\.kind))::text[], \(hits.map(\.subject))::uuid[], \(hits.map(\.person))::uuid[],
            \(hits.map(\.wanted))::uuid[]) AS named (kind, subject, person, wanted)
        """
    }

    static let isNamed: SQLQuery =
        "hits.kind = named.kind AND hits.subject = named.subject AND hits.person = named.person"
}

extension WantedTransaction {
    /// - Returns: whether there may be more.
    fileprivate func tellHits(atMost limit: Int, logger: Logger) async throws -> Bool {
        let answers = try await transaction.pipeline([
            "SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '/wanted/telling', 0)) AS free",
            dueHits(atMost: limit),
        ])
        guard try answers[0][0].get("free") else { return false }
        let due = try answers[1].map(DueHit.init)
        if due.isEmpty { return false }
        let rows = try await lock(due)
        var turn = TellingTurn()
        for row in rows { turn.take(try DueHit(row), row, logger: logger) }
        let throttle = try await WantedThrottle(
            of: turn.good.compactMap(\.hit.wanted), by: turn.good.map(\.hit.person), in: transaction)
        turn.decide(throttle)
        try await write(turn)
        publish(turn)
        return due.count == limit && !rows.isEmpty
    }

    private var isLookedAt: SQLQuery {
        "EXISTS (SELECT FROM looks WHERE looks.kind = hits.kind AND looks.subject = hits.subject)"
    }

    /// Each with a search of its person that finds it: the one by which it is to be told, or another where that one is not live any more. It is looked for
    /// among their searches (`OFFSET 0`): among all that find the thing, it would be looked for anew for each who is told.
    func dueHits(atMost limit: Int) -> SQLQuery {
        let hits: SQLQuery = """
            SELECT due.kind, due.subject, due.person, teller.id AS wanted
            FROM (
                SELECT kind, subject, person, wanted, tell_at FROM hits
                WHERE state = 'waiting' AND tell_at <= \(now) AND NOT \(isLookedAt)
                ORDER BY tell_at LIMIT \(unescaped: "\(limit)")
            ) AS due LEFT JOIN LATERAL (
                SELECT wanted.id FROM wanted
                WHERE wanted.person = due.person AND wanted.state = 'live' AND wanted.due_at > \(now)
                    AND EXISTS (
                        SELECT FROM finds
                        WHERE finds.wanted = wanted.id AND finds.kind = due.kind AND finds.subject = due.subject
                            AND finds.is_new OFFSET 0)
                ORDER BY wanted.id IS DISTINCT FROM due.wanted, wanted.id LIMIT 1
            ) AS teller ON true
            ORDER BY due.tell_at
            """
        // Hits may have grown from nothing to thousands since it was planned.
        return hits.plannedAnew
    }

    /// Locks hits that are free, their searches first. Each comes with what `searchables` says of the thing.
    private func lock(_ due: [DueHit]) async throws -> PostgresRows {
        let free = try await transaction.query(
            """
            SELECT id FROM wanted WHERE id = ANY(\(Array(Set(due.compactMap(\.wanted))))) AND state = 'live'
            ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map { try $0.get("id", as: WantedID.self) }
        let own = Set(free)
        let taken = due.filter { hit in hit.wanted.map { own.contains($0) } ?? true }
        let locking: SQLQuery = """
            SELECT hits.kind, hits.subject, hits.person, named.wanted, searchables.owner, searchables.title,
                searchables.thing, searchables.is_for_one, coalesce(searchables.is_there, false) AS is_there,
                (\(SuspensionProjection.isAmongSuspended("hits.person", at: now))) AS is_suspended
            FROM \(DueHit.rows(taken)) JOIN hits ON \(DueHit.isNamed)
                LEFT JOIN searchables ON searchables.kind = hits.kind AND searchables.subject = hits.subject
            WHERE hits.state = 'waiting' AND hits.tell_at <= \(now) AND NOT \(isLookedAt)
            ORDER BY hits.tell_at, hits.found_at, hits.person FOR UPDATE OF hits SKIP LOCKED
            """
        return try await transaction.query(locking.plannedAnew)
    }

    private func write(_ turn: TellingTurn) async throws {
        var statements: [SQLQuery] = []
        let (told, late) = (turn.told.map(\.hit), turn.late)
        if !told.isEmpty {
            statements += [
                """
                UPDATE hits SET state = 'told', told_at = \(now), wanted = named.wanted FROM \(DueHit.rows(told))
                WHERE \(DueHit.isNamed)
                """,
                """
                UPDATE wanted
                SET last_told_at = \(now), ask_at = coalesce(ask_at, \(now + ToldInARow.patience))
                WHERE id = ANY(\(told.compactMap(\.wanted)))
                """,
            ]
        }
        if !late.isEmpty {
            statements += [
                """
                UPDATE hits SET state = 'late', wanted = named.wanted FROM \(DueHit.rows(late)) WHERE \(DueHit.isNamed)
                """,
                """
                UPDATE wanted
                SET digest_at = least(digest_at, greatest(\(now + WantedThrottle.gathering),
                    digested_at + make_interval(secs => \(WantedThrottle.pause))))
                WHERE id = ANY(\(late.compactMap(\.wanted)))
                """,
            ]
        }
        if !turn.dropped.isEmpty {
            statements.append("DELETE FROM hits USING \(DueHit.rows(turn.dropped)) WHERE \(DueHit.isNamed)")
        }
        if !turn.unreadable.isEmpty {
            statements.append(
                """
                UPDATE hits SET tell_at = \(now + TellingTurn.again) FROM \(DueHit.rows(turn.unreadable))
                WHERE \(DueHit.isNamed)
                """)
        }
        try await transaction.pipeline(statements.map(\.plannedAnew))
    }

    private func publish(_ turn: TellingTurn) {
        let told = Dictionary(grouping: turn.told, by: \.thing.subject)
        for subject in told.keys.sorted(by: { $0.key < $1.key }) {
            guard let hits = told[subject], let thing = hits.first?.thing else { continue }
            let people = hits.map(\.hit.person)
            for start in stride(from: 0, to: people.count, by: WantedTelling.mostTold) {
                let part = Array(people[start..<min(start + WantedTelling.mostTold, people.count)])
                transaction.publish(
                    WantedFound(subject), about: subject.key, to: .people(Set(part)), concerning: [thing.owner])
                guard let notice = thing.raised(to: part, at: now) else { continue }
                transaction.publish(notice, about: subject.key, to: .nobody)
            }
        }
    }
}

/// What becomes of what is due. No I/O.
private struct TellingTurn {
    /// When it is tried again what cannot be read: a newer version of the service may be able to.
    static let again: TimeInterval = 600

    struct Good {
        let hit: DueHit
        let thing: Searchable
    }

    private(set) var good: [Good] = []
    private(set) var told: [Good] = []
    /// Too much for now.
    private(set) var late: [DueHit] = []
    /// It is gone, nothing of theirs looks for it any more, or they are suspended.
    private(set) var dropped: [DueHit] = []
    private(set) var unreadable: [DueHit] = []

    mutating func take(_ hit: DueHit, _ row: PostgresRow, logger: Logger) {
        do {
            let (isThere, isSuspended): (Bool, Bool) = (try row.get("is_there"), try row.get("is_suspended"))
            guard hit.wanted != nil, isThere, !isSuspended else { return dropped.append(hit) }
            good.append(Good(hit: hit, thing: try Searchable(row)))
        } catch {
            logger.error(
                "something that was found cannot be told",
                metadata: ["subject": "\(hit.kind)/\(hit.subject)", "reason": .string("\(error)")])
            unreadable.append(hit)
        }
    }

    mutating func decide(_ throttle: WantedThrottle) {
        var throttle = throttle
        for one in good {
            guard let wanted = one.hit.wanted else { continue }
            if throttle.tells(one.hit.person, of: wanted) { told.append(one) } else { late.append(one.hit) }
        }
    }
}

extension Searchable {
    /// As far as it is told of.
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            try Subject(row), of: try row.get("owner"), title: try row.get("title"), keys: [],
            isForOne: try row.get("is_for_one"),
            thing: try row.get("thing", as: String?.self).map { try ThingKind.stored($0) })
        guard noticeKind != nil else {
            throw PostgresError(.unexpectedValue, debugDetail: "nobody is told of \(subject.kind.rawValue)")
        }
    }
}
