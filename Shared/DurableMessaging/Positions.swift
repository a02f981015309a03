package import Postgres
package import WireProtocol

// Positions as tables keep and measure them, by the extensions `cube` and `earthdistance`: a row has its point in a column `globe`.

/// How far it is to something from a point that was asked for, in metres.
package struct Distance: Hashable, Sendable {
    /// In a straight line through the earth: what the index, and so the list, is ordered by.
    package var chord: Double
    package var ground: Double

    package init(chord: Double, ground: Double) { (self.chord, self.ground) = (chord, ground) }
}

extension Position {
    /// The point in metres from the middle of the earth.
    package var globe: SQLQuery { "\(onEarth)::cube" }

    /// The same as `earthdistance` has it.
    package var onEarth: SQLQuery { "ll_to_earth(\(settled.latitude), \(settled.longitude))" }

    /// Its arithmetic refuses the smallest numbers that there are, which become nothing in it: less than a tenth of a micrometre is nothing here.
    package var settled: Position {
        func settled(_ degrees: Double) -> Double { degrees.magnitude < 1e-12 ? 0 : degrees }
        return Position(latitude: settled(latitude), longitude: settled(longitude))
    }

    /// How far it is to a row in a straight line through the earth: what indexes order by.
    package var chord: SQLQuery { "globe <-> \(globe)" }

    /// How far it is over ground to where a column says.
    package func metres(to globe: SQLQuery) -> SQLQuery { "earth_distance(\(globe), \(onEarth))" }

    /// Whether a row is within so many metres: the box finds candidates, the exact distance decides.
    package func isNear(within metres: Int) -> SQLQuery {
        "globe <@ earth_box(\(onEarth), \(Double(metres))) AND \(isWithin(metres))"
    }

    /// The same of candidates that were found otherwise.
    package func isWithin(_ metres: Int) -> SQLQuery { "sec_to_gc(\(chord)) <= \(Double(metres))" }

    /// "And what comes after it, from the nearest to the farthest": nothing where nothing went before.
    package func beyond(_ last: DistanceCursor?) -> SQLQuery {
        guard let last else { return "" }
        return "AND (\(chord), id) > (\(last.chord), \(last.id))"
    }
}
