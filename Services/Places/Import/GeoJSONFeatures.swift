import FoundationEssentials
import WireProtocol

/// A feature of GeoJSON (RFC 7946), with the properties that are texts, numbers or truth values as texts.
struct GeoJSONFeature: Decodable {
    var id: String?
    var properties: [String: String]
    var geometry: GeoJSONGeometry?

    private enum CodingKeys: String, CodingKey { case type, id, properties, geometry }
    struct NoFeature: Error {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .type) == "Feature" else { throw NoFeature() }
        id = try container.decodeIfPresent(Scalar.self, forKey: .id)?.text
        properties =
            try container.decodeIfPresent([String: Scalar].self, forKey: .properties)?.compactMapValues(\.text)
            ?? [:]
        geometry = try container.decodeIfPresent(GeoJSONGeometry.self, forKey: .geometry)
    }

    private struct Scalar: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else if let number = try? container.decode(Int.self) {
                text = String(number)
            } else if let number = try? container.decode(Double.self) {
                text = String(number)
            } else if let truth = try? container.decode(Bool.self) {
                text = String(truth)
            }
        }
    }

    init(_ piece: ArraySlice<UInt8>) throws(LeftOut) {
        let text = try piece.utf8()
        do { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) } catch { throw .malformed }
        let rings = geometry.map { $0.lines + $0.holes.joined() } ?? []
        guard rings.joined().allSatisfy(\.isValid) else { throw .badPosition }
    }
}

/// Features with the properties that CSV has as columns.
struct GeoJSONFeatures: PieceReader {
    var kind: PlaceKind?

    func read(_ piece: ArraySlice<UInt8>) throws(LeftOut) -> PlaceRecord? {
        guard piece.contains(where: { $0 > 0x20 }) else { return nil }
        let feature = try GeoJSONFeature(piece)
        guard let geometry = feature.geometry, let position = geometry.middle else { throw .noPosition }
        let properties = feature.properties
        var kind = kind ?? .venue
        if let text = properties["kind"] {
            guard let said = PlaceKind(rawValue: text.lowercased()) else { throw .otherKind }
            kind = said
        }
        guard let name = properties["name"] else { throw .noName }
        let population = properties["population"].flatMap(Int.init)
        return PlaceRecord(
            sourceID: feature.id ?? properties["id"] ?? "\(name) \(position.latitude) \(position.longitude)",
            kind: kind, name: name,
            alternatives: properties["alternatives"]?.split(separator: "|").map(String.init) ?? [],
            address: properties["address"], postcode: properties["postcode"], locality: properties["locality"],
            region: properties["region"], country: properties["country"],
            importance: population.map(PlaceRecord.importance) ?? kind.usualImportance, position: position,
            anchors: kind == .street ? geometry.anchors : [])
    }
}
