import StreetNetwork
import WireProtocol

/// How far it is from one point to others, or from others to it: what may be asked. Pure.
struct DistanceQuestion: Hashable, Sendable {
    static let most = 100

    var origin: Position
    var targets: [Position]
    var profile: TravelProfile
    /// Whether it is asked how far it is to the one.
    var backwards: Bool

    /// - Throws: `invalid`.
    init(_ query: PlaceDistanceQuery) throws(PlaceError) {
        var errors: [FieldError] = []
        errors += FieldRules.errors(inPoint: query.from, at: "from")
        if query.to.isEmpty {
            errors.append(FieldError("to", "too_few", "At least one point."))
        } else if query.to.count > Self.most {
            errors.append(FieldError("to", "too_many", "At most \(Self.most) points."))
        } else {
            errors += FieldRules.errors(inPoint: query.to.first { !$0.isValid }, at: "to")
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        (origin, targets) = (query.from, query.to)
        profile = query.mode == .driving ? .drive : .walk
        backwards = query.towards == true
    }

    init(from origin: Position, to target: Position, by profile: TravelProfile) {
        (self.origin, targets, self.profile, backwards) = (origin, [target], profile, false)
    }

    /// Where there are no streets.
    var straightLines: [StreetDistance] {
        targets.map { target in
            backwards
                ? StreetDistance.straightLine(from: target, to: origin)
                : StreetDistance.straightLine(from: origin, to: target)
        }
    }
}

extension PlaceDistance {
    init(_ distance: StreetDistance) {
        self.init(
            metres: Int(distance.metres.rounded()), seconds: distance.seconds.map { Int($0.rounded()) },
            alongStreets: distance.isAlongStreets)
    }
}
