import FoundationEssentials
import WireProtocol

// Those who seek a ride, as the matching service shows them to others.

extension Seeker {
    /// Somebody who seeks on the evening of `Ride.sample`: all of that day in Helsinki.
    static func sample(_ name: String, _ change: (inout Seeking) -> Void = { _ in }) -> Seeker {
        let day = Ride.evening - 17 * 3600
        var seeking = Seeking(
            from: SeekingEnd(
                name: "Testholm", region: "North", position: Position(latitude: 60.1725, longitude: 24.9525)),
            to: SeekingEnd(region: "South", position: Position(latitude: 60.4025, longitude: 25.1025)),
            after: day, before: day + 86_400, seats: 1)
        change(&seeking)
        return Seeker(.new(), of: PersonSummary(id: .new(), name: name), seeking)
    }

    /// The same along the way of a ride.
    func along(
        startGap: Int = 0, endGap: Int = 0, detour: Int = 2400, seconds: Int? = 360, invitedAt: Date? = nil
    ) -> SeekerAlong {
        let fit = SeekerFit(
            id: id, startGap: startGap, endGap: endGap, detour: detour, detourSeconds: seconds,
            extra: startGap + endGap + detour)
        return SeekerAlong(self, fit, invitedAt: invitedAt)
    }
}
