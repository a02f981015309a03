import WireProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A point of the sphere in metres from its middle. A straight line goes through the earth: never longer than any way, and over a campus as long as the great circle to a
/// millimetre.
struct Point: Hashable, Sendable {
    var x, y, z: Double

    init(_ position: Position) {
        let (latitude, longitude) = (position.latitude * .pi / 180, position.longitude * .pi / 180)
        x = Earth.radius * cos(latitude) * cos(longitude)
        y = Earth.radius * cos(latitude) * sin(longitude)
        z = Earth.radius * sin(latitude)
    }

    func metres(to other: Point) -> Double { squaredMetres(to: other).squareRoot() }

    func squaredMetres(to other: Point) -> Double {
        let (a, b, c) = (x - other.x, y - other.y, z - other.z)
        return a * a + b * b + c * c
    }
}

/// A cube of space with edges of a kilometre, the widest circle: what lies in a circle is in the cube of its middle or in one of the 26 around. Neither poles nor the date
/// line are special.
struct Cube: Hashable, Sendable {
    private var x, y, z: Int32

    init(_ point: Point) {
        let number = { (metres: Double) in Int32((metres / WaitingOrder.Restaurants.widest).rounded(.down)) }
        (x, y, z) = (number(point.x), number(point.y), number(point.z))
    }

    var withNeighbours: [Cube] {
        (-1...1).flatMap { a in
            (-1...1).flatMap { b in
                (-1...1).map { c in
                    var cube = self
                    (cube.x, cube.y, cube.z) = (x + Int32(a), y + Int32(b), z + Int32(c))
                    return cube
                }
            }
        }
    }
}

/// Places by small numbers, where they are, and how far it is from one to another.
struct Ground: Sendable {
    private var numbers = Numbers<PlaceID>()
    private var points: [Point?] = []
    private var hops: [UInt64: Double] = [:]

    subscript(place: Int32) -> PlaceID { numbers[place] }
    var count: Int { points.count }

    mutating func number(of id: PlaceID) -> Int32 {
        let number = numbers.number(of: id)
        if Int(number) == points.count { points.append(nil) }
        return number
    }

    mutating func number(of stop: Stop) -> Int32 {
        let number = number(of: stop.id)
        if points[Int(number)] == nil { points[Int(number)] = Point(stop.position) }
        return number
    }

    mutating func learn(_ hop: Hop, metres: Double) {
        hops[Self.key(number(of: hop.one), number(of: hop.other))] = metres
    }

    func hop(_ one: Int32, _ other: Int32) -> Hop { Hop(numbers[one], numbers[other]) }

    /// Metres along streets, or nil where nobody has said.
    func streets(_ one: Int32, _ other: Int32) -> Double? {
        one == other ? 0 : hops.isEmpty ? nil : hops[Self.key(one, other)]
    }

    /// Of a place that a deliverer or an order has told.
    func point(_ place: Int32) -> Point? { points[Int(place)] }

    private static func key(_ one: Int32, _ other: Int32) -> UInt64 {
        UInt64(min(one, other)) << 32 | UInt64(max(one, other))
    }
}
