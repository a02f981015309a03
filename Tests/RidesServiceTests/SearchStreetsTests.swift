import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("Finding rides along streets")
struct SearchStreetsTests {
    /// Every third one is nowhere near streets, or they are not known yet.
    private func rides(_ count: Int, along streets: MadeUpStreets) -> [OfferedRide] {
        var random = RandomRides(seed: 31)
        random.days = 2
        return (0..<count).map { number in
            var ride = random.lasting()
            if number % 3 > 0 { ride.legs = streets.legs(ride.way.points) }
            return ride
        }
    }

    /// What is to be found: each ride in the order of straight lines. One that would go too far along streets keeps to its stops, where some are near.
    private func expected(
        _ all: [OfferedRide], _ query: RideSearchQuery, along streets: MadeUpStreets
    ) throws -> [(key: FoundKey, detour: Int)] {
        let at = try #require(query.at)
        let wish = RideWish(from: query.from, to: query.to, times: at - 86_400...at + 86_400)
        var stops = wish
        stops.mayDetour = false
        let every = EveryRide(all)
        let nearest = every.found(BoardQuery(wish: stops, now: noon, limit: .max - 1))
        let near = Dictionary(uniqueKeysWithValues: nearest.map { ($0.id, $0.extra) })
        let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        return try every.found(BoardQuery(wish: wish, now: noon, limit: .max - 1)).compactMap { key in
            let ride = try #require(byID[key.id])
            if near[key.id] == key.extra { return (key, 0) }
            guard ride.legs != nil else { return (key, key.extra) }
            // The first of those that are equally far.
            let choice = try #require(ride.straightDetours(of: wish).first { $0.metres == key.extra })
            let along = choice.bends.reduce(0) { $0 + streets.detour($1.points, on: $1.leg, of: ride).metres }
            let detour = max(key.extra, along)
            if detour <= ride.detourLeft { return (key, detour) }
            return near[key.id] == nil ? nil : (key, 0)
        }
    }

    private func queries() -> [RideSearchQuery] {
        let south = Position(latitude: 32.7157, longitude: -117.1611)
        var random = RandomRides(seed: 32)
        random.days = 1
        return [RideSearchQuery(from: south, to: city, at: after(hours: 24))]
            + (0..<12).map { _ in
                let wish = random.wish()
                return RideSearchQuery(from: wish.from, to: wish.to, at: after(hours: 24))
            }
    }

    @Test(arguments: [1, 7, 100]) func pages_are_full_and_exact_and_in_order(limit: Int) async throws {
        let streets = MadeUpStreets()
        let all = rides(400, along: streets)
        try await Rides.with(streets: streets.askForStreets) { rides in
            for ride in all { _ = try await rides.database.query(ride.insertion) }
            try await rides.feed.round()
            var (leftOut, bent, kept) = (0, 0, 0)
            for query in queries() {
                let expected = try expected(all, query, along: streets)
                let wish = RideWish(from: query.from, to: query.to, times: noon...after(hours: 48))
                leftOut +=
                    EveryRide(all).found(BoardQuery(wish: wish, now: noon, limit: .max - 1)).count - expected.count
                var (found, page) = ([FoundRide](), query)
                page.limit = limit
                repeat {
                    let asked = streets.questions.withLock { $0.count }
                    let answer = try await rides.rides.search(page, for: Caller(person: nil))
                    let questions = streets.questions.withLock { $0[asked...] }
                    found += answer.items
                    #expect(answer.items.count == limit || answer.next == nil, "a page that is not the last is full")
                    #expect(questions.count <= 8 && questions.allSatisfy { $0.others.count <= 100 })
                    if answer.items.isEmpty { break }
                    page.cursor = answer.next
                } while page.cursor != nil
                #expect(found.map(\.ride.id) == expected.map(\.key.id))
                #expect(found.map(\.extra) == expected.map(\.key.extra))
                #expect(found.map(\.detour) == expected.map(\.detour))
                #expect(found.allSatisfy { $0.detour <= $0.ride.detourLeft })
                #expect(found.allSatisfy { $0.detourSeconds == nil || $0.boarding.stop == nil })
                bent += found.count { $0.detourSeconds != nil }
                let more = found.filter { $0.startGap + $0.endGap > $0.extra }
                #expect(more.allSatisfy { $0.boarding.stop != nil && $0.leaving.stop != nil && $0.detour == 0 })
                kept += more.count
            }
            #expect(leftOut > 10 && bent > 20 && kept > 0, "\(leftOut) left out, \(bent) bent, \(kept) at stops")
        }
    }

    @Test func where_places_does_not_answer_straight_lines_count() async throws {
        let streets = MadeUpStreets()
        let all = rides(150, along: streets)
        try await Rides.with(streets: streets.askForStreets) { rides in
            for ride in all { _ = try await rides.database.query(ride.insertion) }
            try await rides.feed.round()
            streets.isAway.withLock { $0 = true }
            var asked = 0
            for query in queries() {
                streets.questions.withLock { $0 = [] }
                let at = try #require(query.at)
                let wish = RideWish(from: query.from, to: query.to, times: at - 86_400...at + 86_400)
                let straight = EveryRide(all).found(BoardQuery(wish: wish, now: noon, limit: 50))
                var page = query
                page.limit = 50
                let found = try await rides.rides.search(page, for: Caller(person: nil)).items
                #expect(found.map(\.ride.id) == straight.map(\.id))
                #expect(found.allSatisfy { $0.detourSeconds == nil })
                let questions = streets.questions.withLock { $0.count }
                #expect(questions <= 4, "it is asked once")
                asked += questions
            }
            #expect(asked > 0)
        }
    }

    /// Found with the detour that a quote says and a request keeps; too far for the one is too far for all.
    @Test func who_asks_is_told_what_who_searches_found() async throws {
        let streets = MadeUpStreets()
        try await Rides.with(legs: streets.askForLegs, streets: streets.askForStreets) { rides in
            let ride = try await rides.posted { $0.maxDetour = 50_000 }
            let stored = try #require(try await rides.stored(ride.id))
            try await rides.feed.round()
            func found() async throws -> FoundRide? {
                try await rides.searched { ($0.from, $0.to) = (Example.paso, Example.gilroy) }.items.first
            }
            let draft = SeatDraft(
                from: Example.own("Paso Robles", Example.paso), to: Example.own("Gilroy", Example.gilroy))
            func quote() async throws -> SeatQuote {
                try await rides.rides.quoteSeat(ride.id, draft, for: Caller(person: tom))
            }
            let expected = [
                streets.detour([Example.paso], on: 0, of: stored), streets.detour([Example.gilroy], on: 1, of: stored),
            ]
            let metres = expected.reduce(0) { $0 + $1.metres }
            _ = try await rides.database.query("UPDATE rides SET max_detour = \(metres)")
            let (one, told) = (try #require(try await found()), try await quote())
            #expect(one.detour == metres && one.detour > one.extra)
            #expect(one.detourSeconds == expected.reduce(0) { $0 + $1.seconds })
            #expect(told.detour == one.detour && told.detourSeconds == one.detourSeconds && told.free == one.free)
            // One metre less is too far along streets, though not in straight lines. Its stops are as near as they were.
            _ = try await rides.database.query("UPDATE rides SET max_detour = \(metres - 1)")
            let kept = try #require(try await found())
            #expect(kept.boarding.stop != nil && kept.leaving.stop != nil && kept.detour == 0)
            #expect(kept.extra == one.extra && kept.startGap + kept.endGap > kept.extra)
            #expect(await refusalCode { try await quote() } == .invalid)
            #expect(
                await rideRefusal { try await rides.rides.requestSeat(ride.id, draft, .from(tom)) }?.serviceError.errors
                    .map(\.code) == ["too_far"])
            _ = try await rides.database.query("UPDATE rides SET max_detour = \(metres)")
            let asked = try await rides.rides.requestSeat(ride.id, draft, .from(tom))
            #expect(asked.detour == metres)
            #expect(try await rides.act(asked.id, .accept).state == .accepted)
            #expect(try await rides.seen(ride.id, by: lin).detourLeft == 0)
            #expect(try await rides.wrongSums() == 0)
            // Without Places the straight line is known.
            streets.isAway.withLock { $0 = true }
            _ = try await rides.database.query("UPDATE rides SET max_detour = \(2 * metres)")
            let straight = try await quote()
            #expect(straight.detour < metres && straight.detourSeconds == nil)
        }
    }
}
