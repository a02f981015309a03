import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What is looked at, and which searches find it.
@Suite struct WantedLooksTests {
    private static let words = ["red", "blue", "pram", "bike", "rack", "van", "old", "tall"]

    private static func some(_ count: ClosedRange<Int>, using dice: inout SeededGenerator) -> String {
        words.shuffled(using: &dice).prefix(Int.random(in: count, using: &dice)).joined(separator: " ")
    }

    @Test func they_find_what_is_found_by_looking_at_all() async throws {
        try await Searches.with { searches in
            var dice = SeededGenerator(seed: 30)
            var all: [(person: PersonID, wanted: Wanted)] = []
            for person in crowd(12) + [maya] {
                for number in 0..<5 {
                    let query =
                        number == 0
                        ? spots(within: Int.random(in: 50...900, using: &dice))
                        : cars(Self.some(0...3, using: &dice))
                    all.append((person, try await searches.post(query, by: person)))
                }
            }
            var subjects: [Subject] = []
            for number in 0..<30 {
                let owner = number % 7 == 0 ? maya : lin
                let subject =
                    number % 3 == 0
                    ? searches.spot(Double.random(in: 0...1000, using: &dice), of: owner)
                    : searches.car(Self.some(1...5, using: &dice), of: owner)
                subjects.append(subject)
                try await searches.say(subject)
            }
            try await searches.look()
            for (person, wanted) in all {
                let looked = try await searches.stock.services.look(SearchLook(for: person, wanted.query)).subjects
                #expect(try await searches.newFinds(wanted.id) == Set(looked))
                #expect(try await searches.seen(wanted.id, by: person).found == looked.count)
            }
            // One hit for each person and thing.
            let people = Dictionary(grouping: all) { $0.person }
            for (person, own) in people {
                var found: Set<Subject> = []
                for one in own { found.formUnion(try await searches.newFinds(one.wanted.id)) }
                #expect(try await searches.count("hits WHERE person = \(person)") == found.count)
            }
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("searchables WHERE is_there") == subjects.count)
        }
    }

    @Test func each_person_is_told_once_however_many_of_their_searches_find_it() async throws {
        try await Searches.with { searches in
            let first = try await searches.post(cars("red"))
            searches.clock.advance(by: .milliseconds(1))
            let second = try await searches.post(cars("pram"))
            try await searches.post(cars("blue"))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            #expect(try await searches.seen(first.id).found == 1)
            #expect(try await searches.seen(second.id).found == 1)
            #expect(try await searches.hit(of: car)?.by == first.id)
            #expect(
                try await searches.useCases.finders(WantedFinders(of: car), for: Caller(person: tom)).items.count == 2)
        }
    }

    @Test func a_change_tells_those_whom_it_fits_anew() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("red"))
            let kims = try await searches.post(cars("blue"), by: kim)
            let lins = try await searches.post(cars("pram"), by: lin)
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.run()
            #expect(try await Set(searches.told().map(\.person)) == [tom, lin])
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Blue pram car", thing: .car))
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().map(\.person).suffix(1) == [kim])
            #expect(try await searches.told().count == 3, "who was told of it is not told again")
            #expect(try await searches.newFinds(kims.id) == [car])
            #expect(try await searches.newFinds(lins.id) == [car])
            // The same again.
            try await searches.say(car, car)
            try await searches.run()
            #expect(try await searches.told().count == 3)
        }
    }

    @Test func what_was_there_for_another_query_is_news_for_this_one() async throws {
        try await Searches.with { searches in
            let car = searches.car("Red pram car")
            let id = try await searches.post(cars("car")).id
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().isEmpty, "it was there")
            _ = try await searches.change(id, WantedChange(query: cars("blue")))
            try await searches.run()
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Blue pram car", thing: .car))
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().map(\.person) == [tom])
        }
    }

    @Test func who_waits_is_told_by_another_of_their_searches_or_not_at_all() async throws {
        try await Searches.with { searches in
            let red = try await searches.post(cars("red"))
            searches.clock.advance(by: .milliseconds(1))
            let pram = try await searches.post(cars("pram"))
            let kims = try await searches.post(cars("red"), by: kim)
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.look()
            #expect(try await searches.hit(of: car)?.by == red.id)
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Blue pram car", thing: .car))
            try await searches.say(car)
            try await searches.look()
            #expect(try await searches.hit(of: car)?.by == pram.id)
            #expect(try await searches.hit(of: car, for: kim) == nil)
            #expect(try await searches.seen(red.id).found == 0)
            #expect(try await searches.seen(pram.id).found == 1)
            #expect(try await searches.seen(kims.id, by: kim).found == 0)
            #expect(try await searches.newFinds(red.id).isEmpty)
            try await searches.tell()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            // It says what it said before: Kim is told now, and Tom was.
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Red pram car", thing: .car))
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().map(\.person) == [tom, kim])
        }
    }

    @Test func what_is_gone_takes_its_notices_back_and_is_not_told_twice() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.run()
            let late = try await searches.post(cars("red"), by: kim)
            searches.stock.take(car)
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.takenBack(car) == [tom])
            #expect(try await searches.deliveries.told(WantedFound.self).map(\.isGone) == [false, true])
            #expect(try await searches.hit(of: car)?.state == "gone")
            #expect(try await searches.count("searchables WHERE is_there") == 0)
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Red pram car", thing: .car))
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().map(\.person) == [tom])
            #expect(
                try await searches.newFinds(late.id).isEmpty,
                "it was there when Kim began to look, and she was shown it")
        }
    }

    @Test func what_goes_before_it_is_told_is_told_when_it_comes_back() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(cars("pram"))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.look()
            #expect(try await searches.hit(of: car)?.state == "waiting")
            searches.stock.take(car)
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.hit(of: car) == nil)
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.seen(wanted.id).found == 0)
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Red pram car", thing: .car))
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            #expect(try await searches.seen(wanted.id).found == 1)
        }
    }

    @Test func many_are_looked_at_in_parts() async throws {
        try await Searches.with { searches in
            let people = try await searches.looking(1201, for: cars("pram"))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            let looks = searches.looks()
            #expect(try await looks.round())
            #expect(try await searches.count("finds") == WantedCandidates.most)
            try await searches.tell()
            #expect(try await searches.told().isEmpty, "nobody is told of what is still looked at")
            // Something else is not behind all of it.
            try await searches.say(searches.car("Blue car"))
            while try await looks.round() {}
            #expect(try await searches.count("finds") == people.count)
            #expect(searches.stock.largestJudging <= SearchJudging.largest)
            #expect(try await searches.count("searchables") == 2)
            #expect(try await searches.count("looks") == 0)
            try await searches.tell()
            let told = try await searches.told()
            #expect(told.count == people.count && Set(told.map(\.person)) == Set(people))
            // It goes, and all of them hear of it.
            searches.stock.take(car)
            try await searches.say(car)
            try await searches.look()
            let lost = try await searches.takenBack(car)
            #expect(lost.count == people.count && Set(lost) == Set(people))
        }
    }
}
