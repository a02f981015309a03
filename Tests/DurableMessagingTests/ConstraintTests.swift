import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import DurableMessaging

/// What the database refuses by a constraint, as the one who gave the command hears of it.
@Suite struct ConstraintTests {
    @Test func constraintsReachTheCommand() async throws {
        try await ServiceDatabase.with { service in
            let error = await thrown(PostgresError.self) {
                try await service.database.command(request(UUID())) { transaction in
                    try await transaction.query("INSERT INTO things VALUES ('d', 1), ('d', 2)")
                    return Nothing()
                }
            }
            #expect(error?.constraint == "things_pkey")
        }
    }

    /// What the database refuses, at a statement or at COMMIT, is refused for good: a copy that comes when nothing is in the way any more does nothing.
    @Test(arguments: [false, true])
    func whatAConstraintMeansIsKept(atCommit: Bool) async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            _ = try await database.query("INSERT INTO things VALUES ('d', 1)")
            let copy = request(UUID())
            func insert() async throws -> Nothing {
                try await database.command(
                    copy, meaning: { $0.constraint == "things_pkey" ? ServiceError(.overlaps, "It is there.") : nil }
                ) { transaction in
                    let statement: SQLQuery = "INSERT INTO things VALUES ('d', 2)"
                    if atCommit { transaction.last([statement]) } else { try await transaction.query(statement) }
                    return Nothing()
                }
            }
            #expect(await thrown(ServiceError.self) { try await insert() }?.code == .overlaps)
            _ = try await database.query("DELETE FROM things WHERE id = 'd'")
            #expect(await thrown(ServiceError.self) { try await insert() }?.code == .overlaps)
            #expect(try await service.value(of: "d") == nil)
        }
    }
}
