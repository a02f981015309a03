import Synchronization
package import WireProtocol

/// Kinds of requests that are limited apart from one another.
package enum LimitClass: String, CaseIterable, Hashable, Sendable {
    case read, write, signIn, photo, username
}

/// Token buckets: each key may spend `burst` at once, and gets `perMinute` back every minute. A pure value; time is an argument.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var at: Double
    }

    private let perSecond: Double
    private let burst: Double
    private let capacity: Int
    private var buckets: [Key: Bucket] = [:]

    /// - Parameter capacity: how many keys are remembered at most.
    package init(perMinute: Int, burst: Int? = nil, capacity: Int = 50_000) {
        perSecond = Double(perMinute) / 60
        self.burst = Double(burst ?? perMinute)
        self.capacity = capacity
    }

    package var count: Int { buckets.count }

    /// Spends one token.
    /// - Parameter now: seconds on any clock that only goes forward.
    /// - Returns: nil, or the seconds until there is a token again.
    package mutating func take(_ key: Key, at now: Double) -> Double? {
        if buckets[key] == nil, buckets.count >= capacity { forget(at: now) }
        var bucket = buckets[key] ?? Bucket(tokens: burst, at: now)
        bucket.tokens = min(burst, bucket.tokens + max(0, now - bucket.at) * perSecond)
        bucket.at = now
        let missing = 1 - bucket.tokens
        if missing <= 0 { bucket.tokens -= 1 }
        buckets[key] = bucket
        guard missing > 0 else { return nil }
        return perSecond > 0 ? missing / perSecond : 3600
    }

    /// Takes a spending back.
    package mutating func giveBack(_ key: Key) {
        guard let tokens = buckets[key]?.tokens else { return }
        buckets[key]?.tokens = min(burst, tokens + 1)
    }

    /// Drops those who have all their tokens again, which changes nothing for them; and where that does not help, the tenth that
    /// has the most, so that a flood of new keys cannot grow the table nor free the ones that are being held back.
    private mutating func forget(at now: Double) {
        buckets = buckets.filter { $0.value.tokens + (now - $0.value.at) * perSecond < burst }
        guard buckets.count >= capacity else { return }
        let richest = buckets.sorted { $0.value.tokens > $1.value.tokens }.prefix(max(1, capacity / 10))
        for (key, _) in richest { buckets[key] = nil }
    }
}

/// The gateway's limits: by person where signed in, by address else.
package final class RateLimits: Sendable {
    package enum Key: Hashable, Sendable {
        case person(PersonID)
        case address([UInt8])
    }

    private let classes: Mutex<[LimitClass: TokenBuckets<Key>]>
    private let start = ContinuousClock().now

    /// - Parameter perMinute: requests a minute by class; a class that is absent is not limited.
    package init(perMinute: [LimitClass: Int]) {
        classes = Mutex(perMinute.mapValues { TokenBuckets(perMinute: $0) })
    }

    /// - Throws: `tooManyRequests` with the seconds to wait.
    package func check(_ kind: LimitClass, for context: GatewayContext) throws(ServiceError) {
        let key = Self.key(for: context)
        let now = (ContinuousClock().now - start) / .seconds(1)
        guard let wait = classes.withLock({ $0[kind]?.take(key, at: now) }) else { return }
        throw ServiceError(
            .tooManyRequests, "That was a lot at once. Wait a moment.", retryAfter: Int(wait.rounded(.up)))
    }

    /// Takes back what `check` counted: it turned out to be no attempt.
    package func giveBack(_ kind: LimitClass, for context: GatewayContext) {
        let key = Self.key(for: context)
        classes.withLock { $0[kind]?.giveBack(key) }
    }

    static func key(for context: GatewayContext) -> Key {
        if let person = context.caller.person { return .person(person) }
        return .address(IPAddress(context.remoteAddress)?.customer ?? Array(context.remoteAddress.utf8))
    }
}
