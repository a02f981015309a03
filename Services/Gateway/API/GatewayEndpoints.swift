import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import WireProtocol

/// What `/v1` answers without asking a service.
struct GatewayEndpoints: Sendable {
    let photos: any ClientPhotos
    let stream: StreamEndpoint
    let archives: ArchiveBuilder
    let identities: IdentityDoor
    let site: Site
    private let about: Fixed
    private let document: Fixed

    /// - Throws: where the OpenAPI document cannot be put together.
    init(
        community: Community, photos: any ClientPhotos, stream: StreamEndpoint, archives: ArchiveBuilder,
        identities: IdentityDoor, site: Site
    ) throws {
        self.archives = archives
        self.photos = photos
        self.stream = stream
        self.identities = identities
        self.site = site
        about = Fixed(try WireJSON.encode(community.about))
        document = Fixed(try APIDocument.served.get())
    }

    func respond(
        _ endpoint: APIRoute.GatewayEndpoint, to request: Request, _ context: GatewayContext
    ) async throws -> Response {
        switch endpoint {
        case .about: about.respond(to: request)
        case .document: document.respond(to: request)
        case .stream: try await stream.respond(to: request, context)
        case .photo: try await upload(request, context)
        case .calendar: try await calendar(Visit(site: site, request: request, context: context))
        case .archive: try await archives.respond(context)
        case .authorize: try await identities.authorize(request, context)
        case .comeBack: try await identities.comeBack(request, context)
        }
    }

    private func calendar(_ visit: Visit) async throws -> Response {
        try await CalendarFeedFile.file(of: visit.query("token") ?? "", visit)
    }

    /// `POST /v1/photos`: the first file of a multipart form, or the picture as the body itself.
    private func upload(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let type = request.headers[.contentType] ?? ""
        let picture: [UInt8]
        if let boundary = Multipart.boundary(ofContentType: type) {
            let parts = try Multipart.parse(
                await BodyLimits.read(request, limit: BodyLimits.photoForm, in: context), boundary: boundary)
            guard let part = parts.first(where: { $0.filename != nil }) ?? parts.first(where: { $0.name == "photo" })
            else { throw ServiceError.invalid([FieldError("photo", "required", "A picture is needed.")]) }
            picture = Array(part.bytes)
        } else if type.lowercased().hasPrefix("image/") {
            picture = try await BodyLimits.read(request, limit: BodyLimits.photo, in: context)
        } else {
            throw ServiceError(.unsupportedMediaType, "Send a multipart form, or the picture itself as image/….")
        }
        let photo = try await photos.store(picture, for: context.requirePerson())
        return Response(
            status: .created,
            headers: [
                .contentType: "application/json", .cacheControl: "no-store", .location: "/photos/\(photo.id)/full",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(photo))))
    }

    /// An answer that is the same as long as the process lives.
    private struct Fixed: Sendable {
        let body: ByteBuffer
        let tag: String

        init(_ bytes: [UInt8]) {
            body = ByteBuffer(bytes: bytes)
            tag = "W/\"\(HexText.text(of: SHA256.hash(data: bytes).prefix(12)))\""
        }

        func respond(to request: Request) -> Response {
            var headers = HTTPFields()
            headers[.eTag] = tag
            headers[.cacheControl] = "public, max-age=60"
            if EntityTags.matches(request.headers, tag) { return EntityTags.notModified(headers) }
            headers[.contentType] = "application/json"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
        }
    }
}
