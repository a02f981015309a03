import DurableMessaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    ///
    /// What posts and claims of the person are under way are waited for, and later ones find them suspended.
    /// - Returns: How many spots were looked at.
    func reconcile(_ person: PersonID? = nil, atMost limit: Int, within limits: SpotLimits) async throws -> Int {
        if let person { _ = try await transaction.query(.lock("person", person)) }
        // One person's are waited for; of everybody's, those that another process is at are left to it.
        let lock: SQLQuery = person == nil ? "FOR NO KEY UPDATE SKIP LOCKED" : "FOR NO KEY UPDATE"
        let since = now - limits.claimLifetime
        let whose: SQLQuery = person.map { "AND posted_by = \($0)" } ?? ""
        let theirs: SQLQuery = person.map { "AND suspensions.person = \($0)" } ?? ""
        let back = try await sweep(
            """
            SELECT \(ParkingSpot.columns) FROM spots
            WHERE withheld \(whose) AND NOT \(SuspensionProjection.isSuspended("posted_by", at: now)) LIMIT \(limit) \(lock)
            """
        ) { $0.giveBack(at: now) }
        // From the suspended, who are few, to what is theirs: each by its index.
        func of(_ column: SQLQuery, _ condition: SQLQuery) -> SQLQuery {
            """
            SELECT \(ParkingSpot.columns) FROM spots WHERE id IN (
                SELECT spots.id FROM suspensions JOIN spots ON \(column) = suspensions.person
                WHERE suspensions.until > \(now) \(theirs) AND \(condition) LIMIT \(limit))
            \(lock)
            """
        }
        let withheld = try await sweep(
            of(
                "posted_by",
                """
                NOT withheld AND state IN ('free', 'claimed') AND (state = 'free' AND expires_at > \(now)
                    OR state = 'claimed' AND parked_at IS NULL AND claimed_at > \(since))
                """)
        ) { $0.withhold(at: now, within: limits) }
        let released = try await sweep(
            of("claimed_by", "claimed_at > \(since) AND parked_at IS NULL")
        ) { $0.takeFromClaimer(at: now, within: limits) }
        return back + withheld + released
    }
}
