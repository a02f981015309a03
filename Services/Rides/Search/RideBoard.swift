import FoundationEssentials
import Postgres
import Reactor
import Synchronization
import WireProtocol

/// What a search of the board answered.
struct BoardPage: Hashable, Sendable {
    /// In their order.
    var found: [FoundKey]
    /// Where the next search goes on; nil where there is nothing more.
    var end: FoundKey?
    /// What the board knew then.
    var seen: SeenTransactions
}

/// Every ride that can be found, in memory: a search looks at all that leave at about the time, on a thread of its own, while rides come and go.
///
/// It lags behind the database by a moment, and says by how much (`seen`); who asks has the last word from there.
final class RideBoard: Sendable {
    private struct State {
        var content = BoardContent()
        /// Nil until it is filled.
        var seen: SeenTransactions?
        /// When those that had left were taken away.
        var swept = Date.distantPast
    }

    private let state = Mutex(State())
    private let pool: BlockingPool
    /// How many searches are under way or wait, and how many may.
    private let inside = Atomic(0)
    private let room: Int

    init(atOnce: Int = 2, waiting: Int = 256) {
        pool = BlockingPool(name: "rides", limit: atOnce)
        room = atOnce + waiting
    }

    /// Nil until it is filled.
    var seen: SeenTransactions? { state.withLock { $0.seen } }
    var count: Int { state.withLock { $0.content.count } }

    // MARK: Asking

    /// Leaves the reactor.
    /// - Throws: `unavailable` while it is not filled, and where there is more to do than can be done in time.
    func search(_ query: BoardQuery) async throws -> BoardPage {
        defer { inside.subtract(1, ordering: .relaxed) }
        guard inside.add(1, ordering: .relaxed).newValue <= room else { throw Self.overloaded }
        return try await pool.run { try self.found(query) }
    }

    /// The same at once, where one is.
    func found(_ query: BoardQuery) throws(ServiceError) -> BoardPage {
        let (lots, campuses, seen) = state.withLock { state in
            (state.content.lots(around: query.wish.times), state.content.campuses(query), state.seen)
        }
        guard let seen else { throw Self.unfilled }
        guard let campuses else { return BoardPage(found: [], end: nil, seen: seen) }
        var search = BoardSearch(query, of: campuses)
        for lot in lots { search.look(through: lot) }
        let found = search.best
        return BoardPage(found: found, end: found.count < query.limit ? nil : found.last, seen: seen)
    }

    private static let overloaded = ServiceError(
        .unavailable, "Many rides are being looked for right now. Try again in a moment.", retryAfter: 2)
    private static let unfilled = ServiceError(.unavailable, "Rides are being read in.", retryAfter: 2)

    // MARK: Following

    /// Thousands of rows, while others are answered.
    func read(_ rows: PostgresRows) async throws -> [BoardChange] {
        try await pool.run { try rows.map { try BoardChange($0, after: 0) } }
    }

    /// Has this instead of what it had.
    func fill(_ content: BoardContent, _ seen: SeenTransactions) {
        let before = state.withLock { state in
            let before = state.content
            (state.content, state.seen) = (content, seen)
            return before
        }
        // Freed here, where nobody waits for it.
        withExtendedLifetime(before) {}
    }

    func apply(_ changes: [BoardChange], _ seen: SeenTransactions) {
        state.withLock { state in
            for change in changes { state.content.apply(change) }
            state.seen = seen
        }
    }

    /// Takes away those that have left, now and then: no search finds them.
    func sweep(at now: Date) {
        state.withLock { state in
            guard now >= state.swept + 60 else { return }
            state.swept = now
            state.content.removeDeparted(by: now)
        }
    }

    /// Finishes what is queued and ends the threads; not from one of them.
    func stop() { pool.stop() }
}

/// What became of a ride.
enum BoardChange: Hashable, Sendable {
    case found(BoardRide)
    /// It cannot be found any more.
    case gone(RideID)
}

extension BoardContent {
    mutating func apply(_ change: BoardChange) {
        switch change {
        case .found(let ride): put(ride)
        case .gone(let id): remove(id)
        }
    }
}
