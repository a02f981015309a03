import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Many things that are to be looked at in one round: those that nobody looks for are done together.
@Suite struct WantedSiftTests {
    /// Things that no search of these tests is listed for.
    private func others(_ number: Int, in searches: Searches) -> [Subject] {
        (0..<number).map { searches.car("Blue car \($0)") }
    }

    /// Tom looks for a pram, by that word alone: most things are cars.
    private func seek(_ searches: Searches) async throws -> WantedID {
        for number in 0..<3 { try await searches.appeared(searches.car("Green car \(number)")) }
        let id = try await searches.post(cars("pram")).id
        #expect(try await searches.keys(of: id) == ["word/pram"])
        try await searches.run()
        return id
    }

    @Test func what_nobody_looks_for_is_asked_about_once() async throws {
        try await Searches.with { searches in
            _ = try await seek(searches)
            let (cars, known) = (others(20, in: searches), try await searches.count("searchables"))
            for car in cars { try await searches.say(car, car) }
            let before = searches.stock.asked(.searchables)
            _ = try await searches.looks().round()
            #expect(searches.stock.asked(.searchables) == before + 1)
            #expect(searches.stock.asked(.judge) == 0)
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("searchables WHERE is_there AND appeared_at > '-infinity'") == known + 20)
        }
    }

    @Test func what_somebody_looks_for_is_found_among_it() async throws {
        try await Searches.with { searches in
            _ = try await seek(searches)
            for car in others(6, in: searches) { try await searches.say(car) }
            let pram = searches.car("Red pram car")
            try await searches.say(pram)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: pram)])
            #expect(searches.stock.asked(.judge) == 1)
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func who_waits_to_be_told_is_told_nothing_of_what_does_not_fit_any_more() async throws {
        try await Searches.with { searches in
            _ = try await seek(searches)
            let pram = searches.car("Red pram car")
            try await searches.say(pram)
            try await searches.look()
            #expect(try await searches.hit(of: pram)?.state == "waiting")
            searches.stock.put(Stock.Item(subject: pram, owner: maya, title: "Red car", thing: .car))
            for car in others(6, in: searches) + [pram] { try await searches.say(car) }
            try await searches.run()
            #expect(try await searches.hit(of: pram) == nil)
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func what_is_gone_is_told_to_those_who_were_told_of_it() async throws {
        try await Searches.with { searches in
            _ = try await seek(searches)
            let pram = searches.car("Red pram car")
            try await searches.say(pram)
            try await searches.run()
            searches.stock.take(pram)
            for car in others(6, in: searches) + [pram] { try await searches.say(car) }
            try await searches.run()
            #expect(try await searches.takenBack(pram) == [tom])
            #expect(try await searches.count("searchables WHERE NOT is_there") == 1)
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func where_all_are_gone_each_is_by_itself() async throws {
        try await Searches.with { searches in
            let cars = others(6, in: searches)
            for car in cars {
                try await searches.appeared(car)
                searches.stock.take(car)
                try await searches.say(car)
            }
            try await searches.look()
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("searchables WHERE is_there") == 0)
        }
    }

    @Test(.timeLimit(.minutes(2))) func what_somebody_else_looks_at_is_left_to_them() async throws {
        try await Searches.with { searches in
            _ = try await seek(searches)
            let pram = searches.car("Red pram car")
            try await searches.say(pram)
            let gate = Gate()
            var services = searches.stock.services
            let judge = services.judge
            services.judge = { judging in
                await gate.pass()
                return try await judge(judging)
            }
            let slow = searches.looks(asking: services)
            async let first = slow.round()
            try await eventually("the first to ask") { await gate.isReached }
            searches.stock.put(Stock.Item(subject: pram, owner: maya, title: "Red car", thing: .car))
            for car in others(6, in: searches) + [pram] { try await searches.say(car) }
            _ = try await searches.replica.looks().round()
            #expect(try await searches.count("looks") == 2, "the one that has begun, and what came since")
            await gate.open()
            _ = try await first
            try await searches.run()
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func where_they_cannot_be_asked_about_together_each_is_by_itself() async throws {
        try await Searches.with { searches in
            _ = try await seek(searches)
            let (cars, bad) = (others(6, in: searches), searches.car("Bad blue car"))
            for car in cars + [bad] { try await searches.say(car) }
            var services = searches.stock.services
            let searchables = services.searchables
            services.searchables = { subjects in
                if subjects.contains(bad) { throw ServiceError(.internalError, "Something went wrong.") }
                return try await searchables(subjects)
            }
            try await searches.look(asking: services)
            #expect(try await searches.count("looks") == 1)
            #expect(try await searches.count("looks WHERE tries = 1") == 1)
            // Once it is due again, it holds no others up.
            searches.clock.advance(by: .seconds(60))
            for car in cars { try await searches.say(car) }
            let before = searches.stock.asked(.searchables)
            try await searches.look(asking: services)
            #expect(searches.stock.asked(.searchables) == before + 1)
            #expect(try await searches.count("looks") == 1)
        }
    }

    /// A long ride has so many keys that not all are said at once.
    @Test func what_was_left_out_is_asked_for_by_itself() async throws {
        try await Searches.with { searches in
            _ = try await seek(searches)
            for car in others(6, in: searches) { try await searches.say(car) }
            var services = searches.stock.services
            let searchables = services.searchables
            services.searchables = { Array(try await searchables($0).prefix(2)) }
            try await searches.look(asking: services)
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("searchables WHERE is_there AND title LIKE 'Blue%'") == 6)
        }
    }

    @Test func what_was_there_before_is_no_news() async throws {
        try await Searches.with { searches in
            let old = others(6, in: searches)
            let id = try await searches.post(cars("blue"), by: kim).id
            #expect(try await searches.count("looks WHERE is_again") == old.count)
            try await searches.useCases.remove(id, .from(kim))
            _ = try await searches.looks().round()
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("searchables WHERE appeared_at = '-infinity' AND is_there") == old.count)
            #expect(searches.stock.asked(.judge) == 0)
        }
    }

    @Test func nobody_finds_what_is_of_somebody_who_has_gone() async throws {
        try await Searches.with { searches in
            let cars = (0..<6).map { searches.car("Blue car \($0)", of: kim) }
            try await searches.deliveries.erase(kim)
            for car in cars { try await searches.say(car) }
            try await searches.look()
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("searchables") == 0)
        }
    }

    @Test func only_so_many_keys_are_said_at_once() {
        func thing(_ keys: Int) -> Searchable {
            Searchable(
                Subject(RideID.new()), of: maya, title: "Far", keys: (0..<keys).map { SearchKey(rawValue: "\($0)") },
                isForOne: false)
        }
        let most = Searchables.mostKeys
        #expect(Searchables([thing(most + 1)]).items.count == 1)
        #expect(Searchables([thing(most), thing(0), thing(1), thing(0)]).items.count == 2)
        #expect(Searchables([]).items.isEmpty)
    }
}
