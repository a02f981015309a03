/// Which statements a connection has prepared: bounded, the least recently used goes first. Pure bookkeeping; the connection sends.
struct StatementCache {
    /// Of a statement, without its values. Its pieces rather than its text, which would be put together for each look-up.
    struct Key: Hashable {
        var pieces: [String]
        var types: [PostgresType]

        /// As the server gets it.
        var text: String { SQLQuery.text(of: pieces) }
    }

    struct Statement: Hashable {
        var name: String
    }

    private struct Slot {
        var statement: Statement
        var lastUse: UInt64
    }

    private let limit: Int
    private var slots: [Key: Slot] = [:]
    private var clock: UInt64 = 0
    private var named: UInt64 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { slots.count }

    /// The statement prepared for `key`.
    mutating func find(_ key: Key) -> Statement? {
        // Looked for once: to hash a statement's text is the dearest of it.
        guard let place = slots.index(forKey: key) else { return nil }
        clock += 1
        slots.values[place].lastUse = clock
        return slots.values[place].statement
    }

    /// A new statement for `key`, and the one that must make room for it.
    mutating func add(_ key: Key) -> (added: Statement, evicted: Statement?) {
        var evicted: Statement?
        if slots.count >= limit, let oldest = slots.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            evicted = oldest.value.statement
            slots[oldest.key] = nil
        }
        clock += 1
        named += 1
        let statement = Statement(name: "k\(named)")
        slots[key] = Slot(statement: statement, lastUse: clock)
        return (statement, evicted)
    }

    /// Forgets a statement that the server does not have (any more).
    /// - Returns: whether it was remembered.
    @discardableResult
    mutating func forget(_ key: Key) -> Bool { slots.removeValue(forKey: key) != nil }
}
