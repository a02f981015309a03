package import Postgres

extension Database {
    /// Of one form, in one statement.
    private static var mostAtOnce: Int { 500 }

    /// Which of these statements find a row, in their order. Those of the same form are asked as one (`SQLQuery.areFound`).
    package func areFound(by statements: [SQLQuery]) async throws -> [Bool] {
        let groups = Dictionary(grouping: statements.indices, by: { statements[$0].form }).values.flatMap { alike in
            stride(from: 0, to: alike.count, by: Self.mostAtOnce).map { first in
                Array(alike[first..<min(first + Self.mostAtOnce, alike.count)])
            }
        }
        return try await withThrowingTaskGroup(of: [(Int, Bool)].self) { asking in
            for group in groups {
                asking.addTask {
                    let rows = try await read(.areFound(by: group.map { statements[$0] }))
                    return try zip(group, rows).map { ($0, try $1.get("is_found")) }
                }
            }
            var areFound = [Bool](repeating: false, count: statements.count)
            for try await answers in asking {
                for (place, isFound) in answers { areFound[place] = isFound }
            }
            return areFound
        }
    }
}
