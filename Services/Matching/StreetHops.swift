import DurableMessaging
import FoundationEssentials
import Logging
import MatchEngine
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Asks Places how long ways on foot are that rounds have guessed, keeps what it says, and has a round look again where they are waited for. Rounds of its own: nothing else
/// waits for another service.
struct StreetHops: Service, CustomStringConvertible {
    let store: DeliveryStore
    let logger: Logger
    let ask: AskForWays
    var batch = 200
    var pause = Duration.milliseconds(250)

    /// As many as Places answers at once.
    static let mostAtOnce = 100
    /// When it is asked again where no answer came, and when what it said is forgotten: streets are imported anew.
    static let (again, kept): (TimeInterval, TimeInterval) = (60, 7 * 86_400)

    var description: String { "ways of deliveries" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "ways of deliveries wait for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let forgotten = try await store.transaction { try await $0.forgetHops(atMost: batch) }
        let due = try await store.transaction { try await $0.takeHops(atMost: batch) }
        for hops in DueHop.grouped(due, atMost: Self.mostAtOnce) {
            let ways: [KnownWay]
            do {
                ways = try await ask(hops[0].question.from, hops.map(\.question.to))
            } catch {
                logger.notice("ways of deliveries wait for Places", metadata: ["error": "\(error)"])
                return false
            }
            try await store.transaction { try await $0.keep(Array(zip(hops, ways))) }
        }
        return max(due.count, forgotten) >= batch
    }
}

/// A way that is waited for.
struct DueHop: Hashable, Sendable {
    var question: WayQuestion
    /// Where.
    let area: Int64

    /// Those that begin at one point. A way is as long there as back, so each is asked for from the end that has more of them.
    static func grouped(_ hops: [DueHop], atMost most: Int) -> [[DueHop]] {
        let ends = Dictionary(hops.flatMap { [($0.question.from, 1), ($0.question.to, 1)] }, uniquingKeysWith: +)
        let turned = hops.map { hop in
            var hop = hop
            if ends[hop.question.to, default: 0] > ends[hop.question.from, default: 0] {
                hop.question = WayQuestion(hop: hop.question.hop, from: hop.question.to, to: hop.question.from)
            }
            return hop
        }
        return Dictionary(grouping: turned, by: \.question.from).values.flatMap { group in
            stride(from: 0, to: group.count, by: most).map { Array(group[$0..<min($0 + most, group.count)]) }
        }
    }
}

extension DeliveryTransaction {
    /// To be asked of Places. Each begins at the first end of its hop.
    func ask(_ questions: [WayQuestion], in area: Int64) async throws {
        if questions.isEmpty { return }
        let (from, to) = (questions.map(\.from), questions.map(\.to))
        _ = try await transaction.query(
            """
            INSERT INTO hops (one, other, one_latitude, one_longitude, other_latitude, other_longitude, area, due_at)
            SELECT DISTINCT ON (one, other) one, other, one_latitude, one_longitude, other_latitude, other_longitude,
                \(area), \(now)
            FROM unnest(\(questions.map(\.hop.one)), \(questions.map(\.hop.other)), \(from.map(\.latitude)),
                \(from.map(\.longitude)), \(to.map(\.latitude)), \(to.map(\.longitude)))
                AS asked (one, other, one_latitude, one_longitude, other_latitude, other_longitude)
            ORDER BY one, other ON CONFLICT DO NOTHING
            """)
    }

    /// Some that no other process asks for until a while later.
    fileprivate func takeHops(atMost limit: Int) async throws -> [DueHop] {
        try await transaction.query(
            """
            UPDATE hops SET due_at = \(now + StreetHops.again) WHERE (one, other) IN (
                SELECT one, other FROM hops WHERE due_at <= \(now) ORDER BY due_at LIMIT \(unescaped: "\(limit)")
                FOR NO KEY UPDATE SKIP LOCKED)
            RETURNING one, other, one_latitude, one_longitude, other_latitude, other_longitude, area
            """
        ).map(DueHop.init)
    }

    /// A guess may have left somebody out who goes there: a round looks again.
    fileprivate func keep(_ answers: [(DueHop, KnownWay)]) async throws {
        let (hops, ways) = (answers.map(\.0), answers.map(\.1))
        _ = try await transaction.query(
            """
            UPDATE hops SET metres = answer.metres, along_streets = answer.along_streets, asked_at = \(now), due_at = NULL
            FROM unnest(\(hops.map(\.question.hop.one)), \(hops.map(\.question.hop.other)), \(ways.map(\.metres)),
                \(ways.map(\.isAlongStreets))) AS answer (one, other, metres, along_streets)
            WHERE hops.one = answer.one AND hops.other = answer.other
            """)
        try await mark(hops.map(\.area))
    }

    /// - Returns: how many were forgotten.
    fileprivate func forgetHops(atMost limit: Int) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM hops WHERE (one, other) IN (
                SELECT one, other FROM hops WHERE due_at IS NULL AND asked_at < \(now - StreetHops.kept)
                ORDER BY asked_at LIMIT \(unescaped: "\(limit)") FOR UPDATE SKIP LOCKED)
            RETURNING one
            """
        ).count
    }
}

extension DueHop {
    fileprivate init(_ row: PostgresRow) throws {
        question = WayQuestion(
            hop: Hop(try row.get("one"), try row.get("other")),
            from: Position(latitude: try row.get("one_latitude"), longitude: try row.get("one_longitude")),
            to: Position(latitude: try row.get("other_latitude"), longitude: try row.get("other_longitude")))
        area = try row.get("area")
    }
}
