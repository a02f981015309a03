import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension DeliveryTransaction {
    /// What is not picked up is called off, what nobody else has to do with is deleted, and what is between two stays with the other, without a name, a word
    /// or a door.
    func erase(_ person: PersonID) async throws -> (records: [ErasedRecords], photos: [String]) {
        try await lockPast(of: person)
        try await callOff(by: [person])
        let rooms = try await roomMatches(of: person)
        let photos: [String] = try await transaction.query(
            "SELECT DISTINCT receipt FROM matches WHERE deliverer = \(person) AND receipt IS NOT NULL"
        ).map { try $0.get("receipt") }
        let left = try await withNobody(person)
        let nobody = PersonID.nobody
        let changes = try await transaction.pipeline([
            // Of two who are both gone nothing is kept.
            "DELETE FROM matches WHERE deliverer = \(person) AND orderer = \(nobody)",
            "DELETE FROM matches WHERE orderer = \(person) AND deliverer = \(nobody)",
            """
            UPDATE matches
            SET deliverer = \(nobody), receipt = NULL, is_shared = false, \(Self.moving("goes", to: "drop")),
                \(Self.unsaying(.deliverer)), \(Self.unnaming(person))
            WHERE deliverer = \(person)
            """,
            """
            UPDATE matches
            SET orderer = \(nobody), items = '', \(Self.moving("drop", to: "goes", unless: "drop_place IS NOT NULL")),
                \(Self.unsaying(.orderer)), \(Self.unnaming(person))
            WHERE orderer = \(person)
            """,
            // What they settled as a moderator; nobody else acts on what is another's.
            "UPDATE matches SET changed_by = NULL, reason = NULL WHERE changed_by = \(person) AND state = 'settled'",
            // Who could have been asked too: known while that may be given back.
            """
            UPDATE matches SET chances = array_remove(chances, \(person))
            WHERE \(MatchAgreement.hasChance(person))
            """,
            Self.deleting("orders", of: "orderer = \(person)", or: left.orders, unless: "\"order\""),
            """
            UPDATE orders
            SET orderer = \(nobody), door = NULL, pick_up_code = NULL, around = NULL, wanted = \(Self.wantedUnsaid),
                \(Self.movingOrder)
            WHERE orderer = \(person)
            """,
            Self.deleting("availabilities", of: "person = \(person)", or: left.availabilities, unless: "availability"),
            """
            UPDATE availabilities SET person = \(nobody), \(Self.moving("drop", to: "restaurant", id: "restaurant"))
            WHERE person = \(person)
            """,
            "DELETE FROM credits WHERE person = \(person)",
        ]).map(\.affected)
        try await tellRooms(of: rooms)
        let records = [
            ErasedRecords(.availabilities, changes[8] + changes[9] - left.availabilities.count),
            ErasedRecords(.orders, changes[6] + changes[7] - left.orders.count),
            ErasedRecords(.matches, changes[0] + changes[1] + changes[2] + changes[3]),
        ]
        return (records.filter { $0.count > 0 }, photos)
    }

    /// What stands without a name, and of which nothing is left where this person goes too.
    private func withNobody(_ person: PersonID) async throws -> (orders: [OrderID], availabilities: [AvailabilityID]) {
        let nobody = PersonID.nobody
        func unshared(_ column: SQLQuery, _ mine: SQLQuery, _ other: SQLQuery) -> SQLQuery {
            """
            SELECT DISTINCT \(column) AS id FROM matches
            WHERE \(mine) = \(person) AND \(other) = \(nobody) AND NOT EXISTS (
                SELECT FROM matches AS others
                WHERE others.\(column) = matches.\(column) AND NOT (others.\(mine) = \(person) AND others.\(other) = \(nobody)))
            """
        }
        let found = try await transaction.pipeline([
            unshared("\"order\"", "deliverer", "orderer"), unshared("availability", "orderer", "deliverer"),
        ])
        return (try found[0].map { try $0.get("id") }, try found[1].map { try $0.get("id") })
    }
}

// MARK: What these statements are made of

extension DeliveryTransaction {
    /// Deletes what no match is of.
    /// - Parameter left: rows of nobody.
    private static func deleting<Row>(
        _ table: SQLQuery, of owner: SQLQuery, or left: [ID<Row>], unless column: SQLQuery
    ) -> SQLQuery {
        """
        DELETE FROM \(table)
        WHERE (\(owner) OR id = ANY(\(left))) AND NOT EXISTS (SELECT FROM matches WHERE matches.\(column) = \(table).id)
        """
    }

    /// Takes what one of the two has said of a dispute.
    private static func unsaying(_ role: MatchRole) -> SQLQuery {
        """
        statements = coalesce((
            SELECT jsonb_agg(said ORDER BY number) FROM jsonb_array_elements(statements) WITH ORDINALITY AS all_said (said, number)
            WHERE said->>'by' <> \(role.rawValue)), '[]')
        """
    }

    private static func unnaming(_ person: PersonID) -> SQLQuery {
        """
        reason = CASE WHEN changed_by = \(person) THEN NULL ELSE reason END,
        changed_by = CASE WHEN changed_by = \(person) THEN NULL ELSE changed_by END
        """
    }

    /// Puts another place of the row where theirs was.
    /// - Parameters:
    ///   - id: the column of its id.
    ///   - stays: where the place is one that everybody knows.
    private static func moving(
        _ one: SQLQuery, to other: SQLQuery, id: SQLQuery? = nil, unless stays: SQLQuery = "false"
    ) -> SQLQuery {
        let columns: [SQLQuery] = ["name", "address", "latitude", "longitude"]
        let ids: SQLQuery =
            "\(one)_place = CASE WHEN \(stays) THEN \(one)_place ELSE \(id ?? "\(other)_place") END"
        return columns.reduce(ids) { set, column in
            "\(set), \(one)_\(column) = CASE WHEN \(stays) THEN \(one)_\(column) ELSE \(other)_\(column) END"
        }
    }

    /// What an order says of where it is brought is that of its first restaurant, where it was a point of theirs.
    private static let movingOrder: SQLQuery = """
        drop_name = CASE WHEN drop_place IS NULL THEN coalesce(wanted #>> '{0,restaurant,name}', '') ELSE drop_name END,
        drop_address = CASE WHEN drop_place IS NULL THEN NULL ELSE drop_address END,
        drop_latitude = CASE WHEN drop_place IS NULL
            THEN coalesce((wanted #>> '{0,restaurant,position,latitude}')::float8, 0) ELSE drop_latitude END,
        drop_longitude = CASE WHEN drop_place IS NULL
            THEN coalesce((wanted #>> '{0,restaurant,position,longitude}')::float8, 0) ELSE drop_longitude END
        """

    /// Which restaurants, without what was wanted from there.
    private static let wantedUnsaid: SQLQuery = """
        coalesce((
            SELECT jsonb_agg(jsonb_set(one, '{items}', '""') ORDER BY number)
            FROM jsonb_array_elements(wanted) WITH ORDINALITY AS ones (one, number)), '[]')
        """
}
