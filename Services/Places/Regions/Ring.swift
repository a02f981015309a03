import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A closed line on a map of degrees, checked: its last corner is its first, and it nowhere meets itself.
struct Ring: Hashable, Sendable {
    static let mostCorners = 20_000

    let corners: [Position]

    /// Why a line is none. What these sentences say stands behind "the region …".
    enum Problem: String, Error {
        case short = "has an outline of fewer than three corners"
        case long = "has an outline of more than 20000 corners"
        case open = "has an outline that is not closed: its last point must be its first"
        case offEarth = "has a corner that is not on the earth"
        case pole = "touches a pole, which has no longitude: leave a degree to it"
        case dateLine = "crosses the date line: cut it in two there (RFC 7946, 3.1.9)"
        case flat = "has an outline without an area"
        case crossing = "has an outline that crosses or touches itself"
    }

    init(_ points: [Position]) throws(Problem) {
        guard points.allSatisfy(\.isValid) else { throw .offEarth }
        guard points.count >= 2, points.first == points.last else { throw .open }
        // Said twice in a row, a corner is one.
        var corners: [Position] = []
        for point in points where corners.last != point { corners.append(point) }
        guard corners.count >= 4 else { throw .short }
        guard corners.count <= Self.mostCorners else { throw .long }
        guard corners.allSatisfy({ $0.latitude.magnitude < 90 }) else { throw .pole }
        self.corners = corners
        guard sides.allSatisfy({ ($0.b.longitude - $0.a.longitude).magnitude <= 180 }) else { throw .dateLine }
        // First, because a figure of eight may have as much on its left as on its right.
        guard !meetsItself else { throw .crossing }
        guard area.magnitude > 0 else { throw .flat }
    }

    private struct Side {
        var a: Position
        var b: Position
        var number: Int
        var west: Double { min(a.longitude, b.longitude) }
        var east: Double { max(a.longitude, b.longitude) }
    }

    private var sides: [Side] {
        zip(corners, corners.dropFirst()).enumerated().map { Side(a: $1.0, b: $1.1, number: $0) }
    }

    /// Square degrees, more than 0 against the clock.
    private var area: Double {
        let origin = corners[0]
        return sides.reduce(0) { sum, side in
            let (ax, ay) = (side.a.longitude - origin.longitude, side.a.latitude - origin.latitude)
            let (bx, by) = (side.b.longitude - origin.longitude, side.b.latitude - origin.latitude)
            return sum + (ax * by - bx * ay) / 2
        }
    }

    /// Square degrees of the equator, about.
    var extent: Double {
        let (south, north) = (corners.map(\.latitude).min()!, corners.map(\.latitude).max()!)
        return area.magnitude * cos((south + north) / 2 * .pi / 180)
    }

    /// From west to east, each side is held against those that begin before it ends.
    private var meetsItself: Bool {
        let sides = sides.sorted { ($0.west, $0.number) < ($1.west, $1.number) }
        for (index, one) in sides.enumerated() {
            for other in sides[(index + 1)...] {
                guard other.west <= one.east else { break }
                if Self.meet(one, other, of: sides.count) { return true }
            }
        }
        return false
    }

    /// Sides that follow each other share a corner; more they may not share.
    private static func meet(_ one: Side, _ other: Side, of count: Int) -> Bool {
        if (one.number + 1) % count == other.number { return turnsBack(one.a, one.b, other.b) }
        if (other.number + 1) % count == one.number { return turnsBack(other.a, other.b, one.b) }
        let (a, b) = (turn(one.a, one.b, other.a), turn(one.a, one.b, other.b))
        let (c, d) = (turn(other.a, other.b, one.a), turn(other.a, other.b, one.b))
        if a * b < 0, c * d < 0 { return true }
        return a == 0 && lies(other.a, on: one) || b == 0 && lies(other.b, on: one) || c == 0 && lies(one.a, on: other)
            || d == 0 && lies(one.b, on: other)
    }

    /// Which way it goes at `b` on the way from `a` to `c`: 1 left, −1 right, 0 straight on or back.
    private static func turn(_ a: Position, _ b: Position, _ c: Position) -> Int {
        let cross =
            (b.longitude - a.longitude) * (c.latitude - a.latitude)
            - (b.latitude - a.latitude) * (c.longitude - a.longitude)
        return cross > 0 ? 1 : cross < 0 ? -1 : 0
    }

    private static func turnsBack(_ a: Position, _ b: Position, _ c: Position) -> Bool {
        guard turn(a, b, c) == 0 else { return false }
        return (b.longitude - a.longitude) * (c.longitude - b.longitude)
            + (b.latitude - a.latitude) * (c.latitude - b.latitude) < 0
    }

    /// Of a point on the line through a side: whether it is between its ends.
    private static func lies(_ point: Position, on side: Side) -> Bool {
        let (south, north) = (min(side.a.latitude, side.b.latitude), max(side.a.latitude, side.b.latitude))
        return side.west <= point.longitude && point.longitude <= side.east && south <= point.latitude
            && point.latitude <= north
    }
}
