import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What becomes of the pictures of people who have erased themselves.
@Suite struct ErasedPhotosTests {
    private static let erasure = ErasureID(UUID())
    private static let room = RoomID(UUID())
    private static let digests = ["a", "b", "c"].map { String(repeating: $0, count: 64) }

    /// A store with three pictures, one of which somebody sent just now.
    private func withStore(_ body: (PhotoStore) async throws -> Void) async throws {
        let directory = "/tmp/gateway-tests-\(UUID.version7())"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for digest in Self.digests {
            let folder = "\(directory)/\(digest.prefix(2))/\(digest)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data([1]).write(to: URL(filePath: folder + "/thumb.webp"))
            let sent = digest == Self.digests[2] ? Date() : Date(timeIntervalSinceNow: -3600)
            try FileManager.default.setAttributes([.modificationDate: sent], ofItemAtPath: folder)
        }
        try await body(try PhotoStore(directory: directory, logger: TestDoor.logger))
    }

    private func backend(
        shown: [String], by owner: PeerRole = .listings, ofRoom: Bool = false
    ) -> FakeBackend {
        let backend = FakeBackend()
        let (erased, left) = (
            ErasedPhotos(erasure: Self.erasure, photos: Self.digests), LeftPhotos(room: Self.room, photos: Self.digests)
        )
        backend.answer(AuthMethods.photosToErase, Page(items: ofRoom ? [] : [erased]))
        backend.answer(ChatMethods.photosToErase, Page(items: ofRoom ? [left] : []))
        for service in Capability.photosInUse.services {
            backend.answer(service.methods.photosInUse, PhotoUse(photos: service == owner ? shown : []))
        }
        backend.answer(AuthMethods.photosErased, Nothing())
        backend.answer(ChatMethods.photosErased, Nothing())
        return backend
    }

    private func left(in store: PhotoStore) -> [String] { Self.digests.filter { store.path(of: $0, .thumb) != nil } }

    @Test(arguments: Capability.photosInUse.services)
    func what_nobody_shows_goes_and_what_was_sent_just_now_waits(owner: PeerRole) async throws {
        try await withStore { store in
            let backend = backend(shown: [Self.digests[1]], by: owner)
            let sweep = ErasedPhotosSweep(backend: backend, photos: store, rest: 600, logger: TestDoor.logger)
            try await sweep.round()
            #expect(left(in: store) == [Self.digests[1], Self.digests[2]])
            let said = try backend.asked(AuthMethods.photosErased.name).map {
                try WireJSON.decode(ErasedPhotos.self, from: $0.body)
            }
            #expect(said.map(\.deleted) == [1])
            #expect(said.map { Set($0.photos) } == [Set(Self.digests.prefix(2))])
        }
    }

    @Test func the_pictures_of_a_room_that_is_gone_go_the_same_way() async throws {
        try await withStore { store in
            let backend = backend(shown: [Self.digests[1]], ofRoom: true)
            let sweep = ErasedPhotosSweep(backend: backend, photos: store, rest: 600, logger: TestDoor.logger)
            try await sweep.round()
            #expect(left(in: store) == [Self.digests[1], Self.digests[2]])
            let said = try backend.asked(ChatMethods.photosErased.name).map {
                try WireJSON.decode(LeftPhotos.self, from: $0.body)
            }
            #expect(said == [LeftPhotos(room: Self.room, photos: [Self.digests[1], Self.digests[0]])])
            #expect(backend.asked(AuthMethods.photosErased.name).isEmpty)
        }
    }

    @Test func while_a_service_is_away_nothing_is_deleted() async throws {
        try await withStore { store in
            let backend = backend(shown: [])
            backend.refuse(CommonMethods(service: "listings").photosInUse, ServiceError(.unavailable, "Away."))
            let sweep = ErasedPhotosSweep(backend: backend, photos: store, rest: 0, logger: TestDoor.logger)
            await #expect(throws: ServiceError.self) { try await sweep.round() }
            #expect(left(in: store) == Self.digests)
            #expect(backend.asked(AuthMethods.photosErased.name).isEmpty)
        }
    }

    @Test func a_name_that_is_no_digest_never_becomes_a_path() async throws {
        try await withStore { store in
            for name in ["", "..", "../../etc", Self.digests[0] + "/..", Self.digests[0].uppercased()] {
                let isGone = try store.delete(name, unlessSentWithin: 0)
                #expect(isGone)
            }
            #expect(left(in: store) == Self.digests)
        }
    }
}
