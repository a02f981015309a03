package import Postgres
package import WireProtocol

/// Fills the table `blocks` with all pairs that auth knows.
package typealias BlockSnapshot = Snapshot<BlockContents>

package enum BlockContents: SnapshotContents {
    package static let table = "blocks"
    package static let placeColumns: SQLQuery = "reached_low, reached_high"
    package static let forgetting: [SQLQuery] = ["DELETE FROM blocks_lifted"]

    static let tables = """
        -- Each pair in both directions, so that one index tells from whom somebody is apart.
        CREATE TABLE blocks (
            person uuid NOT NULL,
            other uuid NOT NULL,
            generation bigint NOT NULL,
            PRIMARY KEY (person, other)
        );
        -- Pairs whose block ended while a snapshot was under way: a page that was made before must not bring them back.
        CREATE TABLE blocks_lifted (
            low uuid NOT NULL,
            high uuid NOT NULL,
            PRIMARY KEY (low, high)
        );
        CREATE TABLE blocks_snapshot (
            is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
            generation bigint NOT NULL DEFAULT 1,
            -- The last pair of the pages that are in the table.
            reached_low uuid,
            reached_high uuid,
            is_complete boolean NOT NULL DEFAULT false,
            CHECK ((reached_low IS NULL) = (reached_high IS NULL))
        );
        INSERT INTO blocks_snapshot DEFAULT VALUES;
        """

    package static func place(of pair: BlockedPair) -> BlockedPair { pair }

    package static func place(in row: PostgresRow) throws -> BlockedPair? {
        guard let low = try row.get("reached_low", as: PersonID?.self) else { return nil }
        return BlockedPair(low, try row.get("reached_high"))
    }

    package static func setting(_ place: BlockedPair?) -> SQLQuery {
        "reached_low = \(place?.low), reached_high = \(place?.high)"
    }

    package static func insertion(of pairs: [BlockedPair], in generation: Int64) -> SQLQuery {
        """
        INSERT INTO blocks (person, other, generation)
        SELECT person, other, \(generation)
        FROM (
            SELECT low, high FROM unnest(\(pairs.map(\.low))::uuid[], \(pairs.map(\.high))::uuid[]) AS page (low, high)
            WHERE NOT EXISTS (SELECT FROM people_erased WHERE id IN (low, high))
            EXCEPT SELECT low, high FROM blocks_lifted
        ) AS pair
        CROSS JOIN LATERAL (VALUES (low, high), (high, low)) AS direction (person, other)
        ON CONFLICT (person, other) DO UPDATE SET generation = excluded.generation
        WHERE blocks.generation < excluded.generation
        """
    }
}
