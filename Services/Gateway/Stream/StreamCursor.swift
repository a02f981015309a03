package import NIOCore
import WireProtocol

/// Where one connection stands: decides what is written and under which id. A pure value.
package struct StreamCursor: Sendable {
    package private(set) var positions: StreamPositions
    private let audience: StreamAudience
    /// While the listener is further than the relay, what it had already is left out.
    private var isAhead: Bool

    package init(_ positions: StreamPositions, relay: StreamPositions, audience: StreamAudience) {
        self.positions = positions
        self.audience = audience
        isAhead = positions.isAhead(of: relay)
    }

    /// An event that was missed; nil where it is not for this listener or came already.
    package mutating func replay(_ item: StreamItem, epoch: StreamPositions.Place) -> ByteBuffer? {
        if let had = positions[item.publisher], had.epoch == epoch.epoch, had.position >= item.position { return nil }
        positions[item.publisher] = .init(short: epoch.epoch, position: item.position)
        return audience.admits(item.header) ? StreamText.withID(positions.text, item.frame) : nil
    }

    /// Moves past what was missed from a publisher, whether or not any of it was for this listener.
    package mutating func caughtUp(with publisher: String, at place: StreamPositions.Place) {
        positions[publisher] = place
    }

    /// An event as it happens.
    package mutating func live(_ item: StreamItem) -> ByteBuffer? {
        guard isAhead else {
            positions = item.after
            return StreamText.withID(item.id, item.frame)
        }
        let had = positions[item.publisher]
        let isKnown = had.map { $0.epoch == item.after[item.publisher]?.epoch && $0.position >= item.position } ?? false
        positions.advance(to: item.after)
        isAhead = positions.isAhead(of: item.after)
        return isKnown ? nil : StreamText.withID(positions.text, item.frame)
    }

    package mutating func beat(_ relay: StreamPositions) -> ByteBuffer {
        positions.advance(to: relay)
        return StreamText.beat(positions.text)
    }

    package mutating func resync(_ publisher: String, _ relay: StreamPositions) -> ByteBuffer {
        positions[publisher] = relay[publisher]
        return StreamText.withID(positions.text, StreamText.resync(publisher))
    }
}
