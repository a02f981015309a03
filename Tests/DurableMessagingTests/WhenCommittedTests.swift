import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing

/// What is done as soon as a transaction is committed.
@Suite struct WhenCommittedTests {
    private struct Changed: Error {}

    @Test func others_see_by_then_what_was_written() async throws {
        try await ServiceDatabase.with { service in
            let (rings, bell) = AsyncStream.makeStream(of: Int.self)
            let reader = Task {
                var unseen: [Int] = []
                for await n in rings where try await service.value(of: "t\(n)") == nil { unseen.append(n) }
                return unseen
            }
            for n in 0..<50 {
                try await service.database.transaction { transaction in
                    transaction.whenCommitted { bell.yield(n) }
                    try await transaction.query("INSERT INTO things VALUES (\("t\(n)"), \(n))")
                }
            }
            bell.finish()
            #expect(try await reader.value.isEmpty)
        }
    }

    @Test func nothing_is_done_where_nothing_is_committed() async throws {
        try await ServiceDatabase.with { service in
            let done = Locked<[String]>([])
            await #expect(throws: Changed.self) {
                try await service.database.transaction { transaction in
                    transaction.whenCommitted { done.change { $0.append("thrown") } }
                    throw Changed()
                }
            }
            _ = try await service.database.query("INSERT INTO things VALUES ('a', 0)")
            _ = await thrown(PostgresError.self) {
                try await service.database.transaction { transaction in
                    transaction.whenCommitted { done.change { $0.append("refused") } }
                    transaction.last(["INSERT INTO things VALUES ('a', 0)"])
                }
            }
            #expect(done.value.isEmpty)
        }
    }

    /// Each attempt of a command says it anew; a copy of the request that is answered by what is kept says nothing.
    @Test func it_is_done_once_for_a_command() async throws {
        try await ServiceDatabase.with { service in
            let (done, attempts) = (Locked(0), Locked(0))
            let id = UUID()
            for _ in 0..<2 {
                _ = try await service.database.command(request(id)) { transaction in
                    transaction.whenCommitted { done.change { $0 += 1 } }
                    attempts.change { $0 += 1 }
                    if attempts.value == 1 {
                        try await transaction.query(
                            "DO $$ BEGIN RAISE EXCEPTION 'in a circle' USING ERRCODE = 'deadlock_detected'; END $$")
                    }
                    return 1
                }
            }
            #expect((attempts.value, done.value) == (2, 1))
        }
    }
}
