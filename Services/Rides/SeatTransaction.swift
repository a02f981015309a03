import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// A request as it was, and what becomes of it: nothing where nothing was decided, but that its ride leaves at another time.
struct SeatChange: Sendable {
    let before: SeatAgreement
    let decision: SeatDecision?
    /// Nobody is told of it.
    var isSilent = false

    var after: SeatAgreement { decision?.agreement ?? before }
    /// Who waits may get a seat: one came free, or whoever was promised a look does not get one.
    var makesRoom: Bool {
        before.state == .accepted && after.state != .accepted || before.state == .pending && after.state.isOver
    }

    /// They have a seat now, and need not say that they keep it.
    var isSettled: Bool {
        after.state == .accepted && after.isConfirmed && !(before.state == .accepted && before.isConfirmed)
    }
}

// What is done to requests for seats. The ride is locked before.
extension RideTransaction {
    // MARK: What is asked first

    /// How many requests of a person wait for an answer, or for a seat.
    func openRequests(of person: PersonID) async throws -> Int {
        try await transaction.query(
            "SELECT count(*) AS open FROM seat_requests WHERE rider = \(person) AND \(SeatAgreement.isUnanswered)"
        )[0].get("open")
    }

    /// A ride in which the person has a seat, or which they drive, at that time.
    func overlap(of person: PersonID, at time: Range<Date>, besides ride: RideID) async throws -> RideID? {
        let overlaps = SeatAgreement.overlaps(
            of: "\(person)", from: "\(time.lowerBound)", until: "\(time.upperBound)", besides: "\(ride)")
        return try await transaction.query("SELECT ride FROM (\(overlaps)) AS others LIMIT 1").first?.get("ride")
    }

    /// Locked, after its ride.
    /// - Throws: `RideError.notFound`.
    func seat(
        _ id: SeatRequestID, for person: PersonID, isModerator: Bool
    ) async throws -> (seat: SeatAgreement, ride: OfferedRide) {
        let selection = SeatAgreement.selection(id, for: person, isModerator: isModerator)
        let answers = try await transaction.pipeline([
            "SELECT FROM rides WHERE id = (SELECT ride FROM seat_requests WHERE id = \(id)) FOR NO KEY UPDATE",
            "SELECT \(OfferedRide.columns) FROM rides WHERE id = (SELECT ride FROM seat_requests WHERE id = \(id))",
            selection + " FOR NO KEY UPDATE",
        ])
        guard let ride = try answers[1].first.map(OfferedRide.init),
            let seat = try answers[2].first.map(SeatAgreement.init)
        else { throw RideError.notFound }
        return (seat, ride)
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

    /// Keeps a new one.
    /// - Returns: the ride as it is then.
    @discardableResult
    func add(_ decision: SeatDecision, in ride: OfferedRide) async throws -> OfferedRide {
        let seat = decision.agreement
        _ = try await transaction.query(seat.insertion(in: ride, at: now))
        tell(decision, in: ride, among: try await people(seat.people, for: nil))
        return try await settle(
            ride, tellingRooms: true, settled: seat.state == .accepted ? [seat] : [], mayPromote: false)
    }

    /// Keeps what became of one. Seats that come free go to those who wait.
    /// - Returns: the ride as it is then.
    @discardableResult
    func keep(_ decision: SeatDecision, insteadOf before: SeatAgreement, in ride: OfferedRide) async throws
        -> OfferedRide
    {
        try await keep([SeatChange(before: before, decision: decision)], in: ride)
    }

    /// The same of several in one ride.
    @discardableResult
    func keep(_ changes: [SeatChange], in ride: OfferedRide) async throws -> OfferedRide {
        try await store(changes, in: ride)
        return try await settle(
            ride, tellingRooms: changes.contains { $0.after.keepsRoom(at: now) != $0.before.keepsRoom(at: now) },
            settled: changes.filter(\.isSettled).map(\.after), mayPromote: changes.contains(where: \.makesRoom))
    }

    /// What follows of a change of who rides along.
    private func settle(
        _ ride: OfferedRide, tellingRooms: Bool, settled: [SeatAgreement], mayPromote: Bool
    ) async throws -> OfferedRide {
        var after = try await reread(ride)
        if mayPromote { after = try await promote(in: after) }
        try await publish(after, since: ride)
        if tellingRooms { try await tellRooms(of: [ride.id]) }
        for seat in settled { try await withdrawOthers(of: seat, in: ride) }
        return after
    }

    /// Writes them, and tells the two of each.
    func store(_ changes: [SeatChange], in ride: OfferedRide) async throws {
        if changes.isEmpty { return }
        _ = try await transaction.pipeline(changes.map { $0.after.update(after: $0.before, in: ride, at: now) })
        for change in changes where change.isSilent { publishNothingToAnswer(of: change.after) }
        let decisions = changes.filter { !$0.isSilent }.compactMap(\.decision)
        if decisions.isEmpty { return }
        let known = try await people(decisions.reduce(into: []) { $0.formUnion($1.agreement.people) }, for: nil)
        for decision in decisions { tell(decision, in: ride, among: known) }
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
                before[decision.agreement.id].map { SeatChange(before: $0, decision: decision) }
            }, in: ride)
        return try await reread(ride)
    }

    /// Who has a seat asks for no other one at that time. What somebody else is at just now stays: it is refused when it comes to be accepted.
    private func withdrawOthers(of seat: SeatAgreement, in ride: OfferedRide) async throws {
        let time = seat.inCar(of: ride)
        let others: SQLQuery = """
            rider = \(seat.rider) AND state = 'pending' AND boards_at < \(time.upperBound) AND leaves_at > \(time.lowerBound)
                AND ride <> \(seat.ride)
            """
        let rides = try await transaction.query(
            """
            SELECT \(OfferedRide.columns) FROM rides WHERE id IN (SELECT ride FROM seat_requests WHERE \(others))
            FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(OfferedRide.init)
        for other in rides {
            let seats = try await transaction.query(
                "SELECT \(SeatAgreement.columns) FROM seat_requests WHERE ride = \(other.id) AND \(others) FOR NO KEY UPDATE"
            ).map(SeatAgreement.init)
            for pending in seats {
                let decision = try pending.act(
                    .withdraw, SeatActDraft(), by: seat.rider, as: .rider, in: other, at: now)
                try await keep(decision, insteadOf: pending, in: other)
            }
        }
    }

    // MARK: Events

    /// The two hear of it even where they are apart since.
    private func tell(_ decision: SeatDecision, in ride: OfferedRide, among known: KnownPeople) {
        let seat = decision.agreement
        let news = SeatNews(seat, in: ride, by: decision.by, among: known)
        switch decision.told {
        case .requested: publish(SeatRequested(request: news), of: seat)
        case .answered: publish(SeatAnswered(request: news), of: seat)
        case .changed(let what): publish(SeatChanged(request: news, what: what), of: seat)
        }
        guard decision.isCompleted, seat.driver != .nobody, seat.rider != .nobody else { return }
        let encounter = EncounterCompleted(
            subject: Subject(seat.id), title: ride.title, people: [seat.driver, seat.rider], completedAt: now)
        transaction.publish(encounter, about: "seat/\(seat.id)", to: .nobody)
    }

    /// The inbox does not ask the driver for an answer any more.
    private func publishNothingToAnswer(of seat: SeatAgreement) {
        let settled = NoticeSettled([.seat(seat.id, .seatRequested)], for: .people([seat.driver]))
        transaction.publish(settled, about: "seat/\(seat.id)", to: .nobody)
    }

    func publish(_ event: some Event, of seat: SeatAgreement) {
        transaction.publish(
            event, about: "seat/\(seat.id)", to: .people(Set([seat.driver, seat.rider]).subtracting([.nobody])))
    }
}
