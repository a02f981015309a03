package import Postgres

extension Database {
    /// Of one text, in one statement.
    private static var mostAtOnce: Int { 500 }

    /// Which of these statements find a row, in their order. Those of the same text are asked as one (`SQLQuery.areFound`).
    package func areFound(by statements: [SQLQuery]) async throws -> [Bool] {
        if statements.isEmpty { return [] }
        let groups = Dictionary(grouping: statements.indices, by: { statements[$0].text }).values.flatMap { alike in
            stride(from: 0, to: alike.count, by: Self.mostAtOnce).map { first in
                Array(alike[first..<min(first + Self.mostAtOnce, alike.count)])
            }
        }
        let asked = groups.map { group in SQLQuery.areFound(by: group.map { statements[$0] }) }
        let answers = try await transaction { try await $0.pipeline(asked) }
        var areFound = [Bool](repeating: false, count: statements.count)
        for (group, rows) in zip(groups, answers) {
            for (place, row) in zip(group, rows) { areFound[place] = try row.get("is_found") }
        }
        return areFound
    }
}
