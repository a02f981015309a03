package import Postgres
package import WireProtocol

/// Fills the table `people` with everybody whom auth knows.
package typealias PeopleSnapshot = Snapshot<PeopleContents>

package enum PeopleContents: SnapshotContents {
    package typealias Place = PersonID

    package static let table = "people"

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

    package static func place(of person: PersonSummary) -> PersonID { person.id }

    package static func insertion(of people: [PersonSummary], in generation: Int64) -> SQLQuery {
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
            WHERE NOT EXISTS (SELECT FROM people_erased WHERE people_erased.id = page.id)
            ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, photo = excluded.photo, campus = excluded.campus, rating = excluded.rating,
                reviews = excluded.reviews, generation = excluded.generation
            WHERE people.generation < excluded.generation
            """
    }
}
