import Postgres
import WireProtocol

// Positions as every vertical keeps and measures them.

/// How far it is to something from a point that was asked for, in metres.
struct Distance: Hashable, Sendable {
    /// In a straight line through the earth: what the index, and so the list, is ordered by.
    var chord: Double
    var ground: Double
}

extension Position {
    /// The point in metres from the middle of the earth.
    var globe: SQLQuery { "\(onEarth)::cube" }

    /// The same as `earthdistance` has it. Its arithmetic refuses the smallest numbers that there are, which become nothing in it: less than a
    /// tenth of a micrometre is nothing here.
    var onEarth: SQLQuery {
        func settled(_ degrees: Double) -> Double { degrees.magnitude < 1e-12 ? 0 : degrees }
        return "ll_to_earth(\(settled(latitude)), \(settled(longitude)))"
    }
}
