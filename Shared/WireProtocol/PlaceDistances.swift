// How far it is from one point to others (places service).

public enum TravelMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// The shortest way on foot, at 1.3 metres a second.
    case walking
    /// The fastest way by car, at the speeds that the streets allow.
    case driving
}

/// `GET /v1/places/distances`: from one point to many, in one call.
public struct PlaceDistanceQuery: Codable, Hashable, Sendable {
    public var from: Position
    /// 1 to 100.
    public var to: [Position]
    /// Walking where absent.
    public var mode: TravelMode?
    /// Whether it is asked how far it is from each of the many to the one, which one-way streets make another question.
    public var towards: Bool?

    public init(from: Position, to: [Position], mode: TravelMode? = nil, towards: Bool? = nil) {
        (self.from, self.to, self.mode, self.towards) = (from, to, mode, towards)
    }
}

/// What `GET /v1/places/distances` answers.
public struct PlaceDistances: Codable, Hashable, Sendable {
    /// One for each point asked for, in their order.
    public var items: [PlaceDistance]
    /// Whose streets these are, in the words that their licences ask for; empty where all are straight lines.
    public var attribution: [String]

    public init(items: [PlaceDistance], attribution: [String]) { (self.items, self.attribution) = (items, attribution) }
}

/// How far it is to one point.
public struct PlaceDistance: Codable, Hashable, Sendable {
    public var metres: Int
    /// Nil in a straight line, which nobody can go.
    public var seconds: Int?
    /// Whether it is a way along streets. Otherwise it is the straight line, because there are no streets of there, none of them leads there, or the two are
    /// nearer to each other than to the street.
    public var alongStreets: Bool

    public init(metres: Int, seconds: Int?, alongStreets: Bool) {
        (self.metres, self.seconds, self.alongStreets) = (metres, seconds, alongStreets)
    }
}
