import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// Whether a plate is shared already is told by refusing it. So that nobody learns it of many cars, each person gives only so many plates in a day:
// those that are taken, and those that are not.

/// Somebody shares a car with this plate. By whom is not said, not even where it is the same person.
struct PlateTaken: Refusal {
    var person: PersonID
    var plate: [UInt8]

    static let refusal = RentalError.invalid([FieldError("plate", "taken", "This car is shared already.")])
    static let period: TimeInterval = 86400

    var serviceError: ServiceError { Self.refusal.serviceError }
}

extension RentalTransaction {
    /// Writes a thing. Where it has another plate than before, that is a try.
    func store(_ thing: RentableThing, _ statement: SQLQuery, insteadOf before: RentableThing?) async throws {
        let plate = thing.details.plate.map(seal.digest)
        if let plate, thing.details.plate != before?.details.plate {
            let rows = try await transaction.query(
                """
                SELECT count(*) AS others FROM plate_tries
                WHERE person = \(thing.owner) AND plate <> \(plate) AND tried_at > \(now - PlateTaken.period)
                """)
            guard try rows[0].get("others", as: Int.self) < plateTries else { throw RentalError.tooManyPlates }
            try await note(PlateTaken(person: thing.owner, plate: plate))
        }
        do {
            _ = try await transaction.query(statement)
        } catch let error as PostgresError where error.constraint == "things_plate" {
            throw PlateTaken(person: thing.owner, plate: plate ?? [])
        }
    }

    func note(_ tried: PlateTaken) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO plate_tries (person, plate, tried_at) VALUES (\(tried.person), \(tried.plate), \(now))
            ON CONFLICT (person, plate) DO UPDATE SET tried_at = excluded.tried_at
            """)
    }

    /// - Returns: how many were forgotten.
    func forgetPlates(atMost limit: Int) async throws -> Int {
        try await transaction.query(
            """
            DELETE FROM plate_tries WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM plate_tries WHERE tried_at <= \(now - PlateTaken.period)
                ORDER BY tried_at LIMIT \(unescaped: "\(limit)") FOR UPDATE SKIP LOCKED))
            """
        ).affected
    }
}
