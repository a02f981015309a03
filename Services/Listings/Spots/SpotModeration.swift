import FoundationEssentials
import WireProtocol

// What moderators do to a spot. No I/O and no clock.

extension ParkingSpot {
    /// It leaves everybody's map. Who holds it goes on holding it.
    func hide(_ hiding: Hiding, at now: Date) -> SpotDecision {
        var spot = self
        spot.hidden = hiding
        return spot.becomes(after: self, at: now)
    }

    /// It comes back where it is still free.
    func restore(at now: Date) -> SpotDecision {
        var spot = self
        spot.hidden = nil
        return spot.becomes(after: self, at: now)
    }

    /// What others see of a change of who may see it. To them what is hidden is what was taken away.
    func becomes(after before: ParkingSpot, at now: Date) -> SpotDecision {
        guard isShown != before.isShown, state(at: now) == .free else { return unchanged }
        return SpotDecision(spot: self, events: isShown ? [.added] : [.removed(from: details.position, .removed)])
    }
}

extension SubjectSnapshot {
    /// What there is to judge of a spot.
    init(_ spot: ParkingSpot) {
        self.init(owner: spot.postedBy, title: spot.details.name, text: nil, photo: spot.details.photo)
    }
}
