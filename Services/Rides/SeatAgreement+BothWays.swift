import FoundationEssentials
import WireProtocol

// Asking for seats on both of outward and return. No I/O and no clock.

extension SeatAgreement {
    /// - Parameters:
    ///   - seen: the ride, and what they have asked for already, or have, in it.
    ///   - other: the same of the other way, where they can see one.
    /// - Returns: Both accepted where they are let in at once on both ways; else both pending with one time to answer.
    static func ask(
        _ draft: SeatDraft, and together: TogetherDraft, in seen: SeenRide, and other: SeenRide?,
        by seeker: SeatSeeker, along streets: KnownStreets = KnownStreets(), at now: Date, within limits: RideLimits
    ) throws(RideError) -> [SeatChange] {
        let back = try draft.otherWay(other?.ride, at: now)
        let wishes = try SeatWish.both(
            { () throws(RideError) in try seen.wish(draft, by: seeker.person, along: streets, at: now) },
            { () throws(RideError) in
                try SeenRide(ride: back, request: other?.request).wish(
                    draft.onOtherWay(together), by: seeker.person, along: streets, at: now)
            })
        try seeker.check(asking: 2, within: limits)
        guard seen.ride.hasRoom(for: wishes.own) else { throw seen.ride.noRoom(for: wishes.own) }
        guard back.hasRoom(for: wishes.other) else { throw back.noRoom(for: wishes.other).ofOtherWay }
        let isAtOnce = seeker.isLetIn(seen.ride) && seeker.isLetIn(back)
        let state: SeatState = isAtOnce ? .accepted : .pending
        var first = SeatAgreement(wishes.own, in: seen.ride, by: seeker.person, state: state, at: now)
        var second = SeatAgreement(wishes.other, in: back, by: seeker.person, state: state, at: now)
        (first.together, second.together) = (second.id, first.id)
        let answer = [first, second].compactMap(\.answerBy).min()
        (first.answerBy, second.answerBy) = (answer, answer)
        let seats = [LockedSeat(seat: first, ride: seen.ride), LockedSeat(seat: second, ride: back)]
        try seeker.check(isFreeFor: seats)
        return seats.map { SeatChange(asked: $0.seat, in: $0.ride) }
    }
}

extension SeatWish {
    /// - Throws: of both at once what is wrong, or has changed.
    static func both(
        _ own: () throws(RideError) -> SeatWish, _ other: () throws(RideError) -> SeatWish
    ) throws(RideError) -> (own: SeatWish, other: SeatWish) {
        switch (Result(catching: own), Result(catching: other).mapError(\.ofOtherWay)) {
        case (.success(let own), .success(let other)): return (own, other)
        case (.failure(.invalid(let errors)), .failure(.invalid(let others))): throw .invalid(errors + others)
        case (.failure(.termsChanged(let errors)), .failure(.termsChanged(let others))):
            throw .termsChanged(errors + others)
        case (.failure(let error), _), (_, .failure(let error)): throw error
        }
    }
}

extension SeatDraft {
    /// The other one of outward and return, where both can be asked for.
    func otherWay(_ other: OfferedRide?, at now: Date) throws(RideError) -> OfferedRide {
        guard waitlist != true else { throw .notTogether("Nobody is on a list for both ways.") }
        guard let other, other.isListed, now < other.leavesBy else {
            throw .notTogether("There is no other way to ask for.")
        }
        return other
    }

    /// The same seats on the other way, at points of its own.
    func onOtherWay(_ together: TogetherDraft) -> SeatDraft {
        SeatDraft(
            seats: seats, riders: riders, from: together.from, to: together.to, message: message,
            answerWithin: answerWithin, expected: together.expected)
    }
}

extension RideError {
    /// Both ways can't be asked for.
    static func notTogether(_ why: String) -> RideError { .invalid([FieldError("together", "not_possible", why)]) }

    /// The same of the other one of outward and return. What is said once for both is wrong once.
    var ofOtherWay: RideError {
        switch self {
        case .invalid(let errors):
            .invalid(errors.filter(\.isOfOneWay).map { $0.inside("together") })
        case .termsChanged(let errors): .termsChanged(errors.map { $0.inside("together") })
        case .soldOut(let free, _): .soldOut(free: free, isOtherWay: true)
        default: self
        }
    }
}

extension FieldError {
    fileprivate var isOfOneWay: Bool { ["from", "to", "detour", "expected"].contains { isOf($0) } }
}
