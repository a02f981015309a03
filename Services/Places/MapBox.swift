import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A box on a map of degrees.
struct MapBox: Hashable, Sendable {
    var west: Double
    var south: Double
    var east: Double
    var north: Double

    /// Rather less than a degree of latitude has, so that boxes are rather too large.
    private static let metresPerDegree = 111_000.0

    /// Boxes that hold all that is within so many metres, and little more: two of them where the date line is between.
    static func around(_ point: Position, within metres: Double) -> [MapBox] {
        let reach = metres / metresPerDegree
        let (south, north) = (max(-90, point.latitude - reach), min(90, point.latitude + reach))
        let farthest = max(south.magnitude, north.magnitude)
        let width = reach / cos(min(farthest, 89.9) * .pi / 180)
        // At a pole all longitudes are near.
        guard farthest < 89.9, width < 180 else { return [MapBox(west: -180, south: south, east: 180, north: north)] }
        let (west, east) = (point.longitude - width, point.longitude + width)
        var boxes = [MapBox(west: max(-180, west), south: south, east: min(180, east), north: north)]
        if west <= -180 { boxes.append(MapBox(west: west + 360, south: south, east: 180, north: north)) }
        if east >= 180 { boxes.append(MapBox(west: -180, south: south, east: east - 360, north: north)) }
        return boxes
    }
}
