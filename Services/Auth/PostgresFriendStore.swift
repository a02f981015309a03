import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

struct PostgresFriendStore: FriendStore {
    let statements: any Statements
    let apart: Apartness

    /// The one with the smaller id first, so that two who press at once never wait for each other.
    func lock(_ one: PersonID, _ other: PersonID) async throws -> [PersonID: PersonSummary] {
        for person in Set([one, other]).sorted() {
            try await statements.query(.lock("person", person))
        }
        return try await summaries(of: [one, other])
    }

    func summaries(of people: [PersonID]) async throws -> [PersonID: PersonSummary] {
        let rows = try await statements.query(
            "SELECT \(PersonSummary.columns) FROM accounts WHERE id = ANY(\(people.map(\.uuid)))")
        return Dictionary(try rows.map { (PersonID(try $0.get("id")), try PersonSummary($0)) }) { first, _ in first }
    }

    func summary(of person: PersonID, for viewer: PersonID?, at now: Date) async throws -> PersonSummary? {
        // One's own is there as ever, and moderators see whom they have to judge.
        let available: SQLQuery =
            person == viewer
            ? ""
            : """
            AND (suspended_until IS NULL OR suspended_until <= \(now) OR EXISTS (
                SELECT FROM accounts AS viewers
                WHERE viewers.id = \(viewer?.uuid) AND \(PersonRole.moderator.rawValue) = ANY(viewers.roles)))
            """
        return try await statements.query(
            """
            SELECT \(PersonSummary.columns) FROM accounts
            WHERE id = \(person.uuid) \(available) \(apart.here(from: viewer))
            """
        ).first.map { try PersonSummary($0) }
    }

    func reachable(_ people: [PersonID], from viewer: PersonID?) async throws -> Set<PersonID> {
        try await Set(
            statements.query(
                "SELECT id FROM accounts WHERE id = ANY(\(people.map(\.uuid))) \(apart.here(from: viewer))"
            ).map { PersonID(try $0.get("id")) })
    }

    func friendship(of one: PersonID, and other: PersonID) async throws -> Friendship? {
        let (low, high) = Friendship(asker: one, asked: other, since: .distantPast).people
        return try await statements.query(
            "SELECT low_asked, accepted, since FROM friendships WHERE low = \(low.uuid) AND high = \(high.uuid)"
        ).first.map { row in
            let lowAsked: Bool = try row.get("low_asked")
            return Friendship(
                asker: lowAsked ? low : high, asked: lowAsked ? high : low, isAccepted: try row.get("accepted"),
                since: try row.get("since"))
        }
    }

    func areFriends(_ one: PersonID, _ other: PersonID) async throws -> Bool {
        let (low, high) = Friendship(asker: one, asked: other, since: .distantPast).people
        return try await statements.query(
            """
            SELECT EXISTS (
                SELECT FROM friendships WHERE low = \(low.uuid) AND high = \(high.uuid) AND accepted
                    \(apart.ofOneCampus("low", with: high))) AS friends
            """)[0].get("friends")
    }

    func count(of person: PersonID) async throws -> Int {
        let id = person.uuid
        return try await statements.query(
            """
            SELECT (SELECT count(*) FROM friendships WHERE low = \(id) AND accepted)
                + (SELECT count(*) FROM friendships WHERE high = \(id) AND accepted)
                + (SELECT count(*) FROM friendships WHERE low = \(id) AND NOT accepted AND low_asked)
                + (SELECT count(*) FROM friendships WHERE high = \(id) AND NOT accepted AND NOT low_asked) AS friends
            """)[0].get("friends")
    }

    func add(_ friendship: Friendship) async throws {
        let (low, high) = friendship.people
        try await statements.query(
            """
            INSERT INTO friendships (low, high, low_asked, accepted, since)
            VALUES (\(low.uuid), \(high.uuid), \(friendship.asker == low), \(friendship.isAccepted), \(friendship.since))
            """)
    }

    func accept(_ friendship: Friendship) async throws {
        let (low, high) = friendship.people
        try await statements.query(
            """
            UPDATE friendships SET accepted = true, since = \(friendship.since)
            WHERE low = \(low.uuid) AND high = \(high.uuid) AND NOT accepted
            """)
    }

    func remove(_ friendship: Friendship) async throws {
        let (low, high) = friendship.people
        try await statements.query("DELETE FROM friendships WHERE low = \(low.uuid) AND high = \(high.uuid)")
    }

    // MARK: Lists

    func friends(of person: PersonID, _ page: FriendPage) async throws -> [Friend] {
        // A question is listed with the one who asked it, or with the one who is to answer.
        let (ifLow, ifHigh): (SQLQuery, SQLQuery) =
            switch page.state {
            case .asked: ("AND NOT accepted AND low_asked", "AND NOT accepted AND NOT low_asked")
            case .waiting: ("AND NOT accepted AND NOT low_asked", "AND NOT accepted AND low_asked")
            case .friends, .none: ("AND accepted", "AND accepted")
            }
        let limit: SQLQuery = "LIMIT \(unescaped: "\(page.limit + 1)")"
        func side(_ own: String, _ other: String, _ condition: SQLQuery) -> SQLQuery {
            let (own, other): (SQLQuery, SQLQuery) = ("\(unescaped: own)", "\(unescaped: other)")
            let later: SQLQuery =
                page.after.map { "AND (since, \(other)) < (\($0.time), \($0.id))" } ?? ""
            return """
                (SELECT \(other) AS person, since FROM friendships WHERE \(own) = \(person.uuid) \(condition) \(later)
                    \(apart.ofOneCampus(other, with: person))
                ORDER BY since DESC, \(other) DESC \(limit))
                """
        }
        return try await statements.query(
            """
            SELECT \(PersonSummary.columns), since
            FROM (SELECT person, since FROM (\(side("low", "high", ifLow)) UNION ALL \(side("high", "low", ifHigh))) AS both_sides
                ORDER BY since DESC, person DESC \(limit)) AS page
            JOIN accounts ON id = person
            ORDER BY since DESC, person DESC
            """
        ).map { Friend(person: try PersonSummary($0), state: page.state, since: try $0.get("since")) }
    }

    func mutual(
        _ one: PersonID, _ other: PersonID, after: PersonID?, limit: Int
    ) async throws -> (people: [PersonSummary], count: Int) {
        let onwards: SQLQuery = after.map { "WHERE person > \($0.uuid)" } ?? ""
        let rows = try await statements.query(
            """
            WITH mutual AS MATERIALIZED (
                SELECT person FROM (\(Self.friends(of: one))) AS mine JOIN (\(Self.friends(of: other))) AS theirs USING (person)
                WHERE true \(apart.ofOneCampus("person", with: one))
            )
            SELECT total, \(PersonSummary.columns)
            FROM (SELECT count(*) AS total FROM mutual) AS counted
            LEFT JOIN (
                SELECT \(PersonSummary.columns)
                FROM (SELECT person FROM mutual \(onwards) ORDER BY person LIMIT \(unescaped: "\(limit)")) AS page
                JOIN accounts ON id = person
            ) AS shown ON true
            ORDER BY id
            """)
        let people = try rows.compactMap { row in
            try row.get("id", as: UUID?.self).map { _ in try PersonSummary(row) }
        }
        return (people, try rows.first?.get("total") ?? 0)
    }

    /// From one index or the other, whichever of the two ids is the smaller; both have all that is asked for.
    private static func friends(of person: PersonID) -> SQLQuery {
        """
        SELECT high AS person FROM friendships WHERE low = \(person.uuid) AND accepted
        UNION ALL SELECT low FROM friendships WHERE high = \(person.uuid) AND accepted
        """
    }
}
