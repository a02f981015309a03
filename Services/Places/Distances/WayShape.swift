import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Draws a line of many points with few. The next point kept is always the one that is farthest from the line drawn so far (Ramer 1972; Douglas,
/// Peucker 1973).
enum WayShape {
    static let most = 32
    /// Metres. What is nearer to the line is not seen.
    private static let seen = 1.0

    /// - Returns: At most 32 of them in their order, the first and the last among them.
    static func simplified(_ points: [Position]) -> [Position] {
        guard points.count > 2 else { return points }
        var parts = [Part(0, points.count - 1, of: points)]
        while parts.count < most - 1, let widest = parts.indices.max(by: { parts[$0].metres < parts[$1].metres }),
            parts[widest].metres > seen
        {
            let part = parts.remove(at: widest)
            parts.append(Part(part.first, part.farthest, of: points))
            parts.append(Part(part.farthest, part.last, of: points))
        }
        return (parts.map(\.first).sorted() + [points.count - 1]).map { points[$0] }
    }

    /// The points from one that is kept to the next one.
    private struct Part {
        let first: Int
        let last: Int
        /// The one that is farthest from the line between the two, and how far it is.
        private(set) var farthest: Int
        private(set) var metres = 0.0

        init(_ first: Int, _ last: Int, of points: [Position]) {
            (self.first, self.last, farthest) = (first, last, first)
            let plane = Plane(at: points[first])
            let end = plane.place(of: points[last])
            let square = end.x * end.x + end.y * end.y
            for index in first + 1..<max(last, first + 1) {
                let place = plane.place(of: points[index])
                let share = square > 0 ? min(1, max(0, (place.x * end.x + place.y * end.y) / square)) : 0
                let (x, y) = (place.x - share * end.x, place.y - share * end.y)
                let distance = (x * x + y * y).squareRoot()
                if distance > metres { (farthest, metres) = (index, distance) }
            }
        }
    }

    /// Metres east and north of a point, over the date line where that is the shorter way: right where it matters, and good enough far away.
    private struct Plane {
        private let origin: Position
        private let metres = Earth.radius * .pi / 180
        private let narrow: Double

        init(at origin: Position) {
            self.origin = origin
            narrow = cos(origin.latitude * .pi / 180)
        }

        func place(of point: Position) -> (x: Double, y: Double) {
            let turn = point.longitude - origin.longitude
            let east = turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
            return (east * metres * narrow, (point.latitude - origin.latitude) * metres)
        }
    }
}
