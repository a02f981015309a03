#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The sphere that every distance here is measured on.
///
/// One radius for all of Kampong: the 6,378,168 m of PostgreSQL's `earthdistance` (`earth()`), by which the services find, order and
/// measure what is near. Whoever measured with another one (6,371,000 m is the mean radius, 0.1 % less) would sometimes show another
/// figure than the service that put the list in its order.
package enum Earth {
    /// Metres.
    package static let radius = 6_378_168.0
}

extension Position {
    /// Metres along the great circle, by the haversine formula, which stays exact for places that are close together.
    package func metres(to other: Position) -> Double {
        let radians = Double.pi / 180
        let (here, there) = (latitude * radians, other.latitude * radians)
        let rise = sin((there - here) / 2)
        let turn = sin((other.longitude - longitude) * radians / 2)
        let half = rise * rise + cos(here) * cos(there) * turn * turn
        return 2 * Earth.radius * asin(min(1, half.squareRoot()))
    }
}
