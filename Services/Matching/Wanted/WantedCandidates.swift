import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import WireProtocol

/// Searches that may find something: they are listed by one of its keys, or somebody waits to be told of it because of them.
struct WantedCandidates: Sendable {
    /// So many are looked at in one transaction, unless less is asked for.
    static let most = 500

    /// Those of them that have to be judged.
    var searches: [WantedCandidate] = []
    /// The last one that was looked at; nil where no more come after it.
    var last: WantedID?
}

struct WantedCandidate: Hashable, Sendable {
    let id: WantedID
    let person: PersonID
    /// What it looks for, as the table has it: what is judged is kept only while it is the same.
    let query: RawJSON
    /// It has found the thing before, and its person was not told yet.
    let isFound: Bool
}

extension WantedTransaction {
    /// Those after one of them, in the order of their ids. Nothing is locked.
    func candidates(for thing: Searchable, after: WantedID?, atMost most: Int) async throws -> WantedCandidates {
        let page = try await page(for: thing, after: after ?? WantedID.first, atMost: most)
        if page.searches.isEmpty { return WantedCandidates() }
        let ids = page.searches.map(\.id)
        let waiting = page.searches.filter(\.waits).map(\.id)
        let live = try await transaction.query(
            """
            SELECT id, person, query FROM wanted
            WHERE id = ANY(\(ids)) AND service = \(thing.subject.kind.service.rawValue) AND state = 'live'
                AND due_at > \(now) AND person <> \(thing.owner) AND (id = ANY(\(waiting)) OR \(mayFind(thing)))
            ORDER BY id
            """)
        let waits = page.isKnown ? try await found(thing.subject, among: live.map { try $0.get("id") }) : [:]
        return WantedCandidates(
            searches: try live.compactMap { row in
                let hasFound = waits[try row.get("id")]
                return hasFound == false ? nil : try WantedCandidate(row, isFound: hasFound != nil)
            },
            last: ids.count == most ? ids.last : nil)
    }

    /// By all that it requires, and by where it looks. A thing that somebody waits to be told of may have lost that, or been moved.
    private func mayFind(_ thing: Searchable) -> SQLQuery {
        let hasAll: SQLQuery = "required <@ \(thing.keys.map(\.rawValue))::text[]"
        guard let position = thing.position else { return hasAll }
        // Two ways to compute one distance differ by less than a metre.
        return """
            \(hasAll) AND (near_radius IS NULL OR near_radius + 1 >= earth_distance(
                ll_to_earth(near_latitude, near_longitude), (SELECT \(position.onEarth))))
            """
    }

    /// Which of some searches have found something, or began when it was there; and of which of them somebody waits to be told.
    private func found(_ subject: Subject, among page: [WantedID]) async throws -> [WantedID: Bool] {
        let query: SQLQuery = """
            SELECT finds.wanted, finds.is_new AND coalesce(hits.state IN ('waiting', 'late'), false) AS waits
            FROM finds JOIN wanted ON wanted.id = finds.wanted
                LEFT JOIN hits ON hits.person = wanted.person AND \(subject.isHere("hits"))
            WHERE \(subject.isHere("finds")) AND finds.wanted = ANY(\(page))
            UNION ALL
            SELECT wanted, false FROM wanted_there
            WHERE wanted = ANY(\(page)) AND kind = \(subject.kind.rawValue) AND \(subject.id) = ANY(subjects)
            """
        // What was found grows from nothing to thousands within seconds: a plan of before would read all of it.
        let rows = try await transaction.query(query.plannedAnew)
        return Dictionary(try rows.map { (try $0.get("wanted"), try $0.get("waits")) }) { $0 || $1 }
    }

    /// Of each key so many as are looked at: however many searches are listed by one, a page reads few of them. Of some of them somebody waits to be told of the thing.
    /// - Returns: besides, whether the thing is known. Nobody has found one that is not, and no search has it in its list of what was there.
    private func page(
        for thing: Searchable, after: WantedID, atMost most: Int
    ) async throws -> (searches: [(id: WantedID, waits: Bool)], isKnown: Bool) {
        let limit: SQLQuery = "LIMIT \(unescaped: "\(most)")"
        let rows = try await transaction.query(
            """
            SELECT page.wanted, bool_or(page.waits) AS waits,
                EXISTS (SELECT FROM searchables WHERE \(thing.subject.isHere("searchables")))
                OR EXISTS (SELECT FROM looks WHERE \(thing.subject.isHere("looks")) AND looks.is_again) AS is_known
            FROM (
                SELECT listed.wanted, false AS waits
                FROM unnest(\(thing.keys.map(\.rawValue))::text[]) AS own (key) CROSS JOIN LATERAL (
                    SELECT wanted_keys.wanted FROM wanted_keys
                    WHERE wanted_keys.key = own.key AND wanted_keys.wanted > \(after)
                    ORDER BY wanted_keys.wanted \(limit)) AS listed
                UNION ALL
                SELECT finds.wanted, true
                FROM hits JOIN wanted AS theirs ON theirs.person = hits.person
                    JOIN finds ON finds.wanted = theirs.id AND finds.kind = hits.kind AND finds.subject = hits.subject
                WHERE \(thing.subject.isHere("hits")) AND hits.state IN ('waiting', 'late') AND theirs.id > \(after)
            ) AS page
            GROUP BY page.wanted ORDER BY page.wanted \(limit)
            """)
        return (
            try rows.map { (try $0.get("wanted"), try $0.get("waits")) },
            try rows.first?.get("is_known") ?? false
        )
    }
}

extension WantedCandidate {
    fileprivate init(_ row: PostgresRow, isFound: Bool) throws {
        (id, person, query) = (try row.get("id"), try row.get("person"), try row.get("query"))
        self.isFound = isFound
    }

    /// Nobody reads what it looks for before it is judged.
    var judging: SearchJudging.Search {
        SearchJudging.Search(id: id, person: person, query: PassedOn(json: query.text))
    }
}

extension WantedID {
    /// Before all others.
    static var first: WantedID { WantedID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) }
}

// MARK: Judging

extension SearchJudging {
    /// Of the JSON of one question.
    static let largestText = 256 * 1024
    /// What a search has besides what it looks for, at most: two ids, and their names.
    private static let besides = 128

    /// In as few parts as can be asked about at once.
    /// - Parameter most: of one part.
    static func parts(of searches: [Search], atMost most: Int = largest) throws -> [[Search]] {
        var (parts, size): ([[Search]], Int) = ([], 0)
        for search in searches {
            let own = try search.query.size + besides
            if let last = parts.last, last.count < most, size + own <= largestText {
                parts[parts.count - 1].append(search)
                size += own
            } else {
                parts.append([search])
                // Leaves room for what stands around them.
                size = own + 256
            }
        }
        return parts
    }
}

extension SearchedServices {
    /// Those of some searches that find something now, as its service says. One that the service cannot read finds nothing.
    func finders(
        of subject: Subject, among candidates: [WantedCandidate], atMost most: Int, logger: Logger
    ) async throws -> Set<WantedID> {
        let parts = try SearchJudging.parts(of: candidates.map(\.judging), atMost: most)
        return try await withThrowingTaskGroup(of: Set<WantedID>.self) { group in
            for part in parts { group.addTask { try await finders(of: subject, in: part, logger) } }
            return try await group.reduce(into: []) { $0.formUnion($1) }
        }
    }

    private func finders(
        of subject: Subject, in part: [SearchJudging.Search], _ logger: Logger
    ) async throws -> Set<WantedID> {
        do {
            return Set(try await judge(SearchJudging(of: subject, by: part)).found)
        } catch let error as ServiceError where [.malformed, .invalid].contains(error.code) {
            // One of them: the others are asked about without it.
            if part.count > 1 {
                let (first, others) = (Array(part[..<(part.count / 2)]), Array(part[(part.count / 2)...]))
                return try await finders(of: subject, in: first, logger)
                    .union(finders(of: subject, in: others, logger))
            }
            logger.error("a standing search is refused", metadata: ["wanted": "\(part[0].id)", "reason": "\(error)"])
            return []
        }
    }
}
