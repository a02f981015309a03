import Foundation
import FoundationNetworking
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// The archive of one's own data, from every service.
    @Suite(.serialized) struct ExportTests {
        @Test func everything_about_oneself_comes_as_one_archive() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let picture = try await ada.uploadPhoto(Picture.jpeg, contentType: "image/jpeg")
            var draft = Community.draft("Beside the old mill")
            draft.photo = picture.id
            let spot = try await ada.postSpot(draft)
            let bens = try await ben.postSpot(Community.draft("Ben's corner"))
            _ = try await ada.claim(bens.id)
            #expect(await Result { try await ada.export() }.refusal == .notFound)
            _ = try await ada.requestExport()
            #expect(try await eventually { try await ada.export().readyAt != nil })

            let archive = try await ada.exportArchive()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try archive.write(to: folder.appendingPathComponent("a.zip"))
            // Python's zipfile is not ours, nor libarchive's.
            let unpack = Process()
            unpack.executableURL = URL(filePath: "/usr/bin/env")
            unpack.arguments = ["python3", "-m", "zipfile", "-e", folder.path + "/a.zip", folder.path]
            try unpack.run()
            unpack.waitUntilExit()
            #expect(unpack.terminationStatus == 0)
            func read(_ name: String) throws -> [[String: Any]] {
                let data = try Data(contentsOf: folder.appendingPathComponent(name))
                return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
            }
            #expect(try read("auth/account.json").first?["name"] as? String == "Ada")
            #expect(try read("listings/spots.json").map { $0["name"] as? String } == ["Beside the old mill"])
            #expect(try read("listings/claims.json").map { $0["name"] as? String } == ["Ben's corner"])
            #expect(try read("listings/spots.json").first?["id"] as? String == spot.id.description)
            #expect(FileManager.default.fileExists(atPath: folder.path + "/photos/\(picture.id).webp"))
            #expect(await Result { _ = try await ben.exportArchive() }.refusal == .wrongState)
        }
    }
}
