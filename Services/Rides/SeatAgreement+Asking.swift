import FoundationEssentials
import PlainText
import WireProtocol

// Asking for seats. No I/O and no clock.

/// Seats that somebody would like to have: a draft that was checked.
struct SeatWish: Hashable, Sendable {
    let part: WayPart
    let seats: Int
    let riders: [String]
    let message: String?
    let answerWithin: TimeInterval

    /// - Throws: `invalid` with everything that is wrong.
    init(_ draft: SeatDraft, in ride: OfferedRide) throws(RideError) {
        var errors: [FieldError] = []
        let part = ride.way.part(from: draft.from, to: draft.to, errors: &errors)
        seats = draft.seats ?? RideLimits.seatsAtOnce.lowerBound
        if !RideLimits.seatsAtOnce.contains(seats) {
            errors.append(FieldError("seats", "out_of_range", "1 to \(RideLimits.seatsAtOnce.upperBound) seats."))
        }
        riders = Self.names(draft.riders ?? [], for: seats, &errors)
        message = TextRule.lines(RideRules.longestMessage).read(draft.message, at: "message", &errors)
        let hours = draft.answerWithin ?? RideLimits.usualAnswer
        if !RideLimits.answers.contains(hours) {
            errors.append(FieldError("answerWithin", "not_a_choice", "3, 6, 12 or 24 hours."))
        }
        answerWithin = Double(hours) * 3600
        if let part, part.detour > ride.maxDetour { errors.append(ride.tooFar(part)) }
        guard let part, errors.isEmpty else { throw .invalid(errors) }
        self.part = part
    }

    private static func names(_ riders: [String], for seats: Int, _ errors: inout [FieldError]) -> [String] {
        if riders.count > max(seats, 0) {
            errors.append(FieldError("riders", "too_many", "No more names than seats."))
            return []
        }
        return riders.enumerated().compactMap { index, name in
            TextRule.line(RideRules.longestFirstName).read(
                name, at: "riders.\(index)", &errors, required: "Say who rides along.")
        }
    }
}

extension OfferedRide {
    /// That its driver would have to go out of the way more than they offer.
    func tooFar(_ part: WayPart) -> FieldError {
        let more = RideRules.kilometres(max(100, part.detour - detourLeft))
        return FieldError("detour", "too_far", "That is \(more) more than its driver goes out of the way.")
    }

    /// What seats in it would cost, and when it leaves, where that is not what was expected: as its code each has what it is now.
    func changes(since expected: SeatExpectation, _ wish: SeatWish) -> [FieldError] {
        var changes: [FieldError] = []
        let cost = cost(of: wish.part, seats: wish.seats)
        if let shown = expected.cost, shown != cost {
            changes.append(FieldError("expected.cost", String(cost), "This has changed."))
        }
        if let shown = expected.departsAt, WireJSON.text(of: shown) != WireJSON.text(of: departsAt) {
            changes.append(FieldError("expected.departsAt", WireJSON.text(of: departsAt), "This has changed."))
        }
        return changes
    }
}

extension SeatAgreement {
    /// - Parameters:
    ///   - isVerified: whether the one who asks has shown that they belong to a campus.
    ///   - waiting: how many requests of theirs wait already.
    ///   - own: what they have asked for already, or have, in this ride.
    /// - Returns: Pending; accepted at once where the driver lets them have it; or waiting where there is no room.
    static func ask(
        _ id: SeatRequestID, in ride: OfferedRide, _ draft: SeatDraft, by rider: PersonID, isVerified: Bool,
        waiting: Int, own: SeatRequestID? = nil, at now: Date, within limits: RideLimits
    ) throws(RideError) -> SeatDecision {
        guard rider != ride.driver else { throw .yourOwn }
        guard ride.isListed, ride.driver != .nobody, now < ride.leavesBy else { throw .rideOver([]) }
        if let own { throw .alreadyAsked(own) }
        let wish = try SeatWish(draft, in: ride)
        let changes = draft.expected.map { ride.changes(since: $0, wish) } ?? []
        guard changes.isEmpty else { throw .termsChanged(changes) }
        guard waiting < limits.requests else { throw .tooManyRequests(limit: limits.requests) }
        let free = ride.free(on: wish.part)
        let isAtOnce = ride.accepts == .everybody || ride.accepts == .verified && isVerified
        if free < wish.seats {
            guard draft.waitlist == true else {
                throw wish.part.detour > ride.detourLeft ? .invalid([ride.tooFar(wish.part)]) : .soldOut(free: free)
            }
            guard wish.seats <= ride.seats else { throw .soldOut(free: free) }
        }
        let state: SeatState = free < wish.seats ? .waiting : isAtOnce ? .accepted : .pending
        let agreement = SeatAgreement(
            wish, id: id, in: ride, by: rider, state: state, isApproved: state == .waiting && isAtOnce, at: now)
        return SeatDecision(agreement: agreement, told: .requested, by: rider)
    }

    private init(
        _ wish: SeatWish, id: SeatRequestID, in ride: OfferedRide, by rider: PersonID, state: SeatState,
        isApproved: Bool, at now: Date
    ) {
        let cost = ride.cost(of: wish.part, seats: wish.seats)
        let answer = SeatDeadline.answer(
            since: now, within: wish.answerWithin, at: wish.part.boarding.at, in: ride, at: now)
        self.init(
            id: id, ride: ride.id, driver: ride.driver, rider: rider, seats: wish.seats, riders: wish.riders,
            part: wish.part, cost: cost, currency: cost > 0 ? ride.currency : nil, message: wish.message, askedAt: now,
            answerWithin: wish.answerWithin, answerBy: state == .pending ? answer : nil, isApproved: isApproved,
            state: state, changedAt: now, changedBy: state == .accepted ? nil : rider)
    }
}
