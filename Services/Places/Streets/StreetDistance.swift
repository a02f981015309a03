package import WireProtocol

/// How somebody goes.
package enum TravelProfile: String, CaseIterable, Sendable {
    /// The shortest way on foot.
    case walk
    /// The fastest way by car.
    case drive

    /// Metres a second on foot; also for the way between a place and its street, whatever the profile.
    package static let walkingPace = 1.3
}

/// How far it is from one place to another.
package struct StreetDistance: Hashable, Sendable {
    /// Metres, never fewer than in a straight line.
    package var metres: Double
    /// Seconds; nil in a straight line, which nobody can go.
    package var seconds: Double?
    /// Whether this is a way along streets; if not, `metres` is the great circle, because there is no network, no street within reach
    /// of one of the places, or no way between them, or because the two are closer to each other than to the streets.
    package var isAlongStreets: Bool

    /// The great circle, said to be one.
    package static func straightLine(from origin: Position, to target: Position) -> StreetDistance {
        StreetDistance(
            metres: origin.metres(to: target), seconds: nil, isAlongStreets: false)
    }
}
