import Synchronization

/// How many connections may be open at once, and who gives way.
///
/// Where an address has as many as it may, or the process as many as it can, the newcomer takes the place of the one that has been
/// idle the longest: of that address, or of all. Where none is idle it is refused. So neither a crowd of silent connections from one
/// place, nor one from many, keeps other people out. Any event loop may call it.
package final class ConnectionLimits: Sendable {
    /// Settings: how many at once in all, and from one address (a /64 of IPv6).
    package let most: Int
    package let perAddress: Int

    private struct Connection {
        var owner: [UInt8]?
        var evict: @Sendable () -> Void
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        /// Those that are idle, each with the number of this idle time of its.
        var idle: [Int: Int] = [:]
        var owners: [[UInt8]: Owner] = [:]
        var everybody = IdleQueue()
        var next = 0
        var refused = 0
        var evicted = 0
    }

    private struct Owner {
        var count = 0
        var queue = IdleQueue()
    }

    private let state = Mutex(State())
    private let arrivals: Mutex<TokenBuckets<[UInt8]>>
    private let start = ContinuousClock().now

    /// - Parameter perSecond: How many may come anew in a second from one address; after a rest four times as many at once.
    package init(most: Int = 10_000, perAddress: Int = 512, perSecond: Int = 512) {
        self.most = most
        self.perAddress = perAddress
        arrivals = Mutex(TokenBuckets(perMinute: perSecond * 60, burst: perSecond * 4))
    }

    /// Whether another connection of that address is taken up at all. One that is not costs little: an address that opens thousands a second
    /// would otherwise keep the processors from everybody else with what each connection needs before it has said a word.
    package func admits(_ owner: [UInt8]?) -> Bool {
        guard let owner else { return true }
        let now = (ContinuousClock().now - start) / .seconds(1)
        return arrivals.withLock { $0.take(owner, at: now) } == nil
    }

    /// Connections beyond the limit that are accepted, to be told that they are.
    package static let spare = 64

    package var count: Int { state.withLock { $0.connections.count } }
    package var refused: Int { state.withLock { $0.refused } }
    package var evicted: Int { state.withLock { $0.evicted } }

    /// Lets a connection in, idle at first.
    /// - Parameters:
    ///   - owner: whose it is (`IPAddress.customer`); nil where it speaks for many, as a trusted proxy does.
    ///   - evict: called at most once, from anywhere, when it has to make room.
    /// - Returns: its number, or nil where there is no place.
    package func enter(_ owner: [UInt8]?, evict: @escaping @Sendable () -> Void) -> Int? {
        let (number, victim) = state.withLock { state -> (Int?, Connection?) in
            var victim: Connection?
            if let owner, let known = state.owners[owner], known.count >= perAddress {
                victim = Self.evictOldest(of: owner, &state)
                guard victim != nil else { return Self.refuse(&state) }
            } else if state.connections.count >= most {
                victim = Self.evictOldest(of: nil, &state)
                guard victim != nil else { return Self.refuse(&state) }
            }
            let number = state.next
            state.next += 1
            state.connections[number] = Connection(owner: owner, evict: evict)
            if let owner { state.owners[owner, default: Owner()].count += 1 }
            Self.rest(number, &state)
            return (number, victim)
        }
        victim?.evict()
        return number
    }

    private static func refuse(_ state: inout State) -> (Int?, Connection?) {
        state.refused += 1
        return (nil, nil)
    }

    package func leave(_ number: Int) { state.withLock { _ = Self.remove(number, &$0) } }

    /// It does something: it is not to be disturbed.
    package func busy(_ number: Int) { state.withLock { $0.idle[number] = nil } }

    /// It does nothing any more, from now on.
    package func idle(_ number: Int) { state.withLock { Self.rest(number, &$0) } }

    private static func rest(_ number: Int, _ state: inout State) {
        guard let connection = state.connections[number] else { return }
        let time = state.next
        state.next += 1
        state.idle[number] = time
        state.everybody.append(number, time, idle: state.idle)
        if let owner = connection.owner { state.owners[owner]?.queue.append(number, time, idle: state.idle) }
    }

    @discardableResult
    private static func remove(_ number: Int, _ state: inout State) -> Connection? {
        guard let connection = state.connections.removeValue(forKey: number) else { return nil }
        state.idle[number] = nil
        if let owner = connection.owner {
            state.owners[owner]?.count -= 1
            if state.owners[owner]?.count == 0 { state.owners[owner] = nil }
        }
        return connection
    }

    /// - Parameter owner: nil for the oldest of all.
    private static func evictOldest(of owner: [UInt8]?, _ state: inout State) -> Connection? {
        let number: Int? =
            if let owner { state.owners[owner]?.queue.popOldest(idle: state.idle) ?? nil } else {
                state.everybody.popOldest(idle: state.idle)
            }
        guard let number else { return nil }
        state.evicted += 1
        return remove(number, &state)
    }
}

/// Who has been idle since when, oldest first. Who became busy or left stays in it until its turn comes, or until there are too many
/// of those, so that becoming busy costs nothing.
struct IdleQueue: Sendable {
    private var entries: [(number: Int, time: Int)] = []
    private var first = 0
    private var compactAt = 64

    /// - Parameter idle: those that are idle now, with the time that counts.
    mutating func append(_ number: Int, _ time: Int, idle: [Int: Int]) {
        entries.append((number, time))
        guard entries.count >= compactAt else { return }
        entries = entries[first...].filter { idle[$0.number] == $0.time }
        first = 0
        compactAt = max(64, entries.count * 2)
    }

    mutating func popOldest(idle: [Int: Int]) -> Int? {
        while first < entries.count {
            let entry = entries[first]
            first += 1
            if idle[entry.number] == entry.time { return entry.number }
        }
        return nil
    }
}
