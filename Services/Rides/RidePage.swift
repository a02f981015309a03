import FoundationEssentials
import PlainText
import WireProtocol

/// One page of rides that can be found, the soonest first: a checked `RideQuery`.
struct RidePage: Hashable, Sendable {
    var region: String?
    var direction = RideDirection.from
    var driver: PersonID?
    var series: RideSeriesID?
    var limit = PageSize.usual
    var after: MomentCursor?

    static let longestRegion = 120

    /// - Throws: `invalid`.
    init(_ query: RideQuery) throws(RideError) {
        var errors: [FieldError] = []
        region = TextRule.line(Self.longestRegion).read(query.region, at: "region", &errors)
        direction = query.direction ?? .from
        (driver, series) = (query.by, query.series)
        if query.direction != nil, query.region == nil {
            errors.append(FieldError("direction", "not_allowed", "A direction needs a region."))
        }
        if query.by != nil, query.region != nil {
            errors.append(FieldError("by", "not_allowed", "Somebody's rides are not listed by regions."))
        }
        if query.series != nil, query.region != nil {
            errors.append(FieldError("series", "not_allowed", "Rides of a series are not listed by regions."))
        }
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { MomentCursor($0) }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    init(of driver: PersonID, limit: Int, after: MomentCursor?) {
        self.driver = driver
        self.limit = limit
        self.after = after
    }

    /// The place of a ride in such a list.
    static func cursor(_ ride: OfferedRide) -> MomentCursor { MomentCursor(ride.departsAt, ride.id.uuid) }
}
