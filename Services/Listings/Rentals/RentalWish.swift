import DurableMessaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What has to be known when somebody asks to rent a thing. Until the end of the transaction nobody else asks for it, and the one who asks asks for
/// nothing else.
struct RentalWish: Hashable, Sendable {
    let thing: RentableThing
    /// How many requests of theirs wait for an answer already.
    let waiting: Int
    /// How many agreements of theirs have not begun.
    let ahead: Int
    /// Neither of the owner and the one who asks has blocked the other.
    let areTogether: Bool

    /// What to ask of the database: the person is locked before the thing, as everywhere.
    static func questions(_ id: ThingID, by person: PersonID, at now: Date, _ campuses: CampusSeparation) -> [SQLQuery]
    {
        let owner: SQLQuery = "(SELECT owner FROM things WHERE id = \(id))"
        return [.lock("person", person)] + ThingViewer(person: person).locked(id, at: now, campuses) + [
            """
            SELECT (SELECT count(*) FROM rentals WHERE renter = \(person) AND state = 'requested') AS waiting,
                (SELECT count(*) FROM rentals WHERE renter = \(person) AND state = 'accepted' AND starts_at > \(now)) AS ahead,
                \(BlockProjection.isTogetherHere(owner, with: person)) AS together
            """
        ]
    }

    init(_ answers: [PostgresRows], as kind: ThingKind?, _ seal: PlateSeal) throws {
        thing = try SeenThing(answers[2], as: kind, seal).thing
        let row = answers[3][0]
        (waiting, ahead, areTogether) = (try row.get("waiting"), try row.get("ahead"), try row.get("together"))
    }
}
