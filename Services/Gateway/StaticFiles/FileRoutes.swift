import HTTPTypes
package import Hummingbird
import NIOCore
import WireProtocol

/// Serves what never changes under its address: assets and photos.
package struct FileRoutes: Sendable {
    private let assets: AssetCatalog
    private let photos: PhotoStore
    private let files = FileIO()

    package init(assets: AssetCatalog, photos: PhotoStore) {
        self.assets = assets
        self.photos = photos
    }

    package func register(on router: Router<GatewayContext>) {
        router.get("/assets/:digest/**") { request, context in try asset(request, context) }
        router.get("/photos/:digest/:size") { request, context in try await photo(request, context) }
    }

    static let forEver = "public, max-age=31536000, immutable"

    private func asset(_ request: Request, _ context: GatewayContext) throws -> Response {
        let name = context.parameters.getCatchAll().joined(separator: "/")
        guard let asset = assets[name] else { throw ServiceError.notFound("file") }
        // A page from before an update asks under the former digest and gets what there is now, not to keep.
        let isCurrent = context.parameters.get("digest") == assets.digest
        return Self.answer(asset, to: request, cacheControl: isCurrent ? Self.forEver : "no-cache")
    }

    /// An asset as an answer, compressed where that is accepted; also for pages that serve one under an address of its own.
    package static func answer(_ asset: AssetCatalog.Asset, to request: Request, cacheControl: String) -> Response {
        var headers: HTTPFields = [.eTag: asset.tag, .cacheControl: cacheControl]
        let isSmall = asset.gzipped != nil && Compression.accepts(request.headers)
        if asset.gzipped != nil { Compression.vary(&headers) }
        // Two encodings of one file are two representations, and have two tags.
        if isSmall { headers[.eTag] = String(asset.tag.dropLast()) + "-gzip\"" }
        if let tag = headers[.eTag], EntityTags.matches(request.headers, tag) { return EntityTags.notModified(headers) }
        headers[.contentType] = asset.contentType
        guard isSmall, let small = asset.gzipped else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: asset.body))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: small))
    }

    private func photo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let digest = context.parameters.get("digest"),
            let size = context.parameters.get("size").flatMap({ PhotoSize(rawValue: $0) }),
            let path = photos.path(of: digest, size)
        else { throw ServiceError.notFound("photo") }
        let headers: HTTPFields = [.eTag: "\"\(digest)-\(size.rawValue)\"", .cacheControl: Self.forEver]
        if EntityTags.matches(request.headers, headers[.eTag]!) { return EntityTags.notModified(headers) }
        var all = headers
        all[.contentType] = "image/webp"
        return Response(status: .ok, headers: all, body: try await files.loadFile(path: path, context: context))
    }
}
