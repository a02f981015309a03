import WireProtocol

/// An area on a map of degrees: its outline, and what is cut out of it.
struct Surface: Hashable, Sendable {
    var outline: [Position]
    var holes: [[Position]] = []

    /// So many lines from west to east are looked along for the widest piece of the area.
    private static let rows = 24

    private struct Point {
        var x: Double
        var y: Double
    }

    /// A point that is in the area and in none of its holes: its centre of gravity where that is so, else the middle of its widest piece. Of what has no
    /// area (a line there and back, a single point) the mean of its points; nil only where there is none.
    var point: Position? {
        guard !outline.isEmpty else { return nil }
        let rings = onOneSide
        let centre = Self.centre(of: rings[0])
        let found = Self.holds(centre, rings) ? centre : Self.middleOfWidest(rings) ?? centre
        return Position(latitude: found.y, longitude: found.x > 180 ? found.x - 360 : found.x)
    }

    /// The outline first. What crosses the date line is moved to one side of it.
    private var onOneSide: [[Point]] {
        let longitudes = outline.map(\.longitude)
        let crosses = longitudes.max()! - longitudes.min()! > 180
        return ([outline] + holes).map { ring in
            ring.map { Point(x: crosses && $0.longitude < 0 ? $0.longitude + 360 : $0.longitude, y: $0.latitude) }
        }
    }

    /// Of a ring. One without area, or that crosses itself so that its halves cancel out, has the mean of its points.
    private static func centre(of ring: [Point]) -> Point {
        let origin = ring[0]
        var (area, x, y) = (0.0, 0.0, 0.0)
        for (a, b) in sides(of: ring) {
            let (ax, ay, bx, by) = (a.x - origin.x, a.y - origin.y, b.x - origin.x, b.y - origin.y)
            let cross = ax * by - bx * ay
            area += cross
            x += (ax + bx) * cross
            y += (ay + by) * cross
        }
        let centre = Point(x: origin.x + x / (3 * area), y: origin.y + y / (3 * area))
        let (xs, ys) = (ring.map(\.x), ring.map(\.y))
        let isWithin =
            centre.x.isFinite && centre.y.isFinite && (xs.min()!...xs.max()!).contains(centre.x)
            && (ys.min()!...ys.max()!).contains(centre.y)
        let count = Double(ring.count)
        return isWithin ? centre : Point(x: xs.reduce(0, +) / count, y: ys.reduce(0, +) / count)
    }

    /// A ring that is not closed is closed.
    private static func sides(of ring: [Point]) -> Zip2Sequence<[Point], [Point]> {
        zip(ring, Array(ring.dropFirst()) + ring.prefix(1))
    }

    /// Where a line from west to east meets the sides, in order: between the first and the second it is in the area, between the second and the third not.
    private static func crossings(at y: Double, _ rings: [[Point]]) -> [Double] {
        rings.flatMap { ring in
            sides(of: ring).compactMap { a, b -> Double? in
                guard (a.y > y) != (b.y > y) else { return nil }
                return a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
            }
        }.sorted()
    }

    private static func holds(_ point: Point, _ rings: [[Point]]) -> Bool {
        let crossings = crossings(at: point.y, rings)
        // On a side it would be at the edge of a hole.
        return !crossings.contains(point.x) && crossings.count { $0 < point.x } % 2 == 1
    }

    private static func middleOfWidest(_ rings: [[Point]]) -> Point? {
        let ys = rings[0].map(\.y)
        let (south, north) = (ys.min()!, ys.max()!)
        var (best, width): (Point?, Double) = (nil, 0)
        for row in 0..<rows {
            let y = south + (north - south) * (Double(row) + 0.5) / Double(rows)
            let crossings = crossings(at: y, rings)
            for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                let (west, east) = (crossings[index], crossings[index + 1])
                if east - west > width { (best, width) = (Point(x: (west + east) / 2, y: y), east - west) }
            }
        }
        return best
    }
}
