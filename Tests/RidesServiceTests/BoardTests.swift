import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("The board of rides")
struct BoardTests {
    private static let rides = {
        var random = RandomRides(seed: 28)
        return (0..<3000).map { _ in random.ride() }
    }()

    @Test func findsWhatLookingAtEveryRideFinds() throws {
        let (board, every) = (try RideBoard.holding(Self.rides), EveryRide(Self.rides))
        var random = RandomRides(seed: 1)
        for number in 0..<500 {
            var query = BoardQuery(wish: random.wish(within: number % 5 == 0 ? 3600 : 86_400), now: noon, limit: 60)
            if number % 7 == 0 { query.luggage = .medium }
            if number % 11 == 0 { query.free = 3 }
            let (page, all) = (try board.found(query), every.found(query))
            #expect(difference(page.found, all) == nil, "query \(number)")
            #expect(page.end == (page.found.count == 60 ? page.found.last : nil))
        }
    }

    @Test func pagesFollowOneAnother() throws {
        let (board, every) = (try RideBoard.holding(Self.rides), EveryRide(Self.rides))
        var random = RandomRides(seed: 2)
        for _ in 0..<5 {
            var query = BoardQuery(wish: random.wish(), now: noon, limit: 7)
            var found: [FoundKey] = []
            repeat {
                let page = try board.found(query)
                found += page.found
                query.after = page.end
            } while query.after != nil
            query.limit = .max - 1
            #expect(difference(found, every.found(query)) == nil)
        }
    }

    @Test func ridesComeChangeAndGo() throws {
        var random = RandomRides(seed: 4)
        var content = BoardContent()
        var kept: [RideID: OfferedRide] = [:]
        for step in 0..<6000 {
            let known = step % 3 == 0 ? nil : kept.randomElement(using: &random)
            if let known, random.chance(0.4) {
                kept[known] = nil
                content.remove(known)
            } else {
                var ride = random.ride()
                if let known, let old = kept[known] { ride = ride.called(known, like: random.chance(0.5) ? old : nil) }
                kept[ride.id] = ride
                content.put(BoardRide(ride, campus: nil))
            }
            #expect(content.count == kept.count)
        }
        let board = RideBoard()
        board.fill(content, try SeenTransactions(snapshot: "10:10:", epoch: "one"))
        let every = EveryRide(Array(kept.values))
        for _ in 0..<20 {
            let query = BoardQuery(wish: random.wish(within: 6 * 86_400), now: noon, limit: 5000)
            #expect(try difference(board.found(query).found, every.found(query)) == nil)
        }
    }

    @Test func whatHasLeftIsNotFound() throws {
        let (board, every) = (try RideBoard.holding(Self.rides), EveryRide(Self.rides))
        var random = RandomRides(seed: 5)
        var query = BoardQuery(wish: random.wish(within: 7 * 86_400), now: after(hours: 100), limit: 5000)
        let left = every.found(query)
        #expect(try difference(board.found(query).found, left) == nil)
        board.sweep(at: query.now)
        #expect(board.count == Self.rides.count { $0.leavesBy > query.now })
        #expect(try difference(board.found(query).found, left) == nil)
        // Those that have left are gone for good.
        query.now = noon
        #expect(try difference(board.found(query).found, left) == nil)
    }

    /// By a second before and after, at both ends of the time that is asked for, at a stop on the way.
    @Test func theTimeIsThatAtTheBoardingPoint() throws {
        var random = RandomRides(seed: 6)
        var ride = random.ride()
        ride.way = RideWay(
            measuring: [city, salinas, campus].map { RideStopDraft(name: "Stop", position: $0) })
        (ride.departsAt, ride.leavesBy, ride.maxDetour) = (after(hours: 3), after(hours: 4), 0)
        let board = try RideBoard.holding([ride])
        let passes = RideWay.seconds(to: ride.way.stops[1].at)
        func found(_ from: Date, _ until: Date) throws -> Int {
            let wish = RideWish(from: salinas, to: campus, times: from...until)
            return try board.found(BoardQuery(wish: wish, now: noon)).found.first?.extra ?? -1
        }
        let (earliest, latest) = (ride.departsAt + passes, ride.leavesBy + passes)
        let there = try found(earliest, earliest)
        #expect(there == 0)
        #expect(try found(earliest - 60, earliest - 1) == -1)
        // By its first stop, which is far.
        #expect(try found(ride.departsAt, earliest - 1) > 50_000)
        #expect(try found(latest, latest + 60) == there)
        #expect(try found(latest + 1, latest + 60) == -1)
        #expect(try found(earliest + 60, latest - 60) == there)
        #expect(try found(noon, ride.departsAt - 1) == -1)
    }

    /// As many metres as the way itself has, and one more.
    @Test func whatHelpsNobodyIsNotFound() throws {
        var random = RandomRides(seed: 7)
        var ride = random.ride()
        ride.way = RideWay(measuring: [city, campus].map { RideStopDraft(name: "Stop", position: $0) })
        (ride.departsAt, ride.leavesBy, ride.maxDetour) = (after(hours: 3), after(hours: 3), 0)
        let board = try RideBoard.holding([ride])
        var wish = RideWish(from: salinas, to: campus, times: noon...after(hours: 6))
        let extra = try #require(try board.found(BoardQuery(wish: wish, now: noon)).found.first?.extra)
        #expect(extra < wish.mostExtra)
        wish.mostExtra = extra
        #expect(try board.found(BoardQuery(wish: wish, now: noon)).found.count == 1)
        wish.mostExtra = extra - 1
        #expect(try board.found(BoardQuery(wish: wish, now: noon)).found.isEmpty)
        let short = RideWish(from: salinas, to: Position(latitude: 36.67, longitude: -121.62), times: noon...noon)
        #expect(short.mostExtra == Int(short.between.rounded()))
        #expect(RideWish(from: salinas, to: salinas, times: noon...noon).mostExtra == 2000)
    }

    @Test func campusesAreKeptApart() throws {
        let rides = Array(Self.rides.prefix(400))
        let campuses = [nil, "", "north", "south"]
        let order = Dictionary(uniqueKeysWithValues: zip(rides.map(\.id), 0...))
        func campus(_ id: RideID) -> String? { order[id].flatMap { campuses[$0 % 4] } }
        let board = try RideBoard.holding(rides) { campus($0.id) }
        var random = RandomRides(seed: 7)
        let wish = random.wish(within: 20 * 86_400)
        for name in ["", "north", "west"] {
            let query = BoardQuery(wish: wish, now: noon, campus: name, limit: 1000)
            #expect(try board.found(query).found.allSatisfy { campus($0.id) == name })
            #expect(try board.found(query).found.isEmpty == (name == "west"))
        }
        let verified = try board.found(BoardQuery(wish: wish, now: noon, onlyVerified: true, limit: 1000)).found
        #expect(!verified.isEmpty && verified.allSatisfy { ["north", "south"].contains(campus($0.id)) })
    }

    @Test func whatStaysIsFoundWhileOthersComeAndGo() async throws {
        let (stays, others) = (Array(Self.rides.prefix(1500)), Array(Self.rides.suffix(1500)))
        let board = try RideBoard.holding(stays)
        let seen = try #require(board.seen)
        let every = EveryRide(stays)
        let staying = Set(stays.map(\.id))
        var random = RandomRides(seed: 8)
        let queries = (0..<60).map { _ in BoardQuery(wish: random.wish(), now: noon, limit: 5000) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for other in others { board.apply([.found(BoardRide(other, campus: nil))], seen) }
                for other in others { board.apply([.gone(other.id)], seen) }
            }
            for query in queries {
                group.addTask {
                    let found = try await board.search(query).found
                    #expect(difference(found.filter { staying.contains($0.id) }, every.found(query)) == nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(board.count == stays.count)
        await Task.detached { board.stop() }.value
    }
}

/// The first place in which they differ, and what they have there.
private func difference(_ one: [FoundKey], _ other: [FoundKey]) -> String? {
    guard
        let place = (0..<max(one.count, other.count)).first(where: { place in
            !(one.indices.contains(place) && other.indices.contains(place) && one[place] == other[place])
        })
    else { return nil }
    return "\(place): \(one.dropFirst(place).prefix(1)), \(other.dropFirst(place).prefix(1))"
}

extension Dictionary {
    fileprivate func randomElement(using random: inout RandomRides) -> Key? {
        isEmpty ? nil : keys[index(startIndex, offsetBy: random.number(0...count - 1))]
    }
}

extension OfferedRide {
    /// The same under another's id; and on its day, by as many stops, where one is named.
    fileprivate func called(_ id: RideID, like other: OfferedRide?) -> OfferedRide {
        let times = other ?? self
        return OfferedRide(
            id: id, driver: driver, postedAt: postedAt, state: state, way: other?.way ?? way,
            departsAt: times.departsAt, leavesBy: times.leavesBy, zone: zone, seats: seats, cost: cost,
            maxDetour: maxDetour, luggage: luggage, accepts: accepts, changedAt: changedAt)
    }
}
