import CPostgres

/// The rows that a statement answered, read on demand from libpq's own memory.
package struct PostgresRows: RandomAccessCollection, Sendable {
    let result: QueryResult

    package var startIndex: Int { 0 }
    package var endIndex: Int { result.count }
    package subscript(index: Int) -> PostgresRow {
        precondition(index >= 0 && index < result.count, "row \(index) of \(result.count)")
        return PostgresRow(result: result, index: Int32(index))
    }

    /// How many rows an INSERT, UPDATE or DELETE changed, or a SELECT answered.
    package var affected: Int { result.affected }

    /// The names of the columns in order.
    package var columns: [String] { result.columns }
}

/// One row.
package struct PostgresRow: Sendable {
    let result: QueryResult
    let index: Int32

    /// The value of the column; ask for an optional where it may be NULL.
    /// - Throws: `PostgresError` of kind `.unexpectedValue` where there is no such column or its value is no such thing.
    package func get<Value: PostgresDecodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let number = result.column(column) else {
            throw PostgresError(.unexpectedValue, debugDetail: "no column \(column)")
        }
        return try value(number, named: column)
    }

    /// The value of the column at `position`, from 0.
    package func get<Value: PostgresDecodable>(at position: Int, as type: Value.Type = Value.self) throws -> Value {
        guard position >= 0, position < result.columnCount else {
            throw PostgresError(.unexpectedValue, debugDetail: "no column \(position)")
        }
        return try value(Int32(position), named: String(position))
    }

    private func value<Value: PostgresDecodable>(_ column: Int32, named name: String) throws -> Value {
        guard let text = result.text(row: index, column: column) else {
            if let null = Value.postgresNull { return null }
            throw PostgresError(.unexpectedValue, debugDetail: "column \(name) is NULL, which is no \(Value.self)")
        }
        guard let value = Value(postgresText: text) else {
            throw PostgresError(.unexpectedValue, debugDetail: "column \(name) holds no \(Value.self)")
        }
        return value
    }
}

/// Owns a result of libpq.
///
/// `@unchecked Sendable`: a result is never changed once it is received, and libpq's readers of it are re-entrant.
final class QueryResult: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Takes over `pointer`.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }
    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var count: Int { Int(PQntuples(pointer)) }
    var columnCount: Int { Int(PQnfields(pointer)) }
    var columns: [String] { (0..<PQnfields(pointer)).map { String(cString: PQfname(pointer, $0)) } }
    var affected: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }
    /// `COMMIT`, `INSERT 0 1`, …
    var command: String { String(cString: PQcmdStatus(pointer)) }

    /// PQfnumber would fold the name's case as SQL does and allocate; rows have few columns.
    func column(_ name: String) -> Int32? {
        name.withCString { wanted in
            (0..<PQnfields(pointer)).first { equal(PQfname(pointer, $0), wanted) }
        }
    }

    private func equal(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>) -> Bool {
        var index = 0
        while a[index] == b[index] {
            if a[index] == 0 { return true }
            index += 1
        }
        return false
    }

    func text(row: Int32, column: Int32) -> String? {
        guard PQgetisnull(pointer, row, column) == 0, let value = PQgetvalue(pointer, row, column) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(pointer, row, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Errors

    /// The fields of an error report (PG_DIAG_…).
    private func field(_ code: Character) -> String? {
        PQresultErrorField(pointer, Int32(code.asciiValue!)).map { String(cString: $0) }
    }

    /// Whether the server ended the session with this error.
    var isFatal: Bool { ["FATAL", "PANIC"].contains(field("V")) }

    /// Whether it was libpq that failed, not the server.
    var isLocalFailure: Bool { status == PGRES_FATAL_ERROR && field("C") == nil }

    func error(for statement: String) -> PostgresError {
        let state = field("C")
        let kind: PostgresError.Kind =
            switch state {
            case SQLState.queryCanceled, SQLState.lockNotAvailable: .timeout
            default: .server
            }
        let words = [
            String(cString: PQresultErrorMessage(pointer)).trimmingSuffix(while: \.isWhitespace), "in: \(statement)",
        ]
        return PostgresError(
            kind, sqlState: state, constraint: field("n"), table: field("t"),
            debugDetail: words.joined(separator: "; "))
    }
}

extension String {
    func trimmingSuffix(while condition: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, condition(last) { text.removeLast() }
        return text
    }
}
