import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("Who seeks a ride, as others may know it")
struct SeekingRidesTests {
    private func search(_ query: RideSearchQuery, by person: PersonID = tom) -> SearchJudging.Search {
        SearchJudging.Search(id: .new(), person: person, query: WantedQuery(rides: query))
    }

    private func fits(_ ride: RideID, _ searches: [SearchJudging.Search], _ rides: Rides) async throws -> [SeekerFit] {
        try await rides.rides.seekerFits(SearchJudging(of: Subject(ride), by: searches)).fits
    }

    @Test func its_ends_are_middles_of_fields_with_a_town_and_a_region() async throws {
        // Places is asked of the middles as well.
        try await Rides.with(
            region: { $0 == $0.onGrid ? "Central Coast" : nil }, town: { $0 == $0.onGrid ? "San Luis Obispo" : nil }
        ) { rides in
            let query = RideSearchQuery.usual {
                $0.seats = 2
                $0.luggage = .small
            }
            let seeking = try await rides.rides.seeking(WantedQuery(rides: query))
            #expect(seeking.from.position == query.from.onGrid && seeking.to.position == query.to.onGrid)
            #expect(seeking.from.name == "San Luis Obispo" && seeking.to.region == "Central Coast")
            #expect(seeking.seats == 2 && seeking.luggage == .small)
            let at = try #require(query.at)
            #expect(seeking.after == at - 86_400 && seeking.before == at + 86_400)
        }
    }

    /// Whatever Places says, or does not.
    @Test func what_is_not_known_is_absent() async throws {
        try await Rides.with(
            region: { _ in throw ServiceError(.unavailable, "It is away.") },
            town: { _ in throw ServiceError(.unavailable, "It is away.") }
        ) { rides in
            let seeking = try await rides.rides.seeking(WantedQuery(rides: .usual()))
            #expect(seeking.from.name == nil && seeking.from.region == nil)
            #expect(seeking.to.name == nil && seeking.to.region == nil)
        }
    }

    @Test func what_is_no_search_for_rides_or_over_is_refused() async throws {
        try await Rides.with { rides in
            let over = RideSearchQuery.usual { $0.at = after(hours: -30) }
            for query in [WantedQuery(rides: over), WantedQuery(spots: SpotQuery())] {
                let refusal = await #expect(throws: RideError.self) { try await rides.rides.seeking(query) }
                guard case .invalid? = refusal else {
                    Issue.record("\(String(describing: refusal))")
                    continue
                }
            }
        }
    }

    /// Of random points nothing exact is said, whatever is asked about them.
    @Test func nothing_exact_is_said() async throws {
        var random = RandomRides(seed: 77)
        let searches = (0..<60).map { _ in random.search(by: tom) }
        let ride = random.lasting()
        try await Rides.with { rides in
            _ = try await rides.database.query(ride.insertion)
            let judging = SearchJudging(of: Subject(ride.id), by: searches)
            var said = String(decoding: try WireJSON.encode(try await rides.rides.seekerFits(judging)), as: UTF8.self)
            for search in searches {
                let seeking = try await rides.rides.seeking(search.query.read())
                #expect(seeking.from.position == seeking.from.position.onGrid)
                said += String(decoding: try WireJSON.encode(seeking), as: UTF8.self)
            }
            for query in try searches.compactMap({ try $0.query.read().rides }) {
                for point in [query.from, query.to] {
                    // What has few digits may be said by chance.
                    for text in ["\(point.latitude)", "\(point.longitude)"] where text.count > 8 {
                        #expect(!said.contains(text), "\(point)")
                    }
                }
            }
        }
    }

    /// So nobody learns more of where somebody is than the list of those who seek says.
    @Test func it_fits_as_from_the_middles_of_fields() async throws {
        let streets = MadeUpStreets()
        var random = RandomRides(seed: 79)
        let searches = try (0..<150).map { _ in random.search(by: tom) }.filter { search in
            guard let query = try search.query.read().rides else { return false }
            return query.from.onGrid.metres(to: query.to.onGrid) >= Double(RideLimits.shortestWay)
        }
        let rough = try searches.map { search in
            var rough = search
            var query = try search.query.read()
            let way = try #require(query.rides)
            query.rides?.from = way.from.onGrid
            query.rides?.to = way.to.onGrid
            rough.query = PassedOn(query)
            return rough
        }
        try await Rides.with(streets: streets.askForStreets) { rides in
            var found = 0
            for _ in 0..<10 {
                var ride = random.lasting()
                ride.legs = streets.legs(ride.way.points)
                _ = try await rides.database.query(ride.insertion)
                let fits = try await fits(ride.id, searches, rides)
                let roughly = try await self.fits(ride.id, rough, rides)
                #expect(fits == roughly)
                found += fits.count
            }
            #expect(found > 0)
        }
    }

    /// Places is away: straight lines count, and nobody is left out.
    @Test func straight_lines_count_where_streets_are_not_known() async throws {
        let streets = MadeUpStreets()
        try await Rides.with(legs: streets.askForLegs, streets: streets.askForStreets) { rides in
            let ride = try await rides.posted { $0.maxDetour = 50_000 }.id
            let stored = try #require(try await rides.stored(ride))
            let way = [
                streets.detour([Example.paso], on: 0, of: stored), streets.detour([Example.gilroy], on: 1, of: stored),
            ]
            let metres = way.reduce(0) { $0 + $1.metres }
            _ = try await rides.database.query("UPDATE rides SET max_detour = \(metres)")
            let beside = search(.usual { ($0.from, $0.to) = (Example.paso, Example.gilroy) })
            let along = try #require(try await fits(ride, [beside], rides).first)
            streets.isAway.withLock { $0 = true }
            let straight = try #require(try await fits(ride, [beside], rides).first)
            #expect(along.detour == metres && along.detourSeconds == way.reduce(0) { $0 + $1.seconds })
            #expect(straight.detour < metres && straight.detourSeconds == nil)
            #expect(along.extra == straight.extra && straight.detour == straight.extra && straight.extra > 0)
        }
    }

    @Test func those_who_find_it_are_in_order_of_what_they_cost() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            let searches = [
                search(.usual()), search(.usual { $0.from = Position(latitude: 35.36, longitude: -120.85) }),
                search(.usual { $0.at = after(hours: 400) }), search(.usual(), by: maya),
            ]
            let fits = try await fits(ride.id, searches, rides)
            let judged = try await rides.rides.judgeSearches(SearchJudging(of: Subject(ride.id), by: searches)).found
            #expect(Set(fits.map(\.id)) == Set(judged) && fits.map(\.extra) == fits.map(\.extra).sorted())
            #expect(fits.first?.id == searches[0].id)
            #expect(!fits.contains { [searches[2].id, searches[3].id].contains($0.id) }, "another time, and her own")
        }
    }

    /// Along streets it takes so long, and where that is too far they are left out, as by the search.
    @Test func the_way_out_is_measured_along_streets() async throws {
        let streets = MadeUpStreets()
        var random = RandomRides(seed: 78)
        let searches = (0..<120).map { _ in random.search(by: tom) }
        try await Rides.with(streets: streets.askForStreets) { rides in
            var (known, found) = (0, 0)
            for _ in 0..<10 {
                var ride = random.lasting()
                ride.legs = streets.legs(ride.way.points)
                _ = try await rides.database.query(ride.insertion)
                let judging = SearchJudging(of: Subject(ride.id), by: searches)
                let fits = try await rides.rides.seekerFits(judging).fits
                #expect(Set(fits.map(\.id)) == Set(try await rides.rides.judgeSearches(judging).found))
                found += fits.count
                known += fits.count { $0.detourSeconds != nil }
            }
            #expect(found > 0 && known > 0, "\(known) of \(found)")
        }
    }

    @Test func no_more_are_asked_about_at_once_than_is_agreed() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted()
            let many = (0...SearchJudging.largest).map { _ in search(.usual()) }
            await #expect(throws: RideError.self) { try await fits(ride.id, many, rides) }
        }
    }
}
