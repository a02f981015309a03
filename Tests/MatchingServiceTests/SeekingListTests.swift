import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Who is seen among those who seek a ride, and by whom.
@Suite struct SeekingListTests {
    @Test func they_are_found_by_region_and_direction() async throws {
        try await Searches.with { searches in
            let first = try await searches.seek().id
            searches.stock.setRegions("Kainuu", "Uusimaa")
            let second = try await searches.seek(by: kim).id
            searches.stock.setRegions(nil, nil)
            let third = try await searches.seek(by: maya).id
            func seen(_ region: String?, _ direction: RideDirection? = nil) async throws -> Set<WantedID> {
                Set(try await searches.seekers(SeekingQuery(region: region, direction: direction)).map(\.id))
            }
            #expect(try await seen(nil) == [first, second, third])
            #expect(try await seen(" Uusimaa ") == [first])
            #expect(try await seen("Uusimaa", .from) == [first])
            #expect(try await seen("Uusimaa", .to) == [second])
            #expect(try await seen("Kainuu", .to) == [first])
            #expect(try await seen("Lappi").isEmpty)
        }
    }

    @Test func the_soonest_are_first_page_by_page() async throws {
        try await Searches.with { searches in
            var ids: [WantedID] = []
            for (number, person) in crowd(7).enumerated() {
                // Two have the same end.
                let hours = [3.0, 1, 2, 2, 5, 4, 6][number]
                ids.append(try await searches.seek(rides(hours: hours), by: person).id)
            }
            let order = [1, 2, 3, 0, 5, 4, 6].map { ids[$0] }
            for region in [nil, "Uusimaa"] {
                var (found, query): ([WantedID], SeekingQuery) = ([], SeekingQuery(region: region, limit: 2))
                repeat {
                    let page = try await searches.useCases.seekers(query, for: Caller(person: lin))
                    #expect(page.items.count <= 2)
                    found += page.items.map(\.id)
                    query.cursor = page.next
                } while query.cursor != nil
                #expect(Set(found.prefix(3)) == Set(order.prefix(3)) && found.first == order.first)
                #expect(Array(found.dropFirst(3)) == Array(order.dropFirst(3)) && found.count == 7)
            }
        }
    }

    @Test func who_is_apart_suspended_or_oneself_is_left_out() async throws {
        try await Searches.with { searches in
            let id = try await searches.seek().id
            try await searches.seek(by: kim)
            #expect(try await searches.seekers(for: kim).map(\.id) == [id], "nobody seeks for themselves")
            try await searches.deliveries.part(tom, lin)
            #expect(try await searches.seekers().map(\.person.id) == [kim])
            #expect(try await searches.seekers(for: tom).map(\.person.id) == [kim])
            try await searches.deliveries.suspend(kim, until: after(minutes: 30))
            #expect(try await searches.seekers().isEmpty)
            searches.clock.advance(by: .seconds(1801))
            #expect(try await searches.seekers().map(\.person.id) == [kim], "they are back")
        }
    }

    @Test(arguments: [false, true]) func of_one_campus_where_these_are_apart(areApart: Bool) async throws {
        try await Searches.with(campuses: CampusSeparation(isOn: areApart)) { searches in
            let all: [(PersonID, String?)] = [(tom, "north"), (kim, "south"), (maya, nil), (lin, "north")]
            for (person, campus) in all {
                try await searches.deliveries.name(person, "Somebody", campus: campus)
            }
            for person in [tom, kim, maya] { try await searches.seek(by: person) }
            let seen = try await searches.seekers().map(\.person.id)
            #expect(Set(seen) == (areApart ? [tom] : [tom, kim, maya]))
            for (person, campus) in [(tom, "south"), (kim, "north")] {
                let moved = PersonSummary(id: person, name: "Somebody", campus: campus)
                try await searches.deliveries.hear(PersonChanged(person: moved))
            }
            let now = try await searches.seekers().map(\.person.id)
            #expect(Set(now) == (areApart ? [kim] : [tom, kim, maya]), "where they belong by now")
        }
    }

    @Test func what_is_paused_hidden_over_or_gone_is_in_no_list() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(100)
            let people = crowd(5)
            var ids: [WantedID] = []
            for person in people { ids.append(try await searches.seek(rides(hours: 2), by: person).id) }
            let last = try await searches.seek(rides(hours: 3)).id
            // In the list, and along the way of the ride.
            func seen() async throws -> [Set<WantedID>] {
                let (list, along) = (try await searches.seekers(), try await searches.along(ride))
                return [Set(list.map(\.id)), Set(along.map(\.seeker.id))]
            }
            #expect(try await seen() == [Set(ids + [last]), Set(ids + [last])])
            try await searches.change(ids[0], WantedChange(isPaused: true), by: people[0])
            try await searches.change(ids[1], WantedChange(isVisible: false), by: people[1])
            try await searches.useCases.remove(ids[2], .from(people[2]))
            try await searches.change(ids[3], WantedChange(query: cars("pram")), by: people[3])
            #expect(try await seen() == [[ids[4], last], [ids[4], last]])
            // Whether or not a round came by.
            searches.clock.advance(by: .seconds(3 * 3600))
            #expect(try await seen() == [[last], [last]])
            // The driver may leave later than they want; they are sought no more.
            _ = try await searches.database.query(
                "UPDATE wanted SET expires_at = \(noon + 86_400), due_at = \(noon + 86_400) WHERE state = 'live'")
            searches.clock.advance(by: .seconds(3600))
            #expect(try await seen() == [[], []])
        }
    }

    @Test(arguments: [
        (SeekingQuery(limit: 0), "limit"), (SeekingQuery(limit: 101), "limit"), (SeekingQuery(cursor: "x"), "cursor"),
        (SeekingQuery(direction: .to), "direction"), (SeekingQuery(region: "a\u{7}b"), "region"),
        (SeekingQuery(region: String(repeating: "x", count: 121)), "region"),
    ])
    func a_list_that_is_none_is_refused(query: SeekingQuery, field: String) async throws {
        try await Searches.with { searches in
            let refused = await wantedRefusal { try await searches.seekers(query) }
            guard case .invalid(let errors)? = refused else {
                Issue.record("\(String(describing: refused))")
                return
            }
            #expect(errors.map(\.field) == [field])
            let anonymous = await refusalCode {
                try await searches.useCases.seekers(SeekingQuery(), for: .anonymous)
            }
            #expect(anonymous == .unauthenticated)
            let count = try await searches.count("wanted")
            #expect(count == 0)
        }
    }
}
