import Foundation
import Testing
import WireProtocol

@testable import demo

@Suite struct JourneyTests {
    private static let all = [Roads.finland, .california]

    private static func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    @Test func a_community_gets_the_roads_around_it() {
        #expect(Roads.near(Position(latitude: 60.1709, longitude: 24.9440)) == .finland)
        #expect(Roads.near(Position(latitude: 35.3, longitude: -120.66)) == .california)
        #expect(Roads.near(Position(latitude: 1.35, longitude: 103.82)) == nil)
    }

    /// A person may have twenty open rides.
    @Test func nobody_drives_more_than_a_community_allows() throws {
        for roads in Self.all {
            let calendar = try Self.calendar(roads.zone)
            for start in [0, 3, 6] {
                let now = Date(timeIntervalSince1970: 1_790_000_000 + Double(start) * 86_400)
                var rides: [String: Int] = [:]
                for journey in roads.journeys {
                    rides[journey.driver, default: 0] += journey.days(from: now, in: calendar).count
                }
                #expect(rides.values.allSatisfy { (1...20).contains($0) }, "\(rides)")
            }
        }
    }

    /// At most a quarter of the way, and 50 km.
    @Test func nobody_offers_a_longer_detour_than_the_service_takes() {
        for journey in Self.all.flatMap(\.journeys) {
            let legs = zip(journey.towns, journey.towns.dropFirst()).map { $0.position.metres(to: $1.position) }
            #expect(journey.detour <= min(50_000, Int(legs.reduce(0, +) / 4)), "\(journey.driver)")
            #expect(legs.allSatisfy { $0 > 1000 })
        }
    }

    @Test func a_ride_leaves_on_its_day_at_its_hour_on_the_wall() throws {
        let calendar = try Self.calendar("Europe/Helsinki")
        // A Wednesday in the evening; clocks are put back on the fourth Sunday after it.
        let now = try #require(ISO8601DateFormatter().date(from: "2026-10-07T18:00:00Z"))
        let home = try #require(Roads.finland.journeys.first { $0.weekdays == [7] })
        let days = home.days(from: now, in: calendar)
        #expect(
            days.map { home.draft(on: $0, in: calendar, currency: "EUR").departsAt } == [
                "2026-10-11T17:30", "2026-10-18T17:30", "2026-10-25T17:30", "2026-11-01T17:30",
            ])
    }

    /// Seats that are accepted fit in, on each part of the way.
    @Test func nobody_is_promised_a_seat_that_is_not_there() {
        for journey in Self.all.flatMap(\.journeys) {
            for leg in 0..<journey.towns.count - 1 {
                let aboard = journey.wishes.filter {
                    $0.isAccepted && $0.from <= leg && leg < $0.to ?? journey.towns.count - 1
                }
                #expect(aboard.map(\.seats).reduce(0, +) <= journey.seats)
            }
            #expect(Set(journey.wishes.map(\.rider)).count == journey.wishes.count)
            #expect(!journey.wishes.map(\.rider).contains(journey.driver))
        }
    }
}
