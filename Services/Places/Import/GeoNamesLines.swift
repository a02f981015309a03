import PlainText
import WireProtocol

/// Lines with the columns of geonames.org: id, name, ASCII name, alternative names, latitude, longitude, feature class and code, country,
/// other countries, codes of four levels of regions, population, elevation, another elevation, time zone, date.
struct GeoNamesLines: PieceReader {
    var kind: PlaceKind?

    func read(_ piece: ArraySlice<UInt8>) throws(LeftOut) -> PlaceRecord? {
        let text = try piece.utf8()
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        let columns = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard columns.count >= 15 else { throw .malformed }
        guard Double(columns[4]) != nil, Double(columns[5]) != nil else { throw .noPosition }
        // What only a program takes for a number (`nan`, `0x10`) is nowhere.
        guard let latitude = Double(decimal: columns[4]), let longitude = Double(decimal: columns[5]) else {
            throw .badPosition
        }
        guard let kind = kind ?? Self.kind(of: columns[6], columns[7]) else { throw .otherKind }
        let population = Int(columns[14]) ?? 0
        let country = columns[8].isEmpty ? nil : columns[8]
        return PlaceRecord(
            sourceID: columns[0], kind: kind, name: columns[1],
            alternatives: columns[3].split(separator: ",").map(String.init),
            region: Self.region(country, columns[10]), country: country,
            importance: kind == .town ? PlaceRecord.importance(population: population) : kind.usualImportance,
            position: Position(latitude: latitude, longitude: longitude))
    }

    /// `US.IL`; `00` says that there is none.
    static func region(_ country: String?, _ code: String?) -> String? {
        guard let country, let code, !code.isEmpty, code != "00" else { return nil }
        return "\(country).\(code)"
    }

    /// What is kept of GeoNames' features. Administrative areas, mountains and waters are nowhere that one meets.
    private static func kind(of kind: String, _ code: String) -> PlaceKind? {
        switch (kind, code) {
        case ("P", "PPLX"): .district
        // Towns that are no more.
        case ("P", "PPLH"), ("P", "PPLQ"), ("P", "PPLW"), ("P", "PPLCH"): nil
        case ("P", _): .town
        case ("R", "ST"), ("R", "RD"): .street
        case ("S", "REST"), ("S", "CAFE"): .restaurant
        case ("S", "HTL"), ("S", "GHSE"), ("S", "RSRT"): .hotel
        case ("S", "SCH"), ("S", "SCHC"), ("S", "UNIV"), ("S", "LIBR"): .school
        case ("S", "RSTN"), ("S", "BUSTN"), ("S", "MTRO"), ("S", "AIRP"), ("S", "RSTP"): .station
        case ("S", "PKLT"): .parking
        case ("S", "MALL"), ("S", "MKT"), ("S", "RET"): .shop
        case ("S", "BLDG"), ("S", "HSE"): .building
        case ("L", "PRK"), ("S", "GDN"): .park
        case ("S", _): .venue
        default: nil
        }
    }
}
