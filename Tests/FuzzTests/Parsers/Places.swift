import WireProtocol

@testable import PlacesService

extension Parser {
    /// Files of places, cut into pieces as their bytes come and read piece by piece.
    static let places: [Parser] = [
        cutters, importer(of: .csv), importer(of: .geojson), importer(of: .geonames), importer(of: .osm),
    ]

    private static let cutters = Parser(name: "cutters") { bytes in
        let largest = 64
        let cutters: [Cutter] = [
            .lines(LineCutter(largest: largest)), .lines(LineCutter(heedsQuotes: true, largest: largest)),
            .objects(ObjectCutter(depth: 1, largest: largest)), .objects(ObjectCutter(depth: 2, largest: largest)),
        ]
        for cutter in cutters {
            let whole = Cuts(bytes, by: cutter, inPiecesOf: max(1, bytes.count))
            try promise("in pieces it is cut otherwise", Cuts(bytes, by: cutter, inPiecesOf: 7) == whole)
            try promise("a piece is too large", whole.pieces.allSatisfy { ($0?.count ?? 0) <= largest })
        }
    }

    /// What is kept of a file may be stored and shown as it is.
    private static func importer(of format: ImportFormat) -> Parser {
        Parser(name: format.rawValue) { bytes in
            var reader = format.reader(kind: nil)
            for piece in Cuts(bytes, by: format.cutter, inPiecesOf: max(1, bytes.count)).pieces {
                guard let piece, let record = try? reader.read(piece[...])?.checked() else { continue }
                try promise("\(record) is not checked", (try? record.checked()) == record)
                try promise("\(record.name) is no name", !record.name.isEmpty && record.name == record.name.oneLine)
                try promise("it is not on the earth", ([record.position] + record.anchors).allSatisfy(\.isValid))
                try promise("\(record.importance)", (0...1).contains(record.importance))
                try promise("too many anchors", record.anchors.count <= PlaceRecord.mostAnchors)
            }
        }
    }
}

/// How a file is cut whose bytes come so many at a time.
private struct Cuts: Equatable {
    var pieces: [[UInt8]?]
    var isComplete: Bool

    init(_ bytes: [UInt8], by cutter: Cutter, inPiecesOf size: Int) {
        var cutter = cutter
        var found: [[UInt8]?] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            cutter.cut(rest.prefix(size)) { piece in found.append(piece.map { Array($0) }) }
            rest = rest.dropFirst(size)
        }
        isComplete = cutter.finish { piece in found.append(piece.map { Array($0) }) }
        pieces = found
    }
}
