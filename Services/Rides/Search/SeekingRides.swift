import FoundationEssentials
import WireProtocol

// What others may know of searches for rides that are visible. Nothing exact leaves: ends are the middles of their fields of the grid, and lengths are
// measured from these.

extension RideUseCases {
    /// What Places does not answer now is absent.
    func seeking(_ query: WantedQuery) async throws -> Seeking {
        let now = clock()
        let wanted = try WantedRide(query, at: now)
        try wanted.checkIsAhead(of: now)
        let wish = wanted.page.wish
        async let from = end(at: wish.start)
        async let to = end(at: wish.end)
        return Seeking(
            from: await from, to: await to, after: wish.times.lowerBound, before: wish.times.upperBound,
            seats: wanted.page.seats, luggage: wanted.query.luggage)
    }

    private func end(at point: Position) async -> SeekingEnd {
        async let town = try? askForTown(point)
        async let region = try? askForRegion(point)
        return SeekingEnd(name: await town ?? nil, region: await region ?? nil, position: point)
    }

    /// Those of some searches that find a ride now, and what it would cost its driver.
    func seekerFits(_ judging: SearchJudging) async throws -> SeekerFits {
        let now = clock()
        let (ride, seekers) = try seekers(judging, at: now)
        let fits = try await finder.fits(of: ride, to: seekers, at: now).map { SeekerFit(id: $0.search, $0.offer) }
        return SeekerFits(fits: fits.sorted { ($0.extra, $0.id) < ($1.extra, $1.id) })
    }
}

extension SeekerFit {
    /// The offer was measured from the middles of fields.
    fileprivate init(id: WantedID, _ offer: FoundOffer) {
        self.init(
            id: id, startGap: offer.startGap, endGap: offer.endGap, detour: offer.part.detour,
            detourSeconds: offer.part.detourSeconds, extra: offer.key.extra)
    }
}
