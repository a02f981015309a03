import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// What may be done to rides and to seats in them, all together or not at all. Whatever changes one also tells its events. In which order locks are
/// taken is said in RideLocks.swift; what is done to requests is in SeatTransaction.swift.
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

    /// Locked with its other way: what becomes of one ride and of the seats in it is done one after another.
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
        try await keep([RideStep(before: before, after: ride, told: told)], by: person).first ?? ride
    }

    /// The same of several at once: who has asked for both ways hears of each what became of it.
    /// - Returns: those that became another one, as they are then.
    @discardableResult
    func keep(_ all: [RideStep], by person: PersonID? = nil) async throws -> [OfferedRide] {
        let steps = all.filter { $0.after != $0.before }
        var changes: [SeatChange] = []
        for step in steps {
            try await write(step)
            if step.concernsSeats { changes += try await pass(on: step, by: person) }
        }
        try await store(changes)
        try await endOthers(of: changes)
        var kept: [OfferedRide] = []
        for step in steps {
            let after = try await promote(in: try await reread(step.after))
            try await publish(after, since: step.before)
            let isAboutPartners = changes.contains { $0.ride.id == after.id && $0.changesPartners(at: now) }
            if isAboutPartners || after.roomFacts([]) != step.before.roomFacts([]) {
                try await tellRooms(of: [after.id])
            }
            kept.append(after)
        }
        return kept
    }

    private func write(_ step: RideStep) async throws {
        do {
            _ = try await transaction.query(step.after.update)
        } catch let error as PostgresError where error.constraint == "rides_never_overfull" {
            throw RideError.seatsTaken(step.before.load.most(from: 0, to: step.before.way.length))
        }
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

    /// With the load that the database has made of it.
    func reread(_ ride: OfferedRide) async throws -> OfferedRide {
        let rows = try await transaction.query("SELECT \(OfferedRide.columns) FROM rides WHERE id = \(ride.id)")
        guard let row = rows.first else { throw RideError.notFound }
        return try OfferedRide(row)
    }

    /// What becomes of the requests for seats in a ride that became another one.
    private func pass(on step: RideStep, by person: PersonID?) async throws -> [SeatChange] {
        let ride = step.after
        let seats = try await openSeats(of: ride.id)
        if ride.state != step.before.state {
            return seats.map { SeatChange($0, in: ride, $0.rideEnded(ride, by: person, at: now)) }
        }
        let changes = seats.map { SeatChange($0, in: ride, $0.rideChanged(step.told, ride, by: person, at: now)) }
        let others = try await others(of: changes.map(\.after))
        return changes.flatMap { change in
            change.answeredWith(others.first { $0.seat.id == change.before.together }, at: now)
        }
    }

    /// Tells those who look for rides what became of it among those that can be found. Whoever is apart from its driver does not hear of it.
    /// - Parameter known: the driver among others, where they were asked for already.
    func publish(_ ride: OfferedRide, since before: OfferedRide?, among known: KnownPeople? = nil) async throws {
        tellSearches(of: ride, since: before)
        switch RideListing(ride, since: before) {
        case .nothing: break
        case .posted: try await publish(RidePosted(ride: try await announced(ride, known)), of: ride)
        case .changed: try await publish(RideChanged(ride: try await announced(ride, known)), of: ride)
        case .removed: try await publish(RideRemoved(id: ride.id, state: ride.state), of: ride)
        }
    }

    private func announced(_ ride: OfferedRide, _ known: KnownPeople?) async throws -> PublicRide {
        if let known { return PublicRide(ride, driver: known[ride.driver]) }
        return PublicRide(ride, driver: try await people([ride.driver], for: nil)[ride.driver])
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

/// A ride that is locked, and what becomes of it.
struct RideStep: Sendable {
    let before: OfferedRide
    let after: OfferedRide
    /// What those are told who have asked for a seat, where it goes on.
    var told = RidersTold.nothing

    fileprivate var concernsSeats: Bool {
        after.state != before.state || told != .nothing || after.departsAt != before.departsAt
            || after.leavesBy != before.leavesBy
    }
}
