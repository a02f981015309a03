package import FoundationEssentials
package import Logging
package import Postgres

/// Rows of a table that have an `id`, and whose time has come.
package struct DueRows: Sendable {
    package let table: String
    /// The column of that time.
    package let time: String
    /// One of them alone; all where nil.
    private var only: UUID?

    package init(_ table: String, _ time: String) { (self.table, self.time) = (table, time) }

    /// A condition on the rows of the table.
    package func condition(at now: Date) -> SQLQuery {
        let isDue: SQLQuery = "\(unescaped: time) <= \(now)"
        guard let only else { return isDue }
        return "\(isDue) AND id = \(only)"
    }

    fileprivate func alone(_ id: UUID) -> DueRows {
        var due = self
        due.only = id
        return due
    }
}

/// A store whose transactions are of a type of their own.
package protocol TransactionStore: Sendable {
    associatedtype Transaction
    var database: Database { get }
    func transaction<Result: Sendable>(
        _ body: @Sendable @escaping (Transaction) async throws -> Result
    ) async throws -> Result
}

extension TransactionStore {
    /// Does what is due, in a transaction of the store (`Database.pass`).
    package func pass(
        _ table: String, _ time: String, atMost limit: Int,
        _ pass: @Sendable @escaping (Transaction, DueRows, Int) async throws -> Int
    ) async throws -> Int {
        try await database.pass(DueRows(table, time), atMost: limit, logger: database.logger) { due in
            try await transaction { try await pass($0, due, limit) }
        }
    }
}

extension PostgresError {
    /// Whether a row holds what nobody here can read.
    package var isUnreadable: Bool { kind == .unexpectedValue }
}

extension Database {
    /// How long a row rests that cannot be read.
    package static let unreadableRest: TimeInterval = 60

    /// Does what is due. Where a row cannot be read, or one that it leads to, each is done by itself: the others go on, and that one is logged and looked at
    /// again in a minute.
    /// - Parameter pass: does it in a transaction, and answers how many it looked at.
    /// - Returns: how many were looked at.
    package func pass(
        _ due: DueRows, atMost limit: Int, logger: Logger, _ pass: @Sendable (DueRows) async throws -> Int
    ) async throws -> Int {
        do { return try await pass(due) } catch let error as PostgresError where error.isUnreadable {}
        let ids: [UUID] = try await transaction { transaction in
            try await transaction.query(
                """
                SELECT id FROM \(unescaped: due.table) WHERE \(due.condition(at: transaction.now))
                ORDER BY \(unescaped: due.time) LIMIT \(unescaped: "\(limit)")
                """
            ).map { try $0.get("id") }
        }
        var count = 0
        for id in ids {
            do { count += try await pass(due.alone(id)) } catch let error as PostgresError where error.isUnreadable {
                logger.error(
                    "a row cannot be read: it is looked at again in a minute",
                    metadata: ["table": "\(due.table)", "row": "\(id)", "error": "\(error.debugDetail)"])
                count += 1
                try await putOff(due.alone(id))
            }
        }
        return count
    }

    private func putOff(_ due: DueRows) async throws {
        try await transaction { transaction in
            _ = try await transaction.query(
                """
                UPDATE \(unescaped: due.table) SET \(unescaped: due.time) = \(transaction.now + Self.unreadableRest)
                WHERE \(due.condition(at: transaction.now))
                """)
        }
    }
}
