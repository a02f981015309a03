import DurableMessaging
import Postgres
import Testing

/// Which of many statements find a row.
@Suite struct AreFoundTests {
    @Test func each_is_answered_in_its_place_whatever_its_text() async throws {
        try await ServiceDatabase.with { service in
            for number in 0..<10 {
                _ = try await service.database.query("INSERT INTO things VALUES (\(String(number)), \(number))")
            }
            var asked: [(statement: SQLQuery, isFound: Bool)] = [("SELECT FROM things WHERE false", false)]
            for number in 0..<1200 {
                asked.append(("SELECT FROM things WHERE n = \(number)", number < 10))
                asked.append(("SELECT FROM things WHERE id = \(String(number))", number < 10))
                asked.append(("SELECT FROM things WHERE n + 1 = \(number % 20)", (1...10).contains(number % 20)))
            }
            asked.shuffle()
            let found = try await service.database.areFound(by: asked.map(\.statement))
            #expect(found == asked.map(\.isFound))
            let none = try await service.database.areFound(by: [])
            #expect(none.isEmpty)
        }
    }
}
