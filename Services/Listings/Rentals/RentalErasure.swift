import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension RentalTransaction {
    /// What has not begun is called off, what nobody else has to do with is deleted, and what is between two stays with the other, without a name.
    func erase(_ person: PersonID) async throws -> (records: [ErasedRecords], photos: [String]) {
        let photos: [String] = try await transaction.query(
            """
            SELECT unnest(photos) AS photo FROM things WHERE owner = \(person)
            UNION SELECT unnest(shown.photos) FROM rentals JOIN rental_evidence AS shown ON rental = rentals.id
            WHERE owner = \(person) AND role = 'owner'
            UNION SELECT unnest(shown.photos) FROM rentals JOIN rental_evidence AS shown ON rental = rentals.id
            WHERE renter = \(person) AND role = 'renter'
            """
        ).map { try $0.get("photo") }
        let rooms = try await roomThings(of: person)
        _ = try await callOff(by: person)
        for row in try await transaction.query(
            "SELECT \(RentableThing.columns) FROM things WHERE owner = \(person) AND listed ORDER BY id FOR NO KEY UPDATE"
        ) {
            let thing = try RentableThing(row, seal)
            try await keep(thing.withdraw(by: person), insteadOf: thing)
        }
        let nobody = PersonID.nobody
        let changes = try await transaction.pipeline([
            // Of two who are both gone nothing is kept. What they own and what they rent have indexes of their own, and so statements of their own.
            "DELETE FROM rentals WHERE owner = \(person) AND renter = \(nobody)",
            "DELETE FROM rentals WHERE renter = \(person) AND owner = \(nobody)",
            """
            UPDATE rental_evidence SET photos = '{}', note = NULL FROM rentals
            WHERE rental = rentals.id AND owner = \(person) AND role = 'owner'
            """,
            """
            UPDATE rental_evidence SET photos = '{}', note = NULL FROM rentals
            WHERE rental = rentals.id AND renter = \(person) AND role = 'renter'
            """,
            """
            UPDATE rentals SET owner = \(nobody), photo = NULL, \(Self.unnaming(person))
            WHERE owner = \(person)
            """,
            """
            UPDATE rentals SET renter = \(nobody), message = NULL, \(Self.unnaming(person))
            WHERE renter = \(person)
            """,
            // What they settled as a moderator; nobody else acts on what is another's.
            """
            UPDATE rentals SET changed_by = NULL, reason = NULL
            WHERE changed_by = \(person) AND state = 'settled'
            """,
            """
            DELETE FROM things
            WHERE owner = \(person) AND NOT EXISTS (SELECT FROM rentals WHERE rentals.thing = things.id)
            """,
            """
            UPDATE things
            SET owner = \(nobody), state = 'withdrawn', description = NULL, plate = NULL, plate_digest = NULL,
                place = NULL, address = NULL, latitude = NULL, longitude = NULL, globe = NULL, photos = '{}'
            WHERE owner = \(person)
            """,
            "DELETE FROM plate_tries WHERE person = \(person)",
            "DELETE FROM calendar_entries WHERE person = \(person)",
        ]).map(\.affected)
        try await tellRooms(of: rooms)
        let records = [
            ErasedRecords(.things, changes[7]), ErasedRecords(.unnamed, changes[8]),
            ErasedRecords(.rentals, changes[0] + changes[1] + changes[4] + changes[5]),
        ]
        return (records.filter { $0.count > 0 }, photos)
    }

    private static func unnaming(_ person: PersonID) -> SQLQuery {
        """
        reason = CASE WHEN changed_by = \(person) THEN NULL ELSE reason END,
        changed_by = CASE WHEN changed_by = \(person) THEN NULL ELSE changed_by END
        """
    }
}
