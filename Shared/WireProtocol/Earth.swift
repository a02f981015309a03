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

    /// The middle of the field of a fixed grid (of 0.005 degrees, some 550 m from south to north) in which it lies: what others are told, and
    /// what everything for them is computed from. It is the same at each asking, so that nothing is learned by asking often.
    package var onGrid: Position {
        func middle(_ degrees: Double, _ limit: Double) -> Double {
            let field = min((degrees / 0.005).rounded(.down), limit / 0.005 - 1)
            return (field * 0.005 + 0.0025) * 10_000
        }
        return Position(
            latitude: middle(latitude, 90).rounded() / 10_000, longitude: middle(longitude, 180).rounded() / 10_000)
    }
}
