import Postgres
import WireProtocol

// What of a row of `accounts` others see.

extension PersonSummary {
    static let columns: SQLQuery = "id, name, photo, campus, rating_sum, rating_count"

    init(_ row: PostgresRow) throws {
        self.init(
            id: PersonID(try row.get("id")), name: try row.get("name"), photo: try row.get("photo"),
            campus: try row.get("campus"), reputation: try Reputation(row))
    }
}

extension Reputation {
    init?(_ row: PostgresRow) throws {
        self.init(sum: try row.get("rating_sum"), count: try row.get("rating_count"))
    }

    /// Nil where there is no review.
    init?(sum: Int, count: Int) {
        guard count > 0 else { return nil }
        self.init(rating: (Double(sum) / Double(count) * 100).rounded() / 100, count: count)
    }
}
