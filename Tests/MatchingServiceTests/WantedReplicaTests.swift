import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What several processes do at once, and what happens while a search begins.
@Suite(.serialized) struct WantedReplicaTests {
    @Test(.timeLimit(.minutes(5))) func each_is_told_once_and_no_more_than_they_bear() async throws {
        try await Searches.with { searches in
            let people = try await searches.looking(300, for: cars("pram"))
            for number in 0..<5 { try await searches.say(searches.car("pram \(number)")) }
            let results = await atOnce(Array(0..<60)) { number in
                let process = searches.replica
                if number % 2 == 0 {
                    _ = try await process.looks().round()
                } else {
                    _ = try await process.telling.round()
                }
            }
            #expect(others(results.compactMap(\.error)) { _ in true }.isEmpty)
            let more = await atOnce(Array(0..<4)) { _ in try await searches.replica.run() }
            #expect(others(more.compactMap(\.error)) { _ in true }.isEmpty)
            try await searches.run()
            let told = try await searches.told()
            #expect(Set(told).count == told.count)
            let counts = Dictionary(told.map { ($0.person, 1) }, uniquingKeysWith: +)
            #expect(counts.count == people.count && counts.values.allSatisfy { $0 == WantedThrottle.perHour })
            #expect(try await searches.count("hits WHERE state = 'late'") == 2 * people.count)
            #expect(try await searches.count("finds") == 5 * people.count)
            #expect(try await searches.count("wanted WHERE found <> 5") == 0)
        }
    }

    @Test(.timeLimit(.minutes(2))) func an_older_answer_does_not_undo_a_newer_one() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            _ = try await searches.catchUp().round()
            let car = searches.car("Red pram car")
            try await searches.say(car)
            let gate = Gate()
            var services = searches.stock.services
            let judge = services.judge
            services.judge = { judging in
                let answer = try await judge(judging)
                await gate.pass()
                return answer
            }
            let (slow, other) = (searches.looks(asking: services), searches.replica)
            async let first = slow.round()
            try await eventually("the first to ask") { await gate.isReached }
            searches.stock.take(car)
            try await searches.say(car)
            // Nobody else looks at it meanwhile, and whatever else there is goes on.
            let bike = searches.car("Blue pram bike")
            try await searches.say(bike)
            try await other.look()
            try await other.tell()
            #expect(searches.stock.asked(.searchables) == 2)
            await gate.open()
            _ = try await first
            #expect(try await searches.hit(of: car)?.state == "waiting")
            try await other.tell()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: bike)])
            try await other.run()
            #expect(try await searches.told().count == 1)
            #expect(try await searches.hit(of: car) == nil)
            #expect(try await searches.count("searchables WHERE is_there") == 1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func what_appears_while_a_search_begins_is_found_once() async throws {
        try await Searches.with { searches in
            for number in 0..<150 {
                // From then on nobody is asked again where nothing was heard meanwhile.
                if number == 50 { try await searches.listen() }
                let (word, person) = ("w\(number)", PersonID.new())
                // One that is new, or one that goes on: it stands before those that are made now.
                var earlier: Wanted?
                if number % 2 == 1 {
                    let made = try await searches.post(cars(word), by: person)
                    earlier = try await searches.change(made.id, WantedChange(isPaused: true), by: person)
                }
                let paused = earlier?.id
                let results = await atOnce(Array(0..<5)) { step in
                    let process = step % 2 == 0 ? searches : searches.replica
                    switch step {
                    case 0:
                        if let paused {
                            try await process.change(paused, WantedChange(isPaused: false), by: person)
                        } else {
                            try await process.post(cars(word), by: person)
                        }
                    case 1:
                        try await process.say(process.car("\(word) car"))
                        _ = try await process.looks().round()
                    case 2: _ = try await process.catchUp().round()
                    default: _ = try await process.looks().round()
                    }
                }
                #expect(results.compactMap(\.error).isEmpty)
                try await searches.run()
                let rows = try await searches.database.query(
                    """
                    SELECT is_new FROM all_finds JOIN wanted ON wanted.id = all_finds.wanted WHERE wanted.person = \(person)
                    """)
                #expect(rows.count == 1, "none is lost")
                let isNew: Bool? = try rows.first?.get("is_new")
                let told = try await searches.told().count { $0.person == person }
                #expect(told == (isNew == true ? 1 : 0), "none is told twice")
            }
            #expect(try await searches.count("wanted WHERE NOT is_settled") == 0)
        }
    }

    @Test func what_was_looked_at_before_a_search_was_listed_is_found_after_it() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(cars("pram"))
            let kims = try await searches.post(spots(within: 500), by: kim)
            let (now, old, unheard) = (searches.car("Now a pram"), searches.car("Old pram"), searches.car("New pram"))
            let spot = searches.spot(100)
            for subject in [now, spot] { try await searches.appeared(subject) }
            // It was among many that fitted already, so that it was not named.
            try await searches.appeared(old, daysAgo: 1)
            _ = try await searches.catchUp().round()
            #expect(try await searches.newFinds(wanted.id) == [now])
            #expect(try await searches.newFinds(kims.id) == [spot])
            #expect(try await searches.isSettled(wanted.id))
            try await searches.tell()
            #expect(try await searches.told().isEmpty, "they are looked at once more: they may fit no more by now")
            try await searches.look()
            try await searches.tell()
            #expect(
                try await Set(searches.told()) == [
                    ToldFind(person: tom, subject: now), ToldFind(person: kim, subject: spot),
                ])
            // What nobody has heard of yet is found when it is heard of.
            try await searches.say(unheard)
            try await searches.run()
            #expect(try await searches.newFinds(wanted.id) == [now, unheard])
        }
    }

    @Test func what_is_looked_at_meanwhile_is_looked_at_once_more() async throws {
        try await Searches.with { searches in
            let wanted = try await searches.post(cars("pram"))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            // The look has passed by the search.
            _ = try await searches.database.query(
                "UPDATE looks SET after = \(WantedID("ffffffff-ffff-7fff-bfff-ffffffffffff"))")
            _ = try await searches.catchUp().round()
            #expect(try await searches.count("looks") == 2)
            #expect(try await searches.newFinds(wanted.id).isEmpty)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func a_service_that_does_not_answer_is_asked_again_and_what_cannot_be_read_is_left() async throws {
        try await Searches.with { searches in
            var ids: [WantedID] = []
            for person in [tom, kim, lin] {
                ids.append(try await searches.post(cars("pram"), by: person).id)
                searches.clock.advance(by: .milliseconds(1))
            }
            _ = try await searches.database.query("UPDATE wanted SET query = '{\"things\": 5}' WHERE id = \(ids[0])")
            try await searches.appeared(searches.car("Red pram car"))
            let catchUp = searches.catchUp()
            let before = searches.stock.asked(.look)
            searches.stock.setAway(true)
            _ = try await catchUp.round()
            #expect(searches.stock.asked(.look) == before + 1, "the first who is not answered asks for the others too")
            searches.stock.setAway(false)
            _ = try await catchUp.round()
            #expect(try await searches.count("wanted WHERE NOT is_settled") == 2)
            searches.clock.advance(by: .seconds(1))
            _ = try await catchUp.round()
            #expect(try await searches.count("wanted WHERE NOT is_settled") == 1)
            #expect(try await !searches.isSettled(ids[0]))
            try await searches.look()
            try await searches.tell()
            #expect(try await Set(searches.told().map(\.person)) == [kim, lin])
        }
    }
}
