import FoundationEssentials
import People
import WireProtocol

// What people are told of who can bring something.

extension Availability {
    /// For its deliverer alone.
    init(_ stored: OfferedAvailability, _ deliveries: HeldDeliveries, at now: Date) {
        let offered = stored.pass(at: now)?.availability ?? stored
        var deliveries = deliveries
        deliveries.matches = deliveries.matches.map { $0.pass(at: now)?.match ?? $0 }.sorted { $0.id < $1.id }
        let held = deliveries.inOrder(to: offered.dropOff)
        self.init(
            id: offered.id, state: offered.state, restaurant: offered.restaurant.shown, dropOff: offered.dropOff,
            capacity: offered.capacity, taken: held.count(where: \.fillsHand), detour: offered.detour,
            until: offered.until,
            leastFee: offered.leastFee, isListed: offered.isListed, matches: held.map(\.id))
    }
}

extension Deliverer {
    /// For everybody who is not apart from them: a point of their own is not told, and no distance to it.
    /// - Parameter to: where who asks wants it brought.
    init(_ offered: OfferedAvailability, to: Position?, among people: KnownPeople) {
        let dropOff = offered.dropOff.coarse
        self.init(
            id: offered.id, person: people[offered.deliverer], dropOff: dropOff,
            distance: to.map { Int($0.metres(to: dropOff.position).rounded()) }, free: offered.free,
            until: offered.until, leastFee: offered.leastFee)
    }
}

extension OfferedAvailability {
    /// Whether others see them at the restaurant.
    func isShown(at now: Date) -> Bool { isListed && free > 0 && isThere(at: now) }
}

extension AvailabilityChanged {
    init(_ availability: OfferedAvailability, _ what: Change) {
        self.init(
            id: availability.id, person: availability.deliverer, restaurant: availability.restaurant.name, what: what)
    }
}
