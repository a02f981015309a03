import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What becomes of rides and seats of those who are suspended, and of those who are apart.

extension RideTransaction {
    /// Makes what one person drives, or everybody, follow from who is suspended now; at most so many. What a suspended person has not begun with
    /// others is called off, by which the others hear of it; what is under way goes on.
    /// - Returns: how many rides and people were looked at.
    func reconcile(_ person: PersonID? = nil, atMost limit: Int) async throws -> Int {
        try await withholdAndGiveBack(person, atMost: limit) + callOffOfSuspended(person, atMost: limit)
    }

    private func withheld(of person: PersonID?, atMost limit: Int) -> SuspendedRows {
        SuspendedRows(of: "rides", OfferedRide.columns, for: person, atMost: limit, in: transaction)
    }

    /// What a suspended person drives and has not left.
    private static let isShown: SQLQuery = "state = 'open' AND NOT withheld"

    /// - Returns: how many rides were looked at.
    func withholdAndGiveBack(_ person: PersonID? = nil, atMost limit: Int) async throws -> Int {
        let rows = withheld(of: person, atMost: limit)
        try await rows.wait()
        if let person { try await lockRides(of: person) }
        let back = try await transaction.query(rows.toGiveBack(of: "driver")).map(OfferedRide.init)
        for ride in back { try await keep(ride.withheld(false), insteadOf: ride) }
        let away = try await transaction.query(rows.ofSuspended(in: "driver", where: Self.isShown))
            .map(OfferedRide.init)
        for ride in away { try await keep(ride.withheld(true), insteadOf: ride) }
        return back.count + away.count
    }

    /// - Returns: how many people were looked at.
    func callOffOfSuspended(_ person: PersonID? = nil, atMost limit: Int) async throws -> Int {
        let suspended = try await transaction.query(Self.suspendedWithSeats(person, at: now, atMost: limit))
        for row in suspended { try await callOff(by: try row.get("person")) }
        return suspended.count
    }

    /// To whom there is something to reconcile; at most so many of each kind.
    func unreconciled(atMost limit: Int) async throws -> [PersonID] {
        let answers = try await transaction.pipeline([
            withheld(of: nil, atMost: limit).owners("driver", where: Self.isShown),
            Self.suspendedWithSeats(nil, at: now, atMost: limit),
        ])
        return try Set(answers.joined().map { try $0.get("person", as: PersonID.self) }).sorted()
    }

    /// All that somebody drives and that has not left, in the order in which everybody locks rides.
    private func lockRides(of person: PersonID) async throws {
        _ = try await transaction.query(
            "SELECT FROM rides WHERE driver = \(person) AND state = 'open' ORDER BY id FOR NO KEY UPDATE")
    }

    /// Whoever is suspended, and has something open that has not begun.
    private static func suspendedWithSeats(_ person: PersonID?, at now: Date, atMost limit: Int) -> SQLQuery {
        let theirs: SQLQuery = person.map { "AND suspensions.person = \($0)" } ?? ""
        func some(_ column: SQLQuery) -> SQLQuery {
            """
            EXISTS (
                SELECT FROM seat_requests JOIN rides ON rides.id = seat_requests.ride
                WHERE seat_requests.\(column) = suspensions.person
                    AND seat_requests.state IN ('pending', 'waiting', 'accepted') AND rides.state = 'open' OFFSET 0)
            """
        }
        return """
            SELECT suspensions.person FROM suspensions
            WHERE suspensions.until > \(now) \(theirs) AND (\(some("driver")) OR \(some("rider")))
            ORDER BY suspensions.person LIMIT \(limit)
            """
    }

    /// Ends what somebody has not begun with others, in the rides that they drive and in those of others.
    func callOff(by person: PersonID) async throws {
        try await callOff(
            by: person,
            where: [
                "driver = \(person) AND \(SeatAgreement.isOpen)", "rider = \(person) AND \(SeatAgreement.isOpen)",
            ])
    }

    /// Two are apart from now on: what they have not begun with each other ends. Of a seat that one had both are told, and not who of them did it; what was
    /// only asked for is withdrawn without a word.
    func part(_ pair: BlockedPair) async throws {
        let (low, high) = (pair.low, pair.high)
        try await callOff(
            by: nil,
            where: [
                "driver = \(low) AND rider = \(high) AND \(SeatAgreement.isOpen)",
                "driver = \(high) AND rider = \(low) AND \(SeatAgreement.isOpen)",
            ])
    }

    /// - Parameters:
    ///   - person: nil where it is not told which of the two.
    ///   - conditions: each has an index of its own.
    private func callOff(by person: PersonID?, where conditions: [SQLQuery]) async throws {
        var ids: Set<RideID> = []
        for rows in try await transaction.pipeline(conditions.map { "SELECT ride FROM seat_requests WHERE \($0)" }) {
            for row in rows { ids.insert(try row.get("ride")) }
        }
        var changes: [SeatChange] = []
        for ride in try await locked(Array(ids)) {
            let seats = try await transaction.query(
                """
                SELECT \(SeatAgreement.columns) FROM seat_requests
                WHERE ride = \(ride.id) AND (\(Self.any(of: conditions))) ORDER BY id FOR NO KEY UPDATE
                """
            ).map(SeatAgreement.init)
            changes += seats.compactMap { seat in
                let someone = seat.state == .accepted ? seat.driver : seat.rider
                return seat.callOff(by: person ?? someone, in: ride, at: now).map { decision in
                    guard person == nil else { return SeatChange(seat, in: ride, decision) }
                    return SeatChange(seat, in: ride, decision.unnamed, isSilent: seat.state != .accepted)
                }
            }
        }
        try await keep(changes)
    }

    private static func any(of conditions: [SQLQuery]) -> SQLQuery {
        conditions.dropFirst().reduce(conditions.first ?? "false") { "\($0) OR \($1)" }
    }
}

extension OfferedRide {
    fileprivate func withheld(_ isWithheld: Bool) -> OfferedRide {
        var ride = self
        ride.isWithheld = isWithheld
        return ride
    }
}

extension SeatDecision {
    /// Both are told, and neither of the other.
    fileprivate var unnamed: SeatDecision {
        var decision = self
        (decision.by, decision.agreement.changedBy) = (nil, nil)
        return decision
    }
}
