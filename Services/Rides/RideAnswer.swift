import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

// What people are told of rides.

extension Ride {
    /// A ride as `viewer` may see it: doors are for its driver, and for who rides along.
    /// - Parameters:
    ///   - passengers: who rides along, by whom it is looked for.
    ///   - other: the other one of outward and return, where the viewer may see it.
    init(
        _ seen: SeenRide, passengers: [(person: PersonID, seats: Int)] = [], other: OtherWay? = nil,
        for viewer: PersonID?, among people: KnownPeople, isModerator: Bool = false, at now: Date
    ) {
        let ride = seen.ride
        let mine = viewer != nil && viewer == ride.driver
        self.init(
            id: ride.id, state: ride.state, driver: people[ride.driver],
            stops: ride.stops(exactly: seen.showsDoors(to: viewer)), departsAt: ride.departsAt,
            leavesBy: ride.latestDeparture, arrivesAt: ride.arrivesAt, zone: ride.zone, seats: ride.seats,
            free: ride.freeByLeg, cost: ride.price, length: ride.way.length, maxDetour: ride.maxDetour,
            detourLeft: ride.detourLeft, luggage: ride.luggage, accepts: ride.accepts, notes: ride.notes,
            passengers: viewer == nil
                ? [] : passengers.map { RidePassenger(person: people.named($0.person), seats: $0.seats) },
            postedAt: ride.postedAt, mine: mine, isSaved: seen.isSaved,
            action: ride.action(for: viewer, request: seen.requestState, at: now), request: seen.request,
            other: other, series: ride.series, possible: ride.possible(for: viewer, at: now),
            hidden: mine || isModerator ? ride.hidden : nil, version: mine ? ride.version : nil)
    }
}

extension KnownPeople {
    /// Of who is apart from the one who looks, not even who they are.
    fileprivate func named(_ person: PersonID) -> PersonSummary {
        let known = self[person]
        return known.name == PersonSummary.nameOfUnknown ? self[.nobody] : known
    }
}

extension SeenRide {
    func showsDoors(to viewer: PersonID?) -> Bool {
        viewer != nil && viewer == ride.driver || requestState?.isAboard ?? false
    }
}

extension PublicRide {
    init(_ ride: OfferedRide, driver: PersonSummary) {
        self.init(
            id: ride.id, driver: driver, stops: ride.stops(exactly: false), departsAt: ride.departsAt,
            leavesBy: ride.latestDeparture, arrivesAt: ride.arrivesAt, zone: ride.zone, seats: ride.seats,
            free: ride.freeByLeg, cost: ride.price, length: ride.way.length, detourLeft: ride.detourLeft,
            postedAt: ride.postedAt)
    }
}

extension RequestedRide {
    init(_ ride: OfferedRide) {
        self.init(
            id: ride.id, state: ride.state, from: ride.way.stops.first?.name ?? "", to: ride.way.stops.last?.name ?? "",
            departsAt: ride.departsAt, arrivesAt: ride.arrivesAt, zone: ride.zone)
    }
}

extension OfferedRide {
    /// Nil where it leaves at one time.
    fileprivate var latestDeparture: Date? { leavesBy > departsAt ? leavesBy : nil }

    func stops(exactly isExact: Bool) -> [RideStop] {
        way.stops.map { stop in
            RideStop(
                name: stop.name, address: isExact ? stop.address : nil,
                position: isExact ? stop.position : stop.position.onGrid, isExact: isExact, region: stop.region,
                at: stop.at, time: time(at: stop.at))
        }
    }

    /// What some seats cost on a part; nil where that is nothing.
    func price(of part: WayPart, seats: Int) -> Money? {
        let cost = cost(of: part, seats: seats)
        return currency.flatMap { cost > 0 ? Money(amount: cost, currency: $0) : nil }
    }

    /// - Parameters:
    ///   - stopsExactly: whether the doors of its stops may be told.
    ///   - ownExactly: whether those of other points may.
    func point(_ point: WayPoint, stopsExactly: Bool, ownExactly: Bool) -> SeatPoint {
        let time = time(at: point.at)
        if let own = point.own {
            return SeatPoint(
                name: own.name, address: ownExactly ? own.address : nil,
                position: ownExactly ? own.position : own.position.onGrid, isExact: ownExactly, at: point.at, time: time
            )
        }
        // A request that is over does not keep the driver from having fewer stops.
        let number = min(point.stop ?? 0, way.stops.count - 1)
        let stop = way.stops[number]
        return SeatPoint(
            name: stop.name, address: stopsExactly ? stop.address : nil,
            position: stopsExactly ? stop.position : stop.position.onGrid, isExact: stopsExactly, stop: number,
            at: point.at, time: time)
    }
}

extension OtherWay {
    /// Nil where the one is not the other one of the other.
    init?(_ other: OfferedRide, of ride: OfferedRide) {
        guard other.returnOf == ride.id || other.id == ride.returnOf else { return nil }
        self.init(
            id: other.id, isReturn: other.returnOf == ride.id, state: other.state, departsAt: other.departsAt,
            zone: other.zone)
    }
}

extension RideQuote {
    /// What a ride would be, and its way back. Whether its driver drives another one at about that time is for others to say.
    init(_ draft: RideDraft, for driver: PersonID, at now: Date, within limits: RideLimits) throws(RideError) {
        let offers = try RideOffers(draft, at: now, within: limits)
        let ride = OfferedRide(offers.outward, id: .new(at: now), by: driver, at: now)
        self.init(
            stops: ride.stops(exactly: true), departsAt: ride.departsAt, arrivesAt: ride.arrivesAt, zone: ride.zone,
            length: ride.way.length, costs: ride.costs, highestCost: limits.highestPrice(of: ride.way),
            warnings: offers.outward.warnings,
            returnRide: offers.back.map { offer in
                ReturnQuote(
                    OfferedRide(offer, id: .new(at: now), by: driver, at: now), warnings: offer.warnings, within: limits
                )
            })
    }
}

extension ReturnQuote {
    fileprivate init(_ ride: OfferedRide, warnings: [RideWarning], within limits: RideLimits) {
        self.init(
            stops: ride.stops(exactly: true), departsAt: ride.departsAt, arrivesAt: ride.arrivesAt,
            length: ride.way.length, costs: ride.costs, highestCost: limits.highestPrice(of: ride.way),
            warnings: warnings)
    }
}

extension OfferedRide {
    /// Of one seat from each stop to the next; none where it costs nothing.
    fileprivate var costs: [Money] {
        guard let currency else { return [] }
        return zip(way.stops, way.stops.dropFirst()).map {
            Money(amount: cost(from: $0.at, to: $1.at, seats: 1), currency: currency)
        }
    }
}

extension RideLimits {
    fileprivate func highestPrice(of way: RideWay) -> Money? {
        highestCost(of: way.length).map { Money(amount: $0, currency: currency) }
    }
}

extension RideOffer {
    /// What its driver may want to look at once more.
    fileprivate var warnings: [RideWarning] {
        let points = way.points
        let direct = points.first.flatMap { first in points.last.map { first.metres(to: $0) } } ?? 0
        var warnings: [RideWarning] = []
        if way.stops.count > 2, Double(way.length) >= 1.5 * direct { warnings.append(.roundabout) }
        if way.length < 2_000 { warnings.append(.short) }
        if times.isShownTwice { warnings.append(.shownTwice) }
        return warnings
    }
}
