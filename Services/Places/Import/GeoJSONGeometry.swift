import FoundationEssentials
import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A geometry of GeoJSON: its lines, or its areas.
struct GeoJSONGeometry: Decodable, Sendable {
    /// Of areas their outlines.
    var lines: [[Position]] = []
    /// What is cut out of each area.
    var holes: [[[Position]]] = []
    var isArea = false

    private enum CodingKeys: String, CodingKey { case type, coordinates, geometries }
    private typealias Point = [Double]
    struct Unknown: Error {}

    init(lines: [[Position]], isArea: Bool, holes: [[[Position]]] = []) {
        (self.lines, self.isArea, self.holes) = (lines, isArea, holes)
    }

    /// - Parameter areas: of each its rings, the outline first.
    private init(areas: [[[Position]]]) {
        let areas = areas.filter { !$0.isEmpty }
        self.init(lines: areas.map { $0[0] }, isArea: true, holes: areas.map { Array($0.dropFirst()) })
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_: Value.Type) throws -> Value {
            try container.decode(Value.self, forKey: .coordinates)
        }
        func line(_ points: [Point]) throws -> [Position] {
            try points.map { point in
                guard point.count >= 2 else { throw Unknown() }
                return Position(latitude: point[1], longitude: point[0])
            }
        }
        switch try container.decode(String.self, forKey: .type) {
        case "Point": self.init(lines: [try line([try read(Point.self)])], isArea: false)
        case "MultiPoint", "LineString": self.init(lines: [try line(try read([Point].self))], isArea: false)
        case "MultiLineString": self.init(lines: try read([[Point]].self).map(line), isArea: false)
        case "Polygon": self.init(areas: [try read([[Point]].self).map(line)])
        case "MultiPolygon": self.init(areas: try read([[[Point]]].self).map { try $0.map(line) })
        case "GeometryCollection":
            let all = try container.decode([GeoJSONGeometry].self, forKey: .geometries)
            // An area says more of where a thing is than its entrance, or the line of its fence.
            let hasArea = all.contains { $0.isArea && !$0.lines.isEmpty }
            let shown = all.filter { $0.isArea == hasArea }
            self.init(lines: shown.flatMap(\.lines), isArea: hasArea, holes: shown.flatMap(\.holes))
        default: throw Unknown()
        }
    }

    /// A point that stands for all of it: of an area one in its largest part, and in no hole of it; of a line the point in its middle.
    var middle: Position? {
        let extents = lines.map(Self.extent)
        guard let index = extents.indices.max(by: { extents[$0] < extents[$1] }), !lines[index].isEmpty else {
            return nil
        }
        guard isArea else { return lines[index][lines[index].count / 2] }
        return Surface(outline: lines[index], holes: index < holes.count ? holes[index] : []).point
    }

    /// Points along its lines, a stone's throw apart; of what is longer than eighty kilometres the beginning.
    var anchors: [Position] { Array(anchors(gap: 40).prefix(PlaceRecord.mostAnchors)) }

    private func anchors(gap: Double) -> [Position] {
        var result: [Position] = []
        for line in lines {
            if let first = line.first { result.append(first) }
            for (from, to) in zip(line, line.dropFirst()) where result.count <= PlaceRecord.mostAnchors {
                let steps = Int(
                    min(Double(PlaceRecord.mostAnchors), max(1, (Self.metres(from, to) / gap).rounded(.up))))
                // Across the date line it is not far, whatever the numbers say.
                var east = to.longitude - from.longitude
                if east.magnitude > 180 { east -= east > 0 ? 360 : -360 }
                for step in 1...steps {
                    let part = Double(step) / Double(steps)
                    let longitude = from.longitude + east * part
                    result.append(
                        Position(
                            latitude: from.latitude + (to.latitude - from.latitude) * part,
                            longitude: longitude.magnitude > 180 ? longitude - (longitude > 0 ? 360 : -360) : longitude)
                    )
                }
            }
        }
        return result
    }

    private static func extent(_ line: [Position]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + metres($1.0, $1.1) }
    }

    /// On a flat map around the first point, which is enough for the length of a street.
    private static func metres(_ a: Position, _ b: Position) -> Double {
        var east = abs(a.longitude - b.longitude)
        if east > 180 { east = 360 - east }
        let north = a.latitude - b.latitude
        return (north * north + east * east * pow(cos(a.latitude * .pi / 180), 2)).squareRoot() * 111_195
    }
}
