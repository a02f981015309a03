package import FoundationEssentials
package import NIOCore
package import WireProtocol

/// An event as it is written to listeners.
package struct StreamItem: Sendable {
    package var publisher: String
    package var position: Int64
    package var header: EventHeader
    /// `event: …` and `data: …` with the blank line, the same for all who get it.
    package var frame: ByteBuffer

    package init(publisher: String, position: Int64, header: EventHeader, payload: some Collection<UInt8>) {
        self.publisher = publisher
        self.position = position
        self.header = header
        frame = StreamText.event(header.type, payload)
    }
}

extension StreamItem {
    /// The message that it tells of; its payload is one line.
    fileprivate var message: MessageSent? {
        let line = frame.readableBytesView.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "data: ".utf8) }
        return line.flatMap { try? WireJSON.decode(from: Array($0.dropFirst(6))) }
    }
}

/// The latest events of one publisher, and what they mean for someone who comes back. A pure value.
package struct StreamLog: Sendable {
    package let epoch: UUID
    package private(set) var head: Int64
    /// Without gaps, up to `head`.
    private var items: [StreamItem] = []
    private let capacity: Int

    package init(epoch: UUID, head: Int64, capacity: Int = 2048) {
        self.epoch = epoch
        self.head = head
        self.capacity = capacity
    }

    package var place: StreamPositions.Place { .init(epoch: epoch, position: head) }

    /// - Precondition: `item` follows `head`.
    package mutating func append(_ item: StreamItem) {
        items.append(item)
        head = item.position
        // Cut in halves, so that the cost is shared by many.
        if items.count >= 2 * capacity { items.removeFirst(items.count - capacity) }
    }

    /// What moderators have hidden is not given again: the event that told of the message keeps its place, without the words.
    package mutating func redact(_ hidden: MessageHidden) {
        let aggregate = "room/\(hidden.room)"
        for (index, item) in items.enumerated()
        where item.header.type == MessageSent.type && item.header.aggregate == aggregate {
            guard let told = item.message, told.message.id == hidden.id,
                let payload = try? WireJSON.encode(told.withoutWords)
            else { continue }
            items[index] = StreamItem(
                publisher: item.publisher, position: item.position, header: item.header, payload: payload)
        }
    }

    package enum Resume {
        /// Nothing was missed.
        case upToDate
        /// These were missed.
        case replay([StreamItem])
        /// Those in `(after, through]` are older than what is kept here and must be fetched; then come these.
        case fetch(after: Int64, through: Int64, then: [StreamItem])
        /// They belong to another epoch: nobody can say what was missed.
        case lost
    }

    package func resume(from place: StreamPositions.Place) -> Resume {
        guard place.epoch == StreamPositions.Place.short(epoch) else { return .lost }
        guard place.position < head else { return .upToDate }
        let firstKept = head - Int64(items.count) + 1
        if place.position + 1 >= firstKept {
            return .replay(Array(items.dropFirst(Int(place.position + 1 - firstKept))))
        }
        return .fetch(after: place.position, through: firstKept - 1, then: items)
    }
}
