import Postgres
import WireProtocol

struct PostgresCalendarFeedStore: CalendarFeedStore {
    let statements: any Statements

    func feed(of person: PersonID) async throws -> KeptCalendarFeed? {
        try await statements.query("SELECT seed, made_at FROM calendar_feeds WHERE person = \(person.uuid)").first.map {
            KeptCalendarFeed(person: person, seed: try $0.get("seed"), madeAt: try $0.get("made_at"))
        }
    }

    func keep(_ feed: KeptCalendarFeed, digest: [UInt8]) async throws {
        try await statements.query(
            """
            INSERT INTO calendar_feeds (person, seed, digest, made_at)
            VALUES (\(feed.person.uuid), \(feed.seed), \(digest), \(feed.madeAt))
            ON CONFLICT (person) DO UPDATE
            SET seed = excluded.seed, digest = excluded.digest, made_at = excluded.made_at
            """)
    }

    func remove(of person: PersonID) async throws -> Bool {
        try await statements.query("DELETE FROM calendar_feeds WHERE person = \(person.uuid)").affected == 1
    }

    func person(of digest: [UInt8]) async throws -> PersonID? {
        try await statements.query("SELECT person FROM calendar_feeds WHERE digest = \(digest)").first.map {
            PersonID(try $0.get("person"))
        }
    }
}
