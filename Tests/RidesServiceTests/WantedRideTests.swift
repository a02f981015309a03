import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("What a standing search for rides may say")
struct WantedRideTests {
    private func wrong(_ change: (inout RideSearchQuery) -> Void) -> [String] {
        RidesServiceTests.wrong { () throws(RideError) in
            try WantedRide(WantedQuery(rides: .usual(change)), at: noon).checkIsAhead(of: noon)
        }
    }

    @Test func it_says_when_and_has_no_pages() {
        #expect(wrong { _ in } == [])
        #expect(wrong { $0.at = nil } == ["rides.at: required"])
        #expect(wrong { $0.limit = 10 } == ["rides.limit: not_allowed"])
        #expect(wrong { $0.cursor = "x" } == ["rides.cursor: not_allowed"])
        #expect(
            wrong { ($0.limit, $0.seats, $0.to) = (10, 9, salinas) } == [
                "rides.limit: not_allowed", "rides.to: too_close", "rides.seats: out_of_range",
            ])
    }

    /// What the search refuses is refused, and what can find nothing any more.
    @Test func it_is_not_over() {
        #expect(wrong { $0.at = after(hours: -23) } == [])
        #expect(wrong { $0.at = after(hours: -24) } == ["rides.at: in_past"])
        #expect(wrong { $0.at = after(hours: -25) } == ["rides.at: in_past"])
        func window(_ after: Date?, _ before: Date?) -> [String] {
            wrong { ($0.at, $0.after, $0.before) = (nil, after, before) }
        }
        #expect(window(noon, after(hours: 168)) == [])
        #expect(window(noon, after(hours: 168) + 1) == ["rides.before: too_long"])
        #expect(window(after(hours: -1), nil) == [] && window(nil, after(hours: 1)) == [])
        #expect(window(after(hours: -24), nil) == ["rides.before: in_past"])
        #expect(window(nil, noon) == ["rides.before: in_past"])
        #expect(window(after(hours: 2), after(hours: 1)) == ["rides.before: out_of_order"])
        #expect(
            wrong { $0.after = noon } == ["rides.at: not_allowed"], "a moment or a window")
    }

    @Test func it_looks_for_rides_and_for_nothing_else() {
        var both = WantedQuery(rides: .usual())
        both.spots = SpotQuery()
        var withDeliverers = WantedQuery(rides: .usual())
        withDeliverers.deliverers = DelivererSearch(restaurant: .new())
        for query in [both, withDeliverers, WantedQuery(spots: SpotQuery())] {
            let errors = RidesServiceTests.wrong { () throws(RideError) in _ = try WantedRide(query, at: noon) }
            #expect(errors == ["rides: required"])
        }
    }

    @Test func it_is_kept_as_it_is_read() throws {
        let moment = try WantedRide(WantedQuery(rides: .usual { $0.noDetour = true }), at: noon)
        #expect(moment.query == .usual { ($0.noDetour, $0.mostExtra) = (true, 14_000) })
        #expect(moment.until == Example.departure + 86_400 + RideLimits.longestDeparture)
        let one = try WantedRide(
            WantedQuery(rides: .usual { ($0.at, $0.before) = (nil, after(hours: 30)) }), at: noon)
        #expect(one.query.after == after(hours: 6) && one.query.before == after(hours: 30) && one.query.at == nil)
        #expect(one.until == after(hours: 36))
        let again = try WantedRide(WantedQuery(rides: one.query), at: noon)
        #expect(again == one)
        #expect(one.page.limit == SearchLook.most)
    }

    @Test func it_says_how_much_extra_may_be() throws {
        func most(_ change: (inout RideSearchQuery) -> Void) throws -> Int? {
            let wanted = try WantedRide(WantedQuery(rides: .usual(change)), at: noon)
            #expect(wanted.page.wish.mostExtra <= wanted.query.mostExtra ?? 0)
            return wanted.query.mostExtra
        }
        #expect(try most { _ in } == 14_000, "a tenth of 139.8 km")
        #expect(try most { $0.to = Example.gilroy } == 5_000)
        #expect(try most { $0.mostExtra = 0 } == 0)
        #expect(wrong { $0.mostExtra = -1 } == ["rides.mostExtra: out_of_range"])
        #expect([0, 50_000, 50_001, 60_000].map(WantedRide.usualExtra) == [5_000, 5_000, 6_000, 6_000])
    }

    /// A ride that leaves between two times is found until the later one.
    @Test func what_can_be_found_last_leaves_by_its_end() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted { $0.leavesBy = WireJSON.text(of: after(hours: 54)) }.id
            func isFound() async throws -> Bool {
                let query = RideSearchQuery.usual { ($0.from, $0.at, $0.before) = (campus, nil, after(hours: 48)) }
                let search = SearchJudging.Search(id: .new(), person: tom, query: WantedQuery(rides: query))
                return try await !rides.rides.judgeSearches(SearchJudging(of: Subject(ride), by: [search])).found
                    .isEmpty
            }
            #expect(try await isFound())
            rides.advance(hours: 53.9)
            #expect(try await isFound())
            rides.advance(hours: 0.1)
            #expect(try await !isFound())
        }
    }
}
