/// What went wrong between us and the database.
///
/// `description` names codes and constraints only, so that it may be logged and counted anywhere; `debugDetail` may repeat what
/// was sent and belongs in the service's own log, never in an answer.
package struct PostgresError: Error, Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// The server refused; see `sqlState`.
        case server
        /// The connection went down; nothing was done, or it was rolled back.
        case connectionLost
        /// The connection went down while a commit was under way: it may have been done or not.
        case commitUnknown
        /// A statement, a lock, or the server as a whole took too long; nothing was done.
        case timeout
        /// The task was cancelled; nothing was done.
        case cancelled
        /// No connection could be had in time; nothing was done.
        case unavailable
        /// A row holds something else than what was asked of it.
        case unexpectedValue
        /// The program asked for what cannot be.
        case misuse
    }

    package var kind: Kind
    /// The five characters of SQLSTATE, where the server said something; see `SQLState`.
    package var sqlState: String?
    /// The constraint that was violated.
    package var constraint: String?
    package var table: String?
    /// Of statements that were sent together, the one that failed, from 0; nil where it was none of them.
    package var statement: Int?
    /// The statement was prepared before a migration changed the shape of what it answers. It is prepared anew when it is asked again.
    var isOutdated = false
    /// The server's words, with values and statement.
    package var debugDetail: String

    package init(
        _ kind: Kind, sqlState: String? = nil, constraint: String? = nil, table: String? = nil, debugDetail: String = ""
    ) {
        self.kind = kind
        self.sqlState = sqlState
        self.constraint = constraint
        self.table = table
        self.debugDetail = debugDetail
    }

    /// Whether the same may well succeed when asked again, and asking again can do no harm: nothing was done this time.
    package var isRetriable: Bool {
        switch kind {
        case .connectionLost, .unavailable: true
        case .timeout: true
        case .server: isOutdated || sqlState.map(SQLState.isTransient) ?? false
        case .commitUnknown, .cancelled, .unexpectedValue, .misuse: false
        }
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        var words = ["postgres: \(kind.rawValue)"]
        if let sqlState { words.append("SQLSTATE \(sqlState)") }
        if let constraint { words.append("constraint \(constraint)") }
        if let table { words.append("table \(table)") }
        return words.joined(separator: ", ")
    }
}

/// The conditions that programs tell apart (PostgreSQL's Appendix A).
package enum SQLState {
    package static let notNullViolation = "23502"
    package static let foreignKeyViolation = "23503"
    package static let uniqueViolation = "23505"
    package static let checkViolation = "23514"
    package static let exclusionViolation = "23P01"
    package static let serializationFailure = "40001"
    package static let deadlockDetected = "40P01"
    package static let lockNotAvailable = "55P03"
    package static let queryCanceled = "57014"
    static let failedTransaction = "25P02"
    static let unknownPreparedStatement = "26000"
    static let featureNotSupported = "0A000"
    static let idleInTransaction = "25P03"

    /// Serialization failures and deadlocks, lost connections, a server that is full or shutting down, and plans
    /// that a migration made obsolete.
    static func isTransient(_ state: String) -> Bool {
        switch state {
        case serializationFailure, deadlockDetected, lockNotAvailable, unknownPreparedStatement, idleInTransaction: true
        default: state.hasPrefix("08") || state.hasPrefix("53") || state.hasPrefix("57P")
        }
    }
}
