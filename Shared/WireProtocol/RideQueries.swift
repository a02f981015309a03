#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Finding rides: by region, by both ends, and one's own.

/// `GET /v1/regions`: how many rides leave from each region, and go to each.
public struct RegionOfRides: Codable, Hashable, Sendable {
    public var region: String
    /// At most 99, which means as many or more.
    public var from: Int
    public var to: Int

    public init(region: String, from: Int, to: Int) {
        self.region = region
        self.from = from
        self.to = to
    }
}

public enum RideDirection: String, Codable, CaseIterable, Hashable, Sendable {
    case from, to
}

/// `GET /v1/rides`: those that have not left, the soonest first.
public struct RideQuery: Codable, Hashable, Sendable {
    /// All where absent.
    public var region: String?
    /// Whether one can get in there (`from`, which is usual), or out.
    public var direction: RideDirection?
    /// Whose.
    public var by: PersonID?
    /// Of which series.
    public var series: RideSeriesID?
    public var limit: Int?
    public var cursor: String?

    public init(
        region: String? = nil, direction: RideDirection? = nil, by: PersonID? = nil, series: RideSeriesID? = nil,
        limit: Int? = nil, cursor: String? = nil
    ) {
        self.region = region
        self.direction = direction
        self.by = by
        self.series = series
        self.limit = limit
        self.cursor = cursor
    }
}

/// `GET /v1/rides/search`: the fewest extra metres first.
public struct RideSearchQuery: Codable, Hashable, Sendable {
    public var from: Position
    public var to: Position
    /// Within 24 hours of this moment; now where neither it nor a window is said.
    public var at: Date?
    /// Not before, not after: a window of at most seven days, instead of `at`. One of them is enough: the other is 24 hours away.
    public var after: Date?
    public var before: Date?
    /// 1 where absent, at most 8.
    public var seats: Int?
    /// What has to fit in.
    public var luggage: RideLuggage?
    /// Whether full ones are left out.
    public var onlyFree: Bool?
    /// Whether rides that would have to go out of their way are left out.
    public var noDetour: Bool?
    /// Metres, at most 3,000,000. Those that are more extra are left out (`FoundRide.extra`), also of the week around. A ride that would go too far out of
    /// its way along streets is shown from stop to stop only where that is not more either.
    public var mostExtra: Int?
    /// Whether those of drivers who have not shown that they belong to a campus are left out.
    public var onlyVerified: Bool?
    public var limit: Int?
    public var cursor: String?

    public init(
        from: Position, to: Position, at: Date? = nil, after: Date? = nil, before: Date? = nil, seats: Int? = nil,
        luggage: RideLuggage? = nil, onlyFree: Bool? = nil, noDetour: Bool? = nil, mostExtra: Int? = nil,
        onlyVerified: Bool? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.from = from
        self.to = to
        self.at = at
        self.after = after
        self.before = before
        self.seats = seats
        self.luggage = luggage
        self.onlyFree = onlyFree
        self.noDetour = noDetour
        self.mostExtra = mostExtra
        self.onlyVerified = onlyVerified
        self.limit = limit
        self.cursor = cursor
    }
}

/// A ride that fits, and why.
public struct FoundRide: Codable, Hashable, Sendable {
    public var ride: Ride
    /// Where one would get in and out: a stop of the ride, or one's own point where the driver would come by.
    public var boarding: SeatPoint
    public var leaving: SeatPoint
    /// Metres from the points that were asked for to where one gets in and out, measured from where everybody is told that they are.
    public var startGap: Int
    public var endGap: Int
    /// Metres that the driver would go out of the way: along streets where they are known.
    public var detour: Int
    /// Seconds that it would take them; absent where there are no streets.
    public var detourSeconds: Int?
    /// What the list is ordered by, in straight lines: `startGap` and `endGap`, or `detour`, whichever is less. Where that detour is too far along streets, the
    /// ride is shown from stop to stop, which is more.
    public var extra: Int
    /// Seconds that it is later than asked for at the boarding point; negative where it is earlier. Absent where a window was asked for.
    public var timeDifference: Int?
    /// Free on that part.
    public var free: Int
    /// Of all seats asked for, on that part.
    public var cost: Money?

    public init(
        ride: Ride, boarding: SeatPoint, leaving: SeatPoint, startGap: Int, endGap: Int, detour: Int,
        detourSeconds: Int? = nil, extra: Int, timeDifference: Int? = nil, free: Int, cost: Money? = nil
    ) {
        self.ride = ride
        self.boarding = boarding
        self.leaving = leaving
        self.startGap = startGap
        self.endGap = endGap
        self.detour = detour
        self.detourSeconds = detourSeconds
        self.extra = extra
        self.timeDifference = timeDifference
        self.free = free
        self.cost = cost
    }
}

/// What `GET /v1/rides/search` found.
public struct FoundRides: Codable, Hashable, Sendable {
    public var items: [FoundRide]
    /// Where nothing fits: the nearest of the week around, a few at most.
    public var beyond: [FoundRide]
    public var next: String?

    public init(items: [FoundRide], beyond: [FoundRide] = [], next: String? = nil) {
        self.items = items
        self.beyond = beyond
        self.next = next
    }
}

/// `GET /v1/my/rides`.
public struct MyRidesQuery: Codable, Hashable, Sendable {
    /// `current` where absent.
    public var tab: MyRidesTab?
    public var limit: Int?
    public var cursor: String?

    public init(tab: MyRidesTab? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.tab = tab
        self.limit = limit
        self.cursor = cursor
    }
}

public enum MyRidesTab: String, Codable, CaseIterable, Hashable, Sendable {
    /// Driven or ridden along, and not over; the soonest first.
    case current
    /// Over; the latest first.
    case past
    /// The latest saved first.
    case saved
    /// Asked for and not answered: by others of one's own rides, and by oneself; what is due first coming first.
    case pending
}

/// A ride of one's own, or of another that one has to do with.
public struct MyRide: Codable, Hashable, Sendable {
    public var ride: Ride
    /// One's own request; or, of a ride that one drives, the one that is to be answered.
    public var request: SeatRequest?

    public init(ride: Ride, request: SeatRequest? = nil) {
        self.ride = ride
        self.request = request
    }
}

/// `GET /v1/seat-requests`, `GET /v1/rides/{id}/requests`: the caller's own, or those of a ride that the caller drives; the latest first.
public struct SeatRequestQuery: Codable, Hashable, Sendable {
    /// Of this one: to its driver all, to others their own.
    public var ride: RideID?
    /// Both where absent.
    public var role: SeatRole?
    public var state: SeatState?
    /// To moderators: everybody's that are disputed, and nothing else.
    public var disputed: Bool?
    public var limit: Int?
    public var cursor: String?

    public init(
        ride: RideID? = nil, role: SeatRole? = nil, state: SeatState? = nil, disputed: Bool? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) {
        self.ride = ride
        self.role = role
        self.state = state
        self.disputed = disputed
        self.limit = limit
        self.cursor = cursor
    }
}
