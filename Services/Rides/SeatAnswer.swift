import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

// What people are told of requests for seats.

extension SeatState {
    /// They have a seat, or are at odds about it: each knows the other's doors.
    var isAboard: Bool { [.accepted, .noShow, .disputed].contains(self) }
}

extension SeatAgreement {
    /// Whether somebody is told the doors of the driver's stops.
    func showsStops(to role: SeatRole?) -> Bool { role == .driver || role == .rider && state.isAboard }

    /// Whether somebody is told the doors of the rider's own points.
    func showsOwnPoints(to role: SeatRole?) -> Bool { role == .rider || role == .driver && state.isAboard }

    /// Whether the two are told how to reach each other: until a day after the arrival.
    func mayCall(in ride: OfferedRide, at now: Date) -> Bool {
        (state.isAboard || state == .rode) && now < ride.lastArrival + SeatCondition.aftermath
    }

    /// Whom an answer about it may name.
    var people: Set<PersonID> { Set([driver, rider] + (changedBy.map { [$0] } ?? [])) }

    var price: Money? { currency.flatMap { cost > 0 ? Money(amount: cost, currency: $0) : nil } }
}

extension SeatRequest {
    /// - Parameter ahead: how many wait before them.
    init(
        _ seat: SeatAgreement, in ride: OfferedRide, ahead: Int? = nil, for viewer: PersonID, isModerator: Bool = false,
        among people: KnownPeople, at now: Date
    ) {
        let role = seat.role(of: viewer)
        func point(_ point: WayPoint) -> SeatPoint {
            ride.point(point, stopsExactly: seat.showsStops(to: role), ownExactly: seat.showsOwnPoints(to: role))
        }
        let isWaiting = seat.state == .waiting
        self.init(
            id: seat.id, ride: RequestedRide(ride), driver: people[seat.driver], rider: people[seat.rider], role: role,
            state: seat.state, seats: seat.seats, riders: seat.riders, boarding: point(seat.part.boarding),
            leaving: point(seat.part.leaving), detour: seat.part.detour, cost: seat.price, message: seat.message,
            askedAt: seat.askedAt, answerBy: seat.answerBy, confirmBy: seat.isConfirmed ? nil : seat.confirmBy,
            isConfirmed: seat.isConfirmed, isApproved: isWaiting && seat.isApproved, ahead: isWaiting ? ahead : nil,
            together: seat.together, changedAt: seat.changedAt, changedBy: seat.changedBy.map { people[$0] },
            reason: seat.reason,
            possible: seat.possible(for: SeatParty(role, isModerator: isModerator), in: ride, at: now))
    }
}

extension SeatNews {
    /// - Parameter person: who did what is told; nil where time did it.
    init(_ seat: SeatAgreement, in ride: OfferedRide, by person: PersonID?, among people: KnownPeople) {
        self.init(
            id: seat.id, ride: RequestedRide(ride), driver: people[seat.driver], rider: people[seat.rider],
            state: seat.state, seats: seat.seats, boardsAt: seat.boardsAt(in: ride), answerBy: seat.answerBy,
            confirmBy: seat.isConfirmed ? nil : seat.confirmBy, together: seat.together,
            isReturn: seat.together != nil && ride.returnOf != nil, by: person)
    }
}

extension SeatQuote {
    /// What seats would be for somebody who has not asked for them.
    /// - Parameters:
    ///   - waiting: how many wait already.
    ///   - other: the same on the other way, where both are asked for.
    init(_ wish: SeatWish, in ride: OfferedRide, waiting: Int, other: OtherSeatQuote? = nil) {
        self.init(
            boarding: ride.wished(wish.part.boarding), leaving: ride.wished(wish.part.leaving), seats: wish.seats,
            free: ride.free(on: wish.part), detour: wish.part.detour, detourSeconds: wish.part.detourSeconds,
            cost: ride.price(of: wish.part, seats: wish.seats), waiting: waiting, together: other)
    }
}

extension OtherSeatQuote {
    init(_ wish: SeatWish, in ride: OfferedRide) {
        self.init(
            ride: RequestedRide(ride), boarding: ride.wished(wish.part.boarding),
            leaving: ride.wished(wish.part.leaving), free: ride.free(on: wish.part), detour: wish.part.detour,
            detourSeconds: wish.part.detourSeconds,
            cost: ride.price(of: wish.part, seats: wish.seats))
    }
}

extension OfferedRide {
    /// To who asks for it, and has not got it.
    fileprivate func wished(_ point: WayPoint) -> SeatPoint { self.point(point, stopsExactly: false, ownExactly: true) }
}
