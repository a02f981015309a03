import Logging
import ServiceKit
import ServiceLifecycle
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Deletes the pictures of people who have erased themselves, but for those that somebody else shows too: the same picture sent twice is
/// one photo.
///
/// Auth keeps the list until it hears what became of each, so that this goes on where it was; any number of gateways may do it at once.
struct ErasedPhotosSweep: Service, CustomStringConvertible {
    let backend: any Backend
    let photos: PhotoStore
    /// See `PhotoStore.delete`.
    let rest: TimeInterval
    let logger: Logger
    var pause = Duration.seconds(5)

    var description: String { "erased photos" }

    /// Who shows pictures.
    private static let services: [PeerRole] = [.auth, .listings, .chat]

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "erased photos wait") {
            try await round()
            return false
        }
    }

    func round() async throws {
        let waiting = try await backend.call(AuthMethods.photosToErase, Nothing(), Nothing())
        for erased in waiting.items {
            let shown = try await shown(among: erased.photos)
            var done = ErasedPhotos(erasure: erased.erasure, photos: shown)
            for photo in erased.photos where !shown.contains(photo) {
                guard try photos.delete(photo, unlessSentWithin: rest) else { continue }
                done.photos.append(photo)
                done.deleted += 1
            }
            guard !done.photos.isEmpty else { continue }
            _ = try await backend.call(AuthMethods.photosErased, Nothing(), done)
        }
    }

    private func shown(among photos: [String]) async throws -> [String] {
        var shown: Set<String> = []
        for service in Self.services {
            let methods = CommonMethods(service: service.rawValue)
            shown.formUnion(try await backend.call(methods.photosInUse, Nothing(), PhotoUse(photos: photos)).photos)
        }
        return photos.filter(shown.contains)
    }
}
