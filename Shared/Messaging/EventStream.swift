import Metrics
import Reactor
import ZeroMQ

/// One publisher's stream, as its subscriber has it; belongs to that actor.
final class EventStream {
    var state: SubscriptionState
    let connection: PeerConnection
    let metrics: StreamMetrics
    var heardAt = ContinuousClock.now
    var watch: TimerID?
    var complaints = Occasionally()
    /// The stream's task, while it has nothing to do.
    var waiter: CheckedContinuation<Void, Never>?
    private var measuredGaps = 0

    init(state: SubscriptionState, connection: PeerConnection) {
        self.state = state
        self.connection = connection
        metrics = StreamMetrics(publisher: state.publisher)
    }

    func wake() {
        waiter?.resume()
        waiter = nil
    }

    func measure() {
        metrics.lag.set(state.lag)
        metrics.gaps.increment(by: state.gaps - measuredGaps)
        measuredGaps = state.gaps
    }
}
