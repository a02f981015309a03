import Crypto
import FoundationEssentials
import PlainText
import WireProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A place as a source says it, read from a line or an object of a file and checked.
struct PlaceRecord: Hashable, Sendable {
    /// Which thing it is, in the source.
    var sourceID: String
    var kind: PlaceKind
    var name: String
    /// Other names by which it is looked for.
    var alternatives: [String] = []
    var names: [String: String] = [:]
    var address: String?
    var postcode: String?
    var locality: String?
    /// Codes, as `US.IL` and `US`.
    var region: String?
    var country: String?
    /// 0 to 1.
    var importance: Double
    var position: Position
    /// Along what is long.
    var anchors: [Position] = []

    /// Of a source's thing; the same wherever and whenever it is imported (RFC 9562, version 8: made by a rule of our own).
    static func id(of sourceID: String, in source: String) -> PlaceID {
        var bytes = Array(SHA256.hash(data: Array("\(source)\u{0}\(sourceID)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return PlaceID(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }
}

/// Why something of a file did not become a place.
enum LeftOut: String, Error, CaseIterable, Sendable {
    case notUTF8 = "is not UTF-8"
    case piledUp = "has more accents in a row than any text"
    case malformed = "cannot be read"
    case tooLarge = "is larger than a place can be"
    case noName = "has no name"
    case longName = "has a name that is too long"
    case noPosition = "has no position"
    case badPosition = "is not on the earth"
    case noID = "has no id"
    case otherKind = "is of a kind that is not kept"
}

extension PlaceRecord {
    static let longestName = 200
    static let mostAlternatives = 300
    static let mostAnchors = 2000

    /// Trims and bounds what a source says; control characters become spaces, so that a name is one line wherever it is shown.
    func checked() throws(LeftOut) -> PlaceRecord {
        var record = self
        record.sourceID = sourceID.oneLine
        guard !record.sourceID.isEmpty, record.sourceID.utf8.count <= 200 else { throw .noID }
        record.name = name.oneLine
        guard record.name.isVisible else { throw .noName }
        guard record.name.count <= Self.longestName, record.name.utf8.count <= 4 * Self.longestName else {
            throw .longName
        }
        guard position.isValid else { throw .badPosition }
        guard anchors.allSatisfy(\.isValid) else { throw .badPosition }
        record.alternatives = Array(
            alternatives.lazy.map(\.oneLine).filter { !$0.isEmpty && $0.utf8.count <= 4 * Self.longestName }
                .prefix(Self.mostAlternatives))
        record.names = names.mapValues(\.oneLine).filter {
            !$0.value.isEmpty && $0.value.utf8.count <= 4 * Self.longestName && $0.key.utf8.count <= 20
        }
        for path in [\PlaceRecord.address, \.postcode, \.locality, \.region, \.country] {
            record[keyPath: path] = record[keyPath: path].map(\.oneLine).flatMap {
                $0.isEmpty || $0.utf8.count > 400 ? nil : $0
            }
        }
        record.importance = importance.isFinite ? min(1, max(0, importance)) : 0
        return record
    }

    /// How much is asked for a town of so many people: 0.1 for none known, a tenth more for each tenfold from ten on, 0.8 for ten million.
    static func importance(population: Int) -> Double {
        guard population > 0 else { return 0.1 }
        return min(1, max(0.1, (log10(Double(population)) + 1) / 10))
    }
}

extension PlaceKind {
    /// How much a place is asked for beside others, where nothing more is known of it.
    var usualImportance: Double {
        switch self {
        case .town: 0.2
        case .station: 0.3
        case .district, .school, .hotel, .park: 0.25
        case .street, .venue, .building, .restaurant: 0.2
        case .shop, .parking: 0.15
        case .address: 0.1
        }
    }
}

extension String {
    /// Without white space around, each run of white space and control characters within a single space.
    var oneLine: String {
        var result = ""
        var gap = false
        for scalar in unicodeScalars {
            let isGap = scalar.properties.isWhitespace || scalar.isControl
            if isGap {
                gap = true
            } else {
                if gap, !result.isEmpty { result.unicodeScalars.append(" ") }
                gap = false
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
