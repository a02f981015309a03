import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import Testing
import WireProtocol

@testable import RidesService

@Suite("Pages of rides along a way, and what is beyond them")
struct RideSearchListTests {
    @Test func whereNothingFitsTheWeekAroundIsShown() async throws {
        try await Rides.with { rides in
            var soon: [Ride] = []
            for hours in [30.0, 40, 100, 110, 115, 120, 129] {
                soon.append(try await rides.posted { $0.departsAt = WireJSON.text(of: after(hours: hours)) })
            }
            try await rides.feed.round()
            let found = try await rides.searched { $0.at = after(hours: 70) }
            #expect(found.items.isEmpty && found.next == nil)
            #expect(found.beyond.map(\.ride.id) == soon[0...4].map(\.id))
            let first = try #require(found.beyond.first)
            #expect(first.timeDifference == Int((first.boarding.time.timeIntervalSince(after(hours: 70))).rounded()))
            let window = try await rides.searched {
                ($0.at, $0.after, $0.before) = (nil, after(hours: 60), after(hours: 61))
            }
            #expect(window.items.isEmpty && window.beyond.count == 5)
            #expect(window.beyond.allSatisfy { $0.timeDifference == nil })
            // From beside the way, as far as that may be.
            func beside(_ most: Int?) async throws -> Int {
                try await rides.searched {
                    ($0.from, $0.to, $0.at) = (Example.paso, Example.gilroy, after(hours: 70))
                    $0.mostExtra = most
                }.beyond.count
            }
            #expect(try await [beside(nil), beside(0)] == [5, 0])
        }
    }

    @Test func whatIsMoreExtraIsLeftOut() async throws {
        try await Rides.with { rides in
            var random = RandomRides(seed: 55)
            random.days = 2
            for _ in 0..<200 { _ = try await rides.database.query(random.lasting().insertion) }
            try await rides.feed.round()
            func everything(_ most: Int?) async throws -> [FoundRide] {
                let south = Position(latitude: 32.7157, longitude: -117.1611)
                let query = RideSearchQuery(from: south, to: city, at: after(hours: 24), mostExtra: most)
                return try await rides.everything(query, for: nil)
            }
            let all = try await everything(nil)
            #expect(all.count > 20)
            for extra in [all[0], all[7], all[15]].map(\.extra) {
                for most in [extra - 1, extra] {
                    #expect(try await everything(most) == all.filter { $0.extra <= most })
                }
            }
            #expect(try await everything(3_000_000) == all, "what helps nobody is left out still")
        }
    }

    @Test func pagesShowEachRideOnceWhileOthersArePosted() async throws {
        try await Rides.with { rides in
            var random = RandomRides(seed: 9)
            random.days = 2
            for _ in 0..<250 { _ = try await rides.database.query(random.lasting().insertion) }
            try await rides.feed.round()
            let before = try await rides.all { _ in }
            #expect(before.count > 50)
            let after = try await rides.all { page in
                _ = try await rides.database.query(random.lasting().insertion)
                if page % 3 == 0 { try await rides.feed.round() }
            }
            #expect(Set(after).count == after.count)
            let stayed = Set(before)
            #expect(after.filter { stayed.contains($0) } == before)
            let now = try await rides.all { _ in }
            #expect(Set(now).isSuperset(of: after) && now.count > after.count)
        }
    }
}

extension Rides {
    /// Every page, by what is done after each.
    func all(_ meanwhile: (Int) async throws -> Void) async throws -> [RideID] {
        var found: [RideID] = []
        // A way so long that most rides of the state are some help.
        let south = Position(latitude: 32.7157, longitude: -117.1611)
        var query = RideSearchQuery(from: south, to: city, at: after(hours: 24), limit: 9)
        for page in 1... {
            let answer = try await rides.search(query, for: Caller(person: nil))
            found += answer.items.map(\.ride.id)
            guard let next = answer.next else { return found }
            query.cursor = next
            try await meanwhile(page)
        }
        return found
    }
}
