import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What stays known for how long, and what is done in parts or left for later, so that nobody waits for it.
@Suite struct WantedKeepingTests {
    private static let day: TimeInterval = 86_400

    // MARK: Forgetting

    /// Goes through everything once.
    private func forget(_ searches: Searches, batch: Int = 2) async throws {
        var rounds = WantedForgetting(store: searches.store, logger: .quiet, clock: searches.clock.read)
        rounds.batch = batch
        let pages = try await searches.count("hits") / batch + 1
        for _ in 0..<pages { _ = try await rounds.round() }
    }

    @Test func what_was_told_long_ago_is_forgotten_where_nothing_can_tell_it_again() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            try await searches.post(cars("pram"), by: kim)
            let subjects = (0..<5).map { searches.car("Pram car \($0)") }
            for subject in subjects { try await searches.hit(subject, "told", by: [id]) }
            for subject in subjects { try await searches.hit(subject, "told", by: [], of: kim) }
            try await searches.hit(searches.car("Pram car"), "late", by: [], of: lin)
            searches.clock.advance(by: .seconds(60 * Self.day))
            try await searches.useCases.remove(id, .from(tom))
            try await forget(searches)
            #expect(try await searches.count("hits") == 11, "not before that")
            searches.clock.advance(by: .seconds(1))
            try await forget(searches)
            #expect(try await searches.count("hits WHERE person = \(tom)") == 0)
            #expect(try await searches.count("hits WHERE person = \(kim)") == 5, "who has a search is never told twice")
            #expect(try await searches.count("hits WHERE person = \(lin)") == 1)
        }
    }

    @Test func it_begins_anew_after_the_last_page() async throws {
        try await Searches.with { searches in
            var rounds = WantedForgetting(store: searches.store, logger: .quiet, clock: searches.clock.read)
            rounds.batch = 2
            for number in 0..<3 { try await searches.hit(searches.car("Car \(number)"), "told", by: []) }
            for _ in 0..<2 { _ = try await rounds.round() }
            #expect(try await searches.count("hits") == 3)
            searches.clock.advance(by: .seconds(61 * Self.day))
            for left in [1, 0, 0] {
                _ = try await rounds.round()
                #expect(try await searches.count("hits") == left)
            }
        }
    }

    // MARK: Digests

    @Test func a_digest_of_much_is_counted_in_parts_and_told_once() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let other = try await searches.post(cars("bike"), by: kim).id
            for number in 0..<7 {
                let subject = searches.car("Car \(number)")
                if number > 0 { try await searches.appeared(subject) }
                try await searches.hit(subject, "late", by: [id])
            }
            let bike = searches.car("Bike")
            try await searches.appeared(bike)
            try await searches.hit(bike, "late", by: [other], of: kim)
            _ = try await searches.database.query("UPDATE wanted SET digest_at = \(noon)")
            var times = searches.times
            times.counting = 3
            let one = try await times.round()
            #expect(one, "there is more")
            #expect(try await searches.count("hits WHERE state = 'late'") == 4)
            let kims = WantedReminder(wanted: other, person: kim, about: .digest, number: 1)
            #expect(try await searches.reminders() == [kims])
            while try await times.round() {}
            #expect(try await searches.count("hits WHERE state = 'late'") == 0)
            // One of them is not known to be there.
            let toms = WantedReminder(wanted: id, person: tom, about: .digest, number: 6)
            #expect(try await searches.reminders() == [kims, toms])
            #expect(try await searches.count("wanted WHERE digesting > 0 OR digest_at IS NOT NULL") == 0)
        }
    }

    @Test func what_was_counted_of_a_digest_that_is_dropped_is_not_told_later() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            for number in 0..<4 {
                let subject = searches.car("Car \(number)")
                try await searches.appeared(subject)
                try await searches.hit(subject, "late", by: [id])
            }
            _ = try await searches.database.query("UPDATE wanted SET digest_at = \(noon), digesting = 3")
            try await searches.change(id, WantedChange(isPaused: true))
            #expect(try await searches.count("wanted WHERE digesting > 0") == 0)
        }
    }

    // MARK: Several at once

    @Test(.timeLimit(.minutes(1))) func the_end_of_a_search_does_not_wait_for_who_is_at_another_of_the_same_person()
        async throws
    {
        try await Searches.with { searches in
            let first = try await searches.post(cars("red")).id
            searches.clock.advance(by: .milliseconds(1))
            let second = try await searches.post(cars("pram")).id
            let kims = try await searches.post(cars("pram"), by: kim).id
            let car = searches.car("Red pram car")
            try await searches.hit(car, by: [second, first])
            _ = try await searches.database.query(
                "UPDATE wanted SET expires_at = \(noon), due_at = \(noon) WHERE id IN (\(second), \(kims))")
            let other = searches.replica
            try await searches.store.transaction { wanted in
                // As an erasure does, which comes to the second one next.
                try await wanted.transaction.query("SELECT FROM wanted WHERE id = \(first) FOR UPDATE")
                try await other.pass()
            }
            #expect(try await searches.count("wanted WHERE state = 'ended'") == 1)
            #expect(try await searches.reminders().map(\.wanted) == [kims], "the others go on")
            #expect(try await searches.hit(of: car)?.by == second)
            try await searches.pass()
            #expect(try await searches.reminders().map(\.wanted) == [kims, second])
            #expect(try await searches.hit(of: car)?.by == first)
        }
    }

    // MARK: Together again

    @Test func what_was_shared_while_two_were_apart_is_found_once_they_are_together_again() async throws {
        try await Searches.with { searches in
            searches.car("Pram car before that")
            let id = try await searches.post(cars("pram")).id
            try await searches.run()
            searches.stock.part(maya, tom)
            searches.clock.advance(by: .seconds(3600))
            let car = searches.car("Red pram car")
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().isEmpty)
            searches.stock.join(maya, tom)
            try await searches.deliveries.hear(PeopleUnblocked(pair: BlockedPair(maya, tom)))
            try await searches.run()
            #expect(try await searches.told().isEmpty, "the other services may not have heard of it yet")
            searches.clock.advance(by: .seconds(10))
            try await searches.run()
            #expect(try await searches.told() == [ToldFind(person: tom, subject: car)])
            #expect(try await searches.newFinds(id) == [car])
            #expect(try await searches.isSettled(id))
        }
    }

    @Test func who_belongs_somewhere_else_finds_what_is_shared_there() async throws {
        try await Searches.with(campuses: CampusSeparation(isOn: true)) { searches in
            for person in [tom, maya] { try await searches.deliveries.name(person, "x", campus: "kumpula") }
            let id = try await searches.post(cars("pram")).id
            try await searches.run()
            func hear(_ campus: String) async throws {
                try await searches.deliveries.hear(
                    PersonChanged(person: PersonSummary(id: tom, name: "Tom", campus: campus)))
            }
            try await hear("otaniemi")
            #expect(try await !searches.isSettled(id))
            searches.clock.advance(by: .seconds(10))
            try await searches.run()
            #expect(try await searches.isSettled(id))
            try await hear("otaniemi")
            #expect(try await searches.isSettled(id), "nothing is other")
        }
    }

    // MARK: What cannot be read

    @Test func a_search_that_cannot_be_read_is_left_out_and_can_be_removed() async throws {
        try await Searches.with { searches in
            let car = searches.car("Red pram car")
            var ids: [WantedID] = []
            for words in ["pram", "red", "car"] {
                ids.append(try await searches.post(cars(words)).id)
                searches.clock.advance(by: .milliseconds(1))
            }
            _ = try await searches.database.query("UPDATE wanted SET query = '{\"things\": 5}' WHERE id = \(ids[1])")
            let caller = Caller(person: tom)
            let all = try await searches.useCases.all(WantedListQuery(), for: caller).items.map(\.id)
            #expect(all == [ids[2], ids[0]])
            let page = try await searches.useCases.all(WantedListQuery(limit: 2), for: caller)
            #expect(page.items.map(\.id) == [ids[2]])
            let next = try await searches.useCases.all(WantedListQuery(limit: 2, cursor: page.next), for: caller)
            #expect(next.items.map(\.id) == [ids[0]])
            let finders = try await searches.useCases.finders(WantedFinders(of: car), for: caller).items.map(\.id)
            #expect(finders == [ids[2], ids[0]])
            let archive = try await PersonalSections(searches.useCases.ownRecords).page(PersonalDataQuery(person: tom))
            #expect(archive.items.count == 2)
            #expect(await wantedRefusal { try await searches.useCases.remove(ids[1], .from(kim)) } == .notFound)
            try await searches.useCases.remove(ids[1], .from(tom))
            #expect(try await searches.count("wanted") == 2)
        }
    }
}
