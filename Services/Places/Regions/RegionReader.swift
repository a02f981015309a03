import FoundationEssentials
import WireProtocol

/// Reads regions, drawn (GeoJSON) or listed (CSV), a piece of the file after the other. One that is none refuses the whole file: there are few, and a
/// missing one would not be noticed.
struct RegionReader {
    private(set) var regions: [Region] = []
    private let isDrawn: Bool
    private let areCountries: Bool
    private var columns: [String: Int] = [:]

    init(_ format: ImportFormat) {
        areCountries = format == .drawnCountries
        isDrawn = format == .drawnRegions || areCountries
    }

    /// - Throws: `RegionProblem`, `ImportProblem`.
    mutating func read(_ piece: Piece) throws {
        guard let piece else { throw ImportProblem.unreadable("a region is larger than four megabytes") }
        guard piece.contains(where: { $0 > 0x20 }) else { return }
        if isDrawn { try draw(piece) } else { try list(piece) }
    }

    /// - Throws: `ImportProblem.nothing`.
    func finish() throws -> [Region] {
        guard !regions.isEmpty else { throw ImportProblem.noRegions }
        return regions
    }

    // MARK: Drawn

    private struct Drawing: Decodable {
        var properties: Properties
        var geometry: Geometry

        struct Properties: Decodable {
            var name: String
            var country: String?
            var blur: Double?
        }
        struct Geometry: Decodable {
            /// Of each part its rings, the outer one first.
            var parts: [[[Position]]]

            private enum CodingKeys: String, CodingKey { case type, coordinates }
            struct NoArea: Error {}

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let parts: [[[[Double]]]]
                switch try container.decode(String.self, forKey: .type) {
                case "Polygon": parts = [try container.decode([[[Double]]].self, forKey: .coordinates)]
                case "MultiPolygon": parts = try container.decode([[[[Double]]]].self, forKey: .coordinates)
                default: throw NoArea()
                }
                self.parts = try parts.map { rings in
                    try rings.map { ring in
                        try ring.map { point in
                            guard point.count >= 2 else { throw NoArea() }
                            return Position(latitude: point[1], longitude: point[0])
                        }
                    }
                }
            }
        }
    }

    private mutating func draw(_ piece: ArraySlice<UInt8>) throws {
        let drawing: Drawing
        do {
            let text = try piece.utf8()
            drawing = try JSONDecoder().decode(Drawing.self, from: Data(text.utf8))
        } catch {
            let which = "the region \(regions.count + 1) of the file"
            throw ImportProblem.unreadable("\(which) is no feature with a name and a polygon, or is not UTF-8")
        }
        let name = try checked(drawing.properties.name)
        guard !regions.contains(where: { $0.name == name }) else {
            throw RegionProblem(name: name, reason: "is there twice: draw it as one MultiPolygon")
        }
        var shapes: [RegionShape] = []
        for rings in drawing.geometry.parts {
            do throws(Ring.Problem) {
                guard let outer = rings.first else { throw .short }
                var shape = RegionShape(outer: try Ring(outer))
                for hole in rings.dropFirst() { shape.holes.append(try Ring(hole)) }
                shapes.append(shape)
            } catch {
                throw RegionProblem(name: name, reason: error.rawValue)
            }
        }
        guard !shapes.isEmpty else { throw RegionProblem(name: name, reason: Ring.Problem.short.rawValue) }
        var region = Region(sourceID: name, name: name, shapes: shapes)
        if areCountries { try say(drawing.properties, of: &region) }
        regions.append(region)
    }

    private func say(_ properties: Drawing.Properties, of country: inout Region) throws {
        let isCode =
            properties.country?.utf8.count == 2
            && properties.country?.utf8.allSatisfy { (0x41...0x5A).contains($0) } == true
        guard isCode else { throw RegionProblem(name: country.name, reason: "has no country: two capitals, as FI") }
        guard (0...Region.mostBlur).contains(properties.blur ?? 0) else {
            throw RegionProblem(name: country.name, reason: "has a blur that is no number of metres up to 100000")
        }
        (country.country, country.blur) = (properties.country, properties.blur ?? 0)
    }

    // MARK: Listed

    /// `region` and `town`; `country` and `state` (codes, as `US` and `US.CA`) where a town's name is not enough.
    private mutating func list(_ piece: ArraySlice<UInt8>) throws {
        let line = piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece
        guard (try? line.utf8()) != nil, let values = try? CSVPlaces.values(of: line, separatedBy: UInt8(ascii: ","))
        else { throw ImportProblem.unreadable("a line of the list is not UTF-8, or has a quote that is not closed") }
        guard !columns.isEmpty else {
            for (index, name) in values.enumerated() { columns[name.oneLine.lowercased()] = index }
            for needed in ["region", "town"] where columns[needed] == nil { throw ImportProblem.noColumns(needed) }
            return
        }
        func value(_ name: String) -> String? {
            guard let column = columns[name], column < values.count, !values[column].oneLine.isEmpty else { return nil }
            return values[column].oneLine
        }
        let name = try checked(value("region") ?? "")
        guard let town = value("town"), town.utf8.count <= 4 * PlaceRecord.longestName else {
            throw RegionProblem(name: name, reason: "lists a town without a name, or with too long a one")
        }
        let entry = Region.Town(name: town, country: value("country"), region: value("state"))
        if let index = regions.firstIndex(where: { $0.name == name }) {
            regions[index].towns.append(entry)
        } else {
            regions.append(Region(sourceID: name, name: name, towns: [entry]))
        }
    }

    private func checked(_ name: String) throws -> String {
        let name = name.oneLine
        guard !name.isEmpty, name.count <= Region.longestName, name.utf8.count <= 4 * Region.longestName else {
            let most = "of at most \(Region.longestName) characters"
            throw ImportProblem.unreadable("the region \(regions.count + 1) of the file has no name, or none \(most)")
        }
        guard regions.count < Region.mostRegions else {
            throw ImportProblem.unreadable("there are more than \(Region.mostRegions) regions")
        }
        return name
    }
}
