import Crypto
import FoundationEssentials
import NIOCore
import Synchronization

/// The maps that there are to draw: the one that came along, and those that the operator had drawn with what they imported.
///
/// Each is a folder of squares, compressed when it was drawn (deploy/map). Its digest stands in the address of its squares, so that browsers keep them
/// for good; what there is says the index, whose own digest stands in its address on pages. Folders may come and go while we run: they appear and
/// vanish by a rename, and are looked at again whenever their parent has changed.
package final class MapCatalog: Sendable {
    /// What is known of one map: its manifest, as far as we read it.
    struct Manifest: Decodable {
        struct Level: Codable {
            var zoom: Int
            var first: Int
            var last: Int
            var extent: Int
            /// By row, the columns that there are: first, last, first, last, …
            var rows: [String: [Int]]

            func has(column: Int, row: Int) -> Bool {
                let runs = rows[String(row)] ?? []
                return stride(from: 0, to: runs.count - 1, by: 2).contains {
                    runs[$0] <= column && column <= runs[$0 + 1]
                }
            }
        }

        struct Attribution: Codable {
            var text: String
            var licence: String?
            var link: String?
        }

        var source: String
        var digest: String
        var attribution: Attribution
        /// West, south, east, north.
        var box: [Double]
        var levels: [Level]

        /// Whether the other map shows a part of what this one shows.
        func overlaps(_ other: Manifest) -> Bool {
            box[0] < other.box[2] && other.box[0] < box[2] && box[1] < other.box[3] && other.box[1] < box[3]
        }
    }

    /// What scripts read first.
    private struct Index: Encodable {
        struct Set: Encodable {
            var squares: String
            var attribution: Manifest.Attribution
            var box: [Double]
            var levels: [Manifest.Level]
        }

        var sets: [Set]
        var tileServer: TileServer?
    }

    struct Contents: Sendable {
        var index: AssetCatalog.Asset
        /// Where each map lies, and what it has, by its digest.
        var maps: [String: (folder: String, manifest: Manifest)]
        fileprivate var stamps: [Date?]
    }

    private let alongFolder: String?
    private let importedFolder: String?
    package let tileServer: TileServer?
    private let known: Mutex<Contents?> = Mutex(nil)

    /// - Parameters:
    ///   - along: the folder of the map that came along; it is left out where an imported one shows the same part of the world.
    ///   - imported: the folder of the operator's own.
    package init(along: String?, imported: String? = nil, tileServer: TileServer? = nil) {
        alongFolder = along
        importedFolder = imported
        self.tileServer = tileServer
    }

    /// Without any map of streets.
    package static let none = MapCatalog(along: nil)

    /// As it is now: two looks at folders, and at what is in them where those have changed.
    var contents: Contents {
        let stamps = [alongFolder, importedFolder].map(Self.changed)
        return known.withLock { known in
            if let known, known.stamps == stamps { return known }
            let read = read(stamps)
            known = read
            return read
        }
    }

    /// The address of the index as it is now.
    package var indexURL: String { "/map/\(contents.index.tag.filter { $0 != "\"" })/index.json" }

    /// The compressed file of a square, or nil where there is none.
    func square(of digest: String, zoom: Int, column: Int, row: Int) -> String? {
        guard let (folder, manifest) = contents.maps[digest],
            manifest.levels.contains(where: { $0.zoom == zoom && $0.has(column: column, row: row) })
        else { return nil }
        return "\(folder)/\(zoom)/\(column)/\(row).json.gz"
    }

    private func read(_ stamps: [Date?]) -> Contents {
        let imported = Self.maps(in: importedFolder)
        let along = Self.maps(in: alongFolder).filter { map in !imported.contains { map.manifest.overlaps($0.manifest) }
        }
        let all = along + imported
        let sets = all.map { _, manifest in
            Index.Set(
                squares: "/map/squares/\(manifest.digest)", attribution: manifest.attribution, box: manifest.box,
                levels: manifest.levels)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let index = (try? encoder.encode(Index(sets: sets, tileServer: tileServer))) ?? Data(#"{"sets":[]}"#.utf8)
        return Contents(
            index: AssetCatalog.Asset(name: "index.json", bytes: Array(index)),
            maps: Dictionary(all.map { ($0.manifest.digest, $0) }) { first, _ in first }, stamps: stamps)
    }

    /// Those of a folder, in the order of their names; what has no manifest that can be read is none.
    private static func maps(in folder: String?) -> [(folder: String, manifest: Manifest)] {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
        return names.sorted().filter { !$0.hasPrefix(".") }.compactMap { name in
            let path = folder + "/" + name
            guard let bytes = FileManager.default.contents(atPath: path + "/manifest.json"),
                let manifest = try? JSONDecoder().decode(Manifest.self, from: bytes), manifest.box.count == 4,
                !manifest.digest.isEmpty, manifest.digest.allSatisfy(\.isHexDigit)
            else { return nil }
            return (path, manifest)
        }
    }

    private static func changed(_ folder: String?) -> Date? {
        guard let folder else { return nil }
        return try? FileManager.default.attributesOfItem(atPath: folder)[.modificationDate] as? Date
    }
}
