import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// When people are told of what only one of them can have: few at once, so that not everybody sets out for it.
enum WantedWaves {
    /// Up to which place in the row of those who wait, and after how many seconds.
    static let waves: [(upTo: Int, after: Int)] = [(5, 0), (20, 30), (70, 60), (570, 90)]
    /// The others.
    static let last = 120

    /// The seconds after which somebody is told, by a column that says their place in the row, from 1.
    static func seconds(at place: SQLQuery) -> SQLQuery {
        let cases = waves.reduce(into: "" as SQLQuery) { cases, wave in
            cases += "WHEN \(place) <= \(unescaped: "\(wave.upTo)") THEN \(unescaped: "\(wave.after)") "
        }
        return "CASE \(cases)ELSE \(unescaped: "\(last)") END"
    }

    /// When somebody is told who has just been found: at once, or not before all have their places.
    static func first(isForOne: Bool, at now: Date) -> Date { isForOne ? .distantFuture : now }
}

extension WantedTransaction {
    /// Gives those their places who have none yet, behind the others: first who was never told of anything, then who was told longest ago.
    func arrangeWaves(of subject: Subject) async throws {
        let arranging: SQLQuery = """
            UPDATE hits SET tell_at = \(now) + make_interval(secs => \(WantedWaves.seconds(at: "ranked.place")))
            FROM (
                SELECT waiting.person,
                    (SELECT count(*) FROM hits AS placed
                        WHERE \(subject.isHere("placed")) AND placed.state <> 'gone' AND placed.tell_at < 'infinity')
                    + row_number() OVER (
                        ORDER BY (SELECT max(earlier.told_at) FROM hits AS earlier WHERE earlier.person = waiting.person)
                            NULLS FIRST, waiting.wanted, waiting.person) AS place
                FROM hits AS waiting
                WHERE \(subject.isHere("waiting")) AND waiting.state = 'waiting' AND waiting.tell_at = 'infinity'
            ) AS ranked
            WHERE \(subject.isHere("hits")) AND hits.person = ranked.person AND hits.state = 'waiting'
            """
        // Hits may have grown from nothing to thousands since it was planned.
        try await transaction.query(arranging.plannedAnew)
    }
}
