import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Pauses searches of people who look at nothing that these tell: ten things in a row that each was told a day ago or longer, and that were neither seen nor
/// read.
///
/// Notification is asked while nothing is locked. Where it does not answer, nothing is decided.
struct WantedUnseen: Service, CustomStringConvertible {
    /// Which of somebody's notices were neither seen nor read.
    typealias Ask = @Sendable (UnseenQuery) async throws -> UnseenKeys
    /// When that is asked again which could not be answered though notification is there.
    private static let again: TimeInterval = 3600

    let store: WantedStore
    let logger: Logger
    let clock: @Sendable () -> Date
    var pause = Duration.seconds(30)
    var batch = 100
    let ask: Ask

    var description: String { "searches that nobody looks at" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "searches that nobody looks at go on for now") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let now = clock()
        let due = try await store.database.read(
            """
            SELECT id, person, seen_at FROM wanted
            WHERE ask_at <= \(now) AND state = 'live' ORDER BY ask_at LIMIT \(unescaped: "\(batch)")
            """
        ).map(AskedSearch.init)
        for search in due {
            // Where it does not answer, it is not asked about the others either.
            guard try await attend(to: search, at: now) else { return false }
        }
        return due.count == batch
    }

    /// - Returns: whether notification answers.
    private func attend(to search: AskedSearch, at now: Date) async throws -> Bool {
        // What a newer version of the service has told is not known here.
        let told = ToldInARow(try await store.database.read(search.told).compactMap { try? ToldThing($0) })
        do {
            var looking = ToldInARow.Looking()
            if told.isEnough(at: now) {
                let unseen = try await ask(UnseenQuery(of: search.person, told.asked(at: now).map(\.key))).keys
                looking = told.looking(unseen: Set(unseen), at: now)
            }
            try await store.transaction { [looking] in try await $0.note(looking, of: search) }
            return true
        } catch let error as ServiceError {
            logger.notice(
                "whether anybody looks at a search is asked later",
                metadata: ["wanted": "\(search.id)", "reason": .string("\(error)")])
            if [.unavailable, .outcomeUnknown].contains(error.code) { return false }
            _ = try await store.database.query(
                "UPDATE wanted SET ask_at = \(now + Self.again) WHERE id = \(search.id) AND ask_at IS NOT NULL")
            return true
        }
    }
}

extension RequestClient {
    /// Which of somebody's notices were neither seen nor read.
    func unseen(_ query: UnseenQuery) async throws -> UnseenKeys {
        try await call(NotificationMethods.unseen, Nothing(), query, deadline: Date() + 2)
    }
}

/// A search of which is asked whether anybody looks at what it tells.
private struct AskedSearch: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    /// What was told until then was seen, or is not counted.
    let seenAt: Date?

    init(_ row: PostgresRow) throws {
        (id, person, seenAt) = (try row.get("id"), try row.get("person"), try row.get("seen_at"))
    }

    /// What it has told one by one since then, and what is there still, the latest first. Of what is gone the notice was taken back: who has seen it is not known.
    var told: SQLQuery {
        let since: SQLQuery = seenAt.map { "AND told_at > \($0)" } ?? ""
        return """
            SELECT kind, subject, told_at FROM hits
            WHERE wanted = \(id) AND state = 'told' AND told_at IS NOT NULL \(since)
            ORDER BY told_at DESC, kind, subject LIMIT \(unescaped: "\(UnseenQuery.largest)")
            """
    }
}

/// Something that a search has told by itself.
struct ToldThing: Hashable, Sendable {
    let subject: Subject
    let at: Date

    var key: NoticeKey { .found(subject) }
}

extension ToldThing {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(subject: try Subject(row), at: try row.get("told_at"))
    }
}

/// What a search has told one by one, the latest first. No I/O.
struct ToldInARow: Hashable, Sendable {
    /// So many in a row are enough.
    static let enough = 10
    /// How long somebody may take to look at a thing.
    static let patience: TimeInterval = 86_400
    /// How long a notice may be on its way: what is not in the inbox yet would count as seen.
    static let arriving: TimeInterval = 600

    let things: [ToldThing]

    init(_ things: [ToldThing]) { self.things = things }

    /// Whether it is asked at all: less is no reason for anything.
    func isEnough(at now: Date) -> Bool { Self.isEnough(things[...], at: now) }

    /// Of what is asked.
    func asked(at now: Date) -> [ToldThing] { things.filter { $0.at <= now - Self.arriving } }

    /// Whether somebody looks.
    struct Looking: Hashable, Sendable {
        /// When the last was told that they have seen; nil where that is none of these.
        var seenAt: Date?
        var isUnseen = false
    }

    /// - Parameter unseen: those that were neither seen nor read.
    func looking(unseen: Set<NoticeKey>, at now: Date) -> Looking {
        let asked = asked(at: now)
        let row = asked.prefix { unseen.contains($0.key) }
        let seenAt = row.count < asked.count ? asked[row.count].at : nil
        return Looking(seenAt: seenAt, isUnseen: Self.isEnough(row, at: now))
    }

    private static func isEnough(_ row: ArraySlice<ToldThing>, at now: Date) -> Bool {
        row.count { $0.at <= now - patience } >= enough
    }
}

extension WantedTransaction {
    /// Keeps what is known of whether anybody looks at what a search tells, unless it went on or was renewed meanwhile. Who is suspended cannot look.
    fileprivate func note(_ looking: ToldInARow.Looking, of search: AskedSearch) async throws {
        _ = try await lockSearches(of: [search.person])
        let isSame: SQLQuery = "id = \(search.id) AND seen_at IS NOT DISTINCT FROM \(search.seenAt)"
        let same = try await due(
            by: "ask_at", where: "state = 'live' AND due_at > \(now) AND \(isSame)", atMost: 1)
        guard let asked = same.first else { return }
        if looking.isUnseen, !asked.isSuspended { return try await pause(asked) }
        // What was told within the last day is asked about once it has waited as long.
        try await transaction.query(
            """
            UPDATE wanted
            SET seen_at = coalesce(\(looking.seenAt), seen_at),
                ask_at = CASE
                    WHEN \(looking.isUnseen) THEN \(now + ToldInARow.patience)
                    WHEN last_told_at > \(now - ToldInARow.patience)
                        THEN last_told_at + make_interval(secs => \(ToldInARow.patience)) END
            WHERE id = \(search.id)
            """)
    }

    /// As `WantedSearch.pause`, whatever it looks for.
    private func pause(_ search: DueSearch) async throws {
        try await dropWaiting(of: [search.id])
        try await transaction.query(
            """
            UPDATE wanted
            SET state = 'paused', changed_at = \(now), is_settled = true, digest_at = NULL, ask_at = NULL, announce_due = NULL
            WHERE id = \(search.id)
            """)
        publish(.unseen, of: search)
    }
}
