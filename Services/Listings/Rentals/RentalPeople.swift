import DurableMessaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What becomes of things and agreements of those who erase themselves, and of those who are suspended.

extension PostgresRentalTransaction {
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

    /// Makes what one person shares, or everybody, follow from who is suspended now; at most so many. What a suspended person has not begun with others
    /// is called off, by which the others hear of it.
    /// - Returns: how many things and agreements were looked at.
    func reconcile(_ person: PersonID? = nil, atMost limit: Int) async throws -> Int {
        if let person { _ = try await transaction.query(.lock("person", person)) }
        let lock: SQLQuery = person == nil ? "FOR NO KEY UPDATE OF things SKIP LOCKED" : "FOR NO KEY UPDATE OF things"
        let whose: SQLQuery = person.map { "AND owner = \($0)" } ?? ""
        let back = try await transaction.query(
            """
            SELECT \(RentableThing.columns) FROM things
            WHERE withheld \(whose) AND NOT \(SuspensionProjection.isSuspended("owner", at: now))
            LIMIT \(limit) \(lock)
            """)
        for row in back { try await keep(row, isWithheld: false) }
        let away = try await transaction.query(
            """
            SELECT \(RentableThing.columns) FROM things
            WHERE NOT withheld \(whose)
                AND owner IN (SELECT suspensions.person FROM suspensions WHERE suspensions.until > \(now))
            LIMIT \(limit) \(lock)
            """)
        for row in away { try await keep(row, isWithheld: true) }
        let theirs: SQLQuery = person.map { "AND suspensions.person = \($0)" } ?? ""
        let suspended: [PersonID] = try await transaction.query(
            """
            SELECT suspensions.person FROM suspensions
            WHERE suspensions.until > \(now) \(theirs) AND (
                EXISTS (
                    SELECT FROM rentals WHERE owner = suspensions.person AND state IN ('requested', 'accepted') OFFSET 0)
                OR EXISTS (
                    SELECT FROM rentals WHERE renter = suspensions.person AND state IN ('requested', 'accepted') OFFSET 0))
            ORDER BY suspensions.person LIMIT \(limit)
            """
        ).map { try $0.get("person") }
        var called = 0
        for one in suspended { called += try await callOff(by: one) }
        return back.count + away.count + called
    }

    private func keep(_ row: PostgresRow, isWithheld: Bool) async throws {
        let thing = try RentableThing(row, seal)
        try await keep(thing.becoming { $0.isWithheld = isWithheld }, insteadOf: thing)
    }
}

extension ErasedRecords {
    /// One line for each kind, in the order in which they come first.
    static func sum(_ records: [ErasedRecords]) -> [ErasedRecords] {
        records.reduce(into: []) { sum, record in
            if let index = sum.firstIndex(where: { $0.kind == record.kind }) {
                sum[index].count += record.count
            } else {
                sum.append(record)
            }
        }
    }
}

extension RentalUseCases {
    /// What is kept about somebody: what they share, and what was between them and others.
    var ownRecords: [PersonalSections.Section] {
        [
            .init("things") { person, cursor in
                try await store.things(of: person, after: cursor.flatMap { ThingID($0) }, limit: Self.page)
            },
            .init("rentals") { person, cursor in
                let page = AgreementPage(
                    .own(person, nil), limit: Self.page, after: cursor.flatMap { RentalID($0) })
                let found = try await store.agreements(page)
                let shown = Array(found.prefix(Self.page))
                return Page(
                    items: try await answers(shown, to: person, isModerator: false).map { rental in
                        // Another one's pictures are theirs.
                        let own = rental.evidence.filter { $0.by == rental.role }.flatMap(\.photos)
                        return try PersonalRecord("rentals", rental, photos: own)
                    },
                    next: found.count > Self.page ? shown.last?.id.description : nil)
            },
        ]
    }

    private static var page: Int { 100 }
}

extension PostgresRentalStore {
    fileprivate func things(of person: PersonID, after: ThingID?, limit: Int) async throws -> Page<PersonalRecord> {
        let earlier: SQLQuery = after.map { "AND id < \($0)" } ?? ""
        let found = try await database.read(
            """
            SELECT \(RentableThing.columns) FROM things WHERE owner = \(person) \(earlier)
            ORDER BY id DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map { try RentableThing($0, seal) }
        let names = try await people.summaries(of: [person])
        return Page(
            items: try found.map {
                try PersonalRecord(
                    "things", Thing(SeenThing(thing: $0), for: person, among: names), photos: $0.details.photos)
            },
            next: found.count == limit ? found.last?.id.description : nil)
    }
}
