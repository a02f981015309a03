import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

/// Finds rides that go along a way: the board says which may, the database has the last word.
struct RideSearch: Sendable {
    let store: RideStore
    let board: RideBoard
    /// Asks Places for the ways around a point.
    let askForStreets: StreetsQuestion.Ask
    var patience = SearchStreets.Patience()

    /// What was found, and where nothing fits what there is around.
    struct Found: Sendable {
        var offers: FoundPage<FoundOffer>
        var beyond: [FoundOffer] = []
    }

    func found(_ page: RideSearchPage, for viewer: PersonID?, at now: Date) async throws -> Found {
        let campus = try await campus(of: viewer)
        let offers = try await offers(page, campus, for: viewer, at: now)
        guard offers.isEmpty, page.after == nil else { return Found(offers: FoundPage(offers, of: page.limit)) }
        let beyond = try await self.offers(page.wider, campus, for: viewer, at: now)
        return Found(offers: FoundPage([], of: page.limit), beyond: Array(beyond.prefix(RideSearchPage.mostBeyond)))
    }

    /// The first `limit` + 1.
    private func offers(
        _ page: RideSearchPage, _ campus: String?, for viewer: PersonID?, at now: Date
    ) async throws -> [FoundOffer] {
        var query = page.board(campus, at: now)
        var found: [FoundOffer] = []
        var ids: Set<RideID> = []
        var streets = SearchStreets(asking: askForStreets, patience: patience)
        while true {
            let batch = try await board.search(query)
            let judged = try await judge(batch, page, for: viewer, at: now)
            // What changed meanwhile may have been found before.
            let next = judged.filter { $0.key.isBetween(query.after, batch.end) && ids.insert($0.key.id).inserted }
                .sorted { $0.key < $1.key }
            found += await streets.withinReach(next, for: page, atMost: page.limit + 1 - found.count)
            guard found.count <= page.limit, let end = batch.end else { return found }
            query.after = end
            query.limit = min(query.limit * 2, Self.mostAtOnce)
        }
    }

    private static let mostAtOnce = 500
    /// Far more than are written between two rounds of the board.
    private static let mostLate = 5_000

    /// What the board found as it is now, and what was written since the board has read: so every ride takes part that was there before this statement, and none that is gone.
    private func judge(
        _ batch: BoardPage, _ page: RideSearchPage, for viewer: PersonID?, at now: Date
    ) async throws -> [FoundOffer] {
        let statement = page.statement(batch, atMost: Self.mostLate, for: viewer, at: now, store.people.campuses)
        let rows = try await store.database.read(statement)
        guard try rows.count(where: { try $0.get("is_late") }) < Self.mostLate else {
            throw ServiceError(.unavailable, "Many rides are changing right now. Try again in a moment.", retryAfter: 1)
        }
        return try rows.compactMap { FoundOffer(try SeenRide($0), for: page) }
    }

    /// Where campuses are kept apart, the one whose rides are found.
    private func campus(of viewer: PersonID?) async throws -> String? {
        guard store.people.campuses.isOn else { return nil }
        guard let viewer else { return "" }
        let rows = try await store.database.read(
            "SELECT coalesce(campus, '') AS campus FROM people WHERE id = \(viewer)")
        return try rows.first?.get("campus") ?? ""
    }
}

extension FoundKey {
    fileprivate func isBetween(_ before: FoundKey?, _ last: FoundKey?) -> Bool {
        (before.map { self > $0 } ?? true) && (last.map { self <= $0 } ?? true)
    }
}

extension RideSearchPage {
    /// Some more than the page has: of some the database says otherwise.
    fileprivate func board(_ campus: String?, at now: Date) -> BoardQuery {
        BoardQuery(
            wish: wish, now: now, free: onlyFree ? seats : 0, luggage: luggage, onlyVerified: onlyVerified,
            campus: campus, after: after, limit: limit + 4)
    }

    /// Those rides, and all that were written since, as far as this person may find them.
    fileprivate func statement(
        _ batch: BoardPage, atMost most: Int, for viewer: PersonID?, at now: Date, _ campuses: CampusSeparation
    ) -> SQLQuery {
        let verified: SQLQuery =
            onlyVerified ? "AND campus <> ''" : ""
        let shown: SQLQuery = "listed AND \(RideListing.condition(for: viewer, at: now, campuses)) \(verified)"
        return """
            SELECT page.*, \(RideViewer.relation(viewer)) FROM (
                SELECT \(OfferedRide.columns), false AS is_late FROM rides
                WHERE id = ANY(\(batch.found.map(\.id))) AND \(shown)
                UNION ALL
                \(batch.seen.changes("\(OfferedRide.columns), true AS is_late", where: shown, atMost: most))
            ) AS page \(RideViewer.join(viewer))
            """
    }
}
