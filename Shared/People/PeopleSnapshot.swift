import DurableMessaging
import Logging
import Postgres
import Reactor
import ServiceLifecycle
package import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Fills the table `people` with everybody whom auth knows: at the first start, and whenever auth's events begin anew, because those
/// that are kept tell of the last days only.
///
/// Rows have a generation, and each new beginning starts the next one. What an event of this generation said is never replaced: all
/// that follows it comes as events too. What is left of older generations when everybody was asked for is of people who are no more.
/// How far it came is kept with the rows, so it goes on where it was when the process ended, and replicas do no harm to each other.
package struct PeopleSnapshot: Service, CustomStringConvertible {
    /// Asks auth for everybody after a person, in the order of their ids; `next` is the id of the page's last.
    package typealias Ask = @Sendable (_ after: PersonID?) async throws -> Page<PersonSummary>

    fileprivate struct Progress: Equatable {
        var generation: Int64
        var reached: PersonID?
        var isComplete: Bool
    }

    private let database: Database
    private let ask: Ask
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    package var description: String { "snapshot of people" }

    init(database: Database, ask: @escaping Ask) {
        self.database = database
        self.ask = ask
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        wake.yield()
    }

    static let tables = """
        ALTER TABLE people ADD COLUMN generation bigint NOT NULL DEFAULT 0;
        CREATE TABLE people_snapshot (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            generation bigint NOT NULL DEFAULT 1,
            -- The last one of the pages that are in the table.
            reached uuid,
            is_complete boolean NOT NULL DEFAULT false
        );
        INSERT INTO people_snapshot DEFAULT VALUES;
        """

    func follow(on consumer: DurableConsumer) {
        consumer.whenAnew(PeerRole.auth.rawValue) { transaction in
            _ = try await transaction.query(
                "UPDATE people_snapshot SET generation = generation + 1, reached = NULL, is_complete = false")
        } after: { [wake] in
            wake.yield()
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in wakes { await fill() }
        }
    }

    /// Asks until all is there. Where auth or the database is away it waits, and longer each time.
    func fill() async {
        var backoff = Backoff(first: .milliseconds(200), limit: .seconds(30))
        while !Task.isCancelled {
            do {
                guard try await step() else { return }
                backoff.reset()
            } catch {
                guard !Task.isCancelled else { return }
                database.logger.warning("people could not be asked for", metadata: ["reason": "\(error)"])
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    /// Takes over one page.
    /// - Returns: False where nothing was left to do.
    func step() async throws -> Bool {
        let before = try Progress(try await database.read(Self.progress))
        guard !before.isComplete else { return false }
        let page = try await ask(before.reached)
        try await database.transaction { transaction in
            let now = try Progress(try await transaction.query(Self.progress + " FOR UPDATE"))
            // A replica was faster, or the events began anew while we asked: then this page is of no more use.
            guard now == before else { return }
            _ = try await transaction.query(Self.insertion(of: page.items, in: now.generation))
            let isLast = page.next == nil || page.items.isEmpty
            if isLast { _ = try await transaction.query("DELETE FROM people WHERE generation < \(now.generation)") }
            _ = try await transaction.query(
                "UPDATE people_snapshot SET reached = \(page.items.last?.id ?? now.reached), is_complete = \(isLast)")
        }
        return true
    }

    private static let progress: SQLQuery = "SELECT generation, reached, is_complete FROM people_snapshot"

    private static func insertion(of people: [PersonSummary], in generation: Int64) -> SQLQuery {
        let (ids, names) = (people.map(\.id), people.map(\.name))
        let (photos, campuses) = (people.map { $0.photo ?? "" }, people.map { $0.campus ?? "" })
        // No rating is 0.
        let ratings = people.map { $0.reputation?.rating ?? 0 }
        let reviews = people.map { $0.reputation?.count ?? 0 }
        return """
            INSERT INTO people (id, name, photo, campus, rating, reviews, generation)
            SELECT id, name, NULLIF(photo, ''), NULLIF(campus, ''), NULLIF(rating, 0), reviews, \(generation)
            FROM unnest(\(ids)::uuid[], \(names)::text[], \(photos)::text[], \(campuses)::text[], \(ratings)::float8[],
                \(reviews)::int[]) AS page (id, name, photo, campus, rating, reviews)
            ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, photo = excluded.photo, campus = excluded.campus, rating = excluded.rating,
                reviews = excluded.reviews, generation = excluded.generation
            WHERE people.generation < excluded.generation
            """
    }
}

extension PeopleSnapshot.Progress {
    fileprivate init(_ rows: PostgresRows) throws {
        let row = rows[0]
        self.init(
            generation: try row.get("generation"), reached: try row.get("reached"),
            isComplete: try row.get("is_complete"))
    }
}
