import DurableMessaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Searches that require what a thing does not have are not judged.
@Suite struct WantedRequiredTests {
    /// As a search that is listed by its rarest word and requires the others.
    private func seenLately(_ searches: Searches) async throws {
        for title in ["Red", "Red", "Blue", "Blue", "Red pram"] { try await searches.appeared(searches.car(title)) }
    }

    private func required(by id: WantedID, _ searches: Searches) async throws -> [String] {
        try await searches.database.query("SELECT required FROM wanted WHERE id = \(id)")[0].get("required")
    }

    @Test func only_those_are_judged_that_may_find_it() async throws {
        try await Searches.with { searches in
            try await seenLately(searches)
            let people = crowd(4)
            let red = try await searches.post(cars("red pram"), by: people[0]).id
            let blue = try await searches.post(cars("pram blue"), by: people[1]).id
            let any = try await searches.post(cars("pram"), by: people[2]).id
            // From before it was kept what a search requires.
            let old = try await searches.post(cars("blue pram"), by: people[3]).id
            _ = try await searches.database.query("UPDATE wanted SET required = '{}' WHERE id = \(old)")
            #expect(try await required(by: red, searches) == ["kind/car", "word/red"])
            #expect(try await searches.keys(of: red) == ["word/pram"])
            let car = searches.car("A red pram")
            try await searches.say(car)
            try await searches.look()
            #expect(searches.stock.largestJudging == 3)
            for id in [red, any] { #expect(try await searches.newFinds(id) == [car]) }
            for id in [blue, old] { #expect(try await searches.newFinds(id).isEmpty) }
        }
    }

    @Test func who_waits_to_be_told_of_what_says_something_else_is_not_told() async throws {
        try await Searches.with { searches in
            try await seenLately(searches)
            let id = try await searches.post(cars("red pram")).id
            let car = searches.car("A red pram")
            try await searches.say(car)
            try await searches.look()
            #expect(try await searches.newFinds(id) == [car])
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "A blue pram", thing: .car))
            try await searches.say(car)
            try await searches.look()
            try await searches.tell()
            #expect(try await searches.newFinds(id).isEmpty)
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.seen(id).found == 0)
            // It says so again.
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "A pram in red", thing: .car))
            try await searches.say(car)
            try await searches.look()
            #expect(try await searches.newFinds(id) == [car])
        }
    }

    @Test func what_is_changed_requires_something_else() async throws {
        try await Searches.with { searches in
            try await seenLately(searches)
            let id = try await searches.post(cars("red pram")).id
            try await searches.change(id, WantedChange(query: cars("blue pram")))
            _ = try await searches.change(id, WantedChange(isPaused: true))
            _ = try await searches.change(id, WantedChange(isPaused: false))
            #expect(try await required(by: id, searches) == ["kind/car", "word/blue"])
            try await searches.change(id, WantedChange(query: spots(within: 500)))
            #expect(try await required(by: id, searches).isEmpty)
            try await searches.change(id, WantedChange(query: cars("blue pram")))
            let (red, blue) = (searches.car("Red pram"), searches.car("Blue pram"))
            for car in [red, blue] { try await searches.say(car) }
            try await searches.look()
            #expect(try await searches.newFinds(id) == [blue])
        }
    }
}
