import FoundationEssentials
import WireProtocol

/// A draft that was checked with its way back, where it has one.
struct RideOffers: Hashable, Sendable {
    let outward: RideOffer
    let back: RideOffer?

    /// - Throws: `invalid` with everything that is wrong; of the way back under `returnRide`.
    init(_ draft: RideDraft, at now: Date, within limits: RideLimits) throws(RideError) {
        var errors: [FieldError] = []
        let outward = RideOffer(draft, at: now, within: limits, &errors)
        var back: RideOffer?
        if let said = draft.returnRide {
            var wrong: [FieldError] = []
            back = RideOffer(said.filled(from: draft), at: now, within: limits, &wrong)
            if let arrival = outward?.lastArrival, let departure = back?.times.departsAt, departure <= arrival {
                wrong.append(FieldError("departsAt", "out_of_order", "The way back leaves after the arrival."))
            }
            errors += said.own(wrong, besides: errors).map { $0.inside("returnRide") }
        }
        guard let outward, errors.isEmpty else { throw .invalid(errors) }
        self.outward = outward
        // What nobody says of the way back follows it.
        self.back = back.map { offer in
            var offer = offer
            offer.maxDetour = min(outward.maxDetour, RideLimits.longestDetour(of: offer.way.length))
            offer.notes = outward.notes
            return offer
        }
    }

    /// As new rides: the way there, and the way back of it.
    func rides(by driver: PersonID, at now: Date) -> [OfferedRide] {
        let there = OfferedRide(outward, id: .new(at: now), by: driver, at: now)
        guard let back else { return [there] }
        var other = OfferedRide(back, id: .new(at: now), by: driver, at: now)
        other.returnOf = there.id
        return [there, other]
    }

    /// - Parameter open: how many open rides the person has already.
    func post(by driver: PersonID, having open: Int, at now: Date, within limits: RideLimits) throws(RideError)
        -> [OfferedRide]
    {
        let rides = rides(by: driver, at: now)
        guard open + rides.count <= limits.rides else { throw .tooManyRides(limit: limits.rides) }
        return rides
    }
}

extension RideOffer {
    /// As late as it may be.
    fileprivate var lastArrival: Date { times.leavesBy + RideWay.seconds(to: way.length) }
}

extension ReturnDraft {
    /// As a ride of its own.
    fileprivate func filled(from draft: RideDraft) -> RideDraft {
        RideDraft(
            stops: stops ?? draft.stops?.reversed(), departsAt: departsAt, leavesBy: leavesBy, zone: draft.zone,
            seats: seats ?? draft.seats, cost: cost ?? draft.cost, luggage: draft.luggage, accepts: draft.accepts)
    }

    /// Of what is wrong with the way back, what is not said of the way there already, where it is only taken from that.
    fileprivate func own(_ errors: [FieldError], besides others: [FieldError]) -> [FieldError] {
        let taken = [
            ("zone", true), ("stops", stops == nil), ("seats", seats == nil), ("cost", cost == nil),
        ].filter(\.1).map(\.0)
        return errors.filter { error in
            !taken.contains { name in error.isOf(name) && others.contains { $0.isOf(name) } }
        }
    }
}

extension FieldError {
    /// The same of a field inside of another one.
    func inside(_ outer: String) -> FieldError { FieldError("\(outer).\(field)", code, message) }

    func isOf(_ name: String) -> Bool { field == name || field.hasPrefix("\(name).") }
}
