import FoundationEssentials
import HTTPTypes
package import Hummingbird
import NIOCore
import WireProtocol

/// Serves the maps: `/map/<digest>/index.json` says what there is, `/map/squares/<digest>/<zoom>/<column>/<row>.json` is a part of it.
package struct MapRoutes: Sendable {
    private let maps: MapCatalog
    private let files = FileIO()

    package init(maps: MapCatalog) { self.maps = maps }

    package func register(on router: Router<GatewayContext>) {
        router.get("/map/index.json") { request, _ in index(request, digest: nil) }
        router.get("/map/:digest/index.json") { request, context in
            index(request, digest: context.parameters.get("digest"))
        }
        router.get("/map/squares/:digest/:zoom/:column/:row") { request, context in
            try await square(request, context)
        }
    }

    /// Under another digest, and without one, there is what is there now, not to keep.
    private func index(_ request: Request, digest: String?) -> Response {
        let index = maps.contents.index
        let isCurrent = digest.map { index.tag == "\"\($0)\"" } ?? false
        return FileRoutes.answer(index, to: request, cacheControl: isCurrent ? FileRoutes.forEver : "no-cache")
    }

    /// Squares lie compressed and go out so; who accepts none of that gets them unpacked.
    private func square(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let parameters = context.parameters
        let file = parameters.get("row") ?? ""
        guard let digest = parameters.get("digest"), file.hasSuffix(".json"),
            let zoom = parameters.get("zoom").flatMap({ Int($0) }),
            let column = parameters.get("column").flatMap({ Int($0) }), let row = Int(file.dropLast(".json".count)),
            let path = maps.square(of: digest, zoom: zoom, column: column, row: row)
        else { throw ServiceError.notFound("square") }
        let packed = Compression.accepts(request.headers)
        var headers: HTTPFields = [
            .eTag: "\"\(digest)-\(zoom)-\(column)-\(row)\(packed ? "-gzip" : "")\"",
            .cacheControl: FileRoutes.forEver, .vary: "Accept-Encoding",
        ]
        if EntityTags.matches(request.headers, headers[.eTag]!) { return EntityTags.notModified(headers) }
        headers[.contentType] = "application/json"
        guard packed else {
            guard let bytes = FileManager.default.contents(atPath: path), let whole = Gzip.decompress(Array(bytes))
            else { throw ServiceError.notFound("square") }
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: whole)))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: try await files.loadFile(path: path, context: context))
    }
}
