import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization
import WireProtocol

/// Looks once more for each search that has begun, after it is listed: what appeared while it was made was found by nobody. So it does where somebody is together
/// with others again: what these shared since the search began was not found.
///
/// Its service is asked while nothing is locked. What it answers is held against what was looked at meanwhile, so that nothing is told that is gone.
struct WantedCatchUp: Service, CustomStringConvertible {
    let store: WantedStore
    let services: SearchedServices
    /// Rung where somebody is to be told of something.
    let telling: RoundBell
    let logger: Logger
    let clock: @Sendable () -> Date
    var pause = Duration.milliseconds(500)
    var gathering = Duration.milliseconds(1)
    var batch = 100
    private let rests = SearchRests()

    init(
        store: WantedStore, services: SearchedServices, telling: RoundBell, logger: Logger,
        clock: @escaping @Sendable () -> Date
    ) {
        (self.store, self.services, self.telling) = (store, services, telling)
        (self.logger, self.clock) = (logger, clock)
    }

    var description: String { "what appears while searches begin" }

    func run() async throws {
        await repeatRounds(
            every: pause, ringing: store.bell, gathering: gathering, logger: logger,
            failing: "searches that have begun wait for the database"
        ) {
            try await round()
        }
    }

    /// All that there is; each that fails is left to a later round.
    /// - Returns: false: there is no more to do at once.
    func round() async throws -> Bool {
        // Of one that does not answer no more is asked in this round.
        var (last, silent) = (WantedID.first, Set<String>())
        let heard = store.begun.take()
        while !Task.isCancelled {
            let rows = try await store.database.read(
                """
                SELECT id, person, service, query, changed_at FROM wanted
                WHERE NOT is_settled AND state = 'live' AND coalesce(settle_at <= \(clock()), true) AND id > \(last)
                ORDER BY id LIMIT \(unescaped: "\(batch)")
                """)
            for row in rows {
                let search = try UnsettledSearch(row)
                last = search.id
                if let heard = heard[search.id], try await isSettled(search, heard) { continue }
                guard !silent.contains(search.service), !rests.isResting(search.id, at: clock()) else { continue }
                if !(try await settle(search)) { silent.insert(search.service) }
            }
            if rows.count < batch { break }
        }
        return false
    }

    /// Whether nothing can have passed by it, so that nobody is asked.
    private func isSettled(_ search: UnsettledSearch, _ heard: StreamOffset) async throws -> Bool {
        try await store.transaction {
            try await $0.settle(search.id, finding: search.text, of: search.service, heard: heard)
        }
    }

    /// - Returns: whether its service answers.
    private func settle(_ search: UnsettledSearch) async throws -> Bool {
        guard let query = JSON<WantedQuery>(postgresText: search.text.text)?.value else {
            logger.error("a standing search cannot be read", metadata: ["wanted": "\(search.id)"])
            rests.begin(search.id, at: clock())
            return true
        }
        do {
            let found = try await services.look(SearchLook(for: search.person, query)).subjects
            let isAny = try await store.transaction { try await $0.settle(search, finding: found) }
            rests.end(search.id)
            if isAny { telling.ring() }
            return true
        } catch  where !Task.isCancelled {
            logger.notice(
                "a search that has begun waits", metadata: ["wanted": "\(search.id)", "reason": .string("\(error)")])
            rests.begin(search.id, at: clock())
            guard let refusal = error as? ServiceError else { return true }
            return ![.unavailable, .outcomeUnknown].contains(refusal.code)
        }
    }
}

/// A search of which it is not known what was there when it began.
private struct UnsettledSearch: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    let service: String
    /// What it looks for, as the table has it.
    let text: RawJSON
    let changedAt: Date

    init(_ row: PostgresRow) throws {
        (id, person) = (try row.get("id"), try row.get("person"))
        (service, text, changedAt) = (try row.get("service"), try row.get("query"), try row.get("changed_at"))
    }

    /// What was looked at before was there when the search was looked for first, or said something else then. Longer than a search takes to be made, and
    /// than the clocks of two machines differ.
    var since: Date { changedAt - 60 }
}

/// When searches that failed are tried again: after a second, and twice as long each time, up to a minute.
private final class SearchRests: Sendable {
    private struct Rest: Sendable {
        var until: Date
        var length: TimeInterval
    }

    private let rests = Mutex<[WantedID: Rest]>([:])

    func isResting(_ id: WantedID, at now: Date) -> Bool { rests.withLock { $0[id].map { now < $0.until } ?? false } }

    func begin(_ id: WantedID, at now: Date) {
        rests.withLock {
            let length = min(60, ($0[id]?.length ?? 0.5) * 2)
            $0[id] = Rest(until: now + length, length: length)
        }
    }

    func end(_ id: WantedID) { rests.withLock { _ = $0.removeValue(forKey: id) } }
}

extension WantedTransaction {
    /// What it finds that it did not when it was made was looked at while it was not listed.
    /// - Returns: whether there is something to tell.
    fileprivate func settle(_ search: UnsettledSearch, finding subjects: [Subject]) async throws -> Bool {
        // Each of these is there until this is committed. All is of one moment: a look is either there still, or what it has seen is.
        let rows = try await transaction.query(
            """
            WITH named AS (
                SELECT kind, subject
                FROM unnest(\(subjects.map(\.kind.rawValue))::text[], \(subjects.map(\.id))) AS named (kind, subject)
                WHERE NOT EXISTS (
                    SELECT FROM finds WHERE finds.wanted = \(search.id) AND finds.kind = named.kind
                        AND finds.subject = named.subject)
                    AND NOT EXISTS (
                        SELECT FROM wanted_there AS began CROSS JOIN unnest(began.subjects) AS there (subject)
                        WHERE began.wanted = \(search.id) AND began.kind = named.kind AND there.subject = named.subject)
            ), present AS (
                SELECT searchables.kind, searchables.subject, searchables.changed_at, searchables.is_for_one
                FROM searchables JOIN named ON named.kind = searchables.kind AND named.subject = searchables.subject
                WHERE searchables.is_there AND searchables.owner <> \(search.person)
                ORDER BY searchables.kind, searchables.subject FOR SHARE OF searchables
            )
            SELECT named.kind, named.subject, coalesce(present.is_for_one, false) AS is_for_one,
                coalesce(present.changed_at >= \(search.since), false) AS is_new,
                EXISTS (SELECT FROM looks WHERE looks.kind = named.kind AND looks.subject = named.subject) AS is_looked_at
            FROM named LEFT JOIN present ON present.kind = named.kind AND present.subject = named.subject
            """)
        let isSame = try await !transaction.query(
            """
            SELECT FROM wanted
            WHERE id = \(search.id) AND query = \(search.text) AND state = 'live' AND NOT is_settled FOR NO KEY UPDATE
            """
        ).isEmpty
        guard isSame else { return false }
        let found = try rows.map(SettlingFind.init)
        // A look that has begun may have passed by the search: another one is taken when it is done.
        try await look(at: found.filter(\.isLookedAt).map(\.subject))
        let new = found.filter { $0.isNew && !$0.isLookedAt }
        try await keep(new, of: search)
        // What has come to fit fewer searches since it was asked for was not looked at, as nobody waited to be told of it.
        try await look(at: new.map(\.subject))
        try await transaction.query("UPDATE wanted SET is_settled = true WHERE id = \(search.id)")
        return !new.isEmpty
    }

    private func keep(_ found: [SettlingFind], of search: UnsettledSearch) async throws {
        if found.isEmpty { return }
        let named: SQLQuery = """
            unnest(\(found.map(\.subject.kind.rawValue))::text[], \(found.map(\.subject.id)),
                \(found.map { WantedWaves.first(isForOne: $0.isForOne, at: now) })) AS named (kind, subject, tell_at)
            """
        try await transaction.pipeline([
            """
            WITH added AS (
                INSERT INTO finds (wanted, kind, subject, found_at, is_new)
                SELECT \(search.id), named.kind, named.subject, \(now), true FROM \(named)
                ON CONFLICT DO NOTHING
                RETURNING finds.subject)
            UPDATE wanted SET found = wanted.found + (SELECT count(*) FROM added), last_found_at = \(now)
            WHERE id = \(search.id)
            """,
            """
            INSERT INTO hits (kind, subject, person, wanted, state, found_at, tell_at)
            SELECT named.kind, named.subject, \(search.person), \(search.id), 'waiting', \(now), named.tell_at
            FROM \(named) ORDER BY named.kind, named.subject
            ON CONFLICT DO NOTHING
            """,
        ])
        for one in found where one.isForOne { try await arrangeWaves(of: one.subject) }
    }
}

/// Something that a search finds of which it is not known yet whether it was there when the search began.
private struct SettlingFind: Hashable, Sendable {
    let subject: Subject
    let isForOne: Bool
    /// It appeared since, or has changed.
    let isNew: Bool
    /// It is looked at, or is to be.
    let isLookedAt: Bool

    init(_ row: PostgresRow) throws {
        subject = try Subject(row)
        (isForOne, isNew) = (try row.get("is_for_one"), try row.get("is_new"))
        isLookedAt = try row.get("is_looked_at")
    }
}
