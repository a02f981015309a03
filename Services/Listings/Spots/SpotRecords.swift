import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension SpotUseCases {
    /// What listings keeps about somebody: what they posted, what they took, and what they said of spots.
    var ownRecords: [PersonalSections.Section] {
        [
            .init("spots") { person, cursor in
                try await records("spots", of: person, where: "posted_by = \(person)", after: cursor) { $0.photo }
            },
            .init("claims") { person, cursor in
                // Another one's picture is theirs.
                try await records("claims", of: person, where: "claimed_by = \(person)", after: cursor) { _ in nil }
            },
            .init("observations") { person, cursor in
                try await store.observations(by: person, after: cursor.flatMap { SpotID($0) }, limit: PageSize.largest)
            },
        ]
    }

    private func records(
        _ kind: String, of person: PersonID, where condition: SQLQuery, after cursor: String?,
        photo: @Sendable (Spot) -> String?
    ) async throws -> Page<PersonalRecord> {
        let found = try await store.spots(
            where: condition, after: cursor.flatMap { SpotID($0) }, limit: PageSize.largest)
        let names = try await people.summaries(of: Set(found.flatMap(\.people)), for: person)
        let now = clock()
        return Page(
            items: try found.map { one in
                let spot = Spot(one, for: person, among: names, at: now)
                return try PersonalRecord(kind, spot, photos: [photo(spot)])
            },
            next: found.count == PageSize.largest ? found.last?.id.description : nil)
    }
}

extension SpotStore {
    fileprivate func spots(where condition: SQLQuery, after: SpotID?, limit: Int) async throws -> [ParkingSpot] {
        let earlier: SQLQuery = after.map { "AND id < \($0)" } ?? ""
        return try await database.read(
            """
            SELECT \(ParkingSpot.columns) FROM spots WHERE \(condition) \(earlier)
            ORDER BY id DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map(ParkingSpot.init)
    }

    fileprivate func observations(
        by person: PersonID, after: SpotID?, limit: Int
    ) async throws -> Page<PersonalRecord> {
        let earlier: SQLQuery = after.map { "AND spot < \($0)" } ?? ""
        let found = try await database.read(
            """
            SELECT spot, state, seen_at FROM observations WHERE person = \(person) \(earlier)
            ORDER BY spot DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map {
            ExportedObservation(spot: try $0.get("spot"), state: try $0.get("state"), seenAt: try $0.get("seen_at"))
        }
        return Page(
            items: try found.map { try PersonalRecord("observations", $0) },
            next: found.count == limit ? found.last?.spot.description : nil)
    }
}

/// What somebody said of a spot.
private struct ExportedObservation: Codable, Sendable {
    var spot: SpotID
    var state: String
    var seenAt: Date
}
