package import NIOCore
package import WireProtocol

/// Where one connection stands: decides what is written and under which id. A pure value.
package struct StreamCursor: Sendable {
    package private(set) var positions: StreamPositions
    /// When this listener had everything up to `positions`, in Unix seconds. It stays where they stopped listening as long as they
    /// are given what they missed: who takes that in bits does not get more time for it.
    private var since: Int
    private let audience: StreamAudience
    private let ids: StreamIDs
    /// While the listener is further than the relay, what it had already is left out.
    private var isAhead: Bool

    /// - Parameters:
    ///   - start: where the listener stopped before, and when; nil where they begin.
    ///   - relay: where the relay stands.
    package init(
        from start: (positions: StreamPositions, since: Int)?, relay: StreamMark, audience: StreamAudience,
        ids: StreamIDs
    ) {
        positions = relay.positions
        for (publisher, place) in start?.positions.places ?? [:] { positions[publisher] = place }
        since = start?.since ?? relay.since
        self.audience = audience
        self.ids = ids
        isAhead = positions.isAhead(of: relay.positions)
    }

    private var id: String { ids.text(positions, since: since) }

    package func opening() -> ByteBuffer { StreamText.opening(id) }

    /// What says nothing of now once it is missed: that somebody was writing then, or was somewhere else.
    private static let ofItsMoment: Set = [Typing.type, MatchMoved.type]

    /// An event that was missed; nil where it is not for this listener or came already.
    package mutating func replay(
        _ header: EventHeader, of publisher: String, at place: StreamPositions.Place,
        _ frame: @autoclosure () -> ByteBuffer
    ) -> ByteBuffer? {
        if let had = positions[publisher], had.epoch == place.epoch, had.position >= place.position { return nil }
        positions[publisher] = place
        guard !Self.ofItsMoment.contains(header.type), audience.admits(header) else { return nil }
        return StreamText.withID(id, frame())
    }

    /// Moves past what was missed from a publisher, whether or not any of it was for this listener.
    package mutating func caughtUp(with publisher: String, at place: StreamPositions.Place) {
        positions[publisher] = place
    }

    /// An event as it happens.
    /// - Parameter after: where a listener stands who has had it and all before it.
    package mutating func live(_ item: StreamItem, after: StreamMark) -> ByteBuffer? {
        let (had, now) = (positions[item.publisher], after.positions[item.publisher])
        let isKnown = isAhead && had?.epoch == now?.epoch && had?.position ?? 0 >= item.position
        advance(to: after)
        return isKnown ? nil : StreamText.withID(isAhead ? id : after.id, item.frame)
    }

    package mutating func beat(_ relay: StreamMark) -> ByteBuffer {
        advance(to: relay)
        return StreamText.beat(isAhead ? id : relay.id)
    }

    /// What is written for what the relay says; nil where it is nothing for this listener.
    package mutating func frame(of signal: StreamSignal) -> ByteBuffer? {
        switch signal {
        case .event(let item, let after): live(item, after: after)
        case .beat(let mark): beat(mark)
        case .resync(let publisher, let positions): resync(publisher, positions)
        case .end(let reason): StreamText.end(reason)
        }
    }

    /// Where the listener is not further than the relay, it is where the relay is: one id for all of those.
    private mutating func advance(to relay: StreamMark) {
        since = relay.since
        guard isAhead else { return positions = relay.positions }
        positions.advance(to: relay.positions)
        isAhead = positions.isAhead(of: relay.positions)
    }

    package mutating func resync(_ publisher: String, _ relay: StreamPositions) -> ByteBuffer {
        positions[publisher] = relay[publisher]
        return StreamText.withID(id, StreamText.resync(publisher))
    }
}
