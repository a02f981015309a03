import DurableMessaging
import FoundationEssentials
import WireProtocol

// What rooms about a spot are told of it.

extension ParkingSpot {
    /// The spot as it is stored; that time passes, the sweep brings there.
    var roomFacts: RoomSubjectFacts {
        // What moderators hide is not read in the rooms about it either.
        let shown = hidden == nil ? details : nil
        var facts = RoomSubjectFacts(
            title: shown?.name, photo: shown?.photo, owner: postedBy, partners: [], isOpen: false)
        switch state {
        case .free: facts.isOpen = hidden == nil
        case .claimed(let claimer, _, nil):
            facts.isOpen = true
            facts.partners = [claimer]
            // Who holds what is hidden goes on holding it, and talks to whose it is.
            if hidden != nil { facts.isOpenToAll = false }
        case .claimed, .expired, .removed: break
        }
        return facts
    }

    /// The spot as it is at a moment.
    func roomFacts(at now: Date) -> RoomSubjectFacts {
        var facts = roomFacts
        if state(at: now) == .expired { facts.isOpen = false }
        return facts
    }
}

extension SpotTransaction {
    /// Tells rooms of a change that concerns them.
    func tellRooms(of spot: ParkingSpot, after before: ParkingSpot) {
        guard spot.roomFacts != before.roomFacts else { return }
        let event = RoomSubjectChanged(subject: Subject(spot.id), facts: spot.roomFacts)
        transaction.publish(event, about: "subject/\(spot.id)", to: .nobody)
    }
}

extension SpotTransaction {
    /// Tells the one whose spot it is that somebody took it, or gave it back. Of who is erased nobody is told.
    func tellOfClaim(of spot: ParkingSpot, after before: ParkingSpot) {
        guard spot.claimer != before.claimer, spot.postedBy != .nobody else { return }
        let change: ClaimChanged.Change = spot.claimer == nil ? .released : .made
        guard let claimer = spot.claimer ?? before.claimer, claimer != .nobody else { return }
        let event = ClaimChanged(
            spot: spot.id, name: spot.details.name, owner: spot.postedBy, claimer: claimer, change: change)
        transaction.publish(event, about: "spot/\(spot.id)", to: .nobody)
    }
}

extension SpotUseCases {
    /// What a room about a spot needs to know, for somebody who sees it.
    func roomSubject(_ query: RoomSubjectQuery) async throws -> RoomSubjectFacts {
        let now = clock()
        let looks = SpotViewer(person: query.viewer, claimsSince: now - limits.claimLifetime)
        guard let id = query.subject.id(of: Spot.self), let spot = try await store.spot(id, for: looks),
            spot.isVisible(to: query.viewer)
        else { throw SpotError.notFound }
        return spot.roomFacts(at: now)
    }
}
