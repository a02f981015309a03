import WireProtocol

/// A place as OpenStreetMap stores it: whole ten-millionths of a degree (about a centimetre).
struct GridPoint: Hashable, Sendable {
    var x: Int32
    var y: Int32

    static let unitsPerDegree = 10_000_000.0
    /// Metres of a ten-millionth of a degree of latitude.
    static let metresPerUnit = Earth.radius * .pi / 180 / unitsPerDegree

    var position: Position {
        Position(latitude: Double(y) / Self.unitsPerDegree, longitude: Double(x) / Self.unitsPerDegree)
    }

    func metres(to other: GridPoint) -> Double { position.metres(to: other.position) }

    /// From `a` to `b` in ten-millionths of a degree of longitude, the shorter way round.
    static func eastward(from a: Double, to b: Double) -> Double {
        let turn = b - a
        if turn > 1_800_000_000 { return turn - 3_600_000_000 }
        return turn < -1_800_000_000 ? turn + 3_600_000_000 : turn
    }
}
