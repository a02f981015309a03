import FoundationEssentials
import Reactor
import WireProtocol

/// What a subscriber knows of one publisher's stream, and what it does next: decisions only, no socket, no clock.
///
/// One thing is done at a time: `next` says what, and the method named after it tells how that went. What the publisher says
/// meanwhile (`heard`, `heartbeat`) may come at any moment.
struct SubscriptionState {
    /// What to do now.
    enum Step: Equatable {
        /// Ask the consumer how far it came.
        case loadOffset
        /// Hand these over; they follow the offset without gaps.
        case consume([EventEnvelope])
        /// Ask the publisher for what follows.
        case pull(EventsSince)
        /// Tell the consumer that the stream begins anew here.
        case resynchronise(StreamOffset)
        /// Nothing, until something is heard or this moment has come.
        case wait(until: Instant?)
    }
    typealias Instant = ContinuousClock.Instant

    struct Limits {
        /// Events kept for a consumer that is slower than the stream; what is beyond is dropped and pulled later.
        var buffer = 1024
        /// Events handed over at once.
        var batch = 100
        /// Events asked for at once, at first.
        var pull = 200
        /// From one pull to the next, unless the last brought a full batch.
        var pullInterval = Duration.milliseconds(100)
        /// After failures: doubling from the first to the longest.
        var pause = (first: Duration.milliseconds(100), longest: Duration.seconds(10))
        init() {}
    }

    private enum Place: Equatable {
        /// Not asked yet, or doubtful after a failure.
        case unknown
        /// The consumer has never met this publisher.
        case none
        case at(StreamOffset)
        /// The publisher no longer keeps what comes next.
        case lost
    }

    let publisher: String
    let firstContact: FirstContact
    let limits: Limits
    private var place = Place.unknown
    /// By position, all after the offset and of its epoch.
    private var buffer: [Int64: EventEnvelope] = [:]
    /// The highest position that is known to exist in the offset's epoch.
    private(set) var head: Int64 = 0
    /// Where a new stream begins that the consumer has still to be told of.
    private var newStream: StreamOffset?
    /// Something is to be asked of the publisher, whatever is in the buffer.
    private var mustPull = true
    private var pullSize: Int
    private var pullNotBefore: Instant?
    private var pullFailures = 0
    private var notBefore: Instant?
    private var failures = 0
    /// How often events were missing that the publisher had given out.
    private(set) var gaps = 0
    private var knownGap: Int64?

    init(publisher: String, startingAt firstContact: FirstContact = .beginning, limits: Limits = Limits()) {
        self.publisher = publisher
        self.firstContact = firstContact
        self.limits = limits
        pullSize = limits.pull
    }

    /// How many events the consumer is behind what is known.
    var lag: Int64 {
        guard case .at(let offset) = place else { return 0 }
        return max(0, head - offset.position)
    }

    // MARK: What the publisher says

    mutating func heard(_ event: EventEnvelope) {
        guard event.publisher == publisher, StreamPosition.events.contains(event.position) else { return }
        guard case .at(let offset) = place else {
            mustPull = true
            return
        }
        guard event.epoch == offset.epoch else {
            mustPull = true
            return
        }
        head = max(head, event.position)
        keep(event, after: offset)
    }

    mutating func heartbeat(_ publisher: String, epoch: UUID, head: Int64) {
        guard publisher == self.publisher, StreamPosition.all.contains(head) else { return }
        guard case .at(let offset) = place, offset.epoch == epoch else {
            mustPull = true
            return
        }
        self.head = max(self.head, head)
    }

    /// Nothing was heard for so long that something should have been.
    mutating func silence() { mustPull = true }

    private mutating func keep(_ event: EventEnvelope, after offset: StreamOffset) {
        guard event.position > offset.position, buffer.count < limits.buffer else { return }
        buffer[event.position] = event
    }

    // MARK: What to do

    mutating func next(at now: Instant) -> Step {
        if let notBefore, now < notBefore { return .wait(until: notBefore) }
        if let newStream { return .resynchronise(newStream) }
        switch place {
        case .unknown: return .loadOffset
        case .none where firstContact == .beginning:
            return pull(EventsSince(epoch: nil, position: 0, limit: pullSize), at: now)
        // Only where the stream is now is wanted: the events of the answer are not.
        case .none, .lost: return pull(EventsSince(epoch: nil, position: 0, limit: 1), at: now)
        case .at(let offset): return next(after: offset, at: now)
        }
    }

    private mutating func next(after offset: StreamOffset, at now: Instant) -> Step {
        let ready = contiguous(after: offset.position)
        if !ready.isEmpty { return .consume(ready) }
        guard mustPull || head > offset.position else { return .wait(until: nil) }
        if !mustPull, knownGap != offset.position {
            // Counted once, however often it is asked for.
            knownGap = offset.position
            gaps += 1
        }
        return pull(EventsSince(epoch: offset.epoch, position: offset.position, limit: pullSize), at: now)
    }

    private func contiguous(after position: Int64) -> [EventEnvelope] {
        var events: [EventEnvelope] = []
        while events.count < limits.batch, let event = buffer[position + 1 + Int64(events.count)] {
            events.append(event)
        }
        return events
    }

    private mutating func pull(_ since: EventsSince, at now: Instant) -> Step {
        if let pullNotBefore, now < pullNotBefore { return .wait(until: pullNotBefore) }
        pullNotBefore = now + limits.pullInterval
        return .pull(since)
    }

    // MARK: How it went

    mutating func loaded(_ offset: StreamOffset?) {
        place = offset.map(Place.at) ?? .none
        head = 0
        buffer = [:]
        mustPull = true
    }

    mutating func consumed(_ events: [EventEnvelope]) {
        guard case .at(var offset) = place, let last = events.last else { return }
        for event in events { buffer[event.position] = nil }
        offset.position = last.position
        place = .at(offset)
        failures = 0
    }

    mutating func resynchronised() {
        newStream = nil
        place = .unknown  // asked again, rather than believed
        failures = 0
    }

    /// The publisher answered what `pull` asked.
    mutating func pulled(_ batch: EventBatch, at now: Instant) {
        guard batch.isPlausible else { return pullFailed(at: now) }
        mustPull = false
        pullSize = min(limits.pull, pullSize * 2)
        let start = StreamOffset(epoch: batch.epoch, position: batch.head)
        switch place {
        case .unknown: return
        case .lost: newStream = start
        case .none where firstContact == .head: newStream = start
        case .none:
            // Asked without an epoch, it begins with the first that it keeps.
            let offset = StreamOffset(
                epoch: batch.epoch, position: batch.events.first.map { $0.position - 1 } ?? batch.head)
            place = .at(offset)
            take(batch, after: offset, at: now)
        case .at(let offset):
            // Another epoch, or a publisher that knows less than was handled: its database is not the one it was.
            guard batch.epoch == offset.epoch, batch.head >= offset.position else {
                newStream = start
                return
            }
            take(batch, after: offset, at: now)
        }
    }

    private mutating func take(_ batch: EventBatch, after offset: StreamOffset, at now: Instant) {
        head = max(head, batch.head)
        // Into a full buffer too: without these nothing goes on.
        for event in batch.events where event.position > offset.position {
            buffer[event.position] = EventEnvelope(
                publisher: publisher, epoch: batch.epoch, position: event.position, header: event.header,
                payload: Array(event.payload.utf8))
        }
        if let last = batch.events.last, last.position < batch.head { pullNotBefore = nil }
        // It says that there is more, and does not give the next.
        let isStuck = batch.head > offset.position && buffer[offset.position + 1] == nil
        if isStuck { pullFailed(at: now) } else { pullFailures = 0 }
    }

    /// The publisher no longer keeps what follows the offset: where its stream is now has to be asked without an epoch.
    mutating func gone(at now: Instant) {
        guard case .at = place else { return pullFailed(at: now) }
        place = .lost
        pullNotBefore = nil
    }

    /// The answer did not fit into a message.
    mutating func tooLarge(at now: Instant) {
        guard pullSize > 1 else { return pullFailed(at: now) }
        pullSize = max(1, pullSize / 4)
        (mustPull, pullNotBefore) = (true, nil)
    }

    /// The publisher could not be asked. What it says by itself is still handed over.
    mutating func pullFailed(at now: Instant) {
        pullNotBefore = now + pause(after: pullFailures)
        pullFailures += 1
        mustPull = true
    }

    /// The consumer failed: after a pause, from where it says that it is.
    mutating func consumerFailed(at now: Instant) {
        notBefore = now + pause(after: failures)
        failures += 1
        if newStream == nil { place = .unknown }
    }

    private func pause(after failures: Int) -> Duration {
        Backoff.step(failures, first: limits.pause.first, limit: limits.pause.longest)
    }
}
