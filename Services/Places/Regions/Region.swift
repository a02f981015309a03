import WireProtocol

/// A region as an operator says it: drawn as polygons, or as a list of the towns that are in it.
struct Region: Hashable, Sendable {
    /// Which one it is, in its source.
    var sourceID: String
    var name: String
    var shapes: [RegionShape] = []
    /// Where it is a country: its code, and how many metres off its outline may be.
    var country: String?
    var blur = 0.0
    var towns: [Town] = []

    struct Town: Hashable, Sendable {
        var name: String
        /// Codes, as `US` and `US.CA`, where the list tells towns of one name apart.
        var country: String?
        var region: String?
    }

    static let longestName = 80
    static let mostBlur = 100_000.0
    static let mostRegions = 1000

    /// Square degrees of the equator: of two that hold a point the smaller one is meant.
    var extent: Double { shapes.reduce(0) { $0 + $1.extent } }
}

/// One part of a drawn region, without the holes in it. Between two corners the line is straight on a map of degrees, as RFC 7946 has it.
struct RegionShape: Hashable, Sendable {
    var outer: Ring
    var holes: [Ring] = []

    var extent: Double { outer.extent - holes.reduce(0) { $0 + $1.extent } }
}

/// Why something is no region.
struct RegionProblem: Error, Hashable, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "the region \(name) \(reason)" }
}
