import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

/// A ride that goes along a way that was asked for, and how.
struct FoundOffer: Hashable, Sendable {
    let seen: SeenRide
    var part: WayPart
    let startGap: Int
    let endGap: Int
    let timeDifference: Int?
    /// Free on that part.
    let free: Int
    /// Its place in the list.
    let key: FoundKey

    /// Nil where it is not among what is asked for. The ride is one that whoever asks may find.
    init?(_ seen: SeenRide, for page: RideSearchPage) {
        guard let fit = FittedWay(seen.ride).best(for: page.wish) else { return nil }
        let key = FoundKey(extra: fit.extra, departsAt: seen.ride.departsAt, id: seen.ride.id)
        self.init(seen, fit, for: page, at: key)
    }

    /// The same ride from one of its stops to another, where the list has it. Nil where none of them are near.
    func atStops(for page: RideSearchPage) -> FoundOffer? {
        FittedWay(seen.ride).near(page.wish).flatMap { FoundOffer(seen, $0, for: page, at: key) }
    }

    private init?(_ seen: SeenRide, _ fit: WayFit, for page: RideSearchPage, at key: FoundKey) {
        let ride = seen.ride
        guard ride.luggage.rank >= page.luggage.rank else { return nil }
        (self.seen, self.key, part) = (seen, key, WayPart(fit, for: page.wish))
        (startGap, endGap) = (fit.startGap, fit.endGap)
        free = ride.free(on: part)
        guard !page.onlyFree || free >= page.seats else { return nil }
        timeDifference = page.difference(ride.departsAt, ride.leavesBy, after: fit.boardsAt)
    }
}

extension WayPart {
    /// A point of one's own has no name here: who asks knows what they call it.
    fileprivate init(_ fit: WayFit, for wish: RideWish) {
        func point(_ at: Int, _ stop: Int?, _ position: Position) -> WayPoint {
            WayPoint(at: at, stop: stop, own: stop == nil ? OwnPoint(name: "", position: position) : nil)
        }
        self.init(
            boarding: point(fit.boardsAt, fit.stops?.lowerBound, wish.from),
            leaving: point(fit.leavesAt, fit.stops?.upperBound, wish.to), detour: fit.detour)
    }
}

extension FoundRide {
    /// - Parameter answer: the ride as the one who looks may see it.
    init(_ offer: FoundOffer, as answer: Ride, seats: Int, for viewer: PersonID?) {
        let ride = offer.seen.ride
        let isExact = offer.seen.showsDoors(to: viewer)
        func point(_ point: WayPoint) -> SeatPoint { ride.point(point, stopsExactly: isExact, ownExactly: true) }
        self.init(
            ride: answer,
            boarding: point(offer.part.boarding), leaving: point(offer.part.leaving), startGap: offer.startGap,
            endGap: offer.endGap, detour: offer.part.detour, detourSeconds: offer.part.detourSeconds,
            extra: offer.key.extra,
            timeDifference: offer.timeDifference, free: offer.free, cost: ride.price(of: offer.part, seats: seats))
    }
}
