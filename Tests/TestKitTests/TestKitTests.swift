import Foundation
import Postgres
import Synchronization
import TestKit
import Testing

@Suite("TestKit")
struct TestKitTests {
    @Test func `a test database is a schema of its own, gone afterwards`() async throws {
        let schema = Mutex("")
        let migrations = [Migration(1, "things", "CREATE TABLE things (id int PRIMARY KEY)")]
        try await TestDatabase.with(migrations: migrations) { database in
            schema.withLock { $0 = database.schema }
            _ = try await database.pool.query("INSERT INTO things VALUES (1)")
            try await TestDatabase.with(migrations: migrations) { other in
                #expect(other.schema != database.schema)
                let things = try await other.pool.query("SELECT id FROM things")
                #expect(things.isEmpty)
            }
        }
        let name = schema.withLock { $0 }
        try await TestDatabase.with { database in
            let rows = try await database.pool.query("SELECT 1 AS one FROM pg_namespace WHERE nspname = \(name)")
            #expect(rows.isEmpty)
        }
    }

    @Test func `a test database goes even when the test fails`() async throws {
        struct Failed: Error {}
        let schema = Mutex("")
        await #expect(throws: Failed.self) {
            try await TestDatabase.with { database in
                schema.withLock { $0 = database.schema }
                throw Failed()
            }
        }
        let name = schema.withLock { $0 }
        try await TestDatabase.with { database in
            let rows = try await database.pool.query("SELECT 1 AS one FROM pg_namespace WHERE nspname = \(name)")
            #expect(rows.isEmpty)
        }
    }

    @Test func `a fixed clock stands until it is moved`() {
        let clock = FixedClock()
        let read = clock.read
        #expect(read() == clock.now)
        clock.advance(by: .milliseconds(1500))
        #expect(read().timeIntervalSince1970 == 1_767_225_601.5)
    }

    @Test func `seeded ids are the same each time, different by seed, and in order`() {
        let (first, second) = (SeededIDs(seed: 7), SeededIDs(seed: 7))
        let ids = (0..<100).map { _ in first.next() }
        #expect(ids == (0..<100).map { _ in second.next() })
        #expect(ids.map(\.uuidString) == ids.map(\.uuidString).sorted())
        #expect(Set(ids).count == 100)
        #expect(SeededIDs(seed: 8).next() != ids[0])
    }

    @Test func `free ports are different ones`() {
        let ports = (0..<50).map { _ in FreePort.next() }
        #expect(Set(ports).count == 50)
        // None that the kernel could give to a connection meanwhile.
        #expect(ports.allSatisfy { (1024..<32_768).contains($0) })
    }

    @Test func `a temporary directory goes with its last reference`() throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory("mine")
        let path = try #require(directory?.path)
        try directory?.write("a", "text")
        #expect(directory?.read("a") == "text")
        directory = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `eventually says what it waited for`() async {
        let error = await #expect(throws: NeverHappened.self) {
            try await eventually("rain", within: .milliseconds(30)) { false }
        }
        #expect(error?.description.contains("rain") == true)
    }
}
