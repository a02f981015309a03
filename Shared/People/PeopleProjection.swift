package import DurableMessaging
package import FoundationEssentials
package import Messaging
package import Postgres
import Synchronization
package import WireProtocol

/// The names and pictures of people in a service's own schema, so that it answers in one hop, and while auth is away.
///
/// Auth's events feed it. A person it does not know (the event is still on its way, or was before this service's time) is
/// asked for over the bus, outside of any transaction; where that fails the person is "Someone".
package struct PeopleProjection: Sendable {
    /// Asks auth for a person; nil where there is none.
    package typealias Ask = @Sendable (PersonID) async throws -> PersonSummary?

    let database: Database
    /// Whether it keeps people of different campuses apart.
    package let campuses: CampusSeparation
    private let ask: Ask
    private let clock: @Sendable () -> Date
    private let inquiries = InquiryBook()
    /// Runs beside the service, and fills the table with everybody who joined before.
    package let snapshot: PeopleSnapshot

    package init(
        database: Database, campuses: CampusSeparation = .off, clock: @Sendable @escaping () -> Date = { Date() },
        ask: @escaping Ask,
        askAll: @escaping PeopleSnapshot.Ask = { _ in Page(items: []) }
    ) {
        self.database = database
        self.campuses = campuses
        self.clock = clock
        self.ask = ask
        snapshot = PeopleSnapshot(database: database, ask: askAll)
    }

    /// Asks over the bus, for a second at most.
    package init(database: Database, campuses: CampusSeparation, asking client: RequestClient) {
        let ask: Ask = { id in
            do {
                return try await client.call(
                    AuthMethods.personSummary, PersonReference(id: id), Nothing(), deadline: Date() + 1)
            } catch let error as ServiceError where error.code == .notFound {
                return nil
            }
        }
        self.init(database: database, campuses: campuses, ask: ask) { last in
            try await client.call(AuthMethods.people, PeopleQuery(after: last), Nothing(), deadline: Date() + 5)
        }
    }

    /// Makes the table `people` in the schema of the service, which gives it a place among its own migrations.
    package static func migration(number: Int) -> Migration {
        Migration(
            number, "people",
            "CREATE TABLE people (id uuid PRIMARY KEY, name text NOT NULL, photo text)")
    }

    /// Makes what the snapshot needs to know; a later step, since there are services that have taken the first one.
    package static func snapshotMigration(number: Int) -> Migration {
        Migration(number, "snapshots of people", PeopleContents.tables)
    }

    /// Makes room for where people belong, and begins anew, since who joined before may belong somewhere.
    package static func campusMigration(number: Int) -> Migration {
        Migration(
            number, "where people belong",
            """
            ALTER TABLE people ADD COLUMN campus text;
            UPDATE people_snapshot SET generation = generation + 1, reached = NULL, is_complete = false;
            """)
    }

    /// Makes room for what reviews say of them, and begins anew.
    package static func reputationMigration(number: Int) -> Migration {
        Migration(
            number, "reputations",
            """
            ALTER TABLE people
                ADD COLUMN rating float8,
                ADD COLUMN reviews int NOT NULL DEFAULT 0,
                ADD CONSTRAINT people_rating CHECK ((rating IS NULL) = (reviews = 0));
            UPDATE people_snapshot SET generation = generation + 1, reached = NULL, is_complete = false;
            """)
    }

    /// Keeps what auth says of people.
    /// - Parameter changed: what else the service does in the same transaction, once the table says it.
    package func follow(
        on consumer: DurableConsumer,
        changed: @escaping @Sendable (PersonID, CommandTransaction) async throws -> Void = { _, _ in }
    ) {
        snapshot.follow(on: consumer)
        consumer.on(PersonChanged.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            _ = try await transaction.query(Self.insertion(of: event.person) + Self.replacing)
            try await changed(event.person.id, transaction)
        }
    }

    /// What is known of these people, after asking for those who are not known yet. Not within a transaction.
    /// - Parameter viewer: Who is told, where the service keeps `BlockProjection` and those who are apart from them may be among `ids`: for
    ///   them those are "Someone".
    package func summaries(of ids: Set<PersonID>, for viewer: PersonID? = nil) async throws -> KnownPeople {
        if ids.isEmpty { return KnownPeople() }
        let known = try KnownPeople(rows: try await database.read(selection(of: ids, for: viewer)))
        let unknown = inquiries.begin(known.unknown(among: ids.subtracting([.nobody])), at: clock())
        return unknown.isEmpty ? known : known.adding(await learn(unknown))
    }

    /// What is known of these people, without asking anybody.
    package func summaries(
        of ids: Set<PersonID>, for viewer: PersonID? = nil, in transaction: CommandTransaction
    ) async throws -> KnownPeople {
        if ids.isEmpty { return KnownPeople() }
        return try KnownPeople(rows: try await transaction.query(selection(of: ids, for: viewer)))
    }

    /// Asks for somebody who is not known yet, before they do something. Not within a transaction, where nothing waits for the network. Of who was
    /// known once it is not asked again.
    /// - Throws: `ServiceError` `.unavailable` where people of different campuses are kept apart, and where this one belongs cannot be told.
    package func meet(_ person: PersonID) async throws {
        if inquiries.hasMet(person) { return }
        if try await summaries(of: [person]).knows(person) {
            inquiries.meet(person)
        } else if campuses.isOn {
            throw ServiceError(.unavailable, "Where you belong is not known here yet.", retryAfter: 2)
        }
    }

    // MARK: Asking

    private func learn(_ ids: Set<PersonID>) async -> [PersonSummary] {
        let people = await withTaskGroup(of: PersonSummary?.self) { group in
            for id in ids {
                group.addTask {
                    do { return try await ask(id) } catch { return inquiries.fail(at: clock()) }
                }
            }
            return await group.reduce(into: [PersonSummary]()) { people, person in people += person.map { [$0] } ?? [] }
        }
        for person in people {
            // An event that came meanwhile is as new as the answer, or newer.
            _ = try? await database.query(Self.insertion(of: person) + " ON CONFLICT (id) DO NOTHING")
        }
        return people
    }

    // MARK: Statements

    private static let columns: SQLQuery = "id, name, photo, campus, rating, reviews"

    /// What `KnownPeople.init(rows:)` reads.
    package func selection(of ids: Set<PersonID>, for viewer: PersonID?) -> SQLQuery {
        guard let viewer else { return "SELECT \(Self.columns) FROM people WHERE id = ANY(\(Array(ids)))" }
        // Who is apart has a row even where they are not known, so that nobody asks for their name.
        return """
            SELECT other AS id, \(KnownPeople.someone)::text AS name, NULL AS photo, NULL AS campus,
                NULL::float8 AS rating, 0 AS reviews
            FROM blocks WHERE person = \(viewer) AND other = ANY(\(Array(ids)))
            UNION ALL
            SELECT id, CASE WHEN together THEN name ELSE \(KnownPeople.someone) END, CASE WHEN together THEN photo END,
                CASE WHEN together THEN campus END, CASE WHEN together THEN rating END, CASE WHEN together THEN reviews ELSE 0 END
            FROM (
                SELECT \(Self.columns), (true \(campuses.condition("people.id", isTogetherWith: viewer))) AS together FROM people
                WHERE id = ANY(\(Array(ids))) AND \(BlockProjection.isTogetherHere("people.id", with: viewer))
            ) AS known
            """
    }

    private static func insertion(of person: PersonSummary) -> SQLQuery {
        """
        INSERT INTO people (id, name, photo, campus, rating, reviews, generation)
        SELECT \(person.id), \(person.name), \(person.photo), \(person.campus), \(person.reputation?.rating),
            \(person.reputation?.count ?? 0), generation
        FROM people_snapshot WHERE NOT EXISTS (SELECT FROM people_erased WHERE id = \(person.id))
        """
    }

    private static let replacing: SQLQuery =
        """
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, photo = excluded.photo, campus = excluded.campus,
            rating = excluded.rating, reviews = excluded.reviews, generation = excluded.generation
        """
}

/// The one place where concurrent answers agree on whom to ask for.
private final class InquiryBook: Sendable {
    /// Of so many it is remembered that they are known.
    private static let mostMet = 10_000

    private let inquiries = Mutex(Inquiries())
    private let met = Mutex<Set<PersonID>>([])

    func begin(_ unknown: Set<PersonID>, at now: Date) -> Set<PersonID> {
        inquiries.withLock { $0.begin(unknown, at: now) }
    }

    func hasMet(_ person: PersonID) -> Bool { met.withLock { $0.contains(person) } }

    func meet(_ person: PersonID) {
        met.withLock {
            if $0.count >= Self.mostMet { $0 = [] }
            $0.insert(person)
        }
    }

    func fail(at now: Date) -> PersonSummary? {
        inquiries.withLock { $0.fail(at: now) }
        return nil
    }
}

extension Reputation {
    fileprivate init?(_ row: PostgresRow) throws {
        guard let rating: Double = try row.get("rating") else { return nil }
        self.init(rating: rating, count: try row.get("reviews"))
    }
}

extension KnownPeople {
    package init(rows: PostgresRows) throws {
        self.init(
            try rows.map {
                PersonSummary(
                    id: try $0.get("id"), name: try $0.get("name"), photo: try $0.get("photo"),
                    campus: try $0.get("campus"), reputation: try Reputation($0))
            })
    }
}
