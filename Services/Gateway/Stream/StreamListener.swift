package import WireProtocol

/// Someone who wants to listen.
package struct StreamRequest: Sendable {
    package var audience: StreamAudience
    package var session: SessionID?
    /// When their access token runs out, in Unix seconds.
    package var expiry: Int?
    package var address: String
    /// Where they stopped listening before.
    package var last: StreamPositions?
    /// They say where, but nobody can tell what they missed since: they load anew what every publisher has told.
    package var isLost: Bool
    /// Breaks the connection of a reader who does not read.
    package var cut: @Sendable () -> Void

    package init(
        audience: StreamAudience, session: SessionID? = nil, expiry: Int? = nil, address: String,
        last: StreamPositions? = nil, isLost: Bool = false, cut: @escaping @Sendable () -> Void = {}
    ) {
        self.audience = audience
        self.session = session
        self.expiry = expiry
        self.address = address
        self.last = last
        self.isLost = isLost
        self.cut = cut
    }
}

/// Someone who listens.
struct StreamListener: Sendable {
    let audience: StreamAudience
    let session: SessionID?
    let expiry: Int?
    let address: String
    /// The publishers that their `Last-Event-ID` named.
    let resumed: Set<String>
    let isLost: Bool
    let signals: AsyncStream<StreamSignal>.Continuation
    let cut: @Sendable () -> Void
}

/// What a listener's connection is told to write.
package enum StreamSignal: Sendable {
    case event(StreamItem, after: StreamMark)
    case beat(StreamMark)
    case resync(String, StreamPositions)
    case end(StreamEnd)
}

/// A stream at its beginning.
package struct StreamOpening: Sendable {
    /// As long as this is kept, the listener counts; an answer that is never written (`HEAD`, a broken line) lets go of it.
    package let ticket: StreamTicket
    /// By publisher; those that nothing is known of are absent.
    package let missed: [String: StreamLog.Resume]
    /// Where the relay stands; everything after it comes in `signals`.
    package let mark: StreamMark
    package let signals: AsyncStream<StreamSignal>
}

/// A place among the listeners, given back when the connection ends or by whoever lets go of it last.
package final class StreamTicket: Sendable {
    private let giveBack: @Sendable () -> Void

    init(giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    /// Nothing more comes in `StreamOpening.signals`.
    package func close() { giveBack() }

    deinit { giveBack() }
}
