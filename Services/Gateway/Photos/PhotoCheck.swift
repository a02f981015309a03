package import FoundationEssentials
package import WireProtocol

/// A body that may name a photo, which then has to be one that is kept here.
protocol NamesPhoto: Sendable {
    var namedPhoto: String? { get }
    /// Where in the body.
    static var photoField: String { get }
}

extension NamesPhoto { static var photoField: String { "photo" } }

/// The same of several.
protocol NamesPhotos: Sendable {
    var namedPhotos: [String] { get }
}

extension ThingDraft: NamesPhotos { var namedPhotos: [String] { photos ?? [] } }
extension RentalActDraft: NamesPhotos { var namedPhotos: [String] { photos ?? [] } }

extension SpotDraft: NamesPhoto { var namedPhoto: String? { photo } }
extension SignUp: NamesPhoto { var namedPhoto: String? { photo } }
extension IdentitySignUp: NamesPhoto { var namedPhoto: String? { photo } }
extension MessageDraft: NamesPhoto { var namedPhoto: String? { photo } }
extension ProfileChange: NamesPhoto { var namedPhoto: String? { photo.given ?? nil } }
extension MatchActDraft: NamesPhoto {
    var namedPhoto: String? { receipt }
    static var photoField: String { "receipt" }
}

/// The way to the services for what people send: a photo that was never uploaded goes no further.
///
/// Here, because only the gateway has the photos, and both the pages and `/v1` come this way. A photo is named by its content and belongs to
/// nobody: the same picture, uploaded by two people, is one. So it is not asked who uploaded it.
package struct PhotoCheck: Backend {
    private let next: any Backend
    private let photos: PhotoStore

    package init(_ next: any Backend, photos: PhotoStore) {
        self.next = next
        self.photos = photos
    }

    package func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, as caller: Caller, id: UUID,
        deadline: Date
    ) async throws -> Reply {
        if let body = body as? any NamesPhoto { try check(body.namedPhoto, at: type(of: body).photoField) }
        if let body = body as? any NamesPhotos { try check(body.namedPhotos) }
        return try await next.call(method, parameters, body, as: caller, id: id, deadline: deadline)
    }

    package func forward<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, body: [UInt8], as caller: Caller, id: UUID,
        deadline: Date
    ) async throws -> ServiceReply {
        // What cannot be read is the service's to refuse, with the place of the mistake.
        if let type = Body.self as? any NamesPhoto.Type,
            let fields = try? WireJSON.decode([String: FieldText].self, from: body)
        {
            try check(fields[type.photoField]?.text, at: type.photoField)
        }
        if Body.self is any NamesPhotos.Type, let named = try? WireJSON.decode(NamedTogether.self, from: body) {
            try check(named.photos ?? [])
        }
        return try await next.forward(method, parameters, body: body, as: caller, id: id, deadline: deadline)
    }

    /// A field's text, whatever else may stand there.
    private struct FieldText: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }
    private struct NamedTogether: Decodable { var photos: [String]? }

    private func check(_ photo: String?, at field: String) throws(ServiceError) {
        guard let photo, isMissing(photo) else { return }
        throw .invalid([FieldError(field, "not_a_photo", "There is no such photo here. Upload it first.")])
    }

    /// How many there may be is the service's to judge; no more than that are looked for.
    private func check(_ photos: [String]) throws(ServiceError) {
        guard photos.prefix(Self.mostPhotos).contains(where: isMissing) else { return }
        throw .invalid([FieldError("photos", "not_a_photo", "One of the photos is not here. Upload it first.")])
    }

    private static let mostPhotos = 100

    /// What is no digest at all (or empty, which removes a photo) is the service's to judge.
    private func isMissing(_ photo: String) -> Bool {
        let digest = photo.lowercased()
        return PhotoStore.isDigest(digest) && photos.path(of: digest, .thumb) == nil
    }
}
