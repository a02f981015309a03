import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

// What others are told of a spot: the answer to one person, and the event to everybody.

extension Spot {
    /// A spot as `viewer` may see it: who claimed it is between the one who did and the one who posted it.
    /// - Parameter isModerator: whether the viewer is told what is hidden and why, as the one is who posted it.
    init(
        _ found: FoundSpot, for viewer: PersonID?, among people: KnownPeople, at now: Date, isModerator: Bool = false
    ) {
        let spot = found.spot
        self.init(
            id: spot.id, name: spot.details.name, position: spot.details.position, kind: spot.details.kind,
            state: SpotState(spot.state(at: now)), photo: spot.details.photo, price: spot.details.price,
            postedBy: people[spot.postedBy], postedAt: spot.postedAt, expiresAt: spot.expiresAt,
            age: max(0, Int(now.timeIntervalSince(spot.postedAt))),
            distance: found.distance.map { Int($0.ground.rounded()) },
            directions: GeoAddress.text(of: spot.details.name, at: spot.details.position),
            observations: spot.observations, likelyGone: spot.likelyGone, mine: viewer == spot.postedBy,
            claim: SpotClaim(spot.state, of: spot.postedBy, for: viewer, among: people),
            hidden: viewer == spot.postedBy || isModerator ? spot.hidden : nil,
            version: viewer == spot.postedBy ? spot.details.version : nil)
    }

    init(
        _ spot: ParkingSpot, for viewer: PersonID?, among people: KnownPeople, at now: Date, isModerator: Bool = false
    ) {
        self.init(FoundSpot(spot: spot), for: viewer, among: people, at: now, isModerator: isModerator)
    }
}

extension PublicSpot {
    init(_ spot: ParkingSpot, postedBy poster: PersonSummary) {
        self.init(
            id: spot.id, name: spot.details.name, position: spot.details.position, kind: spot.details.kind,
            photo: spot.details.photo, price: spot.details.price, postedBy: poster, postedAt: spot.postedAt,
            expiresAt: spot.expiresAt, likelyGone: spot.likelyGone)
    }
}

extension SpotState {
    init(_ state: ParkingSpot.State) {
        switch state {
        case .free: self = .free
        case .claimed: self = .claimed
        case .expired: self = .expired
        case .removed: self = .removed
        }
    }
}

extension SpotClaim {
    fileprivate init?(
        _ state: ParkingSpot.State, of poster: PersonID, for viewer: PersonID?, among people: KnownPeople
    ) {
        guard case .claimed(let claimer, let time, let parked) = state, viewer == claimer || viewer == poster else {
            return nil
        }
        self.init(by: people[claimer], at: time, mine: viewer == claimer, parkedAt: parked)
    }
}

extension ParkingSpot {
    /// Whom an answer about it may name.
    var people: Set<PersonID> { claimer.map { [postedBy, $0] } ?? [postedBy] }
}
