#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Keys by which what lies within a circle is found: the cells of cubic grids through the whole earth. In space there is no date line, and a pole is a
/// point like any other.
///
/// The cells of each level are twice as wide as those of the one below. A point lies in one cell of each; a circle touches a few of the level whose cells
/// are as wide as it is. A circle that is wider than the widest has the key that every point has.
package enum SearchCells {
    /// Metres; a little more than 500, so that a circle of a round radius needs no wider cells than its own.
    private static let narrowest = 512.0
    /// 131 km.
    private static let widest = 8
    /// Metres: more than what two ways to compute one distance differ by.
    private static let margin = 0.01

    /// The keys of something that lies there.
    /// - Parameter vertical: what it is, of which the keys are.
    package static func keys(at place: Position, of vertical: String) -> [SearchKey] {
        let point = place.inSpace
        let cells = (0...widest).map { level in
            key(vertical, level, point.map { cell(of: $0, level) })
        }
        return cells + [everywhere(vertical)]
    }

    /// Whatever lies within the circle, by the distance that lists are measured by, has one of these. At most eight.
    package static func keys(within circle: ReadSearch.Circle, of vertical: String) -> [SearchKey] {
        let turn = min(Double(max(0, circle.radius)) / (2 * Earth.radius), .pi / 2)
        let reach = 2 * Earth.radius * sin(turn) + margin
        guard let level = (0...widest).first(where: { width(of: $0) >= 2 * reach }) else {
            return [everywhere(vertical)]
        }
        // Every cell that the cube around the circle touches.
        var cells: [[Int]] = [[]]
        for middle in circle.middle.inSpace {
            let touched = cell(of: middle - reach, level)...cell(of: middle + reach, level)
            cells = cells.flatMap { begun in touched.map { begun + [$0] } }
        }
        return cells.map { key(vertical, level, $0) }
    }

    private static func width(of level: Int) -> Double { narrowest * Double(1 << level) }

    /// Which one it is along one axis.
    private static func cell(of metres: Double, _ level: Int) -> Int {
        metres.isFinite ? Int((metres / width(of: level)).rounded(.down)) : 0
    }

    private static func key(_ vertical: String, _ level: Int, _ cell: [Int]) -> SearchKey {
        SearchKey(rawValue: "\(vertical)/\(level):\(cell.map { String($0) }.joined(separator: ","))")
    }

    private static func everywhere(_ vertical: String) -> SearchKey { SearchKey(rawValue: "\(vertical)/*") }
}

extension Position {
    /// Metres from the middle of the earth along three axes, as PostgreSQL's `earthdistance` has them.
    fileprivate var inSpace: [Double] {
        let radians = Double.pi / 180
        let (north, east) = (latitude * radians, longitude * radians)
        let flat = Earth.radius * cos(north)
        return [flat * cos(east), flat * sin(east), Earth.radius * sin(north)]
    }
}
