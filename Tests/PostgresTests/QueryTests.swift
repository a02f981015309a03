import Testing

@testable import Postgres

@Suite struct QueryTests {
    @Test func valuesAreBoundInOrder() {
        let query: SQLQuery = "SELECT \(1), \("two") WHERE \(true)"
        #expect(query.text == "SELECT $1, $2 WHERE $3")
        #expect(query.parameters.map(\.value) == [.text("1"), .text("two"), .text("t")])
        #expect(query.parameters.map(\.type) == [.int8, .derived, .bool])
        #expect("\(query)" == "SELECT $1, $2 WHERE $3")
    }

    @Test func partsAreNumberedAnew() {
        let condition: SQLQuery = "a = \(1) AND b = \(2)"
        let query: SQLQuery = "SELECT \(0) WHERE \(condition) OR c = \(3)"
        #expect(query.text == "SELECT $1 WHERE a = $2 AND b = $3 OR c = $4")
        var sum = query + " LIMIT \(10)"
        sum += " OFFSET \(20)"
        #expect(sum.text.hasSuffix("OR c = $4 LIMIT $5 OFFSET $6"))
        #expect(sum.parameters.count == 6)
    }

    @Test func onlyUnescapedTextGetsIntoTheStatement() {
        let evil = "x'; DROP TABLE spots; --"
        #expect(("SELECT \(evil)" as SQLQuery).text == "SELECT $1")
        #expect(("SELECT \(unescaped: "now()")" as SQLQuery).text == "SELECT now()")
    }

    @Test func nullKeepsItsType() {
        let query: SQLQuery = "SELECT \(Int?.none), \(Optional(5))"
        #expect(query.parameters == [.init(type: .int8, value: .null), .init(type: .int8, value: .text("5"))])
    }

    @Test func schemaNamesArePlain() {
        for name in ["listings", "_a1", "t_0b"] { #expect(PostgresConfiguration.isPlainName(name)) }
        for name in ["", "1a", "A", "a-b", "a b", "a\"b", "ä", String(repeating: "a", count: 64)] {
            #expect(!PostgresConfiguration.isPlainName(name))
            #expect(throws: PostgresError.self) { try PostgresConfiguration(url: "postgres://h/d", schema: name) }
        }
    }

    @Test func urlsAreReadAndNeverRepeated() throws {
        let url = try ConnectionURL("postgres://u:secret@a.example,b.example:6000,%2Frun%2Fpg:7000/db?options=-cx%3Dy")
        #expect(url.hosts.map(\.host) == ["a.example", "b.example", "/run/pg"])
        #expect(url.options == "-cx=y")
        #expect(url.needsResolution)
        #expect(try !ConnectionURL("postgres:///db?host=/run/pg").needsResolution)
        let error = #expect(throws: PostgresError.self) { try ConnectionURL("postgres://u:secret@h:port:/?x=%zz") }
        #expect(error.map { !"\($0) \($0.debugDetail)".contains("secret") } == true)
    }

    @Test func theLeastRecentlyUsedStatementGoesFirst() {
        var cache = StatementCache(limit: 2)
        let key = { (text: String) in StatementCache.Key(pieces: [text], types: []) }
        let first = cache.add(key("a")).added
        #expect(cache.add(key("b")).evicted == nil)
        #expect(cache.find(key("a")) == first)
        let third = cache.add(key("c"))
        #expect(third.evicted != nil && third.evicted != first)
        #expect(cache.find(key("b")) == nil && cache.find(key("a")) == first && cache.count == 2)
        cache.forget(key("a"))
        #expect(cache.find(key("a")) == nil)
    }
}
