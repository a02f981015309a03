import FoundationEssentials
import Synchronization
import Testing
import WireProtocol

@testable import GatewayService

/// The archive of one's own data, as the gateway makes it.
@Suite struct ExportArchiveTests {
    private static func page(_ next: Int?) throws -> ServiceReply {
        let records = [PersonalRecord(kind: "spots", json: "{}"), PersonalRecord(kind: "things", json: "{}")]
        let page = DataExportPage(service: "listings", records: records, next: next)
        return ServiceReply(body: try WireJSON.encode(page))
    }

    /// Files of this test that the process has open: others run beside it.
    private static func open(below directory: String) throws -> [String] {
        let (manager, folder) = (FileManager.default, "/proc/self/fd")
        return try manager.contentsOfDirectory(atPath: folder).compactMap {
            try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }.filter { $0.contains(directory) }
    }

    @Test func one_that_is_replaced_while_it_is_read_leaves_nothing_open_and_nothing_behind() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("auth.exportPage") { asked in
                let number = try WireJSON.decode(DataExportPageQuery.self, from: asked.parameters).number
                guard number == 0 else { throw ServiceError.notFound("archive") }
                return try Self.page(1)
            }
            for _ in 0..<5 {
                let answer = try await door.send("GET", "/v1/me/export/archive", [door.bearer()])
                #expect(answer.status == 404)
            }
            #expect(try Self.open(below: door.directory).isEmpty)
            door.backend.on("auth.exportPage") { _ in try Self.page(nil) }
            let whole = try await door.send("GET", "/v1/me/export/archive", [door.bearer()])
            #expect(whole.status == 200 && whole.body.starts(with: Array("PK".utf8)))
        }
    }
}
