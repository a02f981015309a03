import FoundationEssentials
import WireProtocol

extension SpotUseCases {
    /// What waits of somebody's spots: those that they hold, and their own that are free or were taken. The latest first.
    func waiting(for caller: Caller) async throws -> [WaitingItem] {
        let now = clock()
        // A claim waits for nobody any more once the driver has long parked.
        func runs(_ claim: SpotClaim) -> Bool { now.timeIntervalSince(claim.at) < 2 * 60 * 60 }
        let claimed = try await spots(SpotQuery(of: .claimed, limit: 5), for: caller).items
        let posted = try await spots(SpotQuery(of: .posted, limit: 10), for: caller).items
        let held = claimed.compactMap { spot -> WaitingItem? in
            guard spot.state == .claimed, let claim = spot.claim, claim.mine, runs(claim) else { return nil }
            return WaitingItem(.claimed, Subject(spot.id), title: spot.name, at: claim.at)
        }
        let own = posted.compactMap { spot -> WaitingItem? in
            if spot.state == .free {
                return WaitingItem(.posted, Subject(spot.id), title: spot.name, at: spot.expiresAt)
            }
            guard spot.state == .claimed, let claim = spot.claim, runs(claim) else { return nil }
            return WaitingItem(.taken, Subject(spot.id), title: spot.name, with: claim.by, at: claim.at)
        }
        return held + own
    }
}
