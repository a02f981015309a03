import DurableMessaging
import Logging
import People
import Postgres
import TestKit

extension Database {
    /// Of a service that keeps what there is to keep of the community, in a schema of its own.
    /// - Parameter own: SQL of its own tables.
    static func withCommunity(_ own: String = "", _ body: (Database) async throws -> Void) async throws {
        try await TestDatabase.with { test in
            let database = Database(
                pool: test.pool, service: "rides", digestKey: Array("a secret of this test".utf8), logger: .quiet)
            try await database.migrate([Community.migration(number: 1), Migration(2, "own tables", own)])
            try await body(database)
        }
    }
}
