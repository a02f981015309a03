import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import RidesService

@Suite("How the board follows the database")
struct FeedTests {
    @Test func ridesComeChangeAndGo() async throws {
        try await Rides.with { rides in
            let first = try await rides.posted()
            try await rides.feed.round()
            #expect(rides.board.count == 1)
            let second = try await rides.posted { $0.departsAt = WireJSON.text(of: after(hours: 90)) }
            #expect(rides.board.count == 1)
            try await rides.feed.round()
            #expect(try await rides.board.everything() == rides.inTable())
            _ = try await rides.rides.change(
                second.id, to: RideDraft(departsAt: WireJSON.text(of: after(hours: 130))), .from(maya))
            _ = try await rides.rides.remove(first.id, RideRemoval(), .from(maya))
            try await rides.feed.round()
            #expect(try await rides.board.everything() == rides.inTable())
            #expect(rides.board.count == 1)
            rides.advance(hours: 131)
            try await rides.feed.round()
            #expect(rides.board.count == 0)
        }
    }

    @Test func whatIsCommittedLateIsNotMissed() async throws {
        try await Rides.with { rides in
            var random = RandomRides(seed: 1)
            let (late, early, never) = (random.lasting(), random.lasting(), random.lasting())
            let others = (0..<3).map { _ in random.lasting() }
            try await rides.feed.round()
            try await rides.store.transaction { slow in
                _ = try await slow.transaction.query(late.insertion)
                // Others go on meanwhile.
                _ = try await rides.database.query(early.insertion)
                _ = try? await rides.store.transaction { undone in
                    _ = try await undone.transaction.query(never.insertion)
                    throw CancellationError()
                }
                try await rides.feed.round()
                #expect(rides.board.count == 1)
                #expect(rides.board.seen?.running.isEmpty == false)
                for ride in others {
                    _ = try await rides.database.query(ride.insertion)
                    try await rides.feed.round()
                }
                #expect(rides.board.count == 4)
            }
            try await rides.feed.round()
            #expect(rides.board.count == 5)
            #expect(try await rides.board.everything() == rides.inTable())
        }
    }

    @Test func followsManyWhoWriteAtOnce() async throws {
        try await Rides.with { rides in
            let feeding = Task { while !Task.isCancelled { try await rides.feed.round() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask { try await rides.write(seed: UInt64(writer)) }
                }
                try await group.waitForAll()
            }
            feeding.cancel()
            _ = await feeding.result
            try await rides.feed.round()
            #expect(try await rides.board.everything() == rides.inTable())
            #expect(rides.board.count > 50)
        }
    }

    @Test func anotherLifeOfTheDatabaseIsReadAnew() async throws {
        try await Rides.with { rides in
            var random = RandomRides(seed: 2)
            _ = try await rides.database.query(random.lasting().insertion)
            try await rides.feed.round()
            let seen = try #require(rides.board.seen)
            // As if it had come from the future of this database, or from another one.
            let ahead = try SeenTransactions(snapshot: "1:\(seen.next + 1_000_000):", epoch: seen.epoch)
            let other = try SeenTransactions(snapshot: "1:1:", epoch: "another")
            for strange in [ahead, other] {
                #expect(!seen.follows(strange))
                rides.board.fill(BoardContent(), strange)
                try await rides.feed.round()
                #expect(try await rides.board.everything() == rides.inTable())
                #expect(rides.board.count == 1)
            }
        }
    }

    /// A backup that is read into another server brings numbers that transactions there do not have yet.
    @Test func numbersOfAnotherServerAreNothingNew() async throws {
        try await Rides.with { rides in
            var random = RandomRides(seed: 3)
            let ride = random.lasting()
            let seats = ride.seats + 1
            _ = try await rides.database.query(ride.insertion)
            _ = try await rides.database.query("ALTER TABLE rides DISABLE TRIGGER rides_mark_change")
            _ = try await rides.database.query("UPDATE rides SET changed_in = '9000000000000000000'")
            _ = try await rides.database.query("ALTER TABLE rides ENABLE TRIGGER rides_mark_change")
            try await rides.feed.round()
            let seen = try #require(rides.board.seen)
            let changes = try await rides.database.read(BoardSQL.changes(since: seen, atMost: 10))
            #expect(try changes.map { try $0.get("id", as: RideID?.self) } == [nil])
            _ = try await rides.database.query("UPDATE rides SET seats = seats + 1")
            try await rides.feed.round()
            #expect(try await rides.board.everything() == rides.inTable())
            #expect(try rides.board.everything(free: seats).count == 1)
        }
    }

    @Test(arguments: [50_000, 1000]) func muchAtOnceIsReadInSomeWay(_ most: Int) async throws {
        try await Rides.with { rides in
            var feed = rides.feed
            feed.most = most
            try await feed.round()
            var random = RandomRides(seed: 4)
            _ = try await rides.database.query(random.lasting().insertion)
            let copies = BoardSQL.most + 500
            let columns: SQLQuery = """
                driver, posted_at, state, stop_names, stop_addresses, stop_latitudes, stop_longitudes, stop_regions, stop_at,
                departs_at, leaves_by, arrives_at, zone, seats, cost, max_detour, luggage, accepts, changed_at
                """
            _ = try await rides.database.query(
                """
                INSERT INTO rides (id, \(columns))
                SELECT gen_random_uuid(), \(columns) FROM rides, generate_series(1, \(copies))
                """)
            try await feed.round()
            #expect(rides.board.count == copies + 1)
        }
    }
}

extension RandomRides {
    /// One that has not left.
    mutating func lasting() -> OfferedRide {
        while true {
            let ride = ride()
            if ride.departsAt > noon { return ride }
        }
    }
}

extension Rides {
    var feed: RideFeed { RideFeed(database: database, board: board, clock: clock.read, logger: .quiet) }

    /// Writes rides one after another, changes and hides some, in transactions that last for a while.
    func write(seed: UInt64) async throws {
        var random = RandomRides(seed: seed)
        var mine: [OfferedRide] = []
        for _ in 0..<25 {
            let (added, pause) = (random.lasting(), random.number(0...40))
            var changed = mine.isEmpty ? nil : mine[random.number(0...mine.count - 1)]
            changed?.departsAt = added.departsAt
            changed?.leavesBy = added.leavesBy
            changed?.isWithheld = random.chance(0.2)
            let (change, isKept) = (changed, random.chance(0.8))
            try? await store.transaction { rides in
                _ = try await rides.transaction.query(added.insertion)
                if let change { _ = try await rides.transaction.query(change.update) }
                try await Task.sleep(for: .milliseconds(pause))
                if !isKept { throw CancellationError() }
            }
            if isKept { mine.append(added) }
        }
    }

    /// What a board has that is filled now.
    func inTable() async throws -> [FoundKey] {
        let board = RideBoard()
        try await RideFeed(database: database, board: board, clock: clock.read, logger: .quiet).round()
        return try board.everything()
    }
}

extension RideBoard {
    /// All of its rides by several ways of asking for them.
    func everything(free: Int = 0) throws -> [FoundKey] {
        var wish = RideWish(from: city, to: campus, times: noon - 86_400...noon + 400 * 86_400)
        wish.mostExtra = RandomRides.anywhere
        var query = BoardQuery(wish: wish, now: noon, free: free, limit: 10_000)
        var found = try self.found(query).found
        if free == 0 {
            for seats in 1...8 { found += try everything(free: seats) }
            query.luggage = .medium
            found += try self.found(query).found
        }
        return found
    }
}
