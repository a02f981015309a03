import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A geometry of GeoJSON: its lines, or the outer rings of its areas.
struct GeoJSONGeometry: Decodable, Sendable {
    var lines: [[Position]] = []
    var isArea = false

    private enum CodingKeys: String, CodingKey { case type, coordinates, geometries }
    private typealias Point = [Double]
    struct Unknown: Error {}

    init(lines: [[Position]], isArea: Bool) {
        self.lines = lines
        self.isArea = isArea
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
        case "Point": lines = [try line([try read(Point.self)])]
        case "MultiPoint": lines = [try line(try read([Point].self))]
        case "LineString": lines = [try line(try read([Point].self))]
        case "MultiLineString": lines = try read([[Point]].self).map(line)
        case "Polygon":
            lines = try read([[Point]].self).prefix(1).map(line)
            isArea = true
        case "MultiPolygon":
            lines = try read([[[Point]]].self).compactMap(\.first).map(line)
            isArea = true
        case "GeometryCollection":
            lines = try container.decode([GeoJSONGeometry].self, forKey: .geometries).flatMap(\.lines)
        default: throw Unknown()
        }
    }

    /// A point that stands for all of it: of an area the centre of gravity of its largest part, of a line the point in its middle.
    var middle: Position? {
        guard let longest = lines.max(by: { Self.extent($0) < Self.extent($1) }), !longest.isEmpty else { return nil }
        guard isArea else { return longest[longest.count / 2] }
        return Self.centre(of: longest)
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

    /// Of a ring. One that crosses the date line is moved to one side for it; one without area (it crosses itself, or is a line) has the mean of
    /// its points.
    private static func centre(of ring: [Position]) -> Position {
        let longitudes = ring.map(\.longitude)
        let crosses = longitudes.max()! - longitudes.min()! > 180
        let points = ring.map { (x: crosses && $0.longitude < 0 ? $0.longitude + 360 : $0.longitude, y: $0.latitude) }
        let origin = points[0]
        var (area, x, y) = (0.0, 0.0, 0.0)
        for (a, b) in zip(points, points.dropFirst() + points.prefix(1)) {
            let (ax, ay, bx, by) = (a.x - origin.x, a.y - origin.y, b.x - origin.x, b.y - origin.y)
            let cross = ax * by - bx * ay
            area += cross
            x += (ax + bx) * cross
            y += (ay + by) * cross
        }
        let box = (points.map(\.x).min()!...points.map(\.x).max()!, points.map(\.y).min()!...points.map(\.y).max()!)
        var centre = (x: origin.x + x / (3 * area), y: origin.y + y / (3 * area))
        if !centre.x.isFinite || !centre.y.isFinite || !box.0.contains(centre.x) || !box.1.contains(centre.y) {
            let count = Double(points.count)
            centre = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        }
        return Position(latitude: centre.y, longitude: centre.x > 180 ? centre.x - 360 : centre.x)
    }
}
