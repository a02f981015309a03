/// One SQL statement with its parameters; interpolated values are bound, never pasted into the text.
///
///     let found = try await pool.query("SELECT id, name FROM spots WHERE id = \(id) AND kind = ANY(\(kinds))")
///
/// - A value of type `PostgresEncodable` becomes `$1`, `$2`, …
/// - Another `SQLQuery` is put in place with its own parameters.
/// - `\(unescaped: text)` is the only way to put text into the statement itself; never let it come from outside.
///
/// Texts (and arrays of texts) are sent without a type, so that the server takes them as it would take a quoted literal: as
/// an enum, a `citext` or an `inet` where one is expected. Where nothing says what is expected, write `\(name)::text`.
/// All other values carry their type.
package struct SQLQuery: Hashable, Sendable {
    /// Text pieces; parameter n stands between piece n and piece n + 1.
    private(set) var pieces: [String]
    private(set) var parameters: [BoundParameter]
    /// False for what is sent once, or planned each time: parsed anew instead of kept prepared on the connection.
    var isPrepared = true

    /// The text as the server gets it.
    package var text: String { Self.text(of: pieces) }

    static func text(of pieces: [String]) -> String {
        var text = pieces[0]
        for (index, piece) in pieces.enumerated().dropFirst() {
            text += "$\(index)"
            text += piece
        }
        return text
    }

    private init(pieces: [String], parameters: [BoundParameter]) {
        self.pieces = pieces
        self.parameters = parameters
    }

    /// A statement without parameters, sent once and not kept prepared.
    static func once(_ text: String) -> SQLQuery {
        var query = SQLQuery(pieces: [text], parameters: [])
        query.isPrepared = false
        return query
    }

    /// The same, planned each time with the values that it has: for a statement whose best plan depends on them, such as a search. That takes some
    /// tenths of a millisecond; a plan for all values may take seconds for some.
    package var plannedAnew: SQLQuery {
        var query = self
        query.isPrepared = false
        return query
    }

    /// Without parameters every plan is one for all values.
    var isPlannedAnew: Bool { !isPrepared && !parameters.isEmpty }

    package static func + (left: SQLQuery, right: SQLQuery) -> SQLQuery {
        var sum = left
        sum.append(right)
        return sum
    }

    package static func += (left: inout SQLQuery, right: SQLQuery) { left.append(right) }

    mutating func append(text: String) { pieces[pieces.count - 1] += text }

    mutating func append(_ parameter: BoundParameter) {
        parameters.append(parameter)
        pieces.append("")
    }

    private mutating func append(_ other: SQLQuery) {
        append(text: other.pieces[0])
        parameters += other.parameters
        pieces += other.pieces.dropFirst()
    }
}

extension SQLQuery: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(pieces: [value], parameters: []) }
    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.query }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var query = SQLQuery(pieces: [""], parameters: [])

        package init(literalCapacity: Int, interpolationCount: Int) {
            query.pieces.reserveCapacity(interpolationCount + 1)
            query.parameters.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { query.append(text: literal) }

        /// Binds a value.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            query.append(BoundParameter(type: Value.postgresType, value: value.postgresParameter))
        }

        /// Binds a value or NULL. (The compiler warns of optionals in interpolations that do not ask for them.)
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            query.append(BoundParameter(type: Value.postgresType, value: value?.postgresParameter ?? .null))
        }

        /// Puts another statement, or a part of one, in place.
        package mutating func appendInterpolation(_ other: SQLQuery) { query.append(other) }

        /// Puts text into the statement as it is. It must not come from outside.
        package mutating func appendInterpolation(unescaped text: String) { query.append(text: text) }
    }
}

extension SQLQuery: CustomStringConvertible {
    /// The text without the parameters' values, so that it may be logged.
    package var description: String { text }
}

/// A value on its way to the server, and the type that the server shall take it for.
struct BoundParameter: Hashable, Sendable {
    var type: PostgresType
    var value: PostgresParameter
}
