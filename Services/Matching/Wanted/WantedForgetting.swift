import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Synchronization
import WireProtocol

/// Forgets that people were told of things that stay, where they look for nothing any more: nothing can tell them again. Who has a search is never told twice, so
/// of them it stays known for as long as the thing does.
///
/// It goes through all hits in the order of their key, a page at a time and without haste, and then begins anew: so it needs no index of its own, and none that
/// stay are in the way of those that go.
struct WantedForgetting: Service, CustomStringConvertible {
    /// So long it stays known at least.
    static let kept: TimeInterval = 60 * 86_400

    let store: WantedStore
    let logger: Logger
    let clock: @Sendable () -> Date
    var pause = Duration.seconds(10)
    var batch = 1000
    private let place = PlaceAmongHits()

    init(store: WantedStore, logger: Logger, clock: @escaping @Sendable () -> Date) {
        (self.store, self.logger, self.clock) = (store, logger, clock)
    }

    var description: String { "forgets what people were told of" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "what people were told of stays known for now") {
            try await round()
        }
    }

    /// One page.
    /// - Returns: false: the next one has time.
    func round() async throws -> Bool {
        let after: SQLQuery =
            place.last.map { "WHERE (kind, subject, person) > (\($0.kind), \($0.subject), \($0.person))" } ?? ""
        let rows = try await store.database.read(
            """
            SELECT kind, subject, person, state IN ('told', 'gone') AND found_at < \(clock() - Self.kept) AS is_old
            FROM hits \(after) ORDER BY kind, subject, person LIMIT \(unescaped: "\(batch)")
            """)
        let old = try rows.filter { try $0.get("is_old") }.map(HitKey.init)
        if !old.isEmpty { try await store.transaction { try await $0.forget(old) } }
        place.last = try rows.count < batch ? nil : rows.last.map(HitKey.init)
        return false
    }
}

/// A person and a thing.
private struct HitKey: Hashable, Sendable {
    let kind: String
    let subject: ID<Subject>
    let person: PersonID

    init(_ row: PostgresRow) throws {
        (kind, subject, person) = (try row.get("kind"), try row.get("subject"), try row.get("person"))
    }
}

/// How far it has come.
private final class PlaceAmongHits: Sendable {
    private let place = Mutex<HitKey?>(nil)

    var last: HitKey? {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }
}

extension WantedTransaction {
    /// Those that nobody else is at.
    fileprivate func forget(_ hits: [HitKey]) async throws {
        try await transaction.query(
            """
            WITH free AS (
                SELECT hits.kind, hits.subject, hits.person
                FROM unnest(\(hits.map(\.kind))::text[], \(hits.map(\.subject)), \(hits.map(\.person)))
                        AS old (kind, subject, person)
                    JOIN hits ON hits.kind = old.kind AND hits.subject = old.subject AND hits.person = old.person
                WHERE NOT EXISTS (SELECT FROM wanted WHERE wanted.person = hits.person)
                FOR UPDATE OF hits SKIP LOCKED)
            DELETE FROM hits USING free
            WHERE hits.kind = free.kind AND hits.subject = free.subject AND hits.person = free.person
            """)
    }
}
