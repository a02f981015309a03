import Metrics

/// Counters and timers of one method, made once: making one is far dearer than using it.
struct MethodMetrics {
    private let side: String
    private let method: String
    private let duration: Timer
    private var outcomes: [String: Counter] = [:]

    init(side: String, method: String) {
        self.side = side
        self.method = method
        duration = Timer(label: "kampong_bus_\(side)_duration", dimensions: [("method", method)])
    }

    /// One request that came to its end: `ok`, an error's code, `expired`, `cancelled`.
    mutating func ended(_ outcome: String, after time: Duration) {
        let counter =
            outcomes[outcome]
            ?? Counter(
                label: "kampong_bus_\(side)_requests", dimensions: [("method", method), ("outcome", outcome)])
        outcomes[outcome] = counter
        counter.increment()
        duration.recordNanoseconds(time.nanoseconds)
    }
}

/// What one side of the request bus counts.
struct RequestMetrics {
    private let side: String
    private var methods: [String: MethodMetrics] = [:]
    let inFlight: Meter
    let retries: Counter
    let late: Counter
    let dropped: Counter

    init(side: String, service: String) {
        self.side = side
        let dimensions = [("service", service)]
        inFlight = Meter(label: "kampong_bus_\(side)_in_flight", dimensions: dimensions)
        retries = Counter(label: "kampong_bus_\(side)_retries", dimensions: dimensions)
        late = Counter(label: "kampong_bus_\(side)_late_replies", dimensions: dimensions)
        dropped = Counter(label: "kampong_bus_\(side)_dropped", dimensions: dimensions)
    }

    /// - Parameter method: a name that is known to exist, so that a peer cannot make us remember arbitrary ones.
    mutating func ended(_ method: String, _ outcome: String, after time: Duration = .zero) {
        methods[method, default: MethodMetrics(side: side, method: method)].ended(outcome, after: time)
    }
}

/// What a subscriber counts for one publisher.
struct StreamMetrics {
    let events: Counter
    let gaps: Counter
    let pulls: Counter
    let failures: Counter
    let lag: Meter

    init(publisher: String) {
        let dimensions = [("publisher", publisher)]
        events = Counter(label: "kampong_events_consumed", dimensions: dimensions)
        gaps = Counter(label: "kampong_events_gaps", dimensions: dimensions)
        pulls = Counter(label: "kampong_events_pulls", dimensions: dimensions)
        failures = Counter(label: "kampong_events_failures", dimensions: dimensions)
        lag = Meter(label: "kampong_events_lag", dimensions: dimensions)
    }
}

extension Duration {
    var timeInterval: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    /// Clamped at the ends.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < 1 << 33 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
