import Foundation
import Testing
import WireProtocol

@testable import demo

@Suite struct SoughtTests {
    private static let roads = [Roads.finland, .california]
    private let cast = Set(Neighbour.cast.map(\.username))

    /// Of each form one for each of them: what they look for already is left alone.
    @Test func there_is_something_of_each_form_and_nobody_looks_for_two_of_one() throws {
        let restaurant = PlaceID.new()
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        for roads in Self.roads {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: roads.zone))
            let rides = roads.sought.compactMap { $0.sought(after: now, in: calendar) }
            let all =
                Sought.around(StudentQuarter.helsinki.middle) + rides
                + Sought.deliverers(in: .helsinki, from: [restaurant])
            #expect(Set(all.map(\.query.form)).count == 6)
            #expect(Set(all.map { "\($0.seeker) \($0.query.form)" }).count == all.count)
            #expect(all.allSatisfy { cast.contains($0.seeker) && (!$0.isVisible || $0.query.rides != nil) })
            #expect(rides.count == roads.sought.count && rides.contains(where: \.isVisible))
        }
        #expect(Sought.deliverers(in: .helsinki, from: []).isEmpty)
    }

    /// In the second week, whatever day it is; and where one of them drives, the ride leaves within that time.
    @Test func a_ride_is_sought_on_its_day_when_others_drive() throws {
        for roads in Self.roads {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: roads.zone))
            for day in 0..<7 {
                let now = Date(timeIntervalSince1970: 1_790_000_000 + Double(day) * 86_400)
                for sought in roads.sought {
                    let window = try #require(sought.window(after: now, in: calendar))
                    #expect(window.after > now + 6 * 86_400 && window.before < now + 14 * 86_400)
                    #expect((calendar.component(.weekday, from: window.after) + 5) % 7 + 1 == sought.weekday)
                    let driven = roads.journeys.contains { journey in
                        journey.weekdays.contains(sought.weekday) && journey.driver != sought.seeker
                            && journey.towns.drop { $0 != sought.from }.contains(sought.to)
                            && (sought.hour - 2...sought.hour + 2).contains(journey.hour)
                    }
                    #expect(driven || sought.seeker == "helmi", "\(sought)")
                }
            }
        }
    }
}
