import CPostgres
import DequeModule
import Reactor

/// One session in pipeline mode: segments go in, and come out in order, each at its Sync.
///
/// Confined to the reactor's thread. Owns libpq's connection from the moment it is established.
final class PostgresConnection: ReactorSource {
    /// What the server still owes us an answer to, in order.
    private enum Entry {
        case prepare(StatementCache.Key, Segment)
        /// BEGIN, a way of planning, or making room for a prepared statement: of interest only where it fails.
        case auxiliary(Segment)
        case query(Segment, StatementCache.Key)
        case sync([Segment])
    }

    let number: Int
    /// Whose transaction it is, where it is not shared.
    var lease: Lease?
    /// Who gets it as soon as what is under way is done; until then it takes nothing new.
    var reservation: LeaseRequest?
    /// A cancellation is on its way to the server and may hit whatever runs when it arrives.
    var cancellations = 0
    /// Until when a late cancellation may still hit something else.
    var strayUntil = ContinuousClock.now
    private(set) var inFlight = 0
    /// When the server last answered, or was first asked after a pause.
    private(set) var lastProgress = ContinuousClock.now
    private(set) var isOpen = true

    private let connection: OpaquePointer
    private let socket: Int32
    private let reactor: Reactor
    private let usesTLS: Bool
    private let finished: (PostgresConnection, [Segment]) -> Void
    private let lost: (PostgresConnection, [Segment], PostgresError) -> Void
    private var entries = Deque<Entry>()
    private var open: [Segment] = []
    private var statements: StatementCache
    private var current: QueryResult?
    private var needsFlush = false
    private var waitsToWrite = false
    private var isWatched = false

    /// Takes over an established connection. `finished` gets segments whose Sync was answered; `lost` those whose was not, once.
    init(
        number: Int, owning connection: OpaquePointer, reactor: Reactor, preparedStatements: Int,
        finished: @escaping (PostgresConnection, [Segment]) -> Void,
        lost: @escaping (PostgresConnection, [Segment], PostgresError) -> Void
    ) {
        self.number = number
        self.connection = connection
        self.reactor = reactor
        self.finished = finished
        self.lost = lost
        socket = PQsocket(connection)
        usesTLS = PQsslInUse(connection) != 0
        statements = StatementCache(limit: preparedStatements)
        PQsetnonblocking(connection, 1)
        PQenterPipelineMode(connection)
        // Notices would go to standard error.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
    }

    func start() {
        reactor.watch(socket, for: .readable) { [self] in ready($0) }
        isWatched = true
        reactor.add(self)
    }

    /// Ends the session; segments under way are handed to `lost`.
    func close(_ error: PostgresError) {
        guard isOpen else { return }
        isOpen = false
        unwatch()
        reactor.remove(self)
        var segments = open
        while let entry = entries.popFirst() {
            if case .sync(let waiting) = entry { segments = waiting + segments }
        }
        open = []
        PQfinish(connection)
        lost(self, segments.sorted { $0.id < $1.id }, error)
    }

    private func unwatch() {
        if isWatched { reactor.unwatch(socket) }
        isWatched = false
    }

    // MARK: Sending

    /// How many segments leave together at the end of this turn of the loop.
    var gathered: Int { open.count }

    func send(_ segment: Segment) {
        if inFlight == 0 { lastProgress = .now }
        if !segment.sharesSync { sync() }
        inFlight += 1
        open.append(segment)
        needsFlush = true
        guard submit(segment), segment.sharesSync || sync() else { return close(report()) }
    }

    private func submit(_ segment: Segment) -> Bool {
        if segment.opensTransaction, !submit("BEGIN", aheadOf: segment) { return false }
        // Until the transaction ends: here the one that a Sync ends, where nobody has begun one.
        let setting = "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)"
        if segment.plansAnew, !submit(setting, aheadOf: segment) { return false }
        return segment.queries.allSatisfy { submit($0, of: segment) }
    }

    private func submit(_ text: String, aheadOf segment: Segment) -> Bool {
        guard PQsendQueryParams(connection, text, 0, nil, nil, nil, nil, 0) == 1 else { return false }
        entries.append(.auxiliary(segment))
        return true
    }

    private func submit(_ query: SQLQuery, of segment: Segment) -> Bool {
        let types = query.parameters.map(\.type)
        let key = StatementCache.Key(pieces: query.pieces, types: types)
        let values = ParameterBuffer(query.parameters)
        guard query.isPrepared else {
            entries.append(.query(segment, key))
            return values.withPointers { count, values, lengths, formats in
                PQsendQueryParams(connection, key.text, count, types.map(\.oid), values, lengths, formats, 0) == 1
            }
        }
        guard let statement = statements.find(key) ?? prepare(key, for: segment) else { return false }
        entries.append(.query(segment, key))
        return values.withPointers { count, values, lengths, formats in
            PQsendQueryPrepared(connection, statement.name, count, values, lengths, formats, 0) == 1
        }
    }

    private func prepare(_ key: StatementCache.Key, for segment: Segment) -> StatementCache.Statement? {
        let (statement, evicted) = statements.add(key)
        if let evicted, !submit("DEALLOCATE \(evicted.name)", aheadOf: segment) { return nil }
        guard PQsendPrepare(connection, statement.name, key.text, Int32(key.types.count), key.types.map(\.oid)) == 1
        else { return nil }
        entries.append(.prepare(key, segment))
        return statement
    }

    @discardableResult
    private func sync() -> Bool {
        guard !open.isEmpty else { return true }
        entries.append(.sync(open))
        open = []
        return PQpipelineSync(connection) == 1
    }

    /// After each turn of the loop: one Sync for the reads of this turn, and out with it all.
    func pump() -> Bool {
        // TLS may hold decrypted bytes that the socket no longer tells of.
        if usesTLS, inFlight > 0, !needsFlush {
            let before = entries.count
            readable()
            return entries.count != before
        }
        guard needsFlush else { return false }
        needsFlush = false
        guard sync() else {
            close(report())
            return true
        }
        flush()
        return true
    }

    private func flush() {
        guard isWatched else { return close(report()) }
        switch PQflush(connection) {
        case 0:
            if waitsToWrite { reactor.change(socket, to: .readable) }
            waitsToWrite = false
        case 1:
            if !waitsToWrite { reactor.change(socket, to: [.readable, .writable]) }
            waitsToWrite = true
        default: close(report())
        }
    }

    // MARK: Receiving

    private func ready(_ interest: Interest) {
        if interest.contains(.writable) { flush() }
        if isOpen, interest != .writable { readable() }
    }

    private func readable() {
        let isAlive = PQconsumeInput(connection) == 1
        // libpq has closed its socket, whose number the next connection may get: from `receive` already, where others are served.
        if !isAlive { unwatch() }
        receive()
        if isOpen, !isAlive { close(report()) }
        if isOpen, waitsToWrite { flush() }
    }

    private func receive() {
        while isOpen, let entry = entries.first, PQisBusy(connection) == 0 {
            guard let pointer = PQgetResult(connection) else {
                // No answer at all: libpq has given the connection up, and `readable` sees to it.
                guard let answer = current else { return }
                current = nil
                // What fails only when its transaction ends, as a constraint does that is checked late, is answered before the Sync.
                if case .sync(let segments) = entry, answer.status == PGRES_FATAL_ERROR {
                    for segment in segments { note(answer, of: segment, in: "COMMIT") }
                    continue
                }
                if case .sync = entry { return close(report("answers out of order")) }
                _ = entries.popFirst()
                conclude(entry, answer)
                continue
            }
            lastProgress = .now
            guard PQresultStatus(pointer) == PGRES_PIPELINE_SYNC else {
                let result = QueryResult(owning: pointer)
                // libpq's own words for a connection that is gone are no answer to the statement.
                guard !result.isLocalFailure else { return close(report()) }
                current = result
                continue
            }
            PQclear(pointer)
            guard case .sync(let segments) = entry else { return close(report("answers out of order")) }
            _ = entries.popFirst()
            inFlight -= segments.count
            finished(self, segments)
        }
    }

    private func conclude(_ entry: Entry, _ answer: QueryResult) {
        switch entry {
        case .prepare(let key, let segment):
            guard answer.status != PGRES_COMMAND_OK else { return }
            statements.forget(key)
            note(answer, of: segment, in: key.text)
        case .auxiliary(let segment):
            guard ![PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(answer.status) else { return }
            note(answer, of: segment, in: "BEGIN, DEALLOCATE or a setting")
        case .query(let segment, let key):
            if [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(answer.status) {
                return segment.append(answer)
            }
            note(answer, of: segment, in: key.text)
            // The server dropped it, or a migration changed the shape of what it answers.
            let state = segment.failure?.sqlState
            if state == SQLState.unknownPreparedStatement || state == SQLState.featureNotSupported {
                let wasPrepared = statements.forget(key)
                // What is not supported at all is said when it is prepared, and is not remembered.
                if wasPrepared, answer.status != PGRES_PIPELINE_ABORTED { segment.failure?.isOutdated = true }
                // The next connection may have it from before as well.
                segment.mustRepeat = wasPrepared || segment.attempts == 0
            }
        case .sync: break  // `receive` sees to it
        }
    }

    private func note(_ answer: QueryResult, of segment: Segment, in text: String) {
        guard segment.failure == nil else { return }
        if answer.status == PGRES_PIPELINE_ABORTED {
            segment.isAborted = true
        } else if !answer.isFatal {
            // What ends the session is told to all of its segments by `close`.
            segment.failure = answer.error(for: text)
            segment.failure?.statement = segment.results.count
        }
    }

    private func report(_ reason: String? = nil) -> PostgresError {
        let words = reason ?? String(cString: PQerrorMessage(connection)).trimmingSuffix(while: \.isWhitespace)
        return PostgresError(.connectionLost, debugDetail: words)
    }

    // MARK: Cancelling

    /// Whether the server works on the segment at this moment, as far as we can know.
    func isExecuting(_ segment: Segment) -> Bool {
        switch entries.first {
        case .prepare(_, let running), .auxiliary(let running), .query(let running, _): running === segment
        case .sync, nil: false
        }
    }

    /// The segment with that number, where it is under way here.
    func segment(_ id: UInt64) -> Segment? {
        if let segment = open.first(where: { $0.id == id }) { return segment }
        for case .sync(let segments) in entries {
            if let segment = segments.first(where: { $0.id == id }) { return segment }
        }
        return nil
    }

    /// What is under way here although nobody wants it any more.
    var cancelled: [Segment] {
        entries.flatMap { entry -> [Segment] in
            guard case .sync(let segments) = entry else { return [] }
            return segments.filter(\.isCancelled)
        }
    }

    /// What `PQcancel` needs; to be freed by the one who calls it.
    func cancelHandle() -> OpaquePointer? { PQgetCancel(connection) }
}
