import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import ServiceKit
import WireProtocol

/// What people look for and what was found, in the tables `wanted`, `finds` and `hits`.
struct WantedStore: Sendable {
    let database: Database
    let people: PeopleProjection
    /// Rung for the rounds, where something was done.
    let bell = RoundBell()
    let begun = SearchesBegun()

    // MARK: Reading, as it is stored: time may have done something since

    func search(_ id: WantedID) async throws -> WantedSearch? {
        try await database.read("SELECT \(WantedSearch.columns) FROM wanted WHERE id = \(id)").first
            .map(WantedSearch.init)
    }

    /// How many things appeared in the last 30 days that have one of some keys, counted up to a number.
    /// - Parameter person: whose own are left out, as is what is of people who are apart from them.
    func appeared(
        with keys: [SearchKey], around circle: ReadSearch.Circle?, besidesOf person: PersonID, upTo most: Int,
        at now: Date
    ) async throws -> Int {
        let near: SQLQuery = circle.map { "AND \($0.middle.isNear(within: $0.radius))" } ?? ""
        // As if all were counted (`MATERIALIZED`): to find but a few, PostgreSQL would read all things one after the other.
        let query: SQLQuery = """
            WITH found AS MATERIALIZED (
                SELECT FROM searchables
                WHERE keys && \(keys.map(\.rawValue)) AND appeared_at > \(now - WantedLimits.estimated)
                    AND owner <> \(person) AND \(BlockProjection.isTogether("owner", with: person))
                    \(people.campuses.condition("owner", isTogetherWith: person)) \(near))
            SELECT count(*) AS number FROM (SELECT FROM found LIMIT \(most)) AS few
            """
        // Some keys are of a few things, some of most.
        return try await database.read(query.plannedAnew)[0].get("number")
    }

    // MARK: Writing

    /// Does what a person asked for (`PeopleProjection.command`); their others wait until it is done.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext,
        _ body: @Sendable @escaping (WantedTransaction, PersonID) async throws -> Reply
    ) async throws -> Reply {
        let reply = try await people.command(
            request, asking: { person, _ in [.lock("person", person)] }
        ) { transaction, person, _ in
            try await body(wanted(in: transaction), person)
        }
        bell.ring()
        return reply
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (WantedTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.transaction { try await body(wanted(in: $0)) }
    }

    func wanted(in transaction: CommandTransaction) -> WantedTransaction {
        WantedTransaction(transaction: transaction, people: people, begun: begun)
    }
}
