import Synchronization

/// A caller as a frame of JSON: empty for somebody of whom nothing is known.
///
/// Remembered in both directions, since the same people ask over and over and JSON costs more than looking it up.
enum CallerFrame {
    /// How many are remembered; then all are forgotten, which costs less than finding out who asked last.
    private static let limit = 1024
    /// Longer frames are nobody's whom the gateway knows, and not worth their memory.
    private static let longest = 512

    private static let frames = Mutex<[Caller: [UInt8]]>([:])
    private static let callers = Mutex<[[UInt8]: Caller]>([:])

    static func encode(_ caller: Caller) throws -> [UInt8] {
        if caller == .anonymous { return [] }
        if let frame = frames.withLock({ $0[caller] }) { return frame }
        let frame = try WireJSON.encode(caller)
        if frame.count <= longest { frames.withLock { $0.remember(frame, for: caller, atMost: limit) } }
        return frame
    }

    static func decode(_ frame: [UInt8]) throws -> Caller {
        if frame.isEmpty { return .anonymous }
        guard frame.count <= longest else { return try WireJSON.decode(from: frame) }
        if let caller = callers.withLock({ $0[frame] }) { return caller }
        let caller = try WireJSON.decode(Caller.self, from: frame)
        callers.withLock { $0.remember(caller, for: frame, atMost: limit) }
        return caller
    }
}

extension Dictionary {
    fileprivate mutating func remember(_ value: Value, for key: Key, atMost limit: Int) {
        if count >= limit { removeAll(keepingCapacity: true) }
        self[key] = value
    }
}
