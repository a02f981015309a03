package import NIOCore

/// How long a connection may take for what.
package struct ConnectionTimes: Sendable {
    /// From opening, and from the first byte of a request, until its head is whole.
    package var head = TimeAmount.seconds(15)
    /// Between two requests.
    package var idle = TimeAmount.seconds(60)
    /// For a body, before the first byte of it counts.
    package var body = TimeAmount.seconds(20)
    /// Bytes a second that a body must keep to on average, after that: 256 kbit/s, what a phone at the edge of the village has.
    package var bodyRate = 32 * 1024
    /// How long what is still coming is read and thrown away after the answer, so that the sender hears it: a socket that is
    /// closed with unread bytes in it takes the answer with it.
    package var linger = TimeAmount.seconds(5)
    /// How many bytes are thrown away in that time.
    package var lingerBytes = 32 * 1024 * 1024
    /// How long a reader may take to make room for what waits to be written.
    package var stalled = TimeAmount.seconds(60)

    package init() {}

    /// How often a connection is looked at: what ends too late ends this much later at the most.
    package var look: TimeAmount { min(head, idle, body, linger, stalled, .seconds(5)) / 2 }
}

private func / (time: TimeAmount, parts: Int64) -> TimeAmount { .nanoseconds(time.nanoseconds / parts) }

/// What a connection is busy with, and until when it may be. A pure value; time is an argument.
package struct ConnectionPace: Sendable {
    package enum Phase: Hashable, Sendable {
        /// Nothing has come yet.
        case opened
        /// A request has begun, and its head is not whole.
        case head
        /// The head is there, the body is on its way.
        case body
        /// The request is whole, the answer is not.
        case answering
        /// Everything is answered.
        case idle
        /// The last answer is written; what still comes is thrown away.
        case lingering
    }

    package private(set) var phase = Phase.opened
    private var since: NIODeadline
    private var bytes = 0
    private var stalledSince: NIODeadline?
    private let times: ConnectionTimes

    package init(_ times: ConnectionTimes, at now: NIODeadline) {
        self.times = times
        since = now
    }

    package mutating func enter(_ phase: Phase, at now: NIODeadline) {
        self.phase = phase
        since = now
        bytes = 0
    }

    /// The first bytes after an answer begin a request.
    package mutating func heard(at now: NIODeadline) {
        if phase == .opened || phase == .idle { enter(.head, at: now) }
    }

    /// Counts bytes of a body, or of what is thrown away.
    package mutating func took(_ count: Int) { bytes += count }

    package mutating func room(_ isThere: Bool, at now: NIODeadline) {
        stalledSince = isThere ? nil : stalledSince ?? now
    }

    /// Whether nobody would miss much if this connection gave its place to another.
    package var isSpare: Bool { phase == .opened || phase == .head || phase == .idle }

    /// Whether more was thrown away than is reasonable.
    package var isFlooded: Bool { phase == .lingering && bytes > times.lingerBytes }

    /// When the patience with this connection ends; nil where it has none to lose.
    package var deadline: NIODeadline? {
        let ofPhase: NIODeadline? =
            switch phase {
            case .opened, .head: since + times.head
            case .body: since + times.body + .nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(times.bodyRate))
            case .answering: nil
            case .idle: since + times.idle
            case .lingering: since + times.linger
            }
        let ofReader = stalledSince.map { $0 + times.stalled }
        return [ofPhase, ofReader].compactMap { $0 }.min()
    }

    /// Whether it is the reader who is too slow, and not the writer.
    package func isStalled(at now: NIODeadline) -> Bool { stalledSince.map { $0 + times.stalled <= now } ?? false }
}
