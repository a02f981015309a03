import FoundationEssentials
import WireProtocol
import ZeroMQ

@testable import Messaging

extension Parser {
    /// What crosses the bus.
    static let wire = [
        Parser(name: "packing") { bytes in
            guard let frames = bytes.withUnsafeBytes({ Packing.unpack($0) }) else { return }
            try promise("\(frames) are packed otherwise", Packing.pack(frames[...]) == bytes)
        },
        Parser(name: "request") { bytes in
            guard let request = try read({ try RequestEnvelope(frames: Frames.cut(bytes)) }) else { return }
            let again = try RequestEnvelope(frames: request.frames())
            var expected = request
            // A time beyond what a Double counts in milliseconds need not come back exactly.
            if abs(request.deadline.timeIntervalSince1970) > 1e11 { expected.deadline = again.deadline }
            try promise("\(again) is not \(expected)", again == expected)
            _ = RequestContext(request, from: .gateway)
        },
        Parser(name: "reply") { bytes in
            guard let reply = try read({ try ReplyEnvelope(frames: Frames.cut(bytes)) }) else { return }
            let again = try ReplyEnvelope(frames: reply.frames())
            try promise("\(again) is not \(reply)", again == reply)
        },
        Parser(name: "publication") { bytes in
            guard let publication = try read({ try Publication(frames: Frames.cut(bytes)) }) else { return }
            // Times are written to the millisecond, so that only the second reading has to be the same.
            let again = try Publication(frames: publication.frames())
            try promise("\(publication) changes", try Publication(frames: again.frames()) == again)
        },
        Parser(name: "subscription") { bytes in
            var subscription = Subscription(bytes)
            subscription.play()
        },
        Parser(name: "json") { bytes in
            try stable(Caller.self, bytes)
            try stable(EventHeader.self, bytes)
            try stable(EventBatch.self, bytes)
            try stable(EventsSince.self, bytes)
            try stable(ServiceError.self, bytes)
            try stable(SpotDraft.self, bytes)
            try stable(SpotQuery.self, bytes)
        },
    ]

    /// Nil where it is refused, which may be in these two ways only.
    private static func read<Value>(_ body: () throws -> Value) throws -> Value? {
        do { return try body() } catch is EnvelopeError { return nil } catch is ServiceError { return nil }
    }

    /// What was read is written in one way, however often it is read and written, but for the order of sets.
    private static func stable<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) throws {
        guard let value = try read({ try WireJSON.decode(Value.self, from: bytes) }) else { return }
        // A number that JSON cannot hold is refused when it is written.
        guard let written = try? WireJSON.encode(value) else { return }
        let again = try WireJSON.encode(try WireJSON.decode(Value.self, from: written))
        try promise("\(type) changes: \(String(decoding: written, as: UTF8.self))", again.sorted() == written.sorted())
    }
}

/// A subscriber's decisions over whatever a publisher may say, in any order.
private struct Subscription {
    private var rest: ArraySlice<UInt8>
    private var state = SubscriptionState(publisher: "p")
    private let epochs = [
        UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        UUID(uuid: (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    ]
    private var now = ContinuousClock.now

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    private mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Small numbers mostly, and the ends of the range.
    private mutating func position() -> Int64 {
        let byte = byte()
        switch byte {
        case 255: return .max
        case 254: return .min
        case 253: return StreamPosition.limit
        default: return Int64(byte)
        }
    }

    private mutating func events() -> [StoredEvent] {
        (0..<Int(byte() % 8)).map { _ in StoredEvent(position: position(), header: Self.header, payload: "{}") }
    }

    private static let header = EventHeader(
        id: UUID(uuid: (3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), type: "t", aggregate: "a", audience: .nobody,
        occurredAt: Date(timeIntervalSince1970: 0))

    mutating func play() {
        var steps = 0
        while !rest.isEmpty, steps < 256 {
            steps += 1
            let epoch = epochs[Int(byte() % 2)]
            switch byte() % 8 {
            case 0: state.heartbeat("p", epoch: epoch, head: position())
            case 1:
                state.heard(
                    EventEnvelope(
                        publisher: "p", epoch: epoch, position: position(), header: Self.header, payload: []))
            case 2: state.silence()
            case 3: now += .milliseconds(Int(byte()) * 50)
            default: act(epoch)
            }
            precondition(state.lag >= 0, "a lag below nothing")
        }
    }

    private mutating func act(_ epoch: UUID) {
        switch state.next(at: now) {
        case .loadOffset: state.loaded(byte() % 2 == 0 ? nil : StreamOffset(epoch: epoch, position: Int64(byte())))
        case .consume(let events):
            for (first, second) in zip(events, events.dropFirst()) {
                precondition(second.position == first.position + 1, "a gap within what is handed over")
            }
            byte() % 4 == 0 ? state.consumerFailed(at: now) : state.consumed(events)
        case .pull:
            switch byte() % 4 {
            case 0: state.pullFailed(at: now)
            case 1: state.gone(at: now)
            case 2: state.tooLarge(at: now)
            default: state.pulled(EventBatch(epoch: epoch, head: position(), events: events()), at: now)
            }
        case .resynchronise: state.resynchronised()
        case .wait(let until): now = until ?? now
        }
    }
}
