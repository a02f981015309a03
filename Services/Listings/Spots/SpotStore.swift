import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// Spots in the tables `spots` and `observations`.
struct SpotStore: Sendable {
    let database: Database
    let people: PeopleProjection

    /// Nil where there is none, and where there is none for this person.
    func spot(_ id: SpotID, for viewer: SpotViewer) async throws -> ParkingSpot? {
        try await database.read(viewer.spot(id, people.campuses)).first.map(ParkingSpot.init)
    }

    /// At most `page.limit` + 1 spots, so that it shows whether there is another page. Those of people who are apart from the one who
    /// asks are not among them.
    func spots(_ page: SpotPage, for person: PersonID?, at now: Date) async throws -> [FoundSpot] {
        var found: [[FoundSpot]] = []
        for statement in page.statements(for: person, at: now, people.campuses) {
            found.append(try await database.read(statement).map { try FoundSpot($0, in: page.selection) })
        }
        return page.merge(found)
    }

    /// Which of these pictures belong to a spot.
    func photos(among photos: [String]) async throws -> [String] {
        try await database.read("SELECT DISTINCT photo FROM spots WHERE photo = ANY(\(photos))").map {
            try $0.get("photo")
        }
    }

    /// Does what a person asked for (`PeopleProjection.command`). The same person's others wait until it is done, so that what `body` is told of
    /// how much the person has stays true.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, within limits: SpotLimits,
        _ body: @Sendable @escaping (SpotTransaction, PersonID, SpotHoldings) async throws -> Reply
    ) async throws -> Reply {
        try await people.command(
            request,
            asking: { person, now in
                // Each with a snapshot that is younger than the lock.
                [
                    .lock("person", person),
                    SpotHoldings.selection(of: person, claimsSince: now - limits.claimLifetime, at: now),
                    people.selection(of: [person], for: nil),
                ]
            }
        ) { transaction, person, answers in
            let known = LookedUp(try KnownPeople(rows: answers[2]), of: [person])
            return try await body(
                SpotTransaction(transaction: transaction, people: people, lookedUp: known), person,
                SpotHoldings(answers[1][0]))
        }
    }

    /// The same without anybody's request.
    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (SpotTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.transaction { try await body(spots(in: $0)) }
    }

    func spots(in transaction: CommandTransaction) -> SpotTransaction {
        SpotTransaction(transaction: transaction, people: people)
    }
}

/// How much a person has at once.
struct SpotHoldings: Hashable, Sendable {
    /// Free spots on the map, posted by the person.
    var free: Int
    /// Spots that the person holds.
    var claims: Int
}

extension SpotHoldings {
    fileprivate static func selection(of person: PersonID, claimsSince: Date, at now: Date) -> SQLQuery {
        """
        SELECT (SELECT count(*) FROM spots WHERE posted_by = \(person) AND state = 'free' AND expires_at > \(now))
                AS free,
            (SELECT count(*) FROM spots WHERE claimed_by = \(person) AND claimed_at > \(claimsSince)) AS claims
        """
    }

    fileprivate init(_ row: PostgresRow) throws {
        self.init(free: try row.get("free"), claims: try row.get("claims"))
    }
}
