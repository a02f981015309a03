package import WireProtocol

/// Where uploaded pictures go.
package protocol ClientPhotos: Sendable {
    /// Checks, shrinks, strips and stores a picture that someone uploaded; returns how it is called from now on.
    /// - Parameters:
    ///   - bytes: a JPEG, PNG, WebP, GIF, HEIF or AVIF file of at most 12 MiB.
    ///   - person: who uploaded it; nobody may keep others waiting.
    /// - Throws: `ServiceError` with `unsupportedMediaType`, `tooLarge`, `invalid` or `unavailable`.
    func store(_ bytes: [UInt8], for person: PersonID) async throws -> Photo

    /// The same as far as the small size, which is returned and not kept.
    /// - Throws: as `store`.
    func preview(_ bytes: [UInt8], for person: PersonID) async throws -> [UInt8]
}
