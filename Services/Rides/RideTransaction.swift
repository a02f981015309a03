import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What may be done to rides and to seats in them, all together or not at all. Whatever changes one also tells its events.
///
/// Locks are taken in this order: people (by the commands of `RideStore`), rides by their ids, requests. What is done to requests is in
/// SeatTransaction.swift.
struct RideTransaction: Sendable {
    let transaction: CommandTransaction
    let people: PeopleProjection

    var now: Date { transaction.now }

    /// What is known of people, without asking anybody else.
    func people(_ ids: Set<PersonID>, for viewer: PersonID?) async throws -> KnownPeople {
        try await people.summaries(of: ids, for: viewer, in: transaction)
    }

    /// What the person drives already.
    func driving(of person: PersonID) async throws -> Driving {
        try Driving(try await transaction.query(Driving.selection(of: person)))
    }

    /// Locked: what becomes of one ride and of the seats in it is done one after another.
    /// - Throws: `RideError.notFound` where there is none for this person.
    func ride(_ id: RideID, for viewer: PersonID, isModerator: Bool = false) async throws -> SeenRide {
        let looks = RideViewer(person: viewer, seesHidden: isModerator)
        let rows = try await transaction.pipeline(looks.locked(id, people.campuses))[1]
        guard let row = rows.first else { throw RideError.notFound }
        return try SeenRide(row)
    }

    /// Keeps a new one.
    func add(_ ride: OfferedRide) async throws {
        _ = try await transaction.query(ride.insertion)
        try await publish(ride, since: nil)
    }

    /// Keeps what became of a ride that is locked, and of the requests for seats in it: they end with it, and who they are of is told what
    /// changed. Where there is more room, those who wait get it.
    /// - Parameters:
    ///   - told: what those are told who have asked for a seat, where it goes on.
    ///   - person: who did it; nil where time did it, or moderators.
    /// - Returns: as it is then.
    @discardableResult
    func keep(
        _ ride: OfferedRide, insteadOf before: OfferedRide, telling told: RidersTold = .nothing,
        by person: PersonID? = nil
    ) async throws -> OfferedRide {
        guard ride != before else { return ride }
        do {
            _ = try await transaction.query(ride.update)
        } catch let error as PostgresError where error.constraint == "rides_never_overfull" {
            throw RideError.seatsTaken(before.load.most(from: 0, to: before.way.length))
        }
        let concernsSeats = ride.state != before.state || told != .nothing || !ride.leavesLike(before)
        let partners = concernsSeats ? try await pass(on: ride, insteadOf: before, telling: told, by: person) : false
        let after = try await promote(in: try await reread(ride))
        try await publish(after, since: before)
        if partners || after.roomFacts([]) != before.roomFacts([]) { try await tellRooms(of: [ride.id]) }
        return after
    }

    /// Locks a ride, whoever may see it, and changes it; nothing where there is none.
    func moderate(_ id: RideID, _ change: @Sendable (inout OfferedRide) -> Void) async throws {
        guard let ride = try await locked([id]).first else { return }
        var changed = ride
        change(&changed)
        try await keep(changed, insteadOf: ride)
    }

    // MARK: Lists of one's own

    func save(_ ride: RideID, for person: PersonID) async throws {
        _ = try await transaction.query(
            """
            INSERT INTO saved_rides (person, ride, saved_at) VALUES (\(person), \(ride), \(now)) ON CONFLICT DO NOTHING
            """)
    }

    func unsave(_ ride: RideID, for person: PersonID) async throws {
        _ = try await transaction.query("DELETE FROM saved_rides WHERE person = \(person) AND ride = \(ride)")
    }

    // MARK: What these are made of

    /// In the order of their ids.
    func locked(_ ids: [RideID]) async throws -> [OfferedRide] {
        if ids.isEmpty { return [] }
        return try await transaction.query(
            "SELECT \(OfferedRide.columns) FROM rides WHERE id = ANY(\(ids)) ORDER BY id FOR NO KEY UPDATE"
        ).map(OfferedRide.init)
    }

    /// With the load that the database has made of it.
    func reread(_ ride: OfferedRide) async throws -> OfferedRide {
        let rows = try await transaction.query("SELECT \(OfferedRide.columns) FROM rides WHERE id = \(ride.id)")
        guard let row = rows.first else { throw RideError.notFound }
        return try OfferedRide(row)
    }

    /// What becomes of the requests for seats in a ride that became another one.
    /// - Returns: whether somebody has to do with it no more.
    private func pass(
        on ride: OfferedRide, insteadOf before: OfferedRide, telling told: RidersTold, by person: PersonID?
    ) async throws -> Bool {
        let seats = try await openSeats(of: ride.id)
        let changes = seats.map { seat in
            let decision =
                ride.state != before.state
                ? seat.rideEnded(ride, by: person, at: now) : seat.rideChanged(told, ride, by: person, at: now)
            return SeatChange(before: seat, decision: decision)
        }
        try await store(changes, in: ride)
        return changes.contains { $0.after.keepsRoom(at: now) != $0.before.keepsRoom(at: now) }
    }

    /// Tells those who look for rides what became of it among those that can be found. Whoever is apart from its driver does not hear of it.
    func publish(_ ride: OfferedRide, since before: OfferedRide?) async throws {
        switch RideListing(ride, since: before) {
        case .nothing: break
        case .posted: try await publish(RidePosted(ride: try await announced(ride)), of: ride)
        case .changed: try await publish(RideChanged(ride: try await announced(ride)), of: ride)
        case .removed: try await publish(RideRemoved(id: ride.id, state: ride.state), of: ride)
        }
    }

    private func announced(_ ride: OfferedRide) async throws -> PublicRide {
        PublicRide(ride, driver: try await people([ride.driver], for: nil)[ride.driver])
    }

    private func publish(_ event: some Event, of ride: OfferedRide) async throws {
        let (audience, campus) = try await people.campuses.audience(of: ride.driver) {
            try await people([ride.driver], for: nil)
        }
        transaction.publish(
            event, about: "ride/\(ride.id)", to: audience, at: ride.way.stops.first?.position.onGrid,
            concerning: [ride.driver], within: campus)
    }
}

extension OfferedRide {
    fileprivate func leavesLike(_ other: OfferedRide) -> Bool {
        departsAt == other.departsAt && leavesBy == other.leavesBy
    }
}
