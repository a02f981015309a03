import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// How much a search would find, and by what it is listed.
@Suite struct WantedEstimateTests {
    private func estimate(
        _ query: WantedQuery, _ searches: Searches, by person: PersonID = tom
    ) async throws -> WantedEstimate {
        try await searches.useCases.estimate(WantedDraft(query: query), for: Caller(person: person))
    }

    @Test func what_appeared_in_a_month_is_counted() async throws {
        try await Searches.with { searches in
            for days in [0.0, 3, 29] { try await searches.appeared(searches.car("Red pram car"), daysAgo: days) }
            try await searches.appeared(searches.car("Old pram car"), daysAgo: 31)
            try await searches.appeared(searches.car("Tom's pram car", of: tom))
            try await searches.appeared(searches.car("Bike car"))
            #expect(
                try await estimate(cars("pram"), searches)
                    == WantedEstimate(perMonth: 3, isTooWide: false, fitting: 4))
            #expect(try await estimate(cars("tent"), searches).perMonth == 0)
            #expect(try await searches.count("wanted") == 0, "nothing is kept")
            #expect(
                await refusalCode {
                    try await searches.useCases.estimate(WantedDraft(query: cars()), for: .anonymous)
                } == .unauthenticated)
        }
    }

    @Test func what_is_gone_was_there() async throws {
        try await Searches.with { searches in
            let gone = searches.car("Red pram car")
            try await searches.appeared(gone)
            searches.stock.take(gone)
            _ = try await searches.database.query("UPDATE searchables SET is_there = false")
            #expect(
                try await estimate(cars("pram"), searches)
                    == WantedEstimate(perMonth: 1, isTooWide: false, fitting: 0))
        }
    }

    @Test func a_search_is_listed_by_what_is_rarest() async throws {
        try await Searches.with { searches in
            for title in ["Red car", "Red pram car", "Blue car"] { try await searches.appeared(searches.car(title)) }
            let wanted = try await searches.post(cars("red pram"))
            #expect(try await searches.keys(of: wanted.id) == ["word/pram"])
            #expect(try await estimate(cars("red pram"), searches).perMonth == 1)
            #expect(try await estimate(cars("red"), searches).perMonth == 2)
        }
    }

    @Test func spots_are_counted_where_they_are_looked_for() async throws {
        try await Searches.with { searches in
            for metres in [0.0, 300, 700, 5000] { try await searches.appeared(searches.spot(metres)) }
            #expect(try await estimate(spots(within: 500), searches).perMonth == 2)
            #expect(try await estimate(spots(within: 1000), searches).perMonth == 3)
        }
    }

    @Test func what_is_too_wide_is_said_and_refused() async throws {
        try await Searches.with(limits: WantedLimits(widest: 2)) { searches in
            for title in ["Red car", "Blue car", "Pram car"] { try await searches.appeared(searches.car(title)) }
            let wide = try await estimate(cars(), searches)
            #expect(wide == WantedEstimate(perMonth: 3, isTooWide: true, fitting: 3))
            #expect(await wantedRefusal { try await searches.post(cars()) } == .tooWide)
            #expect(try await searches.count("wanted") == 0)
            #expect(try await estimate(cars("pram"), searches).isTooWide == false)
            try await searches.post(cars("pram"))
            // It is no more than that by the end of the month.
            searches.clock.advance(by: .seconds(31 * 86_400))
            #expect(try await !estimate(cars(), searches).isTooWide)
        }
    }

    @Test func what_is_of_who_is_apart_is_not_counted() async throws {
        try await Searches.with { searches in
            try await searches.appeared(searches.car("Red pram car"))
            try await searches.appeared(searches.car("Blue pram car", of: kim))
            #expect(try await estimate(cars("pram"), searches).perMonth == 2)
            try await searches.deliveries.part(tom, kim)
            #expect(try await estimate(cars("pram"), searches).perMonth == 1)
        }
    }

    @Test func so_many_are_not_counted() async throws {
        try await Searches.with { searches in
            for number in 1...130 { searches.car("Car \(number)") }
            #expect(try await estimate(cars(), searches).fitting == WantedEstimate.mostFitting)
            let id = try await searches.post(cars()).id
            let there = try await searches.count("all_finds WHERE wanted = \(id) AND NOT is_new")
            #expect(there == 130, "all of it was there")
        }
    }
}
