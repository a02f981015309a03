import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What may be done to standing searches, all together or not at all. Locks are taken in this order: persons, rows of `searchables`, of `wanted` by their ids, of
/// `finds`, of `hits`.
struct WantedTransaction: Sendable {
    let transaction: CommandTransaction
    let people: PeopleProjection
    let begun: SearchesBegun

    var now: Date { transaction.now }

    // MARK: Reading

    /// Somebody's own, locked, as it is by now.
    /// - Throws: `WantedError.notFound`.
    func own(_ id: WantedID, of person: PersonID) async throws -> WantedSearch {
        let rows = try await transaction.query(
            "SELECT \(WantedSearch.columns) FROM wanted WHERE id = \(id) AND person = \(person) FOR NO KEY UPDATE")
        guard let row = rows.first else { throw WantedError.notFound }
        return try WantedSearch(row).asItIs(at: now)
    }

    /// How many searches of a person have not ended.
    func open(of person: PersonID) async throws -> Int {
        try await transaction.query(
            """
            SELECT count(*) AS number FROM wanted WHERE person = \(person) AND state <> 'ended' AND due_at > \(now)
            """)[0].get("number")
    }

    /// Whose it is, locked: also where it cannot be read any more, and says nothing but that.
    /// - Throws: `WantedError.notFound`.
    func lockOwn(_ id: WantedID, of person: PersonID) async throws {
        let rows = try await transaction.query(
            "SELECT FROM wanted WHERE id = \(id) AND person = \(person) FOR NO KEY UPDATE")
        if rows.isEmpty { throw WantedError.notFound }
    }

    /// Locks all searches of some people that have not ended, in the order of their ids: what one of them has found may be told by another one, which would
    /// have to be waited for where it is about to go.
    /// - Parameter whereFree: nobody is waited for.
    /// - Returns: those of the people for whom all are locked.
    func lockSearches(of people: Set<PersonID>, whereFree: Bool = false) async throws -> Set<PersonID> {
        if people.isEmpty { return [] }
        let theirs: SQLQuery = "person = ANY(\(people.sorted())) AND state <> 'ended'"
        let skipping: SQLQuery = whereFree ? "SKIP LOCKED" : ""
        let answers = try await transaction.pipeline([
            "SELECT person FROM wanted WHERE \(theirs) ORDER BY id FOR NO KEY UPDATE \(skipping)",
            "SELECT person, count(*) AS number FROM wanted WHERE \(theirs) GROUP BY person",
        ])
        let locked = Dictionary(grouping: try answers[0].map { try $0.get("person", as: PersonID.self) }) { $0 }
        var whole: Set<PersonID> = []
        for row in answers[1] {
            let (person, number): (PersonID, Int) = (try row.get("person"), try row.get("number"))
            if locked[person]?.count == number { whole.insert(person) }
        }
        return whole
    }

    // MARK: Writing

    func add(_ search: WantedSearch) async throws {
        try await transaction.query(search.insertion)
    }

    /// Writes what became of a search that is locked.
    func keep(_ search: WantedSearch) async throws {
        try await transaction.query(search.update)
    }

    /// Drops what some searches have found and nobody was told of: they are paused, have ended, or look for something else. What another search of the same
    /// person finds too is told by that one. The searches are locked, and so are the others of these people, but in a command of their person: nobody erases
    /// them meanwhile.
    func dropWaiting(of ids: [WantedID]) async throws {
        if ids.isEmpty { return }
        let dropping: SQLQuery = """
            WITH dropped AS (
                DELETE FROM finds USING wanted AS own, hits
                WHERE finds.wanted = ANY(\(ids)) AND finds.is_new AND own.id = finds.wanted
                    AND hits.kind = finds.kind AND hits.subject = finds.subject AND hits.person = own.person
                    AND hits.state IN ('waiting', 'late')
                RETURNING finds.wanted
            ), lost AS (SELECT wanted, count(*) AS number FROM dropped GROUP BY wanted)
            UPDATE wanted SET found = greatest(0, wanted.found - lost.number) FROM lost WHERE wanted.id = lost.wanted
            """
        let ending: SQLQuery = """
            UPDATE wanted SET digest_at = NULL, digesting = 0 WHERE id = ANY(\(ids)) AND digest_at IS NOT NULL
            """
        try await transaction.pipeline([dropping] + passingOn(from: ids, where: "true") + [ending])
    }

    /// How long other services may take to hear what makes others findable.
    private static let hearing: TimeInterval = 10

    /// These may find what they could not before: it is looked for once more, as when their searches began.
    func lookOnceMore(for people: [PersonID]) async throws {
        try await lookOnceMore(where: "person = ANY(\(people))", writing: "")
    }

    /// Somebody may belong somewhere else by now, where they find what others share there.
    func lookWhereTheyBelong(_ person: PersonID) async throws {
        guard people.campuses.isOn else { return }
        let campus: SQLQuery = "coalesce((SELECT people.campus FROM people WHERE people.id = \(person)), '')"
        try await lookOnceMore(
            where: "person = \(person) AND campus IS DISTINCT FROM \(campus)", writing: ", campus = \(campus)")
    }

    private func lookOnceMore(where condition: SQLQuery, writing more: SQLQuery) async throws {
        let ids = try await transaction.query(
            "SELECT id FROM wanted WHERE \(condition) AND state = 'live' ORDER BY id FOR NO KEY UPDATE"
        ).map { try $0.get("id", as: WantedID.self) }
        if ids.isEmpty { return }
        try await transaction.query(
            """
            UPDATE wanted SET is_settled = false, settle_at = \(now + Self.hearing) \(more) WHERE id = ANY(\(ids))
            """)
    }

    /// What a search that is locked has found goes with it; of what its person was told, it stays known that they were.
    func remove(_ id: WantedID) async throws {
        try await dropWaiting(of: [id])
        try await settleInvitations(of: [id])
        try await transaction.query("DELETE FROM wanted WHERE id = \(id)")
    }
}
