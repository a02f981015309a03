import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Position {
    /// Where it is on a sphere around nothing with a radius of one, in single precision: within a metre on the earth.
    var onUnitSphere: SIMD4<Float> {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        return [Float(cos(north) * cos(east)), Float(cos(north) * sin(east)), Float(sin(north)), 0]
    }
}
