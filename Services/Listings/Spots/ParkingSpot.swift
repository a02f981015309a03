import DurableMessaging
import FoundationEssentials
import WireProtocol

// What is true of a parking spot. No I/O and no clock: the time is an argument. Each transition answers with the spot as
// it is afterwards and with what happened, or throws why it may not be.

/// A parking spot that someone saw or offers.
struct ParkingSpot: Hashable, Sendable {
    let id: SpotID
    let postedBy: PersonID
    let postedAt: Date
    var details: SpotDetails
    var expiresAt: Date
    var state = State.free
    var observations = ObservationCount(there: 0, gone: 0)
    /// Where moderators have hidden it: nobody finds it but who posted it, who holds it, and moderators.
    var hidden: Hiding?

    /// Who posted it is suspended: it is hidden while that lasts.
    var isWithheld = false

    /// Whether others find it, as far as it does not depend on who they are.
    var isShown: Bool { hidden == nil && !isWithheld }

    enum State: Hashable, Sendable {
        case free
        /// - Parameter parked: When the two were through with it: the one who claimed it has parked, or time has passed.
        case claimed(by: PersonID, at: Date, parked: Date? = nil)
        case expired
        case removed
    }

    /// The state at a moment: a free spot whose time is over has expired, whether or not the sweep has come by.
    func state(at now: Date) -> State { state == .free && expiresAt <= now ? .expired : state }

    /// The passers-by who say that it is gone outnumber those who say that it is there.
    var likelyGone: Bool { observations.gone > observations.there }

    /// Who may look at it by its id: everybody, until the one who posted it takes it back.
    func isVisible(to person: PersonID?) -> Bool { state != .removed || person == postedBy }

    var claimer: PersonID? {
        if case .claimed(let person, _, _) = state { person } else { nil }
    }
}

/// A spot after a transition, and what is to be told to others. No events: nothing changed that others can see.
struct SpotDecision: Hashable, Sendable {
    var spot: ParkingSpot
    var events: [SpotEvent]
}

enum SpotEvent: Hashable, Sendable {
    /// It is on the map now.
    case added
    case changed
    case claimed
    /// Who posted it and who claimed it have completed something together.
    case completed(with: PersonID, at: Date)
    /// Who posted it was suspended while this person holds it.
    case posterSuspended(PersonID)
    /// It left the map, where it stood at this position.
    case removed(from: Position, SpotRemoved.Reason)
}

extension SpotDecision {
    /// Without what others must not hear of a spot that they do not find, neither before nor after.
    func told(after before: ParkingSpot) -> SpotDecision {
        guard !before.isShown, !spot.isShown else { return self }
        return SpotDecision(
            spot: spot,
            events: events.filter { event in
                switch event {
                case .completed, .posterSuspended: true
                case .added, .changed, .claimed, .removed: false
                }
            })
    }
}

// MARK: Transitions

extension ParkingSpot {
    /// - Parameter free: how many free spots the person has on the map already.
    static func post(
        _ id: SpotID, _ draft: SpotDraft, by person: PersonID, having free: Int, at now: Date, within limits: SpotLimits
    ) throws(SpotError) -> SpotDecision {
        let offer = try SpotOffer(draft, at: now, within: limits)
        guard free < limits.freeSpots else { throw .tooManySpots(limit: limits.freeSpots) }
        let spot = ParkingSpot(
            id: id, postedBy: person, postedAt: now, details: offer.details,
            expiresAt: offer.expiresAt ?? now + limits.lifetime(of: offer.details.kind))
        return SpotDecision(spot: spot, events: [.added])
    }

    /// What the draft leaves out is removed, but for the time: that stays as it is, as far as the new kind allows.
    func change(to draft: SpotDraft, by person: PersonID, at now: Date, within limits: SpotLimits)
        throws(SpotError) -> SpotDecision
    {
        guard person == postedBy else { throw .notYours }
        try requireFree(at: now)
        let offer = try SpotOffer(draft, at: now, within: limits)
        var spot = self
        spot.details = offer.details
        spot.expiresAt = offer.expiresAt ?? min(expiresAt, now + limits.lifetime(of: offer.details.kind))
        if spot == self { return unchanged }
        guard spot.details == details || ContentVersion.allows(draft.version, details.version) else {
            throw .changedMeanwhile(details.version)
        }
        // Whoever watches only the place where it stood must see it leave, whoever watches the new one see it come.
        let moved = spot.details.position != details.position
        return SpotDecision(
            spot: spot, events: moved ? [.removed(from: details.position, .moved), .added] : [.changed])
    }

    func remove(by person: PersonID, at now: Date) throws(SpotError) -> SpotDecision {
        guard person == postedBy else { throw .notYours }
        try requireFree(at: now)
        return leaving(as: .removed, .removed)
    }

    /// Whoever holds it already gets it again, and nothing happens.
    /// - Parameters:
    ///   - held: how many spots the person holds already.
    ///   - price: what the person was shown that it costs; nil where they were shown nothing.
    func claim(
        by person: PersonID, holding held: Int, expecting price: Int? = nil, at now: Date, within limits: SpotLimits
    ) throws(SpotError) -> SpotDecision {
        if claimer == person { return unchanged }
        guard person != postedBy else { throw .yourOwn }
        guard claimer == nil else { throw .alreadyClaimed }
        try requireFree(at: now)
        let costs = details.price?.amount ?? 0
        guard costs == price ?? costs else { throw .priceChanged(costs) }
        guard held < limits.claims else { throw .tooManyClaims(limit: limits.claims) }
        var spot = self
        spot.state = .claimed(by: person, at: now)
        return SpotDecision(spot: spot, events: [.claimed])
    }

    /// Back on the map while there is time left; otherwise it has expired, unseen. So has the spot of somebody who is erased: their free spots
    /// have left the map, and nobody is there who could take this one off it.
    func release(by person: PersonID, at now: Date) throws(SpotError) -> SpotDecision {
        guard let claimer else { throw .notClaimed }
        guard claimer == person else { throw .notYourClaim }
        var spot = self
        spot.state = expiresAt > now && postedBy != .nobody ? .free : .expired
        return SpotDecision(spot: spot, events: spot.state == .free ? [.added] : [])
    }

    /// The one who claimed it has parked there. Once is enough.
    func park(by person: PersonID, at now: Date) throws(SpotError) -> SpotDecision {
        guard let claimer else { throw .notClaimed }
        guard claimer == person else { throw .notYourClaim }
        return completed(at: now)
    }

    /// Takes a claim that nobody gave back for what it was meant to be: after so long, the person has parked.
    func settle(at now: Date, within limits: SpotLimits) -> SpotDecision {
        guard let since = state.claimedAt, since + limits.claimLifetime <= now else { return unchanged }
        return completed(at: since + limits.claimLifetime)
    }

    /// Ends it if its time is over.
    func expire(at now: Date) -> SpotDecision {
        guard state == .free, state(at: now) == .expired else { return unchanged }
        return leaving(as: .expired, .expired)
    }

    // MARK: What transitions are made of

    var unchanged: SpotDecision { SpotDecision(spot: self, events: []) }

    func leaving(as state: State, _ reason: SpotRemoved.Reason) -> SpotDecision {
        var spot = self
        spot.state = state
        return SpotDecision(spot: spot, events: [.removed(from: details.position, reason)])
    }

    private func completed(at time: Date) -> SpotDecision {
        guard case .claimed(let claimer, let since, nil) = state else { return unchanged }
        var spot = self
        spot.state = .claimed(by: claimer, at: since, parked: time)
        return SpotDecision(spot: spot, events: [.completed(with: claimer, at: time)])
    }

    func requireFree(at now: Date) throws(SpotError) {
        switch state(at: now) {
        case .free: return
        case .claimed: throw .claimed
        case .expired: throw .expired
        case .removed: throw .removed
        }
    }
}
