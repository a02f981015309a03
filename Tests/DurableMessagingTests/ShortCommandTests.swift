import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

/// Commands in two round trips.
@Suite struct ShortCommandTests {
    /// One more for the thing: what is asked travels with the look for a stored reply, what is written with COMMIT.
    private func increment(
        _ database: Database, _ context: RequestContext, also statement: SQLQuery = "SELECT 1"
    ) async throws -> Int {
        try await database.command(context) { _ in
            [.lock("thing", "a"), "SELECT n FROM things WHERE id = 'a' FOR UPDATE"]
        } _: { transaction, answers in
            let n = try answers[1][0].get("n", as: Int.self) + 1
            transaction.last(["UPDATE things SET n = \(n) WHERE id = 'a'", statement])
            transaction.publish(Became(n: n), about: "thing/a", to: .everyone)
            return n
        }
    }

    @Test func whatIsAskedFirstAndWrittenLastBelongsToTheCommand() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            _ = try await database.query("INSERT INTO things VALUES ('a', 0)")
            let id = UUID()
            for _ in 0..<2 {
                let n = try await increment(database, request(id))
                #expect(n == 1)
            }
            let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await increment(database, request(UUID())) } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(numbers.sorted() == Array(2...21))
            #expect(try await service.value(of: "a") == 21)
            #expect(try await database.pool.query("SELECT FROM outbox").count == 21)
            // What fails at the end undoes all of it, and is told.
            let refused = await thrown(PostgresError.self) {
                try await increment(database, request(UUID()), also: "INSERT INTO things VALUES ('a', 0)")
            }
            #expect(refused?.constraint == "things_pkey")
            #expect(try await service.value(of: "a") == 21)
            #expect(try await database.pool.query("SELECT FROM outbox").count == 21)
        }
    }

    /// Unlike the wait for another copy of the request: here nothing was done, and that can be said.
    @Test func waitingTooLongForWhatIsAskedFirstIsNoUnknownOutcome() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            _ = try await database.query("INSERT INTO things VALUES ('a', 0)")
            let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
            let (mayEnd, end) = AsyncStream.makeStream(of: Void.self)
            let other = Task {
                try await database.transaction { transaction in
                    try await transaction.query("SELECT FROM things WHERE id = 'a' FOR UPDATE")
                    held.finish()
                    for await _ in mayEnd {}
                }
            }
            for await _ in isHeld {}
            let error = await thrown(ServiceError.self) { try await increment(database, request(UUID())) }
            #expect(error?.code == .unavailable)
            end.finish()
            try await other.value
        }
    }
}
