import FoundationEssentials
import PlainText
import WireProtocol

/// A draft of an availability that was checked, as a whole.
struct AvailabilityOffer: Hashable, Sendable {
    let restaurant: KnownPlace
    let dropOff: DeliveryPlace
    let capacity: Int
    let detour: Int
    let until: Date
    let leastFee: Money?
    let isListed: Bool

    /// - Parameter before: as it was: what is absent stays.
    /// - Throws: `invalid` with everything that is wrong.
    init(
        _ draft: AvailabilityDraft, insteadOf before: OfferedAvailability? = nil, among places: KnownPlaces,
        at now: Date, within limits: DeliveryLimits
    ) throws(DeliveryError) {
        var errors: [FieldError] = []
        let restaurant =
            draft.restaurant == nil && before != nil
            ? before?.restaurant
            : DeliveryRules.restaurant(draft.restaurant, at: "restaurant", among: places, &errors)
        let dropOff = DeliveryRules.dropOff(draft.dropOff, insteadOf: before?.dropOff, among: places, &errors)
        capacity = draft.capacity ?? before?.capacity ?? DeliveryLimits.capacity.lowerBound
        errors += Self.errors(inCapacity: capacity, taken: before?.taken ?? 0)
        detour = draft.detour ?? before?.detour ?? DeliveryLimits.usualDetour
        if !DeliveryLimits.detours.contains(detour) {
            errors.append(FieldError("detour", "not_a_choice", "0, 150, 300 or 500 metres."))
        }
        errors += DeliveryRules.errors(inMinutes: draft.minutes)
        errors += DeliveryRules.errors(in: draft.leastFee, at: "leastFee", to: limits.highestFee, limits.currency)
        guard let restaurant, let dropOff, errors.isEmpty else { throw .invalid(errors) }
        (self.restaurant, self.dropOff) = (restaurant, dropOff)
        let minutes = draft.minutes ?? DeliveryLimits.usualAvailability
        until = before.flatMap { draft.minutes == nil ? $0.until : nil } ?? now + Double(minutes) * 60
        leastFee = (draft.leastFee ?? before?.leastFee).flatMap { $0.amount > 0 ? $0 : nil }
        isListed = draft.isListed ?? before?.isListed ?? true
    }

    private static func errors(inCapacity capacity: Int, taken: Int) -> [FieldError] {
        guard DeliveryLimits.capacity.contains(capacity) else {
            return [FieldError("capacity", "out_of_range", "1 to \(DeliveryLimits.capacity.upperBound) orders.")]
        }
        guard capacity < taken else { return [] }
        return [FieldError("capacity", "below_taken", "You have \(taken) already.")]
    }
}

extension OfferedAvailability {
    /// Somebody begins to offer something. They have no other one that has not ended.
    static func begin(
        _ draft: AvailabilityDraft, id: AvailabilityID, by deliverer: PersonID, among places: KnownPlaces, at now: Date,
        within limits: DeliveryLimits
    ) throws(DeliveryError) -> AvailabilityDecision {
        let offer = try AvailabilityOffer(draft, among: places, at: now, within: limits)
        let availability = OfferedAvailability(
            id: id, deliverer: deliverer, beganAt: now, state: .available, restaurant: offer.restaurant,
            dropOff: offer.dropOff, capacity: offer.capacity, detour: offer.detour, until: offer.until,
            leastFee: offer.leastFee, isListed: offer.isListed, changedAt: now)
        return AvailabilityDecision(availability: availability, told: .began)
    }

    /// What the draft leaves out stays. What is offered to them and no longer fits is withdrawn: see `noLonger`.
    /// - Parameter matches: what is offered to them, or in their hands.
    func change(
        _ draft: AvailabilityDraft, having matches: [MatchAgreement], among places: KnownPlaces, at now: Date,
        within limits: DeliveryLimits
    ) throws(DeliveryError) -> AvailabilityDecision {
        var decision = try act(.change, at: now)
        let offer = try AvailabilityOffer(draft, insteadOf: self, among: places, at: now, within: limits)
        guard offer.restaurant.id == restaurant.id || !matches.contains(where: \.isUnderWay) else {
            throw .restaurantStays
        }
        decision.availability.say(offer)
        return decision
    }

    private mutating func say(_ offer: AvailabilityOffer) {
        let goesTheSameWay = offer.restaurant.id == restaurant.id && offer.dropOff == dropOff
        if !goesTheSameWay { trip = nil }
        (restaurant, dropOff) = (offer.restaurant, offer.dropOff)
        (capacity, detour, until) = (offer.capacity, offer.detour, offer.until)
        (leastFee, isListed) = (offer.leastFee, offer.isListed)
    }

    /// Which of the offers that are open are to be withdrawn, since what was said when they were made is not so any more. What is in hand stays.
    func noLonger(_ matches: [MatchAgreement]) -> [MatchAgreement] {
        matches.filter { match in
            guard match.state == .offered else { return false }
            let isSameWay = match.restaurant.place == restaurant.id && match.destination == dropOff
            let isEnough = leastFee.map { $0.amount <= match.terms.fee?.amount ?? 0 } ?? true
            return !isSameWay || match.detour > detour || !isEnough
        }
    }
}
