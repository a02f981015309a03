import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Who is told of what was found, and when.
@Suite struct WantedTellingTests {
    /// How many were told by then.
    private func told(_ searches: Searches, after seconds: Double) async throws -> [PersonID] {
        let before = try await searches.told().count
        searches.clock.advance(by: .seconds(seconds))
        try await searches.tell()
        return Array(try await searches.told().map(\.person).dropFirst(before))
    }

    @Test func a_notice_says_what_was_found_to_whom_its_owner_is_not_apart_from() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            try await searches.post(spots(within: 500), by: kim)
            let (car, spot) = (searches.car("Red pram car"), searches.spot(100))
            try await searches.say(car)
            try await searches.run()
            try await searches.say(spot)
            try await searches.run()
            let notices = try await searches.deliveries.told(NoticeRaised.self)
            let expected = [
                NoticeRaised(
                    .thingFound, .found(car), to: .people([tom]), by: maya, car, variant: "car", title: "Red pram car",
                    at: noon),
                NoticeRaised(.spotFound, .found(spot), to: .people([kim]), by: maya, spot, title: "Spot", at: noon),
            ]
            #expect(notices == expected)
            let found = try await searches.deliveries.told(WantedFound.self)
            #expect(found == [WantedFound(car), WantedFound(spot)])
            let headers = try await searches.deliveries.headers(of: WantedFound.self)
            #expect(headers.map(\.audience) == [.people([tom]), .people([kim])])
            #expect(headers.allSatisfy { $0.concerns == [maya] })
        }
    }

    @Test func what_one_can_have_is_told_in_waves() async throws {
        try await Searches.with { searches in
            let people = try await searches.looking(600, for: spots(within: 500))
            let spot = searches.spot(100)
            try await searches.say(spot)
            try await searches.look()
            #expect(try await told(searches, after: 0).count == 5)
            #expect(try await told(searches, after: 29).isEmpty)
            #expect(try await told(searches, after: 1).count == 15)
            #expect(try await told(searches, after: 30).count == 50)
            #expect(try await told(searches, after: 30).count == 500)
            #expect(try await told(searches, after: 29).isEmpty)
            #expect(try await told(searches, after: 1).count == 30)
            #expect(try await Set(searches.told().map(\.person)) == Set(people))
        }
    }

    @Test func first_are_told_who_were_never_or_longest_ago() async throws {
        try await Searches.with { searches in
            // The last two were told of nothing yet. The others were told once, the first one longest ago.
            let people = try await searches.looking(12, for: spots(within: 500))
            for person in people.prefix(10) {
                let car = searches.car("Some car")
                try await searches.hit(car, "told", by: [], of: person)
                searches.clock.advance(by: .seconds(60))
            }
            let spot = searches.spot(100)
            try await searches.say(spot)
            try await searches.look()
            let first = try await told(searches, after: 0)
            #expect(Set(first) == Set(people.suffix(2) + people.prefix(3)))
            // Who comes later is behind those who wait.
            let late = try await searches.looking(9, for: spots(within: 300))
            try await searches.say(spot)
            try await searches.look()
            let second = try await told(searches, after: 30)
            #expect(Set(second).isSuperset(of: people[3..<10]) && Set(second).isSubset(of: people + late))
            #expect(second.count == 15)
            #expect(try await told(searches, after: 30).count == 1)
        }
    }

    @Test func a_spot_that_is_taken_is_told_no_further_and_begins_anew_when_it_is_back() async throws {
        try await Searches.with { searches in
            let people = try await searches.looking(12, for: spots(within: 500))
            let spot = searches.spot(100)
            try await searches.say(spot)
            try await searches.look()
            let first = try await told(searches, after: 0)
            searches.stock.take(spot)
            // It is known at once that something is other, and what, when it is looked at.
            try await searches.say(spot)
            #expect(try await told(searches, after: 60).isEmpty)
            try await searches.look()
            #expect(try await told(searches, after: 300).isEmpty)
            #expect(try await Set(searches.takenBack(spot)) == Set(first))
            searches.stock.put(Stock.Item(subject: spot, owner: maya, title: "Spot", position: position(100)))
            try await searches.say(spot)
            try await searches.look()
            let second = try await told(searches, after: 0)
            #expect(second.count == 5 && Set(second).isDisjoint(with: first))
            #expect(try await told(searches, after: 30).count == 2)
            #expect(try await Set(searches.told().map(\.person)) == Set(people))
            #expect(try await searches.told().count == people.count)
        }
    }

    @Test func a_spot_that_moved_is_told_to_those_who_wait_and_still_find_it() async throws {
        try await Searches.with { searches in
            let near = try await searches.looking(8, for: spots(within: 200))
            let far = try await searches.looking(8, for: spots(within: 900))
            let spot = searches.spot(100)
            try await searches.say(spot)
            try await searches.look()
            let first = try await told(searches, after: 0)
            searches.stock.put(Stock.Item(subject: spot, owner: maya, title: "Spot", position: position(600)))
            try await searches.say(spot)
            try await searches.look()
            let second = try await told(searches, after: 30)
            #expect(Set(second) == Set(far).subtracting(first))
            #expect(Set(second).isDisjoint(with: near))
            #expect(try await searches.count("hits WHERE state = 'waiting'") == 0)
            #expect(try await searches.count("finds") == Set(first).union(far).count)
        }
    }

    @Test func no_more_is_told_at_once_than_somebody_bears() async throws {
        try await Searches.with { searches in
            let ids = [try await searches.post(cars("a")).id, try await searches.post(cars("b")).id]
            func appear(_ words: String, _ count: Int) async throws -> Int {
                let before = try await searches.told().count
                for number in 0..<count { try await searches.say(searches.car("\(words) \(number)")) }
                try await searches.run()
                return try await searches.told().count - before
            }
            #expect(try await appear("a", 5) == 3, "three an hour of one search")
            #expect(try await appear("b", 1) == 1)
            searches.clock.advance(by: .seconds(3601))
            #expect(try await appear("a", 4) == 3)
            searches.clock.advance(by: .seconds(3601))
            #expect(try await appear("a", 4) == 3)
            searches.clock.advance(by: .seconds(3601))
            #expect(try await appear("a", 4) == 1, "ten a day of one search")
            #expect(try await appear("b", 3) == 3)
            searches.clock.advance(by: .seconds(3601))
            #expect(try await appear("b", 3) == 3)
            searches.clock.advance(by: .seconds(3601))
            #expect(try await appear("b", 4) == 3)
            let third = try await searches.post(cars("c"))
            #expect(try await appear("c", 3) == 0, "twenty a day of all")
            #expect(try await searches.seen(third.id).found == 3)
            #expect(try await searches.count("hits WHERE state = 'late' AND wanted = \(ids[0])") == 7)
            // A day later what was told first is forgotten.
            searches.clock.advance(by: .seconds(86_400))
            #expect(try await appear("c", 3) == 3)
        }
    }

    @Test(arguments: ["paused", "removed", "ended", "erased", "suspended"])
    func who_does_not_look_any_more_is_not_told(how: String) async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            try await searches.post(cars("pram"), by: kim)
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.look()
            switch how {
            case "paused": try await searches.change(id, WantedChange(isPaused: true))
            case "removed": try await searches.useCases.remove(id, .from(tom))
            case "ended":
                _ = try await searches.database.query(
                    "UPDATE wanted SET expires_at = \(noon), due_at = \(noon) WHERE id = \(id)")
            case "erased": try await searches.deliveries.erase(tom)
            default: try await searches.deliveries.suspend(tom, until: nil)
            }
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: kim, subject: car)])
            #expect(try await searches.hit(of: car) == nil)
            // Nor later.
            if how == "paused" { try await searches.change(id, WantedChange(isPaused: false)) }
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().count == 1)
        }
    }

    @Test func another_search_tells_where_the_first_is_gone() async throws {
        try await Searches.with { searches in
            let first = try await searches.post(cars("red"))
            searches.clock.advance(by: .milliseconds(1))
            let second = try await searches.post(cars("pram"))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.look()
            // As if nothing had looked after it.
            _ = try await searches.database.query(
                "UPDATE wanted SET expires_at = \(noon), due_at = \(noon) WHERE id = \(first.id)")
            try await searches.tell()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            #expect(try await searches.hit(of: car)?.by == second.id)
        }
    }

    @Test func what_cannot_be_told_does_not_stop_the_others() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.look()
            // Somebody's newer service has put it there.
            let boat = WantedID.new().uuid
            let statements: [SQLQuery] = [
                """
                INSERT INTO searchables (kind, subject, owner, title, keys, is_for_one, appeared_at, changed_at, is_there)
                VALUES ('boat', \(boat), \(maya), 'Boat', '{boat}', false, \(noon), \(noon), true)
                """,
                "INSERT INTO finds (wanted, kind, subject, found_at, is_new) VALUES (\(id), 'boat', \(boat), \(noon), true)",
                """
                INSERT INTO hits (kind, subject, person, wanted, state, found_at, tell_at)
                VALUES ('boat', \(boat), \(tom), \(id), 'waiting', \(noon - 60), \(noon - 60))
                """,
            ]
            for statement in statements { _ = try await searches.database.query(statement) }
            try await searches.tell()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            #expect(try await searches.count("hits WHERE state = 'waiting' AND tell_at > \(noon)") == 1)
        }
    }

    @Test func what_can_be_told_of_is_counted() {
        let (one, other) = (WantedID.new(), WantedID.new())
        var throttle = WantedThrottle()
        let first = (1...5).map { _ in throttle.tells(tom, of: one) }
        #expect(first == [true, true, true, false, false])
        let second = (1...4).map { _ in throttle.tells(tom, of: other) }
        #expect(second == [true, true, true, false])
        let kims = throttle.tells(kim, of: .new())
        #expect(kims)
        let more = (1...20).map { _ in throttle.tells(tom, of: .new()) }
        #expect(more.count { $0 } == 14)
    }
}
