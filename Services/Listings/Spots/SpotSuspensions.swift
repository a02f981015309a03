import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What becomes of the spots and claims of those who are suspended.

extension ParkingSpot {
    /// Who posted it is suspended: it leaves everybody's map. Who holds it goes on holding it, and is told.
    func withhold(at now: Date, within limits: SpotLimits) -> SpotDecision {
        guard !isWithheld else { return unchanged }
        var spot = self
        spot.isWithheld = true
        var decision = spot.becomes(after: self, at: now)
        if case .claimed(let claimer, let since, nil) = state, since + limits.claimLifetime > now {
            decision.events.append(.posterSuspended(claimer))
        }
        return decision
    }

    /// Who posted it may take part again: it comes back where it is still free.
    func giveBack(at now: Date) -> SpotDecision {
        guard isWithheld else { return unchanged }
        var spot = self
        spot.isWithheld = false
        return spot.becomes(after: self, at: now)
    }

    /// Who holds it is suspended: somebody else may have it.
    func takeFromClaimer(at now: Date, within limits: SpotLimits) -> SpotDecision {
        guard case .claimed(let claimer, let since, nil) = state, since + limits.claimLifetime > now else {
            return unchanged
        }
        // A claim that runs can always be given back by who holds it.
        return (try? release(by: claimer, at: now)) ?? unchanged
    }
}

extension SpotTransaction {
    /// Makes the spots and claims of one person, or of everybody, follow from who is suspended now; at most so many.
    /// - Returns: How many spots were looked at.
    func reconcile(_ person: PersonID? = nil, atMost limit: Int, within limits: SpotLimits) async throws -> Int {
        let rows = SuspendedRows(of: "spots", ParkingSpot.columns, for: person, atMost: limit, in: transaction)
        try await rows.wait()
        let since = now - limits.claimLifetime
        let back = try await sweep(rows.toGiveBack(of: "posted_by")) { $0.giveBack(at: now) }
        let withheld = try await sweep(
            rows.ofSuspended(
                in: "posted_by",
                where: """
                    NOT withheld AND state IN ('free', 'claimed') AND (state = 'free' AND expires_at > \(now)
                        OR state = 'claimed' AND parked_at IS NULL AND claimed_at > \(since))
                    """)
        ) { $0.withhold(at: now, within: limits) }
        let released = try await sweep(
            rows.ofSuspended(in: "claimed_by", where: "claimed_at > \(since) AND parked_at IS NULL")
        ) { $0.takeFromClaimer(at: now, within: limits) }
        return back + withheld + released
    }
}
