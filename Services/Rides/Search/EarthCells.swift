import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// Where ways are, roughly. No I/O and no clock.

/// A cell of one of some cubic grids through the whole earth: in space there is no date line, and a pole is a point like any other. The cells of each level
/// are twice as wide as those of the one below.
struct EarthCell: Hashable, Sendable {
    let level: Int
    let x: Int
    let y: Int
    let z: Int

    static let levels = 0...6
    /// Metres; the widest have 2,048 km.
    private static let narrowest = 32_000.0

    static func width(at level: Int) -> Double { narrowest * Double(1 << level) }

    /// The narrowest level of which so much around a point lies in eight cells at most; nil where none is wide enough.
    static func level(for reach: Double) -> Int? { levels.first { width(at: $0) >= 2 * reach } }

    /// All that the cube around a point touches: whatever is so near to it lies in one of them.
    static func around(_ middle: SIMD3<Double>, within reach: Double, at level: Int) -> [EarthCell] {
        let width = Self.width(at: level)
        func range(_ metres: Double) -> ClosedRange<Int> {
            Int(((metres - reach) / width).rounded(.down))...Int(((metres + reach) / width).rounded(.down))
        }
        return range(middle.x).flatMap { x in
            range(middle.y).flatMap { y in range(middle.z).map { EarthCell(level: level, x: x, y: y, z: $0) } }
        }
    }

    /// All through which a way leads, and few others: each part of it is halved until the ball around its middle lies in one cell, or is small.
    static func along(_ way: [SIMD3<Double>], at level: Int) -> Set<EarthCell> {
        var cells: Set<EarthCell> = []
        for (start, end) in zip(way, way.dropFirst()) { collect(from: start, to: end, at: level, into: &cells) }
        return cells
    }

    private static func collect(
        from start: SIMD3<Double>, to end: SIMD3<Double>, at level: Int, into cells: inout Set<EarthCell>
    ) {
        let middle = (start + end).onGround
        // The ends of an arc are the farthest of it from its middle.
        let reach = (start - middle).length + margin
        let touched = around(middle, within: reach, at: level)
        if touched.count == 1 || reach < width(at: level) / 16 {
            cells.formUnion(touched)
        } else {
            collect(from: start, to: middle, at: level, into: &cells)
            collect(from: middle, to: end, at: level, into: &cells)
        }
    }

    /// Metres: more than what rounding can be wrong by.
    private static let margin = 0.01
}

extension Position {
    /// Metres from the middle of the earth along three axes.
    var inSpace: SIMD3<Double> {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        return SIMD3(cos(north) * cos(east), cos(north) * sin(east), sin(north)) * Earth.radius
    }
}

extension SIMD3<Double> {
    fileprivate var length: Double { (self * self).sum().squareRoot() }

    /// The point of the earth in that direction.
    fileprivate var onGround: SIMD3<Double> { self * (Earth.radius / length) }
}
