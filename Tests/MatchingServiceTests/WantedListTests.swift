import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What people are shown of their searches, and of what these have found.
@Suite struct WantedListTests {
    @Test func ones_own_are_listed_page_by_page_the_newest_first() async throws {
        try await Searches.with { searches in
            var ids: [WantedID] = []
            for words in ["pram", "bike", "tent"] {
                ids.insert(try await searches.post(cars(words)).id, at: 0)
                searches.clock.advance(by: .seconds(1))
            }
            try await searches.post(cars("boat"), by: kim)
            let caller = Caller(person: tom)
            let first = try await searches.useCases.all(WantedListQuery(limit: 2), for: caller)
            #expect(first.items.map(\.id) == Array(ids.prefix(2)))
            let next = WantedListQuery(limit: 2, cursor: first.next)
            let second = try await searches.useCases.all(next, for: caller)
            #expect(second.items.map(\.id) == [ids[2]] && second.next == nil)
            searches.clock.advance(by: .seconds(60 * 86_400))
            let states = try await searches.useCases.all(WantedListQuery(), for: caller).items.map(\.state)
            #expect(states == [.ended, .ended, .ended], "whether or not a round came by")
        }
    }

    @Test(arguments: [WantedListQuery(limit: 0), WantedListQuery(limit: 101), WantedListQuery(cursor: "x")])
    func a_page_that_is_none_is_refused(query: WantedListQuery) async throws {
        try await Searches.with { searches in
            let caller = Caller(person: tom)
            #expect(await refusalCode { try await searches.useCases.all(query, for: caller) } == .invalid)
            let finds = WantedFindQuery(id: .new(), limit: query.limit, cursor: query.cursor)
            #expect(await refusalCode { try await searches.useCases.finds(finds, for: caller) } == .invalid)
            #expect(await refusalCode { try await searches.useCases.all(query, for: .anonymous) } == .unauthenticated)
        }
    }

    @Test func finds_are_shown_as_they_are_now_the_latest_first() async throws {
        try await Searches.with { searches in
            let there = searches.car("There before, a pram car")
            let id = try await searches.post(cars("pram")).id
            var subjects = [there]
            for title in ["Red pram car", "Blue pram car", "Green pram car"] {
                searches.clock.advance(by: .seconds(1))
                subjects.insert(searches.car(title), at: 0)
                try await searches.hit(subjects[0], "told", by: [id])
            }
            let caller = Caller(person: tom)
            var (found, query): ([WantedFind], WantedFindQuery?) = ([], WantedFindQuery(id: id, limit: 3))
            while let asked = query {
                let page = try await searches.useCases.finds(asked, for: caller)
                found += page.items
                query = page.next.map { WantedFindQuery(id: id, limit: 3, cursor: $0) }
            }
            #expect(found.compactMap { $0.thing?.id } == subjects.map { ThingID($0.id.uuid) })
            #expect(found.map(\.foundAt) == [3, 2, 1, 0].map { noon + $0 })
            // What is gone, or of somebody from whom one is apart, has no form.
            searches.stock.take(subjects[1])
            #expect(try await searches.finds(id).map { $0.thing == nil } == [false, true, false, false])
            searches.stock.part(maya, tom)
            #expect(try await searches.finds(id).allSatisfy { $0.thing == nil })
        }
    }

    @Test func spots_are_found_as_spots() async throws {
        try await Searches.with { searches in
            let near = searches.spot(100)
            searches.spot(900)
            let id = try await searches.post(spots(within: 500)).id
            let found = try await searches.finds(id)
            #expect(found.compactMap { $0.spot?.id } == [SpotID(near.id.uuid)] && found.allSatisfy { $0.thing == nil })
        }
    }

    @Test func where_a_service_does_not_answer_nothing_is_said_to_be_gone() async throws {
        try await Searches.with { searches in
            searches.car("Red pram car")
            let id = try await searches.post(cars("pram")).id
            let empty = try await searches.post(cars("bike")).id
            searches.stock.setAway(true)
            #expect(await refusalCode { try await searches.finds(id) } == .unavailable)
            #expect(try await searches.finds(empty).isEmpty, "nobody is asked")
            #expect(try await searches.seen(id).state == .live)
        }
    }

    @Test func a_thing_knows_which_of_ones_own_have_found_it() async throws {
        try await Searches.with { searches in
            let car = searches.car("Red pram car")
            let first = try await searches.post(cars("pram")).id
            searches.clock.advance(by: .seconds(1))
            let second = try await searches.post(cars("red")).id
            try await searches.post(cars("bike"))
            let kims = try await searches.post(cars("pram"), by: kim).id
            func finders(of subject: Subject, for person: PersonID) async throws -> [WantedID] {
                try await searches.useCases.finders(WantedFinders(of: subject), for: Caller(person: person)).items
                    .map(\.id)
            }
            #expect(try await finders(of: car, for: tom) == [second, first])
            #expect(try await finders(of: car, for: kim) == [kims])
            #expect(try await finders(of: car, for: maya).isEmpty)
            #expect(try await finders(of: searches.car("Red pram car"), for: tom).isEmpty)
        }
    }
}
