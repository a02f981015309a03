import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import ServiceKit
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What waits to be looked at, in which order it is taken, and what becomes of what fails.
@Suite struct WantedQueueTests {
    @Test func a_look_stands_for_those_that_came_before_it_was_begun() async throws {
        try await Searches.with { searches in
            let car = searches.car("Red pram car")
            for _ in 1...5 { try await searches.say(car) }
            #expect(try await searches.count("looks") == 5)
            try await searches.look()
            #expect(searches.stock.asked(.searchables) == 1)
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func what_fails_is_put_off_longer_each_time_and_others_go_on() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            let (bad, good) = (searches.car("Bad pram car"), searches.car("Good pram car"))
            try await searches.say(bad, good)
            var services = searches.stock.services
            let judge = services.judge
            services.judge = { judging in
                guard judging.subject != bad else { throw ServiceError(.internalError, "Something went wrong.") }
                return try await judge(judging)
            }
            var pauses: [Double] = []
            for _ in 1...8 {
                try await searches.look(asking: services)
                let due: Date = try await searches.database.query("SELECT due_at FROM looks")[0].get("due_at")
                pauses.append(due.timeIntervalSince(searches.clock.now).rounded())
                let before = searches.stock.asked(.searchables)
                try await searches.look(asking: services)
                #expect(searches.stock.asked(.searchables) == before, "it waits until then")
                searches.clock.advance(by: .seconds(pauses[pauses.count - 1]))
            }
            #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60])
            try await searches.tell()
            #expect(try await searches.told().map(\.subject) == [good])
            try await searches.run()
            #expect(try await searches.told().map(\.subject) == [good, bad])
        }
    }

    @Test(.timeLimit(.minutes(2))) func one_that_takes_long_holds_nothing_else_up() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            let slow = searches.car("Slow pram car")
            try await searches.say(slow)
            for number in 1...4 { try await searches.say(searches.car("Pram car \(number)")) }
            let gate = Gate()
            var services = searches.stock.services
            let judge = services.judge
            services.judge = { judging in
                if judging.subject == slow { await gate.pass() }
                return try await judge(judging)
            }
            let looks = searches.looks(asking: services)
            async let round = looks.round()
            try await eventually("the others to be looked at") { try await searches.count("looks") == 1 }
            #expect(await gate.isReached)
            await gate.open()
            _ = try await round
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("hits") == 5)
        }
    }

    @Test func what_cannot_be_read_is_passed_over() async throws {
        try await Searches.with { searches in
            let people = [tom, kim, lin]
            var ids: [WantedID] = []
            for person in people { ids.append(try await searches.post(cars("pram"), by: person).id) }
            _ = try await searches.catchUp().round()
            _ = try await searches.database.query("UPDATE wanted SET query = '{\"things\": 5}' WHERE id = \(ids[0])")
            let car = searches.car("Red pram car")
            try await searches.say(car)
            var services = searches.stock.services
            let (judge, refused) = (services.judge, ids[1])
            services.judge = { judging in
                if judging.searches.contains(where: { $0.id == refused }) { throw ServiceError(.malformed, "What?") }
                return try await judge(judging)
            }
            try await searches.look(asking: services)
            try await searches.tell()
            #expect(try await searches.told().map(\.person) == [lin])
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func what_is_said_is_heard_and_looked_at_once_more_where_it_comes_anew() async throws {
        try await Searches.with { searches in
            let looks = searches.looks()
            let consumer = DurableConsumer(database: searches.database)
            WantedHandlers(looks: [looks]).follow(on: consumer)
            let epoch = UUID.version7()
            let car = searches.car("Red pram car")
            try await consumer.hear(SearchableChanged(subject: car), from: "listings", at: 1, of: epoch)
            #expect(try await searches.count("looks") == 1)
            // Listings names what is its own.
            let strange = Subject(kind: .ride, id: .new())
            try await consumer.hear(SearchableChanged(subject: strange), from: "listings", at: 2, of: epoch)
            #expect(try await searches.count("looks") == 1)
            try await searches.look()
            searches.stock.take(car)
            try await consumer.resynchronise("listings", epoch: .version7(), head: 0)
            try await searches.look()
            #expect(try await searches.count("searchables WHERE is_there") == 0)
        }
    }

    /// More people ride along: no search finds it that did not before.
    @Test func what_fits_fewer_searches_is_looked_at_where_somebody_waits_to_be_told_of_it() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            try await searches.run()
            let consumer = DurableConsumer(database: searches.database)
            WantedHandlers(looks: [searches.looks()]).follow(on: consumer)
            let (epoch, car) = (UUID.version7(), searches.car("Red pram car"))
            var position: Int64 = 0
            func narrow(_ isNarrower: Bool = true) async throws -> Int {
                position += 1
                let change = SearchableChanged(subject: car, isNarrower: isNarrower)
                try await consumer.hear(change, from: "listings", at: position, of: epoch)
                return try await searches.count("looks")
            }
            #expect(try await narrow() == 0, "nobody knows it")
            #expect(try await narrow(false) == 1)
            #expect(try await narrow() == 2, "somebody may wait for it once it was looked at")
            try await searches.look()
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Red car", thing: .car))
            #expect(try await narrow() == 1)
            try await searches.run()
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.hit(of: car) == nil)
            searches.stock.put(Stock.Item(subject: car, owner: maya, title: "Red pram car", thing: .car))
            _ = try await narrow(false)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            #expect(try await narrow() == 0, "whoever was told is told no more")
        }
    }

    @Test func what_takes_too_long_is_asked_for_in_smaller_parts() async throws {
        try await Searches.with { searches in
            let people = try await searches.looking(450, for: cars("pram"))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            var services = searches.stock.services
            let judge = services.judge
            services.judge = { judging in
                guard judging.searches.count <= 60 else {
                    throw ServiceError(.unavailable, "It takes too long.", retryAfter: 2)
                }
                return try await judge(judging)
            }
            var rounds = 0
            while try await searches.count("looks") > 0, rounds < 50 {
                try await searches.look(asking: services)
                searches.clock.advance(by: .seconds(60))
                rounds += 1
            }
            #expect(rounds < 50)
            #expect(try await searches.count("finds") == people.count)
            #expect(searches.stock.largestJudging == 50)
            try await searches.tell()
            #expect(try await Set(searches.told().map(\.person)) == Set(people))
        }
    }

    @Test func what_is_asked_for_at_once_is_halved_a_few_times() {
        let parts = [0, 1, 2, 3, 4, 5, 100].map { tries in
            WantedLook(subject: Subject(SpotID.new()), id: 1, after: nil, last: 1, isAgain: false, tries: tries)
                .part(of: 200)
        }
        #expect(parts == [200, 100, 50, 25, 12, 12, 12])
        let searches = (0..<30).map { _ in
            SearchJudging.Search(id: .new(), person: tom, query: cars("pram"))
        }
        let sizes = try? SearchJudging.parts(of: searches, atMost: 12).map(\.count)
        #expect(sizes == [12, 12, 6])
    }

    /// More than a search asks for when it begins, or of before standing searches were there: nobody has named it since.
    @Test func what_was_there_before_is_no_news_when_another_search_finds_it() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            try await searches.run()
            let old = searches.car("Old pram car")
            try await searches.post(cars("old"), by: kim)
            #expect(try await searches.count("looks WHERE is_again") == 1)
            try await searches.post(cars("car"), by: kim)
            #expect(try await searches.count("looks WHERE is_again") == 1)
            try await searches.run()
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.count("looks") == 0)
            #expect(try await searches.count("searchables WHERE is_there") == 1)
            #expect(try await searches.count("searchables WHERE appeared_at > '-infinity'") == 0, "nobody knows when")
            try await searches.say(old)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: old)], "something of it is other now")
        }
    }

    @Test func what_is_named_meanwhile_is_news() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            try await searches.run()
            let new = searches.car("New pram car")
            try await searches.post(cars("new"), by: kim)
            // Its event comes while nobody has looked at it yet.
            try await searches.say(new)
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: new)])
        }
    }

    @Test func what_is_looked_at_again_waits_for_what_is_new() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            let old = (0..<10).map { searches.car("Old pram car \($0)") }
            for car in old { try await searches.say(car) }
            try await searches.run()
            let consumer = DurableConsumer(database: searches.database)
            WantedHandlers(looks: [searches.looks()]).follow(on: consumer)
            try await consumer.resynchronise("listings", epoch: .version7(), head: 0)
            #expect(try await searches.count("looks WHERE is_again") == old.count)
            let new = searches.car("New pram car")
            try await searches.say(new)
            var looks = searches.looks()
            looks.batch = 1
            _ = try await looks.round()
            #expect(try await searches.count("looks") == old.count)
            #expect(try await searches.hit(of: new) != nil)
            // What is said of one of them meanwhile is not behind the others either.
            try await searches.say(old[7])
            _ = try await looks.round()
            #expect(try await searches.count("looks") == old.count - 1)
            try await searches.look()
            #expect(try await searches.count("looks") == 0)
        }
    }

    @Test func each_kind_of_thing_is_looked_at_by_itself() async throws {
        try await Searches.with { searches in
            try await searches.post(spots(within: 500), by: kim)
            let (car, spot) = (searches.car("Red pram car"), searches.spot(100))
            let (things, places) = (searches.looks(), searches.looks(at: .spot))
            let consumer = DurableConsumer(database: searches.database)
            WantedHandlers(looks: [things, places]).follow(on: consumer)
            let epoch = UUID.version7()
            for (position, subject) in [car, spot].enumerated() {
                try await consumer.hear(
                    SearchableChanged(subject: subject), from: "listings", at: Int64(position + 1), of: epoch)
            }
            #expect(try await searches.count("looks") == 2)
            _ = try await places.round()
            #expect(try await searches.count("looks WHERE kind = 'thing'") == 1)
            #expect(try await searches.count("looks") == 1)
            try await searches.tell()
            #expect(try await searches.told() == [ToldFind(person: kim, subject: spot)])
            _ = try await things.round()
            #expect(try await searches.count("looks") == 0)
        }
    }
}
