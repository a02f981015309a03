import FoundationEssentials
import Logging
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Deletes the pictures of people who have erased themselves, and of rooms that were kept for long enough, but for those that somebody else
/// shows too: the same picture sent twice is one photo.
///
/// Auth and chat keep the lists until they hear what became of each, so that this goes on where it was; any number of gateways may do it at
/// once.
struct ErasedPhotosSweep: Service, CustomStringConvertible {
    let backend: any Backend
    let photos: PhotoStore
    /// See `PhotoStore.delete`.
    let rest: TimeInterval
    let logger: Logger
    var pause = Duration.seconds(5)

    var description: String { "erased photos" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "erased photos wait") {
            try await round()
            return false
        }
    }

    func round() async throws {
        for erased in try await backend.call(AuthMethods.photosToErase, Nothing(), Nothing()).items {
            let (shown, deleted) = try await delete(erased.photos)
            let done = ErasedPhotos(erasure: erased.erasure, photos: shown + deleted, deleted: deleted.count)
            guard !done.photos.isEmpty else { continue }
            _ = try await backend.call(AuthMethods.photosErased, Nothing(), done)
        }
        for left in try await backend.call(ChatMethods.photosToErase, Nothing(), Nothing()).items {
            let (shown, deleted) = try await delete(left.photos)
            let done = LeftPhotos(room: left.room, photos: shown + deleted)
            guard !done.photos.isEmpty else { continue }
            _ = try await backend.call(ChatMethods.photosErased, Nothing(), done)
        }
    }

    /// What was sent just now is in neither list, and waits.
    private func delete(_ names: [String]) async throws -> (shown: [String], deleted: [String]) {
        let shown = try await shown(among: names)
        return (shown, try names.filter { try !shown.contains($0) && photos.delete($0, unlessSentWithin: rest) })
    }

    private func shown(among photos: [String]) async throws -> [String] {
        var shown: Set<String> = []
        for service in Capability.photosInUse.services {
            let asked = PhotoUse(photos: photos)
            shown.formUnion(try await backend.call(service.methods.photosInUse, Nothing(), asked).photos)
        }
        return photos.filter(shown.contains)
    }
}
