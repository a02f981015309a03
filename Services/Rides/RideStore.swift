import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// Rides and seats in the tables `rides`, `seat_requests` and `saved_rides`.
struct RideStore: TransactionStore {
    let database: Database
    let people: PeopleProjection

    // MARK: Rides

    /// Nil where there is none for this person.
    func ride(_ id: RideID, for viewer: PersonID?, isModerator: Bool = false) async throws -> SeenRide? {
        let looks = RideViewer(person: viewer, seesHidden: isModerator)
        return try await database.read(looks.rides([id], people.campuses)).first.map(SeenRide.init)
    }

    /// Those of them that there are for this person, in the order in which they are named.
    func rides(_ ids: [RideID], for viewer: PersonID?, isModerator: Bool = false) async throws -> [SeenRide] {
        if ids.isEmpty { return [] }
        let looks = RideViewer(person: viewer, seesHidden: isModerator)
        return try await database.read(looks.rides(ids, people.campuses)).map(SeenRide.init)
    }

    /// The other ones of outward and return of some rides, as far as there are any for this person.
    func others(of rides: [RideID], for viewer: PersonID?, isModerator: Bool = false) async throws -> [SeenRide] {
        if rides.isEmpty { return [] }
        let looks = RideViewer(person: viewer, seesHidden: isModerator)
        return try await database.read(looks.others(of: rides, people.campuses)).map(SeenRide.init)
    }

    /// The first `limit` + 1 that can be found, the soonest first.
    func rides(_ page: RidePage, for viewer: PersonID?, at now: Date) async throws -> [SeenRide] {
        try await database.read(page.statement(for: viewer, at: now, people.campuses)).map(SeenRide.init)
    }

    /// In the order of their names.
    func regions(for viewer: PersonID?, at now: Date) async throws -> [RegionOfRides] {
        try await database.read(RideListing.counts(for: viewer, at: now, people.campuses)).map {
            RegionOfRides(region: try $0.get("name"), from: try $0.get("departing"), to: try $0.get("arriving"))
        }
    }

    /// The first `limit` + 1 of what somebody drives, rides along in, has saved, or waits for.
    func mine(_ page: MyRidesPage) async throws -> [OwnRide] {
        let found = try await database.read(page.statement(people.campuses)).map(OwnPlace.init)
        let looks = RideViewer(person: page.person, seesOwn: true)
        let rows = try await database.read(looks.rides(found.map(\.ride), people.campuses))
        let rides = try Dictionary(rows.map(SeenRide.init).map { ($0.ride.id, $0) }) { one, _ in one }
        let seats = try await self.seats(found.compactMap(\.seat))
        return found.compactMap { place in
            rides[place.ride].map { OwnRide(seen: $0, seat: place.seat.flatMap { seats[$0] }, place: place.cursor) }
        }
    }

    /// Who rides along in each of them, or has ridden along.
    func passengers(of rides: [RideID]) async throws -> [RideID: [Passenger]] {
        if rides.isEmpty { return [:] }
        let rows = try await database.read(Passenger.selection(of: rides))
        return try Dictionary(grouping: rows.map(Passenger.init), by: \.ride)
    }

    /// The rides of these requests, whoever may see them.
    func rides(of seats: [SeatAgreement]) async throws -> [RideID: OfferedRide] {
        try await rides(Array(Set(seats.map(\.ride))))
    }

    /// Whoever may see them.
    func rides(_ ids: [RideID]) async throws -> [RideID: OfferedRide] {
        if ids.isEmpty { return [:] }
        let rows = try await database.read("SELECT \(OfferedRide.columns) FROM rides WHERE id = ANY(\(ids))")
        return try Dictionary(rows.map(OfferedRide.init).map { ($0.id, $0) }) { one, _ in one }
    }

    /// What somebody drives already.
    func driving(of person: PersonID) async throws -> Driving {
        try Driving(try await database.read(Driving.selection(of: person)))
    }

    /// Whether neither of the two has blocked the other.
    func areTogether(_ one: PersonID, _ other: PersonID) async throws -> Bool {
        try await database.read(
            "SELECT \(BlockProjection.isTogetherHere("\(other)", with: one)) AS together")[0].get("together")
    }

    // MARK: Seats

    /// One that this person has to do with; of moderators, one that is or was disputed.
    func seat(_ id: SeatRequestID, for person: PersonID, isModerator: Bool) async throws -> SeatAgreement? {
        try await database.read(SeatAgreement.selection(id, for: person, isModerator: isModerator))
            .first.map(SeatAgreement.init)
    }

    /// The first `limit` + 1, the latest first.
    func seats(_ page: SeatPage) async throws -> [SeatAgreement] {
        try await database.read(page.statement).map(SeatAgreement.init)
    }

    func seats(_ ids: [SeatRequestID]) async throws -> [SeatRequestID: SeatAgreement] {
        if ids.isEmpty { return [:] }
        let rows = try await database.read(
            "SELECT \(SeatAgreement.columns) FROM seat_requests WHERE id = ANY(\(ids))")
        return try Dictionary(rows.map(SeatAgreement.init).map { ($0.id, $0) }) { one, _ in one }
    }

    /// Of those that wait, how many wait before each.
    func ahead(of seats: [SeatAgreement]) async throws -> [SeatRequestID: Int] {
        let waiting = seats.filter { $0.state == .waiting }.map(\.id)
        if waiting.isEmpty { return [:] }
        let rows = try await database.read(SeatAgreement.places(of: waiting))
        return try rows.reduce(into: [:]) { $0[try $1.get("id", as: SeatRequestID.self)] = try $1.get("ahead") }
    }

    /// Whether friends of its driver get seats in it, or in its other way, at once.
    func isForFriends(_ ride: RideID) async throws -> Bool {
        let friends = RideAcceptance.friends.rawValue
        return try await !database.read(
            """
            SELECT FROM rides WHERE id = \(ride) AND accepts = \(friends)
            UNION ALL SELECT FROM rides WHERE return_of = \(ride) AND accepts = \(friends)
            UNION ALL SELECT FROM rides AS back JOIN rides AS there ON there.id = back.return_of
            WHERE back.id = \(ride) AND there.accepts = \(friends)
            """
        ).isEmpty
    }

    /// How many wait for a seat in a ride.
    func waiting(in ride: RideID) async throws -> Int {
        try await database.read(
            "SELECT count(*) AS waiting FROM seat_requests WHERE ride = \(ride) AND state = 'waiting'")[0].get(
                "waiting")
    }

    // MARK: Writing

    /// Does what a person asked for (`PeopleProjection.command`); their others wait until it is done.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext,
        _ body: @Sendable @escaping (RideTransaction, PersonID) async throws -> Reply
    ) async throws -> Reply {
        try await command(request, asking: { person, _ in [.lock("person", person)] }) { rides, person, _ in
            try await body(rides, person)
        }
    }

    /// The same to a request: what whoever asked for the seat does waits as well, so that they get no two at one time.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, on seat: SeatRequestID,
        _ body: @Sendable @escaping (RideTransaction, PersonID) async throws -> Reply
    ) async throws -> Reply {
        try await command(request, asking: { person, _ in [SeatAgreement.lockPeople(of: seat, and: person)] }) {
            rides, person, _ in try await body(rides, person)
        }
    }

    /// The same with first statements that are known from the beginning, locks first: the body gets their answers.
    func command<Reply: Codable & Sendable>(
        _ request: RequestContext, asking first: @Sendable @escaping (PersonID, _ now: Date) -> [SQLQuery],
        _ body: @Sendable @escaping (RideTransaction, PersonID, [PostgresRows]) async throws -> Reply
    ) async throws -> Reply {
        try await people.command(request, asking: first, meaning: Self.refusal(of:)) { transaction, person, answers in
            try await body(rides(in: transaction), person, answers)
        }
    }

    @Sendable private static func refusal(of error: PostgresError) -> (any Refusal)? {
        switch error.constraint {
        case "rides_never_overfull": RideError.soldOut(free: 0)
        case "rides_within_detour":
            RideError.invalid([FieldError("detour", "too_far", "The driver offers less of a detour than this.")])
        case "requests_one_each": RideError.alreadyAsked(nil)
        default: nil
        }
    }

    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (RideTransaction) async throws -> Result
    ) async throws -> Result {
        try await database.transaction { try await body(rides(in: $0)) }
    }

    func rides(in transaction: CommandTransaction) -> RideTransaction {
        RideTransaction(transaction: transaction, people: people)
    }
}
