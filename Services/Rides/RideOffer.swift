import DurableMessaging
import FoundationEssentials
import PlainText
import WireProtocol

/// A draft that was checked as a whole, without its way back (`RideOffers` has both).
struct RideOffer: Hashable, Sendable {
    let way: RideWay
    let times: RideTimes
    let seats: Int
    let cost: Int
    let currency: String?
    var maxDetour: Int
    let luggage: RideLuggage
    let accepts: RideAcceptance
    var notes: String?

    /// - Parameter before: the ride as it was: what is absent stays.
    /// - Throws: `invalid` with everything that is wrong.
    init(
        _ draft: RideDraft, insteadOf before: OfferedRide? = nil, at now: Date, within limits: RideLimits
    ) throws(RideError) {
        var errors: [FieldError] = []
        guard let offer = RideOffer(draft, insteadOf: before, at: now, within: limits, &errors) else {
            throw .invalid(errors)
        }
        self = offer
    }

    /// - Returns: Nil where something is wrong, which `errors` names.
    init?(
        _ draft: RideDraft, insteadOf before: OfferedRide? = nil, at now: Date, within limits: RideLimits,
        _ errors: inout [FieldError]
    ) {
        let known = errors.count
        let way =
            draft.stops == nil && before != nil
            ? before?.way : RideRules.way(draft.stops, &errors)?.keeping(before?.way)
        let times = RideTimes(draft, insteadOf: before, at: now, within: limits, &errors)
        let seats = draft.seats ?? before?.seats
        if let seats {
            errors += RideRules.errors(inSeats: seats, limits)
        } else {
            errors.append(FieldError("seats", "required", "Say how many seats there are."))
        }
        let cost = draft.cost ?? before?.price
        errors += cost.map { RideRules.errors(inCost: $0, way?.length, limits) } ?? []
        let detour = Self.detour(draft, insteadOf: before, on: way, &errors)
        notes =
            draft.notes == nil
            ? before?.notes : TextRule.lines(RideRules.longestNotes).read(draft.notes, at: "notes", &errors)
        guard let way, let times, let seats, errors.count == known else { return nil }
        (self.way, self.times, self.seats, maxDetour) = (way, times, seats, detour)
        self.cost = cost?.amount ?? 0
        currency = self.cost == 0 ? nil : cost?.currency
        luggage = draft.luggage ?? before?.luggage ?? .small
        accepts = draft.accepts ?? before?.accepts ?? .nobody
    }

    /// What nobody says follows the way.
    private static func detour(
        _ draft: RideDraft, insteadOf before: OfferedRide?, on way: RideWay?, _ errors: inout [FieldError]
    ) -> Int {
        let longest = way.map { RideLimits.longestDetour(of: $0.length) } ?? RideLimits.longestDetour
        guard let detour = draft.maxDetour else {
            return min(before?.maxDetour ?? RideLimits.usualDetour, longest)
        }
        let wrong = RideRules.errors(inDetour: detour, way?.length ?? RideLimits.longestDetour * 4)
        errors += wrong
        if wrong.isEmpty, let used = before?.detourUsed, detour < used {
            let least = RideRules.kilometres(used)
            errors.append(
                FieldError("maxDetour", "out_of_range", "At least \(least), which those need who ride along."))
        }
        return detour
    }
}

extension RideWay {
    /// The same, where the regions are known of stops that stay.
    fileprivate func keeping(_ before: RideWay?) -> RideWay {
        var way = self
        for index in way.stops.indices {
            way.stops[index].region = before?.stops.first { $0.position == stops[index].position }?.region
        }
        return way
    }
}

/// What becomes of a ride that its driver changes.
struct RideChange: Hashable, Sendable {
    let ride: OfferedRide
    let told: RidersTold
}

/// What those are told who have asked for a seat, or have one.
enum RidersTold: Hashable, Sendable {
    /// It is the same for them.
    case nothing
    /// It says something else, within what needs no consent.
    case small
    /// It leaves at another time: those who ride along are asked whether they keep their seats.
    case large
}

extension OfferedRide {
    init(_ offer: RideOffer, id: RideID, by driver: PersonID, at now: Date) {
        self.init(
            id: id, driver: driver, postedAt: now, state: .open, way: offer.way, departsAt: offer.times.departsAt,
            leavesBy: offer.times.leavesBy, zone: offer.times.zone, seats: offer.seats, cost: offer.cost,
            currency: offer.currency, maxDetour: offer.maxDetour, luggage: offer.luggage, accepts: offer.accepts,
            notes: offer.notes, changedAt: now)
    }

    /// What the draft leaves out stays.
    /// - Parameter hasRequests: whether somebody has asked for a seat, waits for one or has one.
    func change(
        _ draft: RideDraft, hasRequests: Bool, at now: Date, within limits: RideLimits
    ) throws(RideError) -> RideChange {
        guard RideRule.allows(.change, self, at: now) else { throw .rideOver(possible(for: driver, at: now)) }
        guard draft.returnRide == nil else {
            throw .invalid([FieldError("returnRide", "not_possible", "Each of the two ways is changed by itself.")])
        }
        let offer = try RideOffer(draft, insteadOf: self, at: now, within: limits)
        let ride = saying(offer)
        if ride == self { return RideChange(ride: self, told: .nothing) }
        guard ContentVersion.allows(draft.version, version) else { throw .changedMeanwhile(version) }
        guard !hasRequests || ride.way == way else { throw .inUse }
        let taken = load.most(from: 0, to: way.length)
        guard ride.seats >= taken else { throw .seatsTaken(taken) }
        return RideChange(ride: ride, told: told(of: ride, within: limits))
    }

    private func saying(_ offer: RideOffer) -> OfferedRide {
        var ride = self
        if offer.way.points != way.points { ride.legs = nil }
        ride.way = offer.way
        (ride.departsAt, ride.leavesBy, ride.zone) = (offer.times.departsAt, offer.times.leavesBy, offer.times.zone)
        (ride.seats, ride.cost, ride.currency) = (offer.seats, offer.cost, offer.currency)
        (ride.maxDetour, ride.luggage) = (offer.maxDetour, offer.luggage)
        (ride.accepts, ride.notes) = (offer.accepts, offer.notes)
        return ride
    }

    /// What a seat costs, how many there are and who gets them at once matters to nobody who has asked: that was agreed then.
    private func told(of ride: OfferedRide, within limits: RideLimits) -> RidersTold {
        let moved = max(
            abs(ride.departsAt.timeIntervalSince(departsAt)), abs(ride.leavesBy.timeIntervalSince(leavesBy)))
        if moved > limits.shift { return .large }
        let isTheSame =
            moved == 0 && ride.way == way && ride.zone == zone && ride.luggage == luggage && ride.notes == notes
        return isTheSame ? .nothing : .small
    }

    /// Of one seat all the way; nil where it costs nothing.
    var price: Money? { currency.map { Money(amount: cost, currency: $0) } }

    /// Names what its driver says of it.
    var version: String? {
        ContentVersion.of(
            RideDraft(
                stops: way.stops.map { RideStopDraft(name: $0.name, address: $0.address, position: $0.position) },
                departsAt: WireJSON.text(of: departsAt), leavesBy: WireJSON.text(of: leavesBy), zone: zone,
                seats: seats, cost: price, maxDetour: maxDetour, luggage: luggage, accepts: accepts, notes: notes))
    }
}
