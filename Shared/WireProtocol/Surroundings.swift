#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension BoundingBox {
    private static let metresPerDegree = Earth.radius * Double.pi / 180

    /// All that is within so many metres of a point, and the corners. West is greater than east where it lies across the date line; around a pole
    /// it has all longitudes.
    package init(around point: Position, metres: Double) {
        // A hair more, for what is exactly that far away.
        let height = metres / Self.metresPerDegree * 1.000_001
        let (south, north) = (point.latitude - height, point.latitude + height)
        // A meridian is touched where the circle is widest, a little nearer to the pole than its middle.
        let sine = sin(height * .pi / 180) / cos(point.latitude * .pi / 180)
        guard south > -90, north < 90, sine < 1 else {
            self.init(west: -180, south: max(-90, south), east: 180, north: min(90, north))
            return
        }
        let width = asin(sine) * 180 / .pi
        self.init(
            west: Self.wrapped(point.longitude - width), south: south, east: Self.wrapped(point.longitude + width),
            north: north)
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }
}
