package import FoundationEssentials
package import WireProtocol

/// A place in a publisher's stream: the last event of it that was handled, or given out.
package struct StreamOffset: Codable, Hashable, Sendable {
    package var epoch: UUID
    package var position: Int64

    package init(epoch: UUID, position: Int64) {
        self.epoch = epoch
        self.position = position
    }
}

/// Who handles events, and remembers how far it came. For each publisher its methods are called one at a time.
package protocol EventConsumer: Sendable {
    /// How far it came with `publisher`; nil before the first event. Asked at the start and after each failure.
    func offset(of publisher: String) async throws -> StreamOffset?

    /// Handles events of one publisher that follow the offset without gaps, and returns when that is durable.
    ///
    /// When it throws, the offset is asked again, and what follows that comes again, after a pause.
    func consume(_ events: [EventEnvelope]) async throws

    /// The publisher's stream is another one: its database was restored, or what follows the offset is no longer kept.
    ///
    /// Afterwards the offset is either `(epoch, head)`, for who goes on with what comes next, or nil, for who wants all that is
    /// kept again; or where a replica came with that since. It is asked for then.
    func resynchronise(_ publisher: String, epoch: UUID, head: Int64) async throws
}

/// Where a consumer without an offset begins.
package enum FirstContact: Sendable {
    /// With the first event that the publisher still keeps: projections. The first that `consume` gets may have any position.
    case beginning
    /// With what comes next, after `resynchronise`: live streams.
    case head
}
