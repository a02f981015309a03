import PlainText
import WireProtocol

/// Comma-separated values (RFC 4180; semicolons and tabs are seen by the first line) whose first line names the columns: `name`, `latitude`
/// and `longitude` must be there; `id`, `kind`, `address`, `postcode`, `locality`, `region`, `country`, `population` and `alternatives`
/// (separated by `|`) may be.
struct CSVPlaces: PieceReader {
    var kind: PlaceKind?
    private var columns: [String: Int] = [:]
    private var separator = UInt8(ascii: ",")
    private(set) var problem: ImportProblem?

    init(kind: PlaceKind?) { self.kind = kind }

    mutating func read(_ piece: ArraySlice<UInt8>) throws(LeftOut) -> PlaceRecord? {
        guard !piece.isEmpty, problem == nil else { return nil }
        guard !columns.isEmpty else {
            head(piece)
            return nil
        }
        _ = try piece.utf8()
        let values = try Self.values(of: piece, separatedBy: separator)
        func value(_ name: String) -> String? {
            guard let column = columns[name], column < values.count, !values[column].isEmpty else { return nil }
            return values[column]
        }
        guard let latitude = value("latitude"), let longitude = value("longitude") else { throw .noPosition }
        guard let latitude = Double(decimal: latitude.trimmed), let longitude = Double(decimal: longitude.trimmed)
        else {
            throw .badPosition
        }
        guard let name = value("name") else { throw .noName }
        var kind = kind ?? .venue
        if let text = value("kind") {
            guard let said = PlaceKind(rawValue: text.lowercased()) else { throw .otherKind }
            kind = said
        }
        let population = value("population").flatMap(Int.init)
        return PlaceRecord(
            sourceID: value("id") ?? "\(name) \(latitude) \(longitude)", kind: kind, name: name,
            alternatives: value("alternatives")?.split(separator: "|").map(String.init) ?? [],
            address: value("address"), postcode: value("postcode"), locality: value("locality"),
            region: value("region"), country: value("country"),
            importance: population.map(PlaceRecord.importance) ?? kind.usualImportance,
            position: Position(latitude: latitude, longitude: longitude))
    }

    private mutating func head(_ piece: ArraySlice<UInt8>) {
        // A byte order mark, as spreadsheets put it.
        let line = piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece.dropFirst(3) : piece
        separator = [",", ";", "\t"].map { UInt8(ascii: $0) }.max { a, b in
            line.count { $0 == a } < line.count { $0 == b }
        }!
        guard (try? line.utf8()) != nil else { return problem = .otherEncoding(1) }
        let names = (try? Self.values(of: line, separatedBy: separator)) ?? []
        let short = ["lat": "latitude", "lon": "longitude", "lng": "longitude"]
        for (index, name) in names.enumerated() {
            let said = name.oneLine.lowercased()
            let name = short[said] ?? said
            if columns[name] != nil, !name.isEmpty { problem = .columnTwice(name) }
            columns[name] = index
        }
        for needed in ["longitude", "latitude", "name"] where columns[needed] == nil {
            problem = .noColumns(needed)
        }
    }

    static func values(of line: ArraySlice<UInt8>, separatedBy separator: UInt8) throws(LeftOut) -> [String] {
        let quote = UInt8(ascii: "\"")
        var (values, value): ([String], [UInt8]) = ([], [])
        var index = line.startIndex
        while true {
            if index < line.endIndex, line[index] == quote, value.isEmpty {
                index += 1
                while true {
                    guard index < line.endIndex else { throw .malformed }
                    if line[index] == quote {
                        guard index + 1 < line.endIndex, line[index + 1] == quote else { break }
                        index += 1
                    }
                    value.append(line[index])
                    index += 1
                }
                index += 1
                guard index == line.endIndex || line[index] == separator else { throw .malformed }
            }
            if index == line.endIndex || line[index] == separator {
                values.append(String(decoding: value, as: UTF8.self))
                value = []
                if index == line.endIndex { return values }
            } else {
                value.append(line[index])
            }
            index += 1
        }
    }
}
