import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import DurableMessaging

@Suite struct DeadLetterTests {
    @Test func what_was_set_aside_is_listed_in_pages_that_fit_into_a_message() async throws {
        try await ServiceDatabase.with { service in
            func setAside(_ count: Int, reason: String) async throws {
                for event in try events((0..<count).map { ("a", $0) }, epoch: UUID()) {
                    _ = try await service.database.query(
                        """
                        INSERT INTO dead_letters (publisher, epoch, position, aggregate, header, payload, reason, attempts)
                        VALUES (\(event.publisher), \(event.epoch), \(event.position), \(event.header.aggregate),
                            \(RawJSON(bytes: try WireJSON.encode(event.header))), '{}', \(reason), 5)
                        """)
                }
            }
            /// The pages' sizes; each is small enough for one frame.
            func pages() async throws -> [Int] {
                var (sizes, cursor) = ([Int](), String?.none)
                repeat {
                    let page = try await service.database.deadLetters(after: cursor)
                    #expect(try WireJSON.encode(page).count < BusLimits.frameSize)
                    sizes.append(page.items.count)
                    cursor = page.next
                } while cursor != nil
                return sizes
            }
            #expect(try await pages() == [0])
            try await setAside(5, reason: String(repeating: "x", count: 100_000))
            #expect(try await pages() == [2, 2, 1])
            // What is larger than a page by itself is a page by itself.
            try await setAside(1, reason: String(repeating: "x", count: 600_000))
            #expect(try await pages() == [2, 2, 1, 1])
            try await setAside(501, reason: "x")
            #expect(try await pages().reduce(0, +) == 507)
            #expect(await thrown(ServiceError.self) { try await service.database.deadLetters(after: "x") } != nil)
        }
    }
}
