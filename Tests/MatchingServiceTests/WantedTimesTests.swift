import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What time does to searches, and to what they have found.
@Suite struct WantedTimesTests {
    private static let (hour, day): (TimeInterval, TimeInterval) = (3600, 86_400)

    /// So many cars appear at once that somebody looks for.
    @discardableResult
    private func appear(_ count: Int, _ words: String = "pram", in searches: Searches) async throws -> [Subject] {
        let cars = (0..<count).map { searches.car("\(words) car \($0)") }
        for car in cars { try await searches.say(car) }
        try await searches.run()
        return cars
    }

    @Test func what_is_more_is_told_in_a_digest_once_a_day() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let subjects = try await appear(8, in: searches)
            let told = try await searches.told().map(\.subject)
            #expect(told.count == 3)
            // One of the others is gone before it is told.
            guard let gone = subjects.first(where: { !told.contains($0) }) else { return }
            searches.stock.take(gone)
            try await searches.say(gone)
            try await searches.look()
            try await searches.pass()
            #expect(try await searches.reminders().isEmpty)
            searches.clock.advance(by: .seconds(Self.hour))
            try await searches.pass()
            #expect(
                try await searches.reminders() == [WantedReminder(wanted: id, person: tom, about: .digest, number: 4)])
            #expect(try await searches.count("hits WHERE state = 'told'") == 7)
            let notices = try await searches.deliveries.told(NoticeRaised.self).filter { $0.kind == .wantedDue }
            #expect(notices.map(\.key) == [.wanted(id)] && notices.map(\.variant) == ["digest"])
            // What was told so does not count as told by itself.
            #expect(try await appear(4, in: searches).count == 4)
            #expect(try await searches.told().count == 6)
            // The next digest comes a day after the first.
            searches.clock.advance(by: .seconds(Self.day - 60))
            try await searches.pass()
            #expect(try await searches.reminders().count == 1)
            searches.clock.advance(by: .seconds(60))
            try await searches.pass()
            #expect(try await searches.reminders().map(\.number) == [4, 1])
            try await searches.pass()
            #expect(try await searches.reminders().count == 2)
        }
    }

    @Test func a_digest_of_nothing_is_not_told() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            let kims = try await searches.post(cars("bike"), by: kim).id
            for car in try await appear(4, in: searches) {
                searches.stock.take(car)
                try await searches.say(car)
            }
            try await appear(4, "bike", in: searches)
            try await searches.look()
            try await searches.deliveries.suspend(kim, until: nil)
            searches.clock.advance(by: .seconds(2 * Self.hour))
            try await searches.pass()
            #expect(try await searches.reminders().isEmpty, "all is gone of the one, and the other is suspended")
            #expect(try await searches.count("wanted WHERE digest_at IS NOT NULL") == 0)
            #expect(try await searches.seen(kims, by: kim).found == 4)
        }
    }

    @Test func its_person_is_asked_and_told_of_its_end_once() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let other = try await searches.post(cars("pram"), by: kim).id
            try await searches.change(other, WantedChange(isPaused: true), by: kim)
            searches.clock.advance(by: .seconds(57 * Self.day - 1))
            try await searches.pass()
            #expect(try await searches.reminders().isEmpty)
            searches.clock.advance(by: .seconds(1))
            try await searches.pass()
            try await searches.pass()
            #expect(try await Set(searches.reminders().map(\.wanted)) == [id, other])
            #expect(try await searches.reminders().map(\.about) == [.endsSoon, .endsSoon])
            // What was found and not told goes with it.
            try await searches.say(searches.car("Red pram car"))
            try await searches.look()
            searches.clock.advance(by: .seconds(3 * Self.day))
            try await searches.pass()
            try await searches.pass()
            #expect(try await searches.reminders().map(\.about).suffix(2) == [.ended, .ended])
            #expect(try await searches.reminders().count == 4)
            #expect(try await searches.seen(id).state == .ended)
            #expect(try await searches.keys(of: id).isEmpty)
            #expect(try await searches.count("hits") == 0)
            let headers = try await searches.deliveries.headers(of: WantedReminder.self)
            #expect(Set(headers.map(\.audience)) == [.people([tom]), .people([kim])])
            // Renewed, it looks again.
            _ = try await searches.useCases.renew(id, .from(tom))
            try await searches.say(searches.car("Green pram car"))
            try await searches.run()
            #expect(try await searches.told().map(\.person) == [tom])
        }
    }

    @Test func who_renews_in_time_is_not_told_of_an_end() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            searches.clock.advance(by: .seconds(58 * Self.day))
            try await searches.pass()
            _ = try await searches.useCases.renew(id, .from(tom))
            searches.clock.advance(by: .seconds(10 * Self.day))
            try await searches.pass()
            #expect(try await searches.reminders().map(\.about) == [.endsSoon])
            #expect(try await searches.seen(id).state == .live)
        }
    }

    @Test func what_is_over_when_somebody_looks_again_is_told_as_that_alone() async throws {
        try await Searches.with { searches in
            try await searches.post(cars("pram"))
            try await searches.post(cars("pram"), by: kim)
            try await searches.deliveries.suspend(kim, until: nil)
            searches.clock.advance(by: .seconds(61 * Self.day))
            try await searches.pass()
            #expect(try await searches.reminders().map(\.about) == [.ended])
            #expect(try await searches.count("wanted WHERE state = 'ended'") == 2)
        }
    }

    @Test func it_is_forgotten_a_month_after_its_end() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let car = try await appear(1, in: searches)[0]
            searches.clock.advance(by: .seconds(60 * Self.day))
            try await searches.pass()
            searches.clock.advance(by: .seconds(30 * Self.day - 1))
            try await searches.pass()
            #expect(try await searches.seen(id).found == 1)
            searches.clock.advance(by: .seconds(1))
            try await searches.pass()
            #expect(try await searches.count("wanted") == 0)
            #expect(try await searches.count("finds") == 0)
            #expect(try await searches.hit(of: car)?.state == "told", "that they were told stays known")
            let settled = try await searches.deliveries.told(NoticeSettled.self)
            #expect(settled.map(\.keys) == [[.wanted(id)]])
        }
    }

    @Test func what_has_been_gone_for_a_month_is_forgotten() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let subjects = try await appear(2, in: searches)
            searches.stock.take(subjects[0])
            try await searches.say(subjects[0])
            try await searches.look()
            searches.clock.advance(by: .seconds(30 * Self.day))
            try await searches.pass()
            #expect(try await searches.count("searchables") == 2)
            searches.clock.advance(by: .seconds(1))
            try await searches.pass()
            #expect(try await searches.count("searchables") == 1)
            #expect(try await searches.newFinds(id) == [subjects[1]])
            #expect(try await searches.hit(of: subjects[0]) == nil)
            #expect(try await searches.seen(id).found == 2)
        }
    }

    @Test func of_who_has_erased_themselves_nothing_is_found_any_more() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(cars("pram")).id
            let car = try await appear(1, in: searches)[0]
            try await searches.deliveries.erase(maya)
            // Its service has not heard of it yet.
            try await searches.run()
            #expect(try await searches.takenBack(car) == [tom])
            #expect(try await searches.count("searchables") == 0)
            #expect(try await searches.count("hits") == 0)
            #expect(try await searches.newFinds(id).isEmpty)
            try await searches.say(car)
            try await searches.run()
            #expect(try await searches.told().count == 1)
        }
    }
}
