// The way through some points, one after the other (places service).

/// `GET /v1/places/route`.
public struct PlaceRouteQuery: Codable, Hashable, Sendable {
    /// 2 to 8, in the order in which they are gone to.
    public var points: [Position]
    /// Driving where absent.
    public var mode: TravelMode?

    public init(points: [Position], mode: TravelMode? = nil) { (self.points, self.mode) = (points, mode) }
}

/// What `GET /v1/places/route` answers.
public struct PlaceRoute: Codable, Hashable, Sendable {
    /// From each point to the next: one fewer than there are points.
    public var legs: [PlaceDistance]
    /// At most 32 points of the whole way, the first and the last among them, for drawing it.
    public var shape: [Position]
    /// Whose streets these are, in the words that their licences ask for; empty where all are straight lines.
    public var attribution: [String]

    public init(legs: [PlaceDistance], shape: [Position], attribution: [String]) {
        (self.legs, self.shape, self.attribution) = (legs, shape, attribution)
    }
}
