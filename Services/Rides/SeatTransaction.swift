import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What is done to requests for seats. The ride is locked before.
extension RideTransaction {
    // MARK: What is asked first

    /// Locked, after its ride, and with the one that was made with it while both are pending.
    /// - Throws: `RideError.notFound`.
    func seats(_ id: SeatRequestID, for person: PersonID, isModerator: Bool) async throws -> JoinedSeats {
        let answers = try await transaction.pipeline([
            OfferedRide.locking("ARRAY(SELECT ride FROM seat_requests WHERE id = \(id))"),
            """
            SELECT \(OfferedRide.columns) FROM rides
            WHERE id IN (SELECT ride FROM seat_requests WHERE id = \(id) OR together = \(id))
            """,
            SeatAgreement.selection(id, for: person, isModerator: isModerator) + " FOR NO KEY UPDATE",
            SeatAgreement.joined(with: [id]),
        ])
        let rides = try answers[1].map(OfferedRide.init)
        let seats = try (Array(answers[2]) + Array(answers[3])).map(SeatAgreement.init).compactMap { seat in
            rides.first { $0.id == seat.ride }.map { LockedSeat(seat: seat, ride: $0) }
        }
        guard let own = seats.first, own.seat.id == id else { throw RideError.notFound }
        return JoinedSeats(own: own, other: seats.dropFirst().first)
    }

    /// Those that were made with some of these and are pending: locked, as their rides are.
    func others(of seats: [SeatAgreement]) async throws -> [LockedSeat] {
        let halves = seats.filter { $0.together != nil }.map(\.id)
        if halves.isEmpty { return [] }
        let others = try await transaction.query(SeatAgreement.joined(with: halves)).map(SeatAgreement.init)
        if others.isEmpty { return [] }
        let rides = try await transaction.query(
            "SELECT \(OfferedRide.columns) FROM rides WHERE id = ANY(\(others.map(\.ride)))"
        ).map(OfferedRide.init)
        return others.compactMap { seat in
            rides.first { $0.id == seat.ride }.map { LockedSeat(seat: seat, ride: $0) }
        }
    }

    /// Locked: those of a ride that are pending, waiting or accepted, in the order in which they were asked for.
    func openSeats(of ride: RideID) async throws -> [SeatAgreement] {
        try await transaction.query(
            """
            SELECT \(SeatAgreement.columns) FROM seat_requests
            WHERE ride = \(ride) AND \(SeatAgreement.isOpen) ORDER BY asked_at, id FOR NO KEY UPDATE
            """
        ).map(SeatAgreement.init)
    }

    // MARK: What is kept

    /// Keeps new ones.
    /// - Returns: their rides as they are then, and who is named.
    func add(_ asked: [SeatChange]) async throws -> (rides: [RideID: OfferedRide], names: KnownPeople) {
        let ids = asked.map(\.ride.id)
        let insertions = asked.map { $0.after.insertion(in: $0.ride, at: now) }
        let named = asked.reduce(into: Set<PersonID>()) { $0.formUnion($1.after.people) }
        let answers = try await transaction.pipeline(
            insertions + [rooms(of: ids), people.selection(of: named, for: nil)])
        let names = try KnownPeople(rows: answers[ids.count + 1])
        for change in asked { tell(change, among: names) }
        var rides: [RideID: OfferedRide] = [:]
        for row in answers[ids.count] {
            let ride = try OfferedRide(row)
            rides[ride.id] = ride
            try await publish(ride, since: asked.first { $0.ride.id == ride.id }?.ride, among: names)
        }
        try tellRooms(answers[ids.count])
        for change in asked where change.after.state == .accepted { try await withdrawOthers(of: change) }
        return (rides, names)
    }

    /// Keeps what became of some whose rides are locked. Seats that come free go to those who wait, and what was asked for with one that ended ends
    /// with it.
    /// - Returns: their rides as they are then.
    @discardableResult
    func keep(_ changes: [SeatChange]) async throws -> [RideID: OfferedRide] {
        try await store(changes)
        try await endOthers(of: changes)
        var after: [RideID: OfferedRide] = [:]
        let rides = Dictionary(changes.map { ($0.ride.id, $0.ride) }) { one, _ in one }
        for ride in rides.values.sorted(by: { $0.id < $1.id }) {
            after[ride.id] = try await settle(ride, after: changes.filter { $0.ride.id == ride.id })
        }
        for change in changes where change.isSettled { try await withdrawOthers(of: change) }
        return after
    }

    /// What follows in a ride of a change of who rides along.
    private func settle(_ ride: OfferedRide, after changes: [SeatChange]) async throws -> OfferedRide {
        var after = try await reread(ride)
        if changes.contains(where: \.makesRoom) { after = try await promote(in: after) }
        try await publish(after, since: ride)
        if changes.contains(where: { $0.changesPartners(at: now) }) { try await tellRooms(of: [ride.id]) }
        return after
    }

    /// Both ways or none: those that are pending still while the ones that were made with them are not.
    func endOthers(of changes: [SeatChange]) async throws {
        let answered = changes.filter(\.isAnswered)
        let others = try await others(of: answered.map(\.before))
        let ends = others.compactMap { other in
            answered.first { $0.before.together == other.seat.id }.flatMap { change in
                other.seat.otherEnded(by: change.decision?.by, in: other.ride, at: now)
                    .map { SeatChange(other.seat, in: other.ride, $0) }
            }
        }
        if !ends.isEmpty { try await keep(ends) }
    }

    /// Writes them, and tells the two of each.
    func store(_ changes: [SeatChange]) async throws {
        if changes.isEmpty { return }
        _ = try await transaction.pipeline(changes.map { $0.after.update(after: $0.before, in: $0.ride, at: now) })
        for change in changes where change.isSilent { publishNothingToAnswer(of: change.after) }
        let told = changes.filter { !$0.isSilent && $0.decision != nil }
        if told.isEmpty { return }
        let known = try await people(told.reduce(into: []) { $0.formUnion($1.after.people) }, for: nil)
        for change in told { tell(change, among: known) }
    }

    /// Gives what is free to those who wait. Who is in another car at that time keeps their place.
    func promote(in ride: OfferedRide) async throws -> OfferedRide {
        guard ride.isListed, now < ride.leavesBy else { return ride }
        let overlaps = SeatAgreement.overlaps(
            of: "waiting.rider", from: "waiting.boards_at", until: "waiting.leaves_at", besides: "waiting.ride")
        let waiting = try await transaction.query(
            """
            SELECT \(SeatAgreement.columns) FROM seat_requests AS waiting
            WHERE ride = \(ride.id) AND state = 'waiting' AND NOT (approved AND EXISTS (\(overlaps)))
            ORDER BY asked_at, id FOR NO KEY UPDATE
            """
        ).map(SeatAgreement.init)
        let promotions = Waitlist.promotions(of: waiting, in: ride, at: now)
        if promotions.isEmpty { return ride }
        let before = Dictionary(waiting.map { ($0.id, $0) }) { one, _ in one }
        try await store(
            promotions.compactMap { decision in
                before[decision.agreement.id].map { SeatChange($0, in: ride, decision) }
            })
        return try await reread(ride)
    }

    /// Who has a seat asks for no other one at that time, and for none that goes with such a one. What somebody else is at just now stays: it is
    /// refused when it comes to be accepted.
    private func withdrawOthers(of change: SeatChange) async throws {
        let (seat, time) = (change.after, change.after.inCar(of: change.ride))
        let others: SQLQuery = """
            rider = \(seat.rider) AND state = 'pending' AND boards_at < \(time.upperBound) AND leaves_at > \(time.lowerBound)
                AND ride <> \(seat.ride) AND id IS DISTINCT FROM \(seat.together)::uuid
            """
        let rides = try await lockedWhereFree("SELECT ride FROM seat_requests WHERE \(others)")
        if rides.isEmpty { return }
        let overlapping = try await transaction.query(
            "SELECT \(SeatAgreement.columns) FROM seat_requests WHERE ride = ANY(\(rides.map(\.id))) AND \(others) FOR NO KEY UPDATE"
        ).map(SeatAgreement.init)
        let joined = try await self.others(of: overlapping)
        let locked = overlapping.compactMap { seat in
            rides.first { $0.id == seat.ride }.map { LockedSeat(seat: seat, ride: $0) }
        }
        let all = locked + joined.filter { other in !overlapping.contains { $0.id == other.seat.id } }
        try await keep(
            try all.map { pending in
                var decision = try pending.seat.act(
                    .withdraw, SeatActDraft(), by: seat.rider, as: .rider, in: pending.ride, at: now)
                // They have not done it by hand, so they are told.
                decision.by = nil
                return SeatChange(pending.seat, in: pending.ride, decision)
            })
    }
}
