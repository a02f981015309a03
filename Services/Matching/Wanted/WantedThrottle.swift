import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// How much people are told of one by one. What is more waits for a digest.
struct WantedThrottle: Hashable, Sendable {
    /// Of one search within an hour and a day, and of all of a person's within a day.
    static let (perHour, perDay, perPersonsDay) = (3, 10, 20)
    /// How long a digest waits for what comes after the first thing, and after the digest before.
    static let (gathering, pause): (TimeInterval, TimeInterval) = (3600, 86_400)

    private var hour: [WantedID: Int] = [:]
    private var day: [WantedID: Int] = [:]
    private var persons: [PersonID: Int] = [:]

    init() {}

    /// Counts it where it may be told now.
    mutating func tells(_ person: PersonID, of wanted: WantedID) -> Bool {
        guard hour[wanted, default: 0] < Self.perHour, day[wanted, default: 0] < Self.perDay,
            persons[person, default: 0] < Self.perPersonsDay
        else { return false }
        hour[wanted, default: 0] += 1
        day[wanted, default: 0] += 1
        persons[person, default: 0] += 1
        return true
    }
}

extension WantedThrottle {
    /// What some people were told within the last day.
    init(of searches: [WantedID], by people: [PersonID], in transaction: CommandTransaction) async throws {
        let now = transaction.now
        let answers = try await transaction.pipeline([
            """
            SELECT wanted, count(*) AS day, count(*) FILTER (WHERE told_at > \(now - 3600)) AS hour FROM hits
            WHERE wanted = ANY(\(searches)) AND told_at > \(now - 86_400) GROUP BY wanted
            """,
            """
            SELECT person, count(*) AS day FROM hits WHERE person = ANY(\(people)) AND told_at > \(now - 86_400)
            GROUP BY person
            """,
        ])
        for row in answers[0] {
            let wanted: WantedID = try row.get("wanted")
            (hour[wanted], day[wanted]) = (try row.get("hour"), try row.get("day"))
        }
        for row in answers[1] { persons[try row.get("person")] = try row.get("day") }
    }
}
