import FoundationEssentials
import Postgres
import TestKit
import Testing

/// One statement in place of many answers as each of them does.
@Suite struct AreFoundTests {
    private struct Asked: Sendable {
        var name: String?
        var names: [String?] = []
        var number: Int64 = 0
        var numbers: [Int64] = []
        var share = 0.0
        var id = UUID()
        var ids: [UUID?] = []
        var at = Date(timeIntervalSince1970: 0)
        var isGood = true

        var statement: SQLQuery {
            """
            SELECT FROM (SELECT * FROM things WHERE things.number = \(Int64(7)) OFFSET 0) AS things
            WHERE (name IS NOT DISTINCT FROM \(name) OR name = ANY(\(names)::text[])) AND \(number) >= number
                AND NOT number = ANY(\(numbers)) AND share <= \(share)
                AND (id = \(id) OR id IN (SELECT listed FROM unnest(\(ids)) AS listed)) AND at <= \(at) AND \(isGood)
            """
        }
    }

    private static let id = UUID()
    private static let names: [String?] = [
        nil, "", "NULL", "null", "a,b", "{}", "\"quoted\\\"", "it's", "naïve 🅿️\n\ttab", " space ", "$1", "e\u{301}",
        "\u{e9}",
    ]

    private func ask(_ asked: [Asked], of pool: PostgresPool) async throws -> (together: [Bool], alone: [Bool]) {
        let rows = try await pool.query(.areFound(by: asked.map(\.statement)))
        var alone: [Bool] = []
        for one in asked { alone.append(try await !pool.query(one.statement).isEmpty) }
        return (try rows.map { try $0.get("is_found") }, alone)
    }

    private func with(name: String?, _ body: (PostgresPool) async throws -> Void) async throws {
        try await TestDatabase.with { database in
            _ = try await database.pool.query(
                "CREATE TABLE things (name text, number int8, share float8, id uuid, at timestamptz)")
            _ = try await database.pool.query(
                "INSERT INTO things VALUES (\(name), 7, 0.1, \(Self.id), \(Date(timeIntervalSince1970: 1000)))")
            try await body(database.pool)
        }
    }

    private var fitting: Asked {
        Asked(name: "it's", number: 7, share: 0.1, id: Self.id, at: Date(timeIntervalSince1970: 1000))
    }

    @Test func each_value_that_differs_decides_for_its_own() async throws {
        try await with(name: "it's") { pool in
            var asked = [fitting]
            for change: (inout Asked) -> Void in [
                { $0.name = "its" }, { $0.name = nil }, { ($0.name, $0.names) = (nil, ["a,b", nil, "it's"]) },
                { $0.number = 6 }, { $0.number = .max }, { $0.numbers = [6, 8] }, { $0.numbers = [6, 7] },
                { $0.share = 0.0999999 }, { $0.share = .infinity }, { $0.share = .nan }, { $0.id = UUID() },
                { ($0.id, $0.ids) = (UUID(), [nil, Self.id]) }, { $0.at = Date(timeIntervalSince1970: 999.999999) },
                { $0.isGood = false },
            ] {
                var one = fitting
                change(&one)
                asked.append(one)
            }
            let (together, alone) = try await ask(asked, of: pool)
            #expect(together == alone)
            #expect(Set(alone) == [true, false])
            // In whatever company.
            for _ in 0..<20 {
                let some = Array(asked.shuffled().prefix(Int.random(in: 1...asked.count)))
                let (together, alone) = try await ask(some, of: pool)
                #expect(together == alone)
            }
        }
    }

    @Test(arguments: names) func a_text_is_the_same_text(_ name: String?) async throws {
        try await with(name: name) { pool in
            let asked = Self.names.map { name in
                var one = fitting
                one.name = name
                return one
            }
            let (together, alone) = try await ask(asked, of: pool)
            #expect(together == alone)
            #expect(alone == Self.names.map { $0.map { Array($0.utf8) } == name.map { Array($0.utf8) } })
        }
    }

    @Test func one_or_the_same_or_none_is_answered_as_well() async throws {
        try await with(name: "it's") { pool in
            for count in 0...3 {
                let asked = [Asked](repeating: fitting, count: count)
                let together = try await ask(asked, of: pool).together
                #expect(together == asked.map { _ in true })
            }
            let plain: [SQLQuery] = ["SELECT FROM things", "SELECT FROM things"]
            let rows = try await pool.query(.areFound(by: plain))
            #expect(rows.count == 2)
        }
    }
}
