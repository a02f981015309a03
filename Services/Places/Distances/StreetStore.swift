import DurableMessaging
import Postgres

/// The table `streets`: which source has which network.
struct StreetStore: Sendable {
    let database: Database

    func streets() async throws -> [ListedStreets] {
        try await database.read(
            """
            SELECT t.source, t.file, s.attribution, s.licence FROM streets t JOIN sources s ON s.name = t.source
            ORDER BY t.source
            """
        ).map(ListedStreets.init)
    }
}

extension ListedStreets {
    init(_ row: PostgresRow) throws {
        let (attribution, licence): (String, String) = (try row.get("attribution"), try row.get("licence"))
        self.init(
            source: try row.get("source"), file: try row.get("file"), attribution: "\(attribution), \(licence)")
    }
}
