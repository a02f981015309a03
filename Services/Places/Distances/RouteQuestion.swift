import StreetNetwork
import WireProtocol

/// The way through some points: what may be asked. Pure.
struct RouteQuestion: Hashable, Sendable {
    static let count = 2...8

    var points: [Position]
    var profile: TravelProfile

    /// - Throws: `invalid`.
    init(_ query: PlaceRouteQuery) throws(PlaceError) {
        var errors: [FieldError] = []
        if query.points.count < Self.count.lowerBound {
            errors.append(FieldError("points", "too_few", "At least two points."))
        } else if query.points.count > Self.count.upperBound {
            errors.append(FieldError("points", "too_many", "At most \(Self.count.upperBound) points."))
        } else {
            errors += FieldRules.errors(inPoint: query.points.first { !$0.isValid }, at: "points")
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        points = query.points
        profile = query.mode == .walking ? .walk : .drive
    }

    /// From each point to the next.
    var legs: [(from: Position, to: Position)] { zip(points, points.dropFirst()).map { ($0, $1) } }
}
