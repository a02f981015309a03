import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// Searches that look elsewhere are not judged.
@Suite struct WantedAroundTests {
    private func around(_ middle: Position, within radius: Int) -> WantedQuery {
        WantedQuery(spots: SpotQuery(near: middle, radius: radius))
    }

    @Test func only_those_are_judged_that_look_there() async throws {
        try await Searches.with { searches in
            for (number, person) in crowd(12).enumerated() {
                try await searches.post(around(position(Double(number) * 400), within: 500), by: person)
            }
            // Without a circle: from before it was kept.
            let old = try await searches.post(around(position(4000), within: 500), by: lin).id
            _ = try await searches.database.query(
                "UPDATE wanted SET near_latitude = NULL, near_longitude = NULL, near_radius = NULL WHERE id = \(old)")
            try await searches.say(searches.spot(100))
            try await searches.look()
            #expect(searches.stock.largestJudging == 3)
            #expect(try await searches.count("hits") == 2)
        }
    }

    @Test func who_waits_to_be_told_of_what_was_moved_away_is_not_told() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(spots(within: 500)).id
            let spot = searches.spot(100)
            try await searches.say(spot)
            try await searches.look()
            #expect(try await searches.newFinds(id) == [spot])
            searches.stock.put(Stock.Item(subject: spot, owner: maya, title: "Spot", position: position(9000)))
            try await searches.say(spot)
            try await searches.look()
            try await searches.tell()
            #expect(try await searches.newFinds(id).isEmpty)
            #expect(try await searches.told().isEmpty)
            #expect(try await searches.seen(id).found == 0)
        }
    }

    @Test func what_is_changed_looks_elsewhere() async throws {
        try await Searches.with { searches in
            let id = try await searches.post(spots(within: 500)).id
            try await searches.change(id, WantedChange(query: around(position(9000), within: 500)))
            _ = try await searches.change(id, WantedChange(isPaused: true))
            _ = try await searches.change(id, WantedChange(isPaused: false))
            let (here, there) = (searches.spot(0), searches.spot(9000))
            for spot in [here, there] { try await searches.say(spot) }
            try await searches.look()
            #expect(try await searches.newFinds(id) == [there])
        }
    }

    /// At the poles, on both sides of the date line, where numbers are tiny, and anywhere else.
    @Test func nobody_who_looks_there_is_left_out() async throws {
        var dice = SeededGenerator(seed: 15)
        var middles = [(90, 12), (-90, 0), (0, 180), (0, -180), (60, 179.9999), (1e-300, -1e-200), (0, 0)].map {
            Position(latitude: $0.0, longitude: $0.1)
        }
        for _ in 0..<40 {
            middles.append(
                Position(
                    latitude: .random(in: -90...90, using: &dice), longitude: .random(in: -180...180, using: &dice)))
        }
        try await Searches.with { [middles] searches in
            for (number, middle) in middles.enumerated() {
                let radius = [0, 50, 1000, 30_000][number % 4]
                let id = try await searches.post(around(middle, within: radius), by: crowd(1)[0]).id
                var found: Set<Subject> = []
                for share in [0, 0.5, 0.999_999, 1.5] {
                    let north = share * Double(radius) / Earth.radius * 180 / .pi * (middle.latitude > 0 ? -1 : 1)
                    let place = Position(latitude: middle.latitude + north, longitude: middle.longitude)
                    let spot = Subject(SpotID.new(at: searches.clock.now))
                    searches.stock.put(Stock.Item(subject: spot, owner: maya, title: "Spot", position: place))
                    if middle.metres(to: place) <= Double(radius) { found.insert(spot) }
                    try await searches.say(spot)
                }
                while try await searches.count("looks") > 0 { try await searches.look() }
                #expect(try await searches.newFinds(id) == found, "\(middle) within \(radius)")
                #expect(found.count >= 3)
            }
        }
    }
}
