#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Searches for rides that others may see: who seeks a ride, and who seeks along the way of one.

/// Somebody who seeks a ride, as others may know it. `GET /v1/seekers`.
public struct Seeker: Codable, Hashable, Sendable {
    /// Of their standing search.
    public var id: WantedID
    public var person: PersonSummary
    public var from: SeekingEnd
    public var to: SeekingEnd
    /// They want to leave between these.
    public var after: Date
    public var before: Date
    public var seats: Int
    public var luggage: RideLuggage?

    package init(_ id: WantedID, of person: PersonSummary, _ seeking: Seeking) {
        self.id = id
        self.person = person
        from = seeking.from
        to = seeking.to
        after = seeking.after
        before = seeking.before
        seats = seeking.seats
        luggage = seeking.luggage
    }
}

/// Roughly where somebody wants to get in, or out.
public struct SeekingEnd: Codable, Hashable, Sendable {
    /// The town or the quarter; absent where Places did not know it.
    public var name: String?
    /// One of the community's regions, else the state or province.
    public var region: String?
    /// The middle of its field of the grid.
    public var position: Position

    public init(name: String? = nil, region: String? = nil, position: Position) {
        self.name = name
        self.region = region
        self.position = position
    }
}

/// What others may know of a search for a ride, as rides has read it.
package struct Seeking: Codable, Hashable, Sendable {
    package var from: SeekingEnd
    package var to: SeekingEnd
    package var after: Date
    package var before: Date
    package var seats: Int
    package var luggage: RideLuggage?

    package init(
        from: SeekingEnd, to: SeekingEnd, after: Date, before: Date, seats: Int, luggage: RideLuggage? = nil
    ) {
        self.from = from
        self.to = to
        self.after = after
        self.before = before
        self.seats = seats
        self.luggage = luggage
    }
}

/// `GET /v1/seekers`: those who seek a ride from a region or to it, the soonest first.
public struct SeekingQuery: Codable, Hashable, Sendable {
    /// All where absent.
    public var region: String?
    /// `from` where absent.
    public var direction: RideDirection?
    public var limit: Int?
    public var cursor: String?

    public init(region: String? = nil, direction: RideDirection? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.region = region
        self.direction = direction
        self.limit = limit
        self.cursor = cursor
    }
}

// MARK: Along the way of a ride

/// `GET /v1/rides/{id}/seekers`, its driver alone: the fewest extra metres first.
public struct RideSeekersQuery: Codable, Hashable, Sendable {
    public var ride: RideID
    /// At most 100.
    public var limit: Int?
    public var cursor: String?

    public init(ride: RideID, limit: Int? = nil, cursor: String? = nil) {
        self.ride = ride
        self.limit = limit
        self.cursor = cursor
    }
}

/// Somebody whom the driver could take along, and what that would cost. All lengths are from and to the middles of fields of the grid.
public struct SeekerAlong: Codable, Hashable, Sendable {
    public var seeker: Seeker
    /// As of `FoundRide`.
    public var startGap: Int
    public var endGap: Int
    public var detour: Int
    public var detourSeconds: Int?
    public var extra: Int
    /// When the driver has invited them.
    public var invitedAt: Date?

    package init(_ seeker: Seeker, _ fit: SeekerFit, invitedAt: Date? = nil) {
        self.seeker = seeker
        startGap = fit.startGap
        endGap = fit.endGap
        detour = fit.detour
        detourSeconds = fit.detourSeconds
        extra = fit.extra
        self.invitedAt = invitedAt
    }
}

/// How a ride fits a search, measured from and to the middles of fields of the grid: it tells nothing of where a door is.
package struct SeekerFit: Codable, Hashable, Sendable {
    package var id: WantedID
    package var startGap: Int
    package var endGap: Int
    package var detour: Int
    package var detourSeconds: Int?
    package var extra: Int

    package init(
        id: WantedID, startGap: Int, endGap: Int, detour: Int, detourSeconds: Int? = nil, extra: Int
    ) {
        self.id = id
        self.startGap = startGap
        self.endGap = endGap
        self.detour = detour
        self.detourSeconds = detourSeconds
        self.extra = extra
    }
}

/// The searches that find a ride now, the fewest extra metres first.
package struct SeekerFits: Codable, Hashable, Sendable {
    package var fits: [SeekerFit]
    package init(fits: [SeekerFit]) { self.fits = fits }
}

/// Names somebody who seeks, and the ride to which its driver invites them.
public struct SeekerReference: Codable, Hashable, Sendable {
    public var ride: RideID
    public var seeker: WantedID

    public init(ride: RideID, seeker: WantedID) {
        self.ride = ride
        self.seeker = seeker
    }
}

extension RidesMethods {
    /// What others may know of a search for a ride. `invalid` as of `readSearch`.
    package static let seeking = Method<Nothing, WantedQuery, Seeking>("rides.seeking", .query, peers: [.matching])
    /// How a ride fits searches that find it.
    package static let seekerFits = Method<Nothing, SearchJudging, SeekerFits>(
        "rides.seekerFits", .query, peers: [.matching])
}

extension MatchingMethods {
    package static let seekers = Method<SeekingQuery, Nothing, Page<Seeker>>("matching.seekers", .query)
    package static let rideSeekers = Method<RideSeekersQuery, Nothing, Page<SeekerAlong>>(
        "matching.rideSeekers", .query)
    /// They are told once, whoever asks how often.
    package static let inviteSeeker = Method<SeekerReference, Nothing, Nothing>("matching.inviteSeeker", .command)
}

extension ErrorCode {
    /// The driver has invited as many today as one may.
    public static let tooManyInvitations: ErrorCode = "too_many_invitations"
}
