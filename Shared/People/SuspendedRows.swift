package import DurableMessaging
package import Postgres
package import WireProtocol

/// The rows of a table to which something is to happen because of who is suspended now: of one person, or of everybody; so many at the most, and
/// locked. The table's key is `id`, and its column `withheld` says what others do not find while its owner is suspended.
package struct SuspendedRows: Sendable {
    private let table: SQLQuery
    private let columns: SQLQuery
    private let person: PersonID?
    private let limit: Int
    private let transaction: CommandTransaction

    package init(
        of table: SQLQuery, _ columns: SQLQuery, for person: PersonID?, atMost limit: Int,
        in transaction: CommandTransaction
    ) {
        (self.table, self.columns, self.person, self.limit) = (table, columns, person, limit)
        self.transaction = transaction
    }

    /// One person's are waited for; of everybody's, those that another process is at are left to it.
    private var lock: SQLQuery { person == nil ? "FOR NO KEY UPDATE SKIP LOCKED" : "FOR NO KEY UPDATE" }

    /// Waits for what the one person is doing; what they do later finds them suspended.
    package func wait() async throws {
        if let person { try await transaction.query(.lock("person", person)) }
    }

    /// Those that are withheld of an owner who is not suspended.
    package func toGiveBack(of owner: SQLQuery) -> SQLQuery {
        let whose: SQLQuery = person.map { "AND \(owner) = \($0)" } ?? ""
        return """
            SELECT \(columns) FROM \(table)
            WHERE withheld \(whose) AND NOT \(SuspensionProjection.isSuspended(owner, at: transaction.now))
            LIMIT \(limit) \(lock)
            """
    }

    /// Those with somebody in a column who is suspended: from the suspended, who are few, to what is theirs, each by its index. `OFFSET 0` leaves
    /// PostgreSQL nothing else: of suspensions that run it expects a third of all there ever were, and would read the whole table.
    package func ofSuspended(in column: SQLQuery, where condition: SQLQuery) -> SQLQuery {
        let theirs: SQLQuery = person.map { "AND suspensions.person = \($0)" } ?? ""
        return """
            SELECT \(columns) FROM \(table) WHERE id IN (
                SELECT theirs.id FROM suspensions CROSS JOIN LATERAL (
                    SELECT id FROM \(table) WHERE \(column) = suspensions.person AND \(condition) OFFSET 0) AS theirs
                WHERE suspensions.until > \(transaction.now) \(theirs) LIMIT \(limit))
            \(lock)
            """
    }

    /// Whose rows both are, without a lock.
    package func owners(_ owner: SQLQuery, where condition: SQLQuery) -> SQLQuery {
        """
        SELECT DISTINCT \(owner) AS person FROM \(table)
        WHERE withheld AND NOT \(SuspensionProjection.isSuspended(owner, at: transaction.now))
        UNION
        SELECT suspensions.person FROM suspensions
        WHERE suspensions.until > \(transaction.now)
            AND EXISTS (SELECT FROM \(table) WHERE \(owner) = suspensions.person AND \(condition) OFFSET 0)
        ORDER BY person LIMIT \(limit)
        """
    }
}
