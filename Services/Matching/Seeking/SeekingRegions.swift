import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Asks rides again in which regions people seek, where that is not known: because Places was away when they began, or knew of none. Until then they are in no region's
/// list.
struct SeekingRegions: Service, CustomStringConvertible {
    let store: WantedStore
    let seeking: SeekingServices
    let logger: Logger
    var batch = 20
    var pause = Duration.seconds(1)

    var description: String { "regions in which rides are sought" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "regions of who seeks wait for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let due = try await store.transaction { try await $0.takeUnplaced(atMost: batch) }
        for search in due {
            guard let query = JSON<WantedQuery>(postgresText: search.text.text)?.value else { continue }
            do {
                let known = try await seeking.seeking(query)
                try await store.transaction { try await $0.place(known, of: search) }
            } catch  where !Task.isCancelled {
                logger.notice(
                    "regions of who seeks wait",
                    metadata: ["wanted": "\(search.id)", "reason": .string("\(error)")])
                let code = (error as? ServiceError)?.code
                if code == .unavailable || code == .outcomeUnknown { return false }
            }
        }
        return due.count >= batch
    }
}

/// A search of which a region is not known.
private struct UnplacedSearch: Hashable, Sendable {
    let id: WantedID
    /// What it looks for, as the table has it.
    let text: RawJSON
    /// What others may know of it until now.
    let seeking: Seeking

    init(_ row: PostgresRow) throws {
        (id, text) = (try row.get("id"), try row.get("query"))
        seeking = try row.get("seeking", as: JSON<Seeking>.self).value
    }
}

extension WantedTransaction {
    /// Some that no other process asks about until then.
    fileprivate func takeUnplaced(atMost limit: Int) async throws -> [UnplacedSearch] {
        try await transaction.query(
            """
            UPDATE wanted SET regions_due = \(now + SeekingLimits.again.unanswered) WHERE id IN (
                SELECT id FROM wanted
                WHERE regions_due <= \(now) AND state = 'live' AND due_at > \(now) AND seeks_before > \(now)
                ORDER BY regions_due LIMIT \(unescaped: "\(limit)") FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING id, query, seeking
            """
        ).map(UnplacedSearch.init)
    }

    /// Keeps what others may know of it now, unless it looks for something else meanwhile, or nobody sees it.
    fileprivate func place(_ known: Seeking, of search: UnplacedSearch) async throws {
        // What Places does not say this time stays known.
        var known = known
        known.from.learn(search.seeking.from)
        known.to.learn(search.seeking.to)
        let again = known.isPlaced ? nil : now + SeekingLimits.again.unknown
        try await transaction.query(
            """
            UPDATE wanted SET seeking = \(JSON(known)), seeks_before = \(known.before), regions_due = \(again)
            WHERE id = \(search.id) AND query = \(search.text) AND is_visible
            """)
    }
}

extension SeekingEnd {
    /// Takes over what was known of the same end.
    fileprivate mutating func learn(_ other: SeekingEnd) {
        name = name ?? other.name
        region = region ?? other.region
    }
}
