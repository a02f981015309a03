import FoundationEssentials
import WireProtocol

extension SpotsVertical {
    /// The spots that one has claimed, and those of one's own that are free or were just taken.
    func waiting(in visit: Visit) async throws -> [HomePage.Waiting]? {
        async let claimed = visit.ask(ListingsMethods.spots, SpotQuery(of: .claimed, limit: 5), Nothing())
        async let posted = visit.ask(ListingsMethods.spots, SpotQuery(of: .posted, limit: 10), Nothing())
        let words = visit.words
        let (taken, own) = (try await claimed.items, try await posted.items)
        let mine = taken.filter { $0.state == .claimed && $0.claim?.mine == true && visit.isRecent($0) }
        let rows = mine.map {
            HomePage.Waiting(
                href: "/spots/\($0.id)", icon: "hand", name: $0.name, status: words["home.claimedByMe"],
                time: visit.moment($0.claim?.at ?? $0.postedAt, .ago))
        }
        return rows + own.compactMap { Self.row($0, in: visit) }
    }

    /// Of a spot of one's own.
    private static func row(_ spot: Spot, in visit: Visit) -> HomePage.Waiting? {
        if spot.state == .free {
            return HomePage.Waiting(
                href: "/spots/\(spot.id)", icon: "park", name: spot.name, status: visit.words["home.postedByMe"],
                time: visit.moment(spot.expiresAt, .until))
        }
        guard spot.state == .claimed, let claim = spot.claim, visit.isRecent(spot) else { return nil }
        return HomePage.Waiting(
            href: "/spots/\(spot.id)", icon: "check", name: spot.name,
            status: visit.words["home.takenFromMe", ["name": claim.by.name]], time: visit.moment(claim.at, .ago))
    }
}

extension Visit {
    /// A claim waits for nobody any more once the driver has long parked.
    fileprivate func isRecent(_ spot: Spot) -> Bool {
        spot.claim.map { now.timeIntervalSince($0.at) < 2 * 60 * 60 } ?? false
    }
}
