import Crypto
import WireProtocol

@testable import PlacesService
@testable import StreetNetwork

extension Parser {
    /// What operators import, and what is made of it.
    static let maps = [
        Parser(name: "streets") { bytes in
            guard let network = try? StreetNetwork(contents: sealed(bytes)) else { return }
            for profile in TravelProfile.allCases {
                let arrays = network.network(profile).arrays
                let places = (0..<min(8, arrays.coordinates.count / 2)).map { index in
                    let point = arrays.point(index)
                    return Position(
                        latitude: Double(point.y) / GridPoint.unitsPerDegree,
                        longitude: Double(point.x) / GridPoint.unitsPerDegree)
                }
                for origin in places.prefix(3) {
                    let found = network.distances(from: origin, to: places, by: profile)
                    try promise("another number of distances", found.count == places.count)
                    for (place, distance) in zip(places, found) where origin.isValid && place.isValid {
                        let straight = StreetDistance.straightLine(from: origin, to: place)
                        try promise("\(distance)", distance.metres >= straight.metres && distance.metres.isFinite)
                        try promise(
                            "\(distance)", distance.isAlongStreets == (distance.seconds.map { $0 >= 0 } == true))
                    }
                }
            }
        },
        Parser(name: "opl") { bytes in
            // A city takes seconds, and a fuzzer's input is none.
            guard bytes.count <= 4096 else { return }
            let whole = built(bytes, inPiecesOf: max(1, bytes.count))
            try promise("in pieces it is another network", built(bytes, inPiecesOf: 7) == whole)
            guard let whole else { return }
            try promise("what it writes it does not read", (try? StreetNetwork(contents: whole)) != nil)
        },
        Parser(name: "regions") { bytes in
            for format in [ImportFormat.drawnRegions, .listedRegions, .drawnCountries] {
                var reader = RegionReader(format)
                for line in bytes.split(separator: UInt8(ascii: "\n")) {
                    do { try reader.read(line) } catch { break }
                }
                for region in reader.regions {
                    try promise("no name", !region.name.isEmpty && region.name == region.name.oneLine)
                    for ring in region.shapes.flatMap({ [$0.outer] + $0.holes }) {
                        try promise("no ring", ring.corners.first == ring.corners.last && ring.corners.count > 3)
                        try promise("it is not on the earth", ring.corners.allSatisfy(\.isValid))
                    }
                }
            }
        },
    ]

    /// With the length and the checksum that it should have: or hardly anything but these would ever be tried.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let content = bytes.count - NetworkFile.digestLength
        guard content >= NetworkFile.tableStart else { return bytes }
        var file = Array(bytes[..<content])
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { file.replaceSubrange(16..<24, with: $0) }
        return file + Array(SHA256.hash(data: file))
    }

    private static func built(_ bytes: [UInt8], inPiecesOf size: Int) -> [UInt8]? {
        var builder = StreetNetworkBuilder()
        var rest = bytes[...]
        while !rest.isEmpty {
            guard (try? builder.read(Array(rest.prefix(size)))) != nil else { return nil }
            rest = rest.dropFirst(size)
        }
        return try? builder.finish().0.bytes
    }
}
