import Metrics

/// What Prometheus is told.
struct PushMetrics: Sendable {
    private let waiting = Gauge(label: "kampong_pushes_waiting")
    private let dead = Gauge(label: "kampong_pushes_dead")
    private let devices = Gauge(label: "kampong_push_devices")
    private let delivered = Self.counter("delivered")
    private let delayed = Self.counter("delayed")
    private let shortened = Self.counter("shortened")
    private let gone = Self.counter("gone")
    private let died = Self.counter("dead")

    private static func counter(_ outcome: String) -> Counter {
        Counter(label: "kampong_pushes", dimensions: [("outcome", outcome)])
    }

    func count(_ verdict: PushVerdict) {
        switch verdict {
        case .delivered: delivered.increment()
        case .again: delayed.increment()
        case .shortened: shortened.increment()
        case .gone: gone.increment()
        case .dead: died.increment()
        }
    }

    func record(_ tally: PushTally) {
        waiting.record(tally.waiting)
        dead.record(tally.dead)
        devices.record(tally.devices)
    }
}
