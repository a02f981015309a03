import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import People

/// What is to be withheld of who is suspended, and given back. Ada is suspended and Eve was; each has two posts, of which one is withheld.
@Suite struct SuspendedRowsTests {
    private let ada = PersonID.new()
    private let eve = PersonID.new()

    private func with(_ body: (Database) async throws -> Void) async throws {
        let posts = "CREATE TABLE posts (id int PRIMARY KEY, owner uuid, withheld boolean NOT NULL)"
        try await Database.withCommunity(posts) { database in
            let (now, past) = (Date(), Date() - 60)
            _ = try await database.query(
                """
                INSERT INTO suspensions (person, until, generation) VALUES (\(ada), \(now + 3600), 1), (\(eve), \(past), 1)
                """)
            _ = try await database.query(
                """
                INSERT INTO posts VALUES (1, \(ada), false), (2, \(ada), true), (3, \(eve), false), (4, \(eve), true)
                """)
            try await body(database)
        }
    }

    private func found(
        of person: PersonID?, atMost limit: Int = 9, in transaction: CommandTransaction
    ) async throws -> (back: [Int], away: [Int]) {
        let rows = SuspendedRows(of: "posts", "id, owner", for: person, atMost: limit, in: transaction)
        try await rows.wait()
        func ids(_ query: SQLQuery) async throws -> [Int] {
            try await transaction.query(query).map { try $0.get("id", as: Int.self) }.sorted()
        }
        let back = try await ids(rows.toGiveBack(of: "owner"))
        return (back, try await ids(rows.ofSuspended(in: "owner", where: "NOT withheld")))
    }

    @Test func of_everybody_and_of_one_person() async throws {
        try await with { database async throws in
            let cases: [(person: PersonID?, back: [Int], away: [Int])] = [
                (nil, [4], [1]), (ada, [], [1]), (eve, [4], []),
            ]
            for expected in cases {
                let seen = try await database.transaction { try await found(of: expected.person, in: $0) }
                #expect(seen.back == expected.back && seen.away == expected.away)
            }
            let ids = try await database.transaction { transaction in
                let rows = SuspendedRows(of: "posts", "id", for: ada, atMost: 1, in: transaction)
                return try await transaction.query(rows.ofSuspended(in: "owner", where: "true")).count
            }
            #expect(ids == 1)
        }
    }

    @Test func what_another_process_is_at_is_left_to_it() async throws {
        try await with { database async throws in
            try await database.transaction { transaction in
                try await transaction.query("SELECT FROM posts WHERE id IN (1, 4) FOR UPDATE")
                let meanwhile = try await database.transaction { try await found(of: nil, in: $0) }
                #expect(meanwhile.back.isEmpty && meanwhile.away.isEmpty)
            }
        }
    }
}
