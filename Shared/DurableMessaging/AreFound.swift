package import Postgres

extension Database {
    /// In one round trip.
    private static var mostAtOnce: Int { 50 }

    /// Which of these statements find a row, in their order.
    package func areFound(by statements: [SQLQuery]) async throws -> [Bool] {
        try await transaction { transaction in
            var found: [Bool] = []
            for first in stride(from: 0, to: statements.count, by: Self.mostAtOnce) {
                let next = Array(statements[first..<min(first + Self.mostAtOnce, statements.count)])
                found += try await transaction.pipeline(next).map { !$0.isEmpty }
            }
            return found
        }
    }
}
