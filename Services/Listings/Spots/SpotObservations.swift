import FoundationEssentials
import WireProtocol

// "Still there" and "gone": README.md has the rule as a table.

extension ParkingSpot {
    /// A person says what they see. Their latest word counts, once.
    /// - Parameter before: what the same person said last, or nil.
    func observe(
        _ seen: ObservedState, by person: PersonID, before: ObservedState?, at now: Date, within limits: SpotLimits
    ) throws(SpotError) -> SpotDecision {
        // Who has claimed it and finds it there, has it.
        if seen == .there, claimer == person { return try park(by: person, at: now) }
        try requireFree(at: now)
        if person == postedBy {
            guard seen == .gone else { throw .yourOwn }
            return leaving(as: .removed, .gone)
        }
        var spot = self
        spot.observations.count(seen, insteadOf: before)
        switch seen {
        case .there:
            spot.expiresAt = lengthened(at: now, by: limits.lifetime(of: details.kind))
        case .gone where spot.likelyGone && spot.observations.gone >= SpotLimits.witnesses:
            return spot.leaving(as: .expired, .gone)
        case .gone where before != .gone:
            spot.expiresAt = now + (expiresAt.timeIntervalSince(now) / 2)
        case .gone:
            break  // said before, and halving again would let one person end it
        }
        return spot == self ? unchanged : SpotDecision(spot: spot, events: [.changed])
    }

    /// Half a lifetime from now, in all at most four; never less than it had.
    private func lengthened(at now: Date, by lifetime: TimeInterval) -> Date {
        max(expiresAt, min(now + lifetime / 2, postedAt + lifetime * 4))
    }
}

extension ObservationCount {
    fileprivate mutating func count(_ seen: ObservedState, insteadOf before: ObservedState?) {
        for (state, difference) in [(before, -1), (seen, 1)] {
            switch state {
            case .there: there += difference
            case .gone: gone += difference
            case nil: break
            }
        }
    }
}
