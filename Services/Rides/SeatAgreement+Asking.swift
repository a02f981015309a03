import FoundationEssentials
import PlainText
import WireProtocol

// Asking for seats. No I/O and no clock.

/// What is known of somebody who asks for seats.
struct SeatSeeker: Hashable, Sendable {
    let person: PersonID
    /// They have shown that they belong to a campus.
    var isVerified = false
    var isFriendOfDriver = false
    /// How many requests of theirs wait already.
    var waiting = 0
    /// Where else they are in a car.
    var engagements: [SeatEngagement] = []

    /// Whether a driver lets them have a seat at once.
    func isLetIn(_ ride: OfferedRide) -> Bool {
        switch ride.accepts {
        case .nobody: false
        case .friends: isFriendOfDriver
        case .verified: isVerified
        case .everybody: true
        }
    }

    func check(asking count: Int, within limits: RideLimits) throws(RideError) {
        guard waiting + count <= limits.requests else { throw .tooManyRequests(limit: limits.requests) }
    }

    /// Nobody is in two cars at one time. Outward and return are not compared with each other.
    func check(isFreeFor seats: [LockedSeat]) throws(RideError) {
        for seat in seats {
            let time = seat.seat.inCar(of: seat.ride)
            let other = engagements.first { own in
                !seats.contains { $0.ride.id == own.ride } && own.from < time.upperBound && own.until > time.lowerBound
            }
            if let other { throw .overlaps(other.ride) }
        }
    }
}

/// That somebody rides along in a ride, or drives it.
struct SeatEngagement: Hashable, Sendable {
    let ride: RideID
    let from: Date
    let until: Date
}

/// Seats that somebody would like to have: a draft that was checked.
struct SeatWish: Hashable, Sendable {
    let part: WayPart
    let seats: Int
    let riders: [String]
    let message: String?
    let answerWithin: TimeInterval

    /// - Parameter streets: what is known of ways to points of their own.
    /// - Throws: `invalid` with everything that is wrong.
    init(_ draft: SeatDraft, in ride: OfferedRide, along streets: KnownStreets = KnownStreets()) throws(RideError) {
        var errors: [FieldError] = []
        let part = ride.way.part(from: draft.from, to: draft.to, errors: &errors).map {
            ride.measured($0, along: streets)
        }
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

extension SeenRide {
    /// Seats in it that somebody may ask for, whether there is room or not.
    func wish(
        _ draft: SeatDraft, by rider: PersonID, along streets: KnownStreets, at now: Date
    ) throws(RideError) -> SeatWish {
        guard rider != ride.driver else { throw .yourOwn }
        guard ride.isListed, ride.driver != .nobody, now < ride.leavesBy else { throw .rideOver([]) }
        if let request { throw .alreadyAsked(request) }
        let wish = try SeatWish(draft, in: ride, along: streets)
        let changes = draft.expected.map { ride.changes(since: $0, wish) } ?? []
        guard changes.isEmpty else { throw .termsChanged(changes) }
        return wish
    }
}

extension OfferedRide {
    func hasRoom(for wish: SeatWish) -> Bool { free(on: wish.part) >= wish.seats }

    func noRoom(for wish: SeatWish) -> RideError {
        wish.part.detour > detourLeft ? .invalid([tooFar(wish.part)]) : .soldOut(free: free(on: wish.part))
    }
}

extension SeatAgreement {
    /// - Parameter seen: the ride, and what they have asked for already, or have, in it.
    /// - Returns: Pending; accepted at once where the driver lets them have it; or waiting where there is no room.
    static func ask(
        _ draft: SeatDraft, in seen: SeenRide, by seeker: SeatSeeker, along streets: KnownStreets = KnownStreets(),
        at now: Date, within limits: RideLimits
    ) throws(RideError) -> SeatChange {
        let ride = seen.ride
        let wish = try seen.wish(draft, by: seeker.person, along: streets, at: now)
        try seeker.check(asking: 1, within: limits)
        let hasRoom = ride.hasRoom(for: wish)
        if !hasRoom {
            guard draft.waitlist == true else { throw ride.noRoom(for: wish) }
            guard wish.seats <= ride.seats else { throw .soldOut(free: ride.free(on: wish.part)) }
        }
        let isAtOnce = seeker.isLetIn(ride)
        let state: SeatState = !hasRoom ? .waiting : isAtOnce ? .accepted : .pending
        var seat = SeatAgreement(wish, in: ride, by: seeker.person, state: state, at: now)
        seat.isApproved = !hasRoom && isAtOnce
        try seeker.check(isFreeFor: [LockedSeat(seat: seat, ride: ride)])
        return SeatChange(asked: seat, in: ride)
    }

    init(_ wish: SeatWish, in ride: OfferedRide, by rider: PersonID, state: SeatState, at now: Date) {
        let cost = ride.cost(of: wish.part, seats: wish.seats)
        let answer = SeatDeadline.answer(
            since: now, within: wish.answerWithin, at: wish.part.boarding.at, in: ride, at: now)
        self.init(
            id: .new(at: now), ride: ride.id, driver: ride.driver, rider: rider, seats: wish.seats, riders: wish.riders,
            part: wish.part, cost: cost, currency: cost > 0 ? ride.currency : nil, message: wish.message,
            askedAt: now, answerWithin: wish.answerWithin, answerBy: state == .pending ? answer : nil, state: state,
            changedAt: now, changedBy: state == .accepted ? nil : rider)
    }
}
