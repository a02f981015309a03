extension SQLQuery {
    /// What statements have in common that differ only by their values.
    package struct Form: Hashable, Sendable {
        fileprivate let pieces: [String]
        fileprivate let types: [PostgresType]
    }

    package var form: Form { Form(pieces: pieces, types: parameters.map(\.type)) }

    /// One statement in place of several of the same form. It answers a row for each, in their order: whether that one finds a row (`is_found`). Two hundred cost
    /// little more than two.
    ///
    /// The values go along as columns. A text is of the type `text` there: where another type is expected, and for a list of texts, the statement
    /// says so (`\(names)::text[]`).
    package static func areFound(by statements: [SQLQuery]) -> SQLQuery {
        guard let first = statements.first else { return "SELECT false AS is_found WHERE false" }
        precondition(statements.allSatisfy { $0.form == first.form }, "they differ by more than their values")
        let values = rows(of: statements)
        var all: SQLQuery = "SELECT EXISTS (\(first.readingColumns)) AS is_found FROM \(values) ORDER BY asked.place"
        all.isPrepared = first.isPrepared
        return all
    }

    /// The same, but its parameters are columns of `asked`.
    private var readingColumns: SQLQuery {
        var query = SQLQuery(stringLiteral: pieces[0])
        for (place, parameter) in parameters.enumerated() {
            let type = parameter.type.name.map { "::\($0)" } ?? ""
            query.append(text: "(asked.\(Self.name(of: place))\(type))\(pieces[place + 1])")
        }
        return query
    }

    private static func rows(of statements: [SQLQuery]) -> SQLQuery {
        let places = statements[0].parameters.indices
        if places.isEmpty { return "generate_series(1, \(statements.count)) AS asked (place)" }
        var query: SQLQuery = "unnest("
        for place in places {
            let values = ArrayText.text(of: statements.map(\.parameters[place].value))
            query.append(text: place == 0 ? "" : ", ")
            query.append(BoundParameter(type: .derived, value: .text(values)))
            query.append(text: "::text[]")
        }
        let names = places.map { name(of: $0) }.joined(separator: ", ")
        query.append(text: ") WITH ORDINALITY AS asked (\(names), place)")
        return query
    }

    private static func name(of place: Int) -> String { "value\(place + 1)" }
}
