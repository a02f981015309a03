import FoundationEssentials
import Postgres
import TestKit
import Testing

@Suite struct ValueTests {
    private enum Kind: String, PostgresCodable, CaseIterable { case streetSpace, lot }

    private struct Point: Codable, Sendable, Equatable {
        var x: Double
        var at: Date?
    }

    /// Sends each value and reads it back, alone and as an array with a NULL in it.
    private func roundTrip<Value: PostgresCodable & Equatable>(_ type: String, _ values: [Value]) async throws {
        try await TestDatabase.with { database in
            for value in values {
                let row = try #require(
                    try await database.pool.query("SELECT \(value)::\(unescaped: type) AS v").first)
                #expect(try row.get("v", as: Value.self) == value)
                #expect(try row.get("v", as: Value?.self) == value)
            }
            let array: [Value?] = values + [nil]
            let row = try #require(
                try await database.pool.query(
                    "SELECT \(array)::\(unescaped: type)[] AS v, \(Value?.none)::\(unescaped: type) AS n"
                ).first)
            #expect(try row.get("v", as: [Value?].self) == array)
            #expect(try row.get("n", as: Value?.self) == nil)
            #expect(throws: PostgresError.self) { try row.get("n", as: Value.self) }
            #expect(throws: PostgresError.self) { try row.get("v", as: [Value].self) }
        }
    }

    @Test func a_name_that_is_none_of_them_is_refused() throws {
        #expect(try Kind.stored("streetSpace") == .streetSpace)
        #expect(throws: PostgresError.self) { try Kind.stored("garage") }
    }

    @Test func booleans() async throws { try await roundTrip("bool", [true, false]) }
    @Test func integers() async throws {
        try await roundTrip("int8", [0, 1, -1, Int.max, .min])
        try await roundTrip("int8", [Int64.max, .min])
        try await roundTrip("int4", [Int32.max, .min])
        try await roundTrip("int2", [Int16.max, .min])
    }

    @Test func doubles() async throws {
        try await roundTrip(
            "float8",
            [0.1, -0.0, 1 / 3, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity])
        try await TestDatabase.with { database in
            let row = try #require(try await database.pool.query("SELECT \(Double.nan) AS v").first)
            #expect(try row.get("v", as: Double.self).isNaN)
        }
    }

    @Test func texts() async throws {
        try await roundTrip("text", ["", "NULL", "a,b", "{}", "\"quoted\\\"", "naïve 🅿️\n\ttab", " space "])
        try await roundTrip("text", Kind.allCases)
    }

    @Test func aTextWithANulCharacterIsRefusedBeforeItIsCutShort() async throws {
        try await TestDatabase.with { database in
            let error = await postgresError { _ = try await database.pool.query("SELECT \("a\0b")::text") }
            #expect(error?.kind == .misuse)
        }
    }

    @Test func uuids() async throws { try await roundTrip("uuid", [UUID(), UUID()]) }

    @Test func bytes() async throws {
        try await TestDatabase.with { database in
            let values: [[UInt8]] = [[], [0], Array(0...255), [0x5C, 0x78]]
            for value in values {
                let row = try #require(
                    try await database.pool.query("SELECT \(value) AS v, \([value, nil]) AS a").first)
                #expect(try row.get("v", as: [UInt8].self) == value)
                #expect(try row.get("a", as: [[UInt8]?].self) == [value, nil])
            }
        }
    }

    @Test func decimals() async throws {
        try await roundTrip(
            "numeric",
            ["0", "-0.01", "12345678901234567890.12", "99999999999999999999999999999999999999", "1e-30"]
                .map { Decimal(string: $0)! })
        try await TestDatabase.with { database in
            let row = try #require(
                try await database.pool.query("SELECT 'NaN'::numeric AS n, repeat('9', 50)::numeric AS long").first)
            #expect(throws: PostgresError.self) { try row.get("n", as: Decimal.self) }
            #expect(throws: PostgresError.self) { try row.get("long", as: Decimal.self) }
            #expect(try row.get("long", as: String.self).count == 50)
        }
    }

    @Test func times() async throws {
        let dates = [
            0.0, 0.000001, -0.000001, 1_763_698_912.123456, -1e10, 253_402_300_799.999, -62_135_596_800, -2e11,
        ]
        .map { Date(timeIntervalSince1970: $0) }
        try await TestDatabase.with { database in
            for date in dates + [.distantFuture, .distantPast] {
                let row = try #require(try await database.pool.query("SELECT \(date) AS v, \([date, nil]) AS a").first)
                let read = try row.get("v", as: Date.self)
                #expect(abs(read.timeIntervalSince(date)) < 5e-7 * max(1, abs(date.timeIntervalSince1970) / 1e9))
                #expect(try row.get("a", as: [Date?].self) == [read, nil])
            }
        }
    }

    /// Against the server's own idea of the calendar, at its ends and around leap days and eras.
    @Test func timesAreTheServersTimes() async throws {
        try await TestDatabase.with { database in
            let texts = [
                "4713-01-01 00:00:00+00 BC", "294276-12-31 23:59:59+00", "0001-12-31 23:59:59+00 BC",
                "0001-01-01 00:00:00+00", "1900-02-28 12:00:00+00", "2000-02-29 23:59:59.5+00",
                "2100-03-01 00:00:00+00",
                "1969-12-31 23:59:59.999999+00",
            ]
            for text in texts {
                let row = try #require(
                    try await database.pool.query(
                        "SELECT \(text)::timestamptz AS v, extract(epoch FROM \(text)::timestamptz)::float8 AS seconds"
                    ).first)
                let date = try row.get("v", as: Date.self)
                let seconds = try row.get("seconds", as: Double.self)
                #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-3, "\(text)")
                let back = try #require(
                    try await database.pool.query(
                        "SELECT abs(extract(epoch FROM \(date) - \(text)::timestamptz)) < 0.001 AS same"
                    ).first)
                #expect(try back.get("same", as: Bool.self), "\(text)")
            }
            let row = try #require(
                try await database.pool.query("SELECT 'infinity'::timestamptz AS up, '-infinity'::timestamptz AS down")
                    .first)
            #expect(try row.get("up", as: Date.self) == .distantFuture)
            #expect(try row.get("down", as: Date.self) == .distantPast)
            let late = await postgresError {
                _ = try await database.pool.query("SELECT \(Date(timeIntervalSince1970: 1e14))")
            }
            #expect(late?.kind == .server)
        }
    }

    @Test func ranges() async throws {
        let start = Date(timeIntervalSince1970: 1_763_698_912.5)
        try await TestDatabase.with { database in
            for range in [start..<start + 60, start..<Date.distantFuture, Date.distantPast..<start] {
                let row = try #require(try await database.pool.query("SELECT \(range) AS v, \([range]) AS a").first)
                #expect(try row.get("v", as: Range<Date>.self) == range)
                #expect(try row.get("a", as: [Range<Date>].self) == [range])
            }
            let row = try #require(
                try await database.pool.query(
                    """
                    SELECT tstzrange(\(start), \(start + 1), '[]') AS closed, tstzrange(\(start), NULL) AS open,
                        \(start..<start) AS empty, \(Range<Date>?.none) AS none
                    """
                ).first)
            let closed = try row.get("closed", as: Range<Date>.self)
            #expect(abs(closed.upperBound.timeIntervalSince(start + 1) - 1e-6) < 5e-7)
            #expect(try row.get("open", as: Range<Date>.self) == start..<Date.distantFuture)
            #expect(try row.get("empty", as: Range<Date>.self).isEmpty)
            #expect(try row.get("none", as: Range<Date>?.self) == nil)
        }
    }

    @Test func json() async throws {
        let points = [Point(x: 1.5, at: Date(timeIntervalSince1970: 1_763_698_912.123)), Point(x: -2, at: nil)]
        try await TestDatabase.with { database in
            let row = try #require(
                try await database.pool.query(
                    """
                    SELECT \(JSON(points)) AS v, \(JSON(points)) -> 0 ->> 'at' AS at, \(points.map { JSON($0) }) AS a,
                        \(RawJSON(text: #"{"b": [1, null], "a": "\u00e9"}"#)) AS raw
                    """
                ).first)
            let read = try row.get("v", as: JSON<[Point]>.self).value
            #expect(read.map(\.x) == points.map(\.x))
            let (here, there) = (try #require(points[0].at), try #require(read[0].at))
            #expect(abs(here.timeIntervalSince(there)) < 0.0006)
            #expect(try row.get("at", as: String.self) == "2025-11-21T04:21:52.123Z")
            #expect(try row.get("a", as: [JSON<Point>].self).count == 2)
            #expect(try row.get("raw", as: RawJSON.self).text == #"{"a": "é", "b": [1, null]}"#)
            #expect(throws: PostgresError.self) { try row.get("raw", as: JSON<[Point]>.self) }
        }
    }

    @Test func textsFitWhereALiteralWould() async throws {
        try await TestDatabase.with { database in
            _ = try await database.pool.query("CREATE TYPE mood AS ENUM ('glad', 'sad')")
            _ = try await database.pool.query("CREATE TABLE people (mood mood, address inet, moods mood[])")
            _ = try await database.pool.query(
                "INSERT INTO people VALUES (\("glad"), \("10.0.0.1"), \(["sad", "glad"]))")
            let rows = try await database.pool.read("SELECT * FROM people WHERE mood = ANY(\(["glad"]))")
            #expect(rows.count == 1 && rows.columns == ["mood", "address", "moods"])
            #expect(try rows[0].get("moods", as: [String].self) == ["sad", "glad"])
            #expect(try rows[0].get(at: 1, as: String.self) == "10.0.0.1")
            #expect(throws: PostgresError.self) { try rows[0].get("nothing", as: String.self) }
            #expect(throws: PostgresError.self) { try rows[0].get("mood", as: Int.self) }
        }
    }
}
