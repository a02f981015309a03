/// Statements that are sent together and answered together, at the Sync behind them.
///
/// Confined to the pool's reactor.
final class Segment {
    /// What a connection that goes down underneath means for it.
    enum Effect {
        /// It changes nothing, and may be sent again. Shares its Sync with others.
        case read
        /// Its Sync commits it.
        case commits
        /// Its transaction ends with the connection.
        case held
    }

    let id: UInt64
    let queries: [SQLQuery]
    let effect: Effect
    /// Part of a transaction: it has its place there and nowhere else, so it is never sent again by itself.
    let isLeased: Bool
    /// BEGIN goes ahead of the first statement.
    let opensTransaction: Bool
    /// The session plans each statement once, and these ask for plans with their values.
    let plansAnew: Bool
    let deadline: ContinuousClock.Instant
    private let continuation: CheckedContinuation<[QueryResult], any Error>

    private(set) var results: [QueryResult] = []
    var failure: PostgresError?
    /// Another segment under the same Sync failed, and the server skipped this one.
    var isAborted = false
    var isCancelled = false
    /// The server no longer has a statement that we thought prepared; nothing was done.
    var mustRepeat = false
    var attempts = 0

    init(
        id: UInt64, queries: [SQLQuery], effect: Effect, isLeased: Bool = false, opensTransaction: Bool = false,
        plansAnew: Bool = false, deadline: ContinuousClock.Instant,
        continuation: CheckedContinuation<[QueryResult], any Error>
    ) {
        self.id = id
        self.queries = queries
        self.effect = effect
        self.isLeased = isLeased
        self.opensTransaction = opensTransaction
        self.plansAnew = plansAnew
        self.deadline = deadline
        self.continuation = continuation
    }

    /// Reads share a Sync until one of them was skipped because of another's failure. A way of planning would be that of all who share.
    var sharesSync: Bool { effect == .read && attempts == 0 && !plansAnew }

    func append(_ result: QueryResult) { results.append(result) }

    func prepareToRepeat() {
        attempts += 1
        results = []
        failure = nil
        isAborted = false
        mustRepeat = false
    }

    func succeed() { continuation.resume(returning: results) }
    func fail(_ error: PostgresError) { continuation.resume(throwing: error) }
}
