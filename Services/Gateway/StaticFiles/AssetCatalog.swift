import Crypto
import FoundationEssentials
package import NIOCore
import WireProtocol

/// The files that pages are made with: our own, those fetched at set-up (`vendor/…`), and the outlines of the world (`map/…`), read and
/// compressed once, at start.
///
/// One digest over all of them stands in every address (`/assets/<digest>/app.js`), so that browsers keep them for ever, and
/// modules and stylesheets find one another by relative addresses without being rewritten.
package struct AssetCatalog: Sendable {
    package struct Asset: Sendable {
        package var contentType: String
        package var body: ByteBuffer
        /// Nil where it would not be smaller.
        package var gzipped: ByteBuffer?
        /// A strong entity tag, in quotation marks.
        package var tag: String

        /// A file of that name and content, compressed where that makes it smaller.
        init(name: String, bytes: [UInt8]) {
            contentType = ContentTypes.of(name)
            body = ByteBuffer(bytes: bytes)
            let small = ContentTypes.isCompressible(contentType) ? Gzip.compress(bytes, level: 9) : nil
            gzipped = small.flatMap { $0.count < bytes.count ? ByteBuffer(bytes: $0) : nil }
            tag = "\"\(HexText.text(of: SHA256.hash(data: bytes).prefix(12)))\""
        }
    }

    /// Stands in the address; changes with any file.
    package let digest: String
    private let assets: [String: Asset]

    /// Reads the files under each directory; one that does not exist contributes nothing.
    package init(_ roots: [(prefix: String, directory: String)]) {
        var assets: [String: Asset] = [:]
        var all = SHA256()
        for root in roots {
            for file in GatewayResources.files(under: root.directory) {
                guard let bytes = FileManager.default.contents(atPath: root.directory + "/" + file) else { continue }
                let name = root.prefix + file
                let asset = Asset(name: name, bytes: Array(bytes))
                assets[name] = asset
                all.update(data: Array((name + asset.tag).utf8))
            }
        }
        self.assets = assets
        digest = HexText.text(of: all.finalize().prefix(8))
    }

    /// The address of a file: `app.js`, `vendor/leaflet.css`, `map/world.json`.
    package func url(_ name: String) -> String { "/assets/\(digest)/\(name)" }

    package subscript(_ name: String) -> Asset? { assets[name] }

    /// The names of all files, in order.
    package var names: [String] { assets.keys.sorted() }
}

/// Media types by file name.
package enum ContentTypes {
    private static let known = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "html": "text/html; charset=utf-8",
        "json": "application/json", "geojson": "application/geo+json", "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp",
        "gif": "image/gif", "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
        "map": "application/json",
    ]

    package static func of(_ name: String) -> String {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return known[ending] ?? "application/octet-stream"
    }

    package static func isCompressible(_ type: String) -> Bool {
        type.hasPrefix("text/") && !type.hasPrefix("text/event-stream") || type.contains("json")
            || type.hasPrefix("image/svg") || type.contains("javascript")
    }
}
