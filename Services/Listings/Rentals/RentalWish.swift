import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

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
    /// What they have asked for already, or have, of this thing.
    let own: [OwnPeriod]

    /// What to ask of the database: the person is locked before the thing, as everywhere.
    static func questions(_ id: ThingID, by person: PersonID, at now: Date, _ campuses: CampusSeparation) -> [SQLQuery]
    {
        let owner: SQLQuery = "(SELECT owner FROM things WHERE id = \(id))"
        return [.lock("person", person)] + ThingViewer(person: person).locked(id, at: now, campuses) + [
            """
            SELECT (SELECT count(*) FROM rentals WHERE renter = \(person) AND state = 'requested') AS waiting,
                (SELECT count(*) FROM rentals WHERE renter = \(person) AND state = 'accepted' AND starts_at > \(now)) AS ahead,
                \(BlockProjection.isTogetherHere(owner, with: person)) AS together
            """,
            OwnPeriod.selection(of: id, by: person),
        ]
    }

    init(_ answers: [PostgresRows], as kind: ThingKind?, _ seal: PlateSeal, at now: Date) throws {
        thing = try SeenThing(answers[2], as: kind, seal, at: now).thing
        let row = answers[3][0]
        (waiting, ahead, areTogether) = (try row.get("waiting"), try row.get("ahead"), try row.get("together"))
        own = try answers[4].map { try OwnPeriod($0) }
    }
}

/// A period of a thing that somebody has asked for, or has: until that has ended they do not ask for any of it once more.
struct OwnPeriod: Hashable, Sendable {
    var rental: RentalID
    var startsAt: Date
    var endsAt: Date

    static func selection(of thing: ThingID, by person: PersonID) -> SQLQuery {
        """
        SELECT id, starts_at, ends_at FROM rentals
        WHERE thing = \(thing) AND renter = \(person) AND state IN ('requested', 'accepted', 'handedOver', 'disputed')
            AND (state <> 'disputed' OR holds)
        ORDER BY id
        """
    }
}

extension OwnPeriod {
    init(_ row: PostgresRow) throws {
        self.init(rental: try row.get("id"), startsAt: try row.get("starts_at"), endsAt: try row.get("ends_at"))
    }
}

extension [OwnPeriod] {
    /// The first that has some of a period.
    func rental(in period: RentalPeriod) -> RentalID? {
        first { $0.startsAt < period.endsAt && period.startsAt < $0.endsAt }?.rental
    }
}
