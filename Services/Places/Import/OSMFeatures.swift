import FoundationEssentials
import WireProtocol

/// OpenStreetMap's features by their tags (wiki.openstreetmap.org/wiki/Map_features).
struct OSMFeatures: PieceReader {
    func read(_ piece: ArraySlice<UInt8>) throws(LeftOut) -> PlaceRecord? {
        guard piece.contains(where: { $0 > 0x20 }) else { return nil }
        let feature = try GeoJSONFeature(piece)
        let tags = feature.properties
        let number = tags["addr:housenumber"]
        let address = number.flatMap { number in tags["addr:street"].map { "\($0) \(number)" } }
        guard let kind = Self.kind(tags, hasAddress: address != nil) else { throw .otherKind }
        guard let geometry = feature.geometry, let position = geometry.middle else { throw .noPosition }
        guard let type = tags["@type"], let id = tags["@id"] else { throw .noID }
        // What is only an address any more is called so.
        let isAddress = kind == .address && (OSMAccess.isGone(tags) || Self.isParking(tags))
        // Most car parks have no name, and are looked for all the same.
        guard
            let name = (isAddress ? nil : tags["name"])
                ?? (kind == .address ? address : kind == .parking ? address ?? "Parking" : nil)
        else { throw .noName }
        let languages = tags.filter { $0.key.hasPrefix("name:") }
        let others = ["alt_name", "old_name", "short_name", "official_name", "loc_name", "int_name", "brand", "ref"]
        var alternatives =
            languages.map(\.value)
            + others.compactMap { tags[$0] }.flatMap { $0.split(separator: ";").map(String.init) }
        if kind != .address, let address { alternatives.append(address) }
        let population = tags["population"].flatMap(Int.init)
        return PlaceRecord(
            sourceID: kind == .street ? Self.street(name, at: position) : "\(type)/\(id)", kind: kind, name: name,
            alternatives: alternatives.sorted(),
            names: Dictionary(languages.map { (String($0.key.dropFirst(5)), $0.value) }) { first, _ in first },
            address: address, postcode: tags["addr:postcode"], locality: kind == .town ? nil : tags["addr:city"],
            country: tags["addr:country"].flatMap { $0.utf8.count == 2 ? $0.uppercased() : nil },
            importance: population.map(PlaceRecord.importance) ?? Self.importance(kind, tags), position: position,
            anchors: kind == .street ? geometry.anchors : [])
    }

    /// A street is many ways on the map, one from each crossing to the next. Those of one name within about five kilometres are one place here;
    /// another street of that name is farther.
    private static func street(_ name: String, at position: Position) -> String {
        let (row, column) = (
            Int((position.latitude * 20).rounded(.down)), Int((position.longitude * 10).rounded(.down))
        )
        return "street/\(row)/\(column)/\(name.prefix(100))"
    }

    private static func importance(_ kind: PlaceKind, _ tags: [String: String]) -> Double {
        switch (kind, tags["place"]) {
        case (.town, "city"): 0.6
        case (.town, "town"): 0.5
        case (.town, "village"): 0.35
        case (.town, _): 0.2
        // What an encyclopaedia has is asked for more.
        default: kind.usualImportance + (tags["wikidata"] == nil ? 0 : 0.1)
        }
    }

    private static func isParking(_ tags: [String: String]) -> Bool {
        tags["amenity"] == "parking" || tags["amenity"] == "parking_entrance"
    }

    private static let meals: Set<String> = [
        "restaurant", "cafe", "fast_food", "bar", "pub", "food_court", "ice_cream", "biergarten",
    ]
    private static let schools: Set<String> = [
        "school", "university", "college", "kindergarten", "library", "music_school", "language_school",
    ]
    private static let stops: Set<String> = ["station", "halt", "tram_stop", "subway_entrance"]

    private static func kind(_ tags: [String: String], hasAddress: Bool) -> PlaceKind? {
        // What is no more is where it was, and nothing that one goes to.
        guard !OSMAccess.isGone(tags) else {
            let stands = tags["name"] != nil && tags["building"] != nil && !isParking(tags)
            return stands ? .building : hasAddress ? .address : nil
        }
        switch tags["place"] {
        case "city", "town", "village", "hamlet", "isolated_dwelling": return .town
        case "borough", "suburb", "quarter", "neighbourhood": return .district
        case "square": return .street
        default: break
        }
        let isNamed = tags["name"] != nil
        if let amenity = tags["amenity"] {
            if meals.contains(amenity) { return isNamed ? .restaurant : nil }
            if isParking(tags) {
                return OSMAccess.isForEverybody(tags) ? .parking : hasAddress ? .address : nil
            }
            if schools.contains(amenity) { return isNamed ? .school : nil }
            if ["bus_station", "ferry_terminal"].contains(amenity) { return isNamed ? .station : nil }
        }
        if tags["railway"].map(stops.contains) == true || tags["public_transport"] == "station"
            || tags["highway"] == "bus_stop"
        {
            return isNamed ? .station : nil
        }
        if isNamed {
            if tags["shop"] != nil { return .shop }
            if let tourism = tags["tourism"] {
                return ["hotel", "hostel", "guest_house", "motel", "apartment"].contains(tourism) ? .hotel : .venue
            }
            if let leisure = tags["leisure"] {
                return ["park", "garden", "playground", "nature_reserve"].contains(leisure) ? .park : .venue
            }
            if tags["building"] != nil { return .building }
            if ["amenity", "office", "historic", "healthcare", "craft", "club"].contains(where: { tags[$0] != nil }) {
                return .venue
            }
            if tags["highway"] != nil { return .street }
        }
        return hasAddress ? .address : nil
    }
}
