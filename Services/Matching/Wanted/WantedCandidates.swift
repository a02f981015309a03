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
    let search: SearchJudging.Search
    /// What it looks for, as the table has it: what is judged is kept only while it is the same.
    let text: RawJSON
    /// It has found the thing before, and its person was not told yet.
    let isFound: Bool
}

extension WantedTransaction {
    /// Those after one of them, in the order of their ids. Nothing is locked.
    func candidates(
        for thing: Searchable, after: WantedID?, atMost most: Int, logger: Logger
    ) async throws -> WantedCandidates {
        let page = try await page(for: thing, after: after ?? WantedID.first, atMost: most)
        if page.isEmpty { return WantedCandidates() }
        let rows = try await transaction.query(
            """
            SELECT wanted.id, wanted.person, wanted.query, finds.wanted IS NOT NULL AS is_found
            FROM wanted
                LEFT JOIN finds ON finds.wanted = wanted.id AND \(thing.subject.isHere("finds"))
                LEFT JOIN hits ON hits.person = wanted.person AND \(thing.subject.isHere("hits"))
            WHERE wanted.id = ANY(\(page)) AND wanted.service = \(thing.subject.kind.service.rawValue)
                AND wanted.state = 'live' AND wanted.due_at > \(now) AND wanted.person <> \(thing.owner)
                AND (finds.wanted IS NULL OR (finds.is_new AND hits.state IN ('waiting', 'late')))
            ORDER BY wanted.id
            """)
        return WantedCandidates(
            searches: try rows.compactMap { try WantedCandidate($0, logger: logger) },
            last: page.count == most ? page.last : nil)
    }

    /// Of each key so many as are looked at: however many searches are listed by one, a page reads few of them.
    private func page(for thing: Searchable, after: WantedID, atMost most: Int) async throws -> [WantedID] {
        let limit: SQLQuery = "LIMIT \(unescaped: "\(most)")"
        return try await transaction.query(
            """
            SELECT page.wanted FROM (
                SELECT listed.wanted
                FROM unnest(\(thing.keys.map(\.rawValue))::text[]) AS own (key) CROSS JOIN LATERAL (
                    SELECT wanted_keys.wanted FROM wanted_keys
                    WHERE wanted_keys.key = own.key AND wanted_keys.wanted > \(after)
                    ORDER BY wanted_keys.wanted \(limit)) AS listed
                UNION
                SELECT finds.wanted
                FROM hits JOIN wanted AS theirs ON theirs.person = hits.person
                    JOIN finds ON finds.wanted = theirs.id AND finds.kind = hits.kind AND finds.subject = hits.subject
                WHERE \(thing.subject.isHere("hits")) AND hits.state IN ('waiting', 'late') AND theirs.id > \(after)
            ) AS page
            ORDER BY page.wanted \(limit)
            """
        ).map { try $0.get("wanted") }
    }
}

extension WantedCandidate {
    /// Nil where it cannot be read: it finds nothing, and others do not wait for it.
    fileprivate init?(_ row: PostgresRow, logger: Logger) throws {
        let (id, text): (WantedID, RawJSON) = (try row.get("id"), try row.get("query"))
        guard let query = JSON<WantedQuery>(postgresText: text.text)?.value else {
            logger.error("a standing search cannot be read", metadata: ["wanted": "\(id)"])
            return nil
        }
        search = SearchJudging.Search(id: id, person: try row.get("person"), query: query)
        self.text = text
        isFound = try row.get("is_found")
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

    /// In as few parts as can be asked about at once.
    /// - Parameter most: of one part.
    static func parts(of searches: [Search], atMost most: Int = largest) throws -> [[Search]] {
        var (parts, size): ([[Search]], Int) = ([], 0)
        for search in searches {
            let own = try WireJSON.encode(search).count + 1
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
        var found: Set<WantedID> = []
        var parts = try SearchJudging.parts(of: candidates.map(\.search), atMost: most)
        while let part = parts.popLast() {
            do {
                found.formUnion(try await judge(SearchJudging(of: subject, by: part)).found)
            } catch let error as ServiceError where [.malformed, .invalid].contains(error.code) {
                // One of them: the others are asked about without it.
                if part.count > 1 {
                    parts += [Array(part[..<(part.count / 2)]), Array(part[(part.count / 2)...])]
                } else {
                    logger.error(
                        "a standing search is refused", metadata: ["wanted": "\(part[0].id)", "reason": "\(error)"])
                }
            }
        }
        return found
    }
}
