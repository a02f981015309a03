import WireProtocol

/// What is offered to somebody or in their hands, and what it depends on in which order they best drop what they carry. No I/O and no clock.
struct HeldDeliveries: Hashable, Sendable {
    var matches: [MatchAgreement]
    /// What they have dropped of the same availability; only where they carry several.
    var dropped: [MatchAgreement] = []
    var ways = KnownWays()

    /// For more than these, which only what was undone can bring about, not every order is tried.
    private static let most = 6

    /// What is offered first, the earliest first; then what they carry, in the order in which the way on foot by all drop-offs to where they go is the
    /// shortest. Where two orders are as long as each other, what was offered first is dropped first.
    func inOrder(to goal: DeliveryPlace) -> [MatchAgreement] {
        let (carried, offered) = (matches.filter(\.isUnderWay), matches.filter { $0.state == .offered })
        guard (2...Self.most).contains(carried.count) else { return offered + carried }
        return offered + shortest(from: start(carried), carried, to: goal).order
    }

    /// All between which the ways matter.
    static func places(_ matches: [MatchAgreement], of availability: OfferedAvailability) -> [DeliveryPlace] {
        [availability.restaurant.shown, availability.dropOff] + matches.map(\.dropOff)
    }

    /// Where they go on from: the restaurant, or, with all of it in their hands, where they have dropped something since.
    private func start(_ carried: [MatchAgreement]) -> DeliveryPlace {
        guard carried.allSatisfy({ $0.pickedUpAt != nil }), let since = carried.compactMap(\.pickedUpAt).max(),
            let last = dropped.max(by: { $0.changedAt < $1.changedAt }), last.changedAt > since
        else { return carried[0].restaurant }
        return last.dropOff
    }

    /// Tries every order.
    private func shortest(
        from start: DeliveryPlace, _ left: [MatchAgreement], to goal: DeliveryPlace
    ) -> (metres: Double, order: [MatchAgreement]) {
        var best: (metres: Double, order: [MatchAgreement])?
        for (index, next) in left.enumerated() {
            var others = left
            others.remove(at: index)
            let rest = shortest(from: next.dropOff, others, to: goal)
            let metres = ways.metres(from: start, to: next.dropOff) + rest.metres
            if metres < best?.metres ?? .infinity { best = (metres, [next] + rest.order) }
        }
        return best ?? (ways.metres(from: start, to: goal), [])
    }
}
