import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Which drivers are told that somebody begins to seek along their way.
@Suite struct SeekingAnnouncingTests {
    @Test func drivers_of_the_best_ten_rides_are_told() async throws {
        try await Searches.with { searches in
            var all: [ToldSeeker] = []
            for number in [5, 2, 9, 12, 1, 7, 3, 11, 8, 4, 10, 6] {
                let driver = PersonID.new()
                let ride = try await searches.ride(Double(number) * 100, of: driver)
                all.append(ToldSeeker(driver: driver, ride: ride, seeker: tom))
            }
            try await searches.ride(9000)
            try await searches.ride(50, of: tom)
            try await searches.seek()
            let due = try await searches.announcing.round()
            #expect(try await searches.announced().isEmpty && !due, "it is not known yet what was there")
            try await searches.announce()
            let best = [4, 1, 6, 9, 0, 11, 5, 8, 2, 10].map { all[$0] }
            #expect(try await searches.announced() == best)
            let notice = try await searches.deliveries.told(NoticeRaised.self).first
            let expected = NoticeRaised(
                .seekerFound, .seekers(along: best[0].ride), to: .people([best[0].driver]), by: tom,
                Subject(best[0].ride), title: "Ride 100", at: noon)
            #expect(notice == expected)
            searches.clock.advance(by: .seconds(3600))
            try await searches.announce()
            #expect(try await searches.announced().count == 10, "once")
        }
    }

    @Test func of_a_search_that_nobody_sees_no_driver_is_told_until_others_see_it() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(100)
            let id = try await searches.post(rides()).id
            try await searches.announce()
            #expect(try await searches.announced().isEmpty)
            try await searches.change(id, WantedChange(isVisible: true))
            try await searches.announce()
            #expect(try await searches.announced() == [ToldSeeker(driver: maya, ride: ride, seeker: tom)])
            // The same driver is told of the same search once, whatever becomes of it.
            for change in [
                WantedChange(isVisible: false), WantedChange(isVisible: true), WantedChange(isPaused: true),
                WantedChange(isPaused: false), WantedChange(query: rides(seats: 2)),
            ] {
                try await searches.change(id, change)
                try await searches.announce()
            }
            #expect(try await searches.announced().count == 1)
        }
    }

    @Test func where_it_looks_for_something_else_others_are_told() async throws {
        try await Searches.with { searches in
            let near = try await searches.ride(100)
            let far = try await searches.ride(8000, of: kim)
            let id = try await searches.seek().id
            try await searches.announce()
            try await searches.change(id, WantedChange(query: rides(from: 4000)))
            try await searches.announce()
            let expected = [
                ToldSeeker(driver: maya, ride: near, seeker: tom), ToldSeeker(driver: kim, ride: far, seeker: tom),
            ]
            #expect(try await searches.announced() == expected)
            // A ride that comes later: its driver sees on its page who seeks.
            let later = try await searches.ride(4100, of: lin)
            try await searches.say(Subject(later))
            try await searches.run()
            try await searches.announce()
            #expect(try await searches.announced().count == 2)
            #expect(try await searches.along(later, for: lin).map(\.seeker.id) == [id])
        }
    }

    @Test func a_driver_is_told_three_times_a_day_of_one_ride() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(100)
            let people = crowd(5)
            for person in people.prefix(4) {
                try await searches.seek(rides(hours: 48), by: person)
                searches.clock.advance(by: .seconds(1))
                try await searches.announce()
            }
            #expect(try await searches.announced().map(\.seeker) == Array(people.prefix(3)))
            #expect(try await searches.along(ride).count == 4, "the driver sees them all the same")
            searches.clock.advance(by: .seconds(86_400))
            try await searches.announce()
            #expect(try await searches.announced().count == 3, "of what was not told then nothing is told later")
            try await searches.seek(rides(hours: 48), by: people[4])
            try await searches.announce()
            #expect(try await searches.announced().last?.seeker == people[4])
        }
    }

    @Test func who_removes_a_search_and_begins_anew_is_not_told_of_more_often() async throws {
        try await Searches.with { searches in
            try await searches.ride(100)
            for _ in 1...5 {
                let id = try await searches.seek(rides(hours: 48)).id
                try await searches.announce()
                try await searches.useCases.remove(id, .from(tom))
            }
            #expect(try await searches.announced().count == 3)
            #expect(try await searches.count("announcements WHERE wanted IS NULL") == 3)
            searches.clock.advance(by: .seconds(86_400))
            try await searches.announce()
            #expect(try await searches.count("announcements") == 0, "after a day nothing is known of it")
        }
    }

    @Test func who_is_apart_or_suspended_is_told_nothing() async throws {
        try await Searches.with { searches in
            let drivers = crowd(3)
            for (number, driver) in drivers.enumerated() {
                try await searches.ride(Double(number + 1) * 100, of: driver)
            }
            try await searches.deliveries.part(tom, drivers[0])
            try await searches.deliveries.suspend(drivers[1], until: nil)
            try await searches.seek()
            try await searches.announce()
            #expect(try await searches.announced().map(\.driver) == [drivers[2]])
        }
    }

    @Test func who_is_of_another_campus_is_told_nothing() async throws {
        try await Searches.with(campuses: CampusSeparation(isOn: true)) { searches in
            let all: [(PersonID, String?)] = [(tom, "north"), (maya, "south"), (kim, nil), (lin, "north")]
            for (person, campus) in all { try await searches.deliveries.name(person, "Somebody", campus: campus) }
            for driver in [maya, kim, lin, .new()] { try await searches.ride(100, of: driver) }
            try await searches.seek()
            try await searches.announce()
            #expect(try await searches.announced().map(\.driver) == [lin])
        }
    }

    @Test func of_who_is_suspended_drivers_are_told_when_they_are_back() async throws {
        try await Searches.with { searches in
            try await searches.ride(100)
            try await searches.seek()
            try await searches.deliveries.suspend(tom, until: after(minutes: 30))
            try await searches.announce()
            #expect(try await searches.announced().isEmpty)
            searches.clock.advance(by: .seconds(1801))
            try await searches.announce()
            #expect(try await searches.announced().count == 1)
        }
    }

    @Test func what_was_hidden_paused_or_changed_meanwhile_is_not_told() async throws {
        try await Searches.with { searches in
            try await searches.ride(100)
            let changes = [
                WantedChange(isVisible: false), WantedChange(isPaused: true), WantedChange(query: rides(from: 9000)),
            ]
            for (change, person) in zip(changes, [tom, kim, lin]) {
                let id = try await searches.seek(by: person).id
                _ = try await searches.catchUp().round()
                var services = searches.stock.services
                let look = services.look
                services.look = { asked in
                    let found = try await look(asked)
                    try await searches.change(id, change, by: person)
                    return found
                }
                let announcing = SeekingAnnouncing(store: searches.store, services: services, logger: .quiet)
                _ = try await announcing.round()
            }
            #expect(try await searches.announced().isEmpty)
            searches.clock.advance(by: .seconds(60))
            try await searches.announce()
            #expect(try await searches.announced().isEmpty)
            #expect(try await searches.count("wanted WHERE announce_due IS NOT NULL") == 0)
        }
    }

    @Test func where_rides_does_not_answer_drivers_are_told_later() async throws {
        try await Searches.with { searches in
            try await searches.ride(100)
            for person in [tom, kim] { try await searches.seek(by: person) }
            _ = try await searches.catchUp().round()
            let before = searches.stock.asked(.look)
            searches.stock.setAway(true)
            _ = try await searches.announcing.round()
            #expect(searches.stock.asked(.look) == before + 1, "the first who is not answered asks for the other too")
            searches.stock.setAway(false)
            try await searches.announce()
            #expect(try await searches.announced().isEmpty, "not at once")
            searches.clock.advance(by: .seconds(30))
            try await searches.announce()
            #expect(try await Set(searches.announced().map(\.seeker)) == [tom, kim])
        }
    }

    @Test func what_was_told_is_seen_to_when_the_ride_is_gone() async throws {
        try await Searches.with { searches in
            let ride = try await searches.ride(100)
            let id = try await searches.seek().id
            try await searches.announce()
            try await searches.invite(id, to: ride)
            searches.stock.take(Subject(ride))
            try await searches.say(Subject(ride))
            try await searches.look()
            let settled = try await searches.deliveries.told(NoticeSettled.self)
            let expected = [
                NoticeSettled([.seekers(along: ride)], for: .people([maya])),
                NoticeSettled([.invitation(to: ride, of: id)], for: .people([tom])),
            ]
            #expect(settled == expected)
        }
    }

    @Test(.timeLimit(.minutes(5))) func several_processes_tell_once_and_no_more_than_drivers_bear() async throws {
        try await Searches.with { searches in
            for number in 0..<12 { try await searches.ride(Double(number) * 10, of: .new()) }
            let people = crowd(20)
            for person in people { try await searches.seek(by: person) }
            _ = try await searches.catchUp().round()
            let results = await atOnce(Array(0..<8)) { _ in
                var announcing = searches.replica.announcing
                announcing.batch = 3
                while try await announcing.round() {}
            }
            #expect(others(results.compactMap(\.error)) { _ in true }.isEmpty)
            searches.clock.advance(by: .seconds(60))
            try await searches.announce()
            let told = try await searches.announced()
            #expect(Set(told).count == told.count)
            let counts = Dictionary(told.map { ($0.ride, 1) }, uniquingKeysWith: +)
            // All of them find the same ten best.
            #expect(counts.count == SeekingLimits.announced && counts.values.allSatisfy { $0 == SeekingLimits.perRide })
            let most = Dictionary(told.map { ($0.seeker, 1) }, uniquingKeysWith: +).values.max()
            #expect(most == SeekingLimits.announced)
            #expect(try await searches.count("wanted WHERE announce_due IS NOT NULL") == 0)
        }
    }
}
