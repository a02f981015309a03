/// Lets something through once a minute for each key, for logs that a peer could otherwise fill.
package struct Occasionally {
    private var last: [String: ContinuousClock.Instant] = [:]
    private static let interval = Duration.seconds(60)
    private static let remembered = 512

    package init() {}

    package mutating func allows(_ key: String, at now: ContinuousClock.Instant = .now) -> Bool {
        if let last = last[key], now - last < Self.interval { return false }
        if last.count >= Self.remembered { last = last.filter { now - $0.value < Self.interval } }
        // Somebody who comes under ever new names is heard no more until the minute is over.
        guard last.count < Self.remembered else { return false }
        last[key] = now
        return true
    }
}
