import WireProtocol

@testable import StreetNetwork

/// A made-up town, drawn in metres east and north of a point on the equator, written down as osmium would.
struct Town {
    private(set) var nodes: [Int64: Position] = [:]
    private var lines: [String] = []
    private var ways: [String] = []
    var origin = Position(latitude: 0, longitude: 103.8)

    /// Metres of a degree of latitude.
    private static let degree = Earth.radius * .pi / 180

    /// - Parameter tags: As OPL has them.
    mutating func node(_ id: Int64, _ east: Double, _ north: Double, _ tags: String = "") {
        let place = place(east, north)
        nodes[id] = place
        lines.append("n\(id) v1 T\(tags) x\(Self.decimal(place.longitude)) y\(Self.decimal(place.latitude))")
    }

    mutating func way(_ path: Int64..., tags: String = "highway=residential") { way(path, tags: tags) }

    mutating func way(_ path: [Int64], tags: String) {
        ways.append("w\(ways.count + 1) v1 T\(tags) N" + path.map { "n\($0)" }.joined(separator: ","))
    }

    /// Whole ten-millionths of a degree, as the data are.
    func place(_ east: Double, _ north: Double) -> Position {
        let rounded = { (degrees: Double) in (degrees * 1e7).rounded() / 1e7 }
        return Position(
            latitude: rounded(origin.latitude + north / Self.degree),
            longitude: rounded(origin.longitude + east / Self.degree))
    }

    /// Without the exponent that Swift writes for small numbers.
    private static func decimal(_ degrees: Double) -> String {
        let units = Int((abs(degrees) * 1e7).rounded())
        let fraction = String(units % 10_000_000)
        return (degrees < 0 ? "-" : "") + "\(units / 10_000_000)." + String(repeating: "0", count: 7 - fraction.count)
            + fraction
    }

    subscript(id: Int64) -> Position { nodes[id]! }

    var text: String { (lines + ways).joined(separator: "\n") + "\n" }

    func network() throws -> StreetNetwork { try build().0 }

    func build() throws -> (StreetNetwork, StreetNetworkBuilder.Summary) {
        var builder = StreetNetworkBuilder()
        try builder.read(Array(text.utf8))
        return try builder.finish()
    }
}

extension StreetNetwork {
    func distance(_ a: Position, _ b: Position, _ profile: TravelProfile, within reach: Double = reach)
        -> StreetDistance
    {
        distances(from: a, to: [b], by: profile, within: reach)[0]
    }
}

extension StreetNetwork {
    /// Two streets in a row, the first of which crosses the date line.
    static func acrossTheDateLine() throws -> StreetNetwork {
        let text = """
            n1 x179.999 y-17
            n2 x-179.999 y-17
            n3 x-179.998 y-17
            w1 Thighway=residential Nn1,n2
            w2 Thighway=residential Nn2,n3

            """
        var builder = StreetNetworkBuilder()
        try builder.read(Array(text.utf8))
        return try builder.finish().0
    }
}

/// Metres that are the same but for the rounding of coordinates to centimetres.
func isClose(_ distance: StreetDistance, _ metres: Double) -> Bool {
    distance.isAlongStreets && abs(distance.metres - metres) < 0.2
}

/// The same numbers in every run (SplitMix64).
struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
