import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Fills the board, and has it follow the database: ten times a second it reads what was written since, by whichever replica.
///
/// A search reads the same besides, so that what this has not read yet is found as well.
struct RideFeed: Service, CustomStringConvertible {
    let database: Database
    let board: RideBoard
    let clock: @Sendable () -> Date
    let logger: Logger
    var pause = Duration.milliseconds(100)
    /// What was written since, in one round: more is read sooner from the beginning.
    var most = 50_000

    var description: String { "ride feed" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "the board of rides waits for the database") {
            try await round()
            return false
        }
        board.stop()
    }

    func round() async throws {
        guard let seen = board.seen else { return try await fill() }
        guard let news = try await news(since: seen) else { return try await fill() }
        board.apply(news.changes, news.seen)
        board.sweep(at: clock())
    }

    /// What was written since; nil where the board is to be filled anew.
    private func news(
        since seen: SeenTransactions
    ) async throws -> (changes: [BoardChange], seen: SeenTransactions)? {
        let rows = try await database.read(BoardSQL.changes(since: seen, atMost: most))
        let now = try SeenTransactions(rows[0])
        guard now.follows(seen), rows.count <= most else { return nil }
        let columns = SeenTransactions.columnCount
        let changes = try rows.filter { try $0.get(at: columns, as: RideID?.self) != nil }.map {
            try BoardChange($0, after: columns)
        }
        return (changes, now)
    }

    /// All from the beginning; and what was written while that was read, so that searches have little to add.
    private func fill() async throws {
        var seen = try SeenTransactions(try await database.read(BoardSQL.snapshot)[0])
        let (started, now) = (ContinuousClock.now, clock())
        var content = BoardContent()
        var rows = try await database.read(BoardSQL.rides(leavingAfter: now, beyond: nil))
        while let last = rows.last {
            let place: (Date, RideID) = (try last.get("departs_at"), try last.get("id"))
            // The next ones are on their way while these are read.
            async let next = database.read(BoardSQL.rides(leavingAfter: now, beyond: place))
            for change in try await board.read(rows) { content.apply(change) }
            rows = try await next
        }
        if let news = try await news(since: seen) {
            for change in news.changes { content.apply(change) }
            seen = news.seen
        }
        board.fill(content, seen)
        logger.notice(
            "rides are on the board",
            metadata: ["rides": "\(content.count)", "seconds": "\((.now - started) / .seconds(1))"])
    }
}
