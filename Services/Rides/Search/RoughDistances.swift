import WireProtocol

/// How far a way is from what somebody looks for, at least: through the earth, in single precision, and less what that and rounding may be wrong by.
struct RoughDistances: Sendable {
    /// Metres, and a share of what is measured.
    private static let (metres, share): (Float, Float) = (25, 2e-6)

    private let from: SIMD4<Float>
    private let to: SIMD4<Float>
    private let between: Float
    private let radius = Float(Earth.radius)

    init(_ wish: RideWish) {
        (from, to, between) = (wish.start.onUnitSphere, wish.end.onUnitSphere, Float(wish.between))
    }

    /// At least so many metres it is from stop to stop, and by way of one's own points.
    @inline(__always)
    func measure(_ way: UnsafeBufferPointer<SIMD4<Float>>) -> (near: Float, detour: Float) {
        var (near, detour) = (Float.greatestFiniteMagnitude, Float.greatestFiniteMagnitude)
        var (boarding, insertion) = (near, near)
        var (pastFrom, pastTo, pastMetres): (Float, Float, Float) = (0, 0, 0)
        for stop in way.indices {
            let place = way[stop]
            let (toFrom, toTo) = (metres(place, from), metres(place, to))
            if stop > 0 {
                near = min(near, boarding + toTo)
                let leg = place.w - pastMetres
                detour = min(detour, max(0, pastFrom + between + toTo - leg))
                detour = min(detour, insertion + max(0, pastTo + toTo - leg))
                insertion = min(insertion, max(0, pastFrom + toFrom - leg))
            }
            boarding = min(boarding, toFrom)
            (pastFrom, pastTo, pastMetres) = (toFrom, toTo, place.w)
        }
        let slack = Self.metres + Self.share * (between + pastMetres)
        return (near * (1 - Self.share) - Self.metres, detour - slack)
    }

    @inline(__always)
    private func metres(_ one: SIMD4<Float>, _ other: SIMD4<Float>) -> Float {
        let (x, y, z) = (one.x - other.x, one.y - other.y, one.z - other.z)
        return (x * x + y * y + z * z).squareRoot() * radius
    }
}
