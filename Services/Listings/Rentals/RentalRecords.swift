import DurableMessaging
import People
import Postgres
import WireProtocol

extension RentalUseCases {
    /// What is kept about somebody: what they share, and what was between them and others.
    var ownRecords: [PersonalSections.Section] {
        [
            .init("things") { person, cursor in
                try await store.things(of: person, after: cursor.flatMap { ThingID($0) }, limit: PageSize.largest)
            },
            .init("rentals") { person, cursor in
                let page = AgreementPage(
                    .own(person, nil), limit: PageSize.largest, after: cursor.flatMap { RentalID($0) })
                let found = FoundPage(try await store.agreements(page), of: PageSize.largest)
                return Page(
                    items: try await answers(found.shown, to: person, isModerator: false).map { rental in
                        // Another one's pictures are theirs.
                        let own = rental.evidence.filter { $0.by == rental.role }.flatMap(\.photos)
                        return try PersonalRecord("rentals", rental, photos: own)
                    },
                    next: found.last?.id.description)
            },
        ]
    }
}

extension RentalStore {
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
