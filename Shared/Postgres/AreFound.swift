extension SQLQuery {
    /// One statement that answers for several of the same text: a row for each, in their order, says whether that one finds a row (`is_found`). Two hundred cost little
    /// more than two.
    ///
    /// What they have in common is bound once; what differs goes along as a column. A text that differs is of the type `text` there: where another type is
    /// expected, and for a list of texts, the statement says so (`\(names)::text[]`).
    package static func areFound(by statements: [SQLQuery]) -> SQLQuery {
        guard let first = statements.first else { return "SELECT false AS is_found WHERE false" }
        precondition(statements.allSatisfy { $0.pieces == first.pieces }, "they differ by more than their values")
        let differing = first.parameters.indices.filter { place in
            statements.contains { !$0.parameters[place].value.isSame(as: first.parameters[place].value) }
        }
        var all: SQLQuery =
            "SELECT EXISTS (\(first.reading(differing))) AS is_found FROM \(rows(of: statements, differing)) ORDER BY place"
        all.isPrepared = first.isPrepared
        return all
    }

    /// The same, but these parameters are columns of `differing`.
    private func reading(_ differing: [Int]) -> SQLQuery {
        var query = SQLQuery(stringLiteral: pieces[0])
        for (place, parameter) in parameters.enumerated() {
            if differing.contains(place) {
                let type = parameter.type.name.map { "::\($0)" } ?? ""
                query.append(text: "(differing.\(Self.name(of: place))\(type))")
            } else {
                query.append(parameter)
            }
            query.append(text: pieces[place + 1])
        }
        return query
    }

    private static func rows(of statements: [SQLQuery], _ differing: [Int]) -> SQLQuery {
        if differing.isEmpty { return "generate_series(1, \(statements.count)) AS place" }
        var query: SQLQuery = "unnest("
        for (number, place) in differing.enumerated() {
            let values = ArrayText.text(of: statements.map(\.parameters[place].value))
            query.append(text: number == 0 ? "" : ", ")
            query.append(BoundParameter(type: .derived, value: .text(values)))
            query.append(text: "::text[]")
        }
        let names = differing.map { name(of: $0) }.joined(separator: ", ")
        query.append(text: ") WITH ORDINALITY AS differing (\(names), place)")
        return query
    }

    private static func name(of place: Int) -> String { "value\(place + 1)" }
}

extension PostgresParameter {
    /// By their bytes: Swift takes texts for equal that are written in different ways.
    fileprivate func isSame(as other: PostgresParameter) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.binary(let one), .binary(let other)): one == other
        default: false
        }
    }
}
