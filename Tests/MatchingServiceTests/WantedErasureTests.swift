import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What is left of who erases themselves, and what they are given of all that is kept of what they looked for.
@Suite struct WantedErasureTests {
    @Test func what_somebody_looked_for_goes_with_them() async throws {
        try await Searches.with { searches in
            let (car, own) = (searches.car("Red pram car"), searches.car("Tom's pram car", of: tom))
            try await searches.appeared(car)
            try await searches.appeared(own)
            let id = try await searches.post(cars("red")).id
            try await searches.post(cars("bike"))
            let kims = try await searches.post(cars("blue"), by: kim).id
            try await searches.hit(searches.car("Blue car"), by: [kims], of: kim)
            try await searches.hit(searches.car("Red bike car"), "told", by: [id])
            try await searches.deliveries.erase(tom)
            #expect(try await searches.count("wanted WHERE person = \(tom)") == 0)
            #expect(try await searches.count("hits WHERE person = \(tom)") == 0)
            #expect(try await searches.count("searchables WHERE owner = \(tom)") == 0)
            #expect(try await searches.count("searchables WHERE owner = \(maya)") == 1)
            #expect(try await searches.count("all_finds WHERE wanted = \(kims)") == 1)
            #expect(try await searches.count("all_finds") == 1)
            #expect(try await searches.count("wanted_keys WHERE wanted <> \(kims)") == 0)
            #expect(try await searches.count("hits WHERE person = \(kim)") == 1)
            let said = try #require(try await searches.deliveries.told(PersonalDataErased.self).first)
            #expect(said.records == [ErasedRecords(.wanted, 2)] && said.photos.isEmpty)
        }
    }

    @Test func nothing_that_comes_late_brings_them_back() async throws {
        try await Searches.with { searches in
            let kims = try await searches.post(cars("pram"), by: kim).id
            try await searches.deliveries.erase(tom)
            #expect(await refusalCode { try await searches.post(cars("pram")) } == .unauthenticated)
            let refused = await constraint {
                try await searches.hit(searches.car("Red pram car"), by: [kims], of: tom)
            }
            #expect(refused == PeopleErasure.constraint)
            // Their service has not heard of it yet.
            try await searches.appeared(searches.car("Tom's pram car", of: tom))
            #expect(try await searches.count("searchables") == 0)
        }
    }

    @Test func deliveries_and_searches_are_told_together() async throws {
        try await Searches.with { searches in
            try await searches.deliveries.ordering()
            try await searches.post(cars("pram"))
            try await searches.deliveries.erase(tom)
            try await searches.deliveries.erase(kim)
            let said = try await searches.deliveries.told(PersonalDataErased.self)
            #expect(said.map(\.records) == [[ErasedRecords(.orders, 1), ErasedRecords(.wanted, 1)], []])
        }
    }

    @Test func an_archive_has_ones_searches_page_by_page() async throws {
        try await Searches.with(limits: WantedLimits(perPerson: 1000)) { searches in
            for number in 0...PageSize.largest {
                try await searches.post(cars("pram \(number)"))
                searches.clock.advance(by: .milliseconds(1))
            }
            try await searches.post(cars("boat"), by: kim)
            let own = PersonalSections(searches.useCases.ownRecords)
            let first = try await own.page(PersonalDataQuery(person: tom))
            #expect(first.items.count == PageSize.largest)
            let second = try await own.page(PersonalDataQuery(person: tom, cursor: first.next))
            #expect(second.items.count == 1 && second.next == nil)
            let records = first.items + second.items
            #expect(records.allSatisfy { $0.kind == "wanted" && $0.photos.isEmpty && !$0.json.contains("boat") })
            let last = try WireJSON.decode(Wanted.self, from: Array(second.items[0].json.utf8))
            #expect(last.query == cars("pram 0") && last.state == .live)
        }
    }
}
