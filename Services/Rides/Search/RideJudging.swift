import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// Which of many searches find one ride now.

/// A search of somebody, as it is read.
struct RideSeeker: Hashable, Sendable {
    let search: WantedID
    let person: PersonID
    let page: RideSearchPage
}

/// What a search has of one ride.
typealias SoughtOffer = (search: WantedID, offer: FoundOffer, page: RideSearchPage)

extension RideSearch {
    /// Those that find it, each for its own person.
    func searches(finding ride: RideID, among seekers: [RideSeeker], at now: Date) async throws -> [WantedID] {
        let offers = try await offers(of: ride, to: seekers, at: now)
        var streets = SearchStreets(asking: askForStreets, patience: patience)
        let areWithinReach = await streets.areWithinReach(offers.map { (offer: $0.offer, page: $0.page) })
        return zip(offers, areWithinReach).filter { $0.1 }.map { $0.0.search }
    }

    /// The same, each measured along streets.
    func fits(
        of ride: RideID, to seekers: [RideSeeker], at now: Date
    ) async throws -> [(search: WantedID, offer: FoundOffer)] {
        let offers = try await offers(of: ride, to: seekers, at: now)
        var streets = SearchStreets(asking: askForStreets, patience: patience)
        let measured = await streets.measured(offers.map { (offer: $0.offer, page: $0.page) })
        return zip(offers, measured).compactMap { sought, offer in offer.map { (search: sought.search, offer: $0) } }
    }

    /// By what the database says of the ride and of them in one statement, and by the arithmetic of the search.
    private func offers(of ride: RideID, to seekers: [RideSeeker], at now: Date) async throws -> [SoughtOffer] {
        if seekers.isEmpty { return [] }
        let people = Array(Set(seekers.map(\.person)))
        let rows = try await store.database.read(Self.statement(ride, for: people, at: now, store.people.campuses))
        guard let row = rows.first else { return [] }
        let (seen, isVerified) = (SeenRide(ride: try OfferedRide(row)), try row.get("is_verified", as: Bool.self))
        let allowed = Set(try row.get("seekers", as: [PersonID].self))
        return seekers.compactMap { seeker -> SoughtOffer? in
            guard allowed.contains(seeker.person), isVerified || !seeker.page.onlyVerified else { return nil }
            guard let offer = FoundOffer(seen, for: seeker.page) else { return nil }
            return (search: seeker.search, offer: offer, page: seeker.page)
        }
    }

    /// The ride, if it can be found, and those of some people who may find it. Nobody finds their own.
    private static func statement(
        _ ride: RideID, for people: [PersonID], at now: Date, _ campuses: CampusSeparation
    ) -> SQLQuery {
        let sameCampus: SQLQuery =
            campuses.isOn
            ? "AND page.campus = (SELECT coalesce(belonging.campus, '') FROM people AS belonging WHERE belonging.id = seeker.id)"
            : ""
        return """
            SELECT page.*, coalesce(page.campus <> '', false) AS is_verified, ARRAY(
                SELECT seeker.id FROM unnest(\(people)) AS seeker (id)
                WHERE seeker.id <> page.driver \(sameCampus)
                    AND NOT EXISTS (SELECT FROM blocks WHERE blocks.person = seeker.id AND blocks.other = page.driver OFFSET 0)
                ) AS seekers
            FROM (SELECT \(OfferedRide.columns), campus FROM rides WHERE id = \(ride) AND listed AND leaves_by > \(now)) AS page
            """
    }
}

extension RideStore {
    /// Those of them that this person may find now, in the order in which they are named.
    func findable(_ ids: [RideID], for viewer: PersonID, at now: Date) async throws -> [SeenRide] {
        if ids.isEmpty { return [] }
        return try await database.read(
            """
            SELECT page.*, \(RideViewer.relation(viewer)) FROM (
                SELECT \(OfferedRide.columns), named.number FROM unnest(\(ids)) WITH ORDINALITY AS named (ride, number)
                JOIN rides ON rides.id = named.ride
                WHERE listed AND \(RideListing.condition(for: viewer, at: now, people.campuses))
            ) AS page \(RideViewer.join(viewer)) ORDER BY page.number
            """
        ).map(SeenRide.init)
    }
}
