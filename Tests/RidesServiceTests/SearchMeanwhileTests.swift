import FoundationEssentials
import Messaging
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Searches on two replicas while rides are posted, changed, taken back and filled, 200 times a second, and one of the replicas is lost and comes
/// back: `KAMPONG_RIDES_MEANWHILE=20000,60` has so many rides to begin with, and lasts so many seconds.
@Suite("Searching while others write", .serialized)
struct SearchMeanwhileTests {
    private static let wished = (ProcessInfo.processInfo.environment["KAMPONG_RIDES_MEANWHILE"] ?? "")
        .split(separator: ",").compactMap { Int($0) }
    private static let (rides, seconds) = wished.count == 2 ? (wished[0], wished[1]) : (1500, 3)
    private static let (writers, changes) = (8, 200)

    @Test(.timeLimit(.minutes(10))) func what_is_there_is_found_and_what_is_gone_is_not() async throws {
        try await Rides.with { rides in
            let chronicle = RideChronicle()
            let owned = try await rides.fill(Self.rides, for: Self.writers, chronicle)
            let end = ContinuousClock.now + .seconds(Self.seconds)
            // A slow machine takes longer, and shows as much.
            let goesOn: @Sendable () -> Bool = {
                ContinuousClock.now < end || chronicle.count - Self.rides < Self.seconds * Self.changes / 4
            }
            let (first, second) = (Replica(rides), Replica(rides.replica))
            let noted = try await withThrowingTaskGroup(of: [NotedSearch].self) { group in
                for (writer, own) in owned.enumerated() {
                    group.addTask {
                        let writer = RideWriter(rides: rides, chronicle, seed: UInt64(100 + writer), own)
                        try await writer.write(Self.changes / Self.writers, while: goesOn)
                        return []
                    }
                }
                for searcher in 0..<2 {
                    group.addTask {
                        let searcher = Searcher(seed: UInt64(searcher))
                        return try await searcher.search([first, second], atLeast: Self.seconds * 3, while: goesOn)
                    }
                }
                group.addTask {
                    try await Task.sleep(for: .seconds(Double(Self.seconds) / 3))
                    await second.restart()
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            for process in [first, second] {
                try await eventually("a board to be filled") { process.rides.board.seen != nil }
                try await expectEverything(chronicle.now, at: process.rides)
            }
            let problems = try noted.flatMap { try $0.problems(chronicle) }
            #expect(problems.isEmpty, "\(problems.count): \(problems.prefix(5))")
            let found = noted.map(\.items.count).reduce(0, +)
            if !Self.wished.isEmpty {
                print(
                    "\(noted.count) searches found \(found) rides while \(chronicle.count - Self.rides) changes were written"
                )
            }
            #expect(found > noted.count, "else it shows little")
            for process in [first, second] { await process.end() }
        }
    }

    /// That it would be found out.
    @Test func what_is_wrong_with_a_search_is_found() async throws {
        let chronicle = RideChronicle()
        var random = RandomRides(seed: 3)
        random.days = 1
        let rides = (0..<400).map { _ in random.empty() }
        for ride in rides { try await chronicle.write(ride.id) { ride } }
        let south = Position(latitude: 32.7157, longitude: -117.1611)
        let query = RideSearchQuery(from: south, to: city, at: after(hours: 12), limit: 20)
        let all = try chronicle.now.found(
            BoardQuery(wish: RideSearchPage(query, at: noon).wish, now: noon, limit: .max - 1))
        #expect(all.count > 40)
        let page = all.prefix(20).map { NotedSearch.Item(key: $0, free: chronicle.free($0.id)) }
        func problems(_ change: (inout [NotedSearch.Item]) -> Void = { _ in }) throws -> Int {
            var search = NotedSearch(query: query, began: .now, items: page)
            change(&search.items)
            return try search.problems(chronicle).count
        }
        #expect(try problems() == 0)
        #expect(try problems { $0.remove(at: 3) } > 0, "one is missing, and what would be the last of the page")
        #expect(try problems { $0.swapAt(3, 4) } == 1)
        #expect(try problems { $0[3].free[0] += 1 } == 1)
        #expect(try problems { $0[3].key.extra += 1 } > 0)
        #expect(try problems { $0[3].key.id = .new() } > 0)
        try await chronicle.write(all[3].id) {
            var gone = try #require(rides.first { $0.id == all[3].id })
            gone.state = .removed
            return gone
        }
        #expect(try problems() == 1, "it was removed before")
        #expect(try problems { $0.remove(at: 3) } > 0, "the next one comes in its place")
        let next = NotedSearch.Item(key: all[20], free: chronicle.free(all[20].id))
        #expect(try problems { $0 = $0.filter { $0.key != all[3] } + [next] } == 0)
    }

    /// All pages of some searches, with nothing that the board has not read yet left out.
    private func expectEverything(_ every: EveryRide, at rides: Rides) async throws {
        var random = RandomRides(seed: 77)
        for _ in 0..<12 {
            let wish = random.wish()
            var query = RideSearchQuery(from: wish.from, to: wish.to, at: wish.times.lowerBound + 86_400, limit: 30)
            let page = try RideSearchPage(query, at: noon)
            let expected = every.found(BoardQuery(wish: page.wish, now: noon, limit: .max - 1)).map(\.id)
            var found: [RideID] = []
            repeat {
                let answer = try await rides.rides.search(query, for: Caller(person: nil))
                found += answer.items.map(\.ride.id)
                query.cursor = answer.next
            } while query.cursor != nil
            #expect(found == expected)
        }
    }
}

/// One process of the service: a board of its own, and what feeds it.
private final class Replica: Sendable {
    private struct State: Sendable {
        var rides: Rides
        var feeding: Task<Void, Never>
        var lost: [Rides] = []
    }
    private let state: Mutex<State>

    init(_ rides: Rides) { state = Mutex(State(rides: rides, feeding: Self.feed(rides))) }

    var rides: Rides { state.withLock { $0.rides } }

    private static func feed(_ rides: Rides) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                try? await rides.feed.round()
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// It is lost, whatever it is at, and another one takes its place, which knows nothing.
    func restart() async {
        let lost = state.withLock { state in
            let lost = state.feeding
            lost.cancel()
            state.lost.append(state.rides)
            state.rides = state.rides.replica
            state.feeding = Self.feed(state.rides)
            return lost
        }
        await lost.value
    }

    func end() async {
        let (feeding, boards) = state.withLock { ($0.feeding, ($0.lost + [$0.rides]).map(\.board)) }
        feeding.cancel()
        await feeding.value
        await Task.detached { for board in boards { board.stop() } }.value
    }
}

/// Somebody who asks for ways again and again, and now and then for the next page.
private struct Searcher: Sendable {
    var random: RandomRides

    init(seed: UInt64) { random = RandomRides(seed: 500 + seed) }

    func search(
        _ processes: [Replica], atLeast least: Int, while goesOn: @Sendable () -> Bool
    ) async throws -> [NotedSearch] {
        var (random, found) = (random, [NotedSearch]())
        while found.count < least || goesOn() {
            // Another process may take its place meanwhile, which knows nothing yet.
            let rides = processes[random.number(0...processes.count - 1)].rides
            // Who asks one that is not filled is sent to another one.
            guard rides.board.seen != nil else {
                try await Task.sleep(for: .milliseconds(5))
                continue
            }
            var query = query(&random)
            for _ in 0..<(random.chance(0.3) ? 2 : 1) {
                let began = ContinuousClock.now
                let answer = try await rides.rides.search(query, for: Caller(person: nil))
                found.append(NotedSearch(query, since: began, answer))
                guard let next = answer.next else { break }
                query.cursor = next
            }
            try await Task.sleep(for: .milliseconds(15))
        }
        return found
    }

    private func query(_ random: inout RandomRides) -> RideSearchQuery {
        let wish = random.wish()
        var query = RideSearchQuery(
            from: wish.from, to: wish.to, at: wish.times.lowerBound + 86_400, limit: [3, 20, 100][random.number(0...2)])
        if random.chance(0.3) { (query.onlyFree, query.seats) = (true, random.number(1...3)) }
        return query
    }
}

extension RideChronicle {
    fileprivate func free(_ id: RideID) -> [Int] { now.rides.first { $0.ride.id == id }?.ride.freeByLeg ?? [] }
}
