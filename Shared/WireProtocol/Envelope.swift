#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// The frames of PROTOCOL.md. Encoding and decoding of each stand side by side, so that they are read together.

package enum ProtocolVersion {
    /// The first frame of every message.
    package static let frame: [UInt8] = Array("K1".utf8)
}

/// A message that is not what PROTOCOL.md says.
package struct EnvelopeError: Error, Hashable {
    package var reason: String
    /// The request it belongs to, where that much could be read.
    package var requestID: UUID?
}

/// A request as it travels from a DEALER to a ROUTER.
package struct RequestEnvelope: Hashable, Sendable {
    package var id: UUID
    package var method: String
    /// When the answer is of no more use. Milliseconds are kept on the wire.
    package var deadline: Date
    package var caller: Caller
    /// W3C `traceparent`, or empty.
    package var trace: String
    package var parameters: [UInt8]
    package var body: [UInt8]

    package init(
        id: UUID, method: String, deadline: Date, caller: Caller, trace: String = "", parameters: [UInt8] = [],
        body: [UInt8] = []
    ) {
        self.id = id
        self.method = method
        self.deadline = deadline
        self.caller = caller
        self.trace = trace
        self.parameters = parameters
        self.body = body
    }

    package func frames() throws -> [[UInt8]] {
        [
            ProtocolVersion.frame, Frame.uuid(id), Array(method.utf8), Frame.time(deadline),
            try CallerFrame.encode(caller), Array(trace.utf8), parameters, body,
        ]
    }

    package init(frames: [[UInt8]]) throws {
        guard frames.count >= 2, frames[0] == ProtocolVersion.frame else {
            throw EnvelopeError(
                reason: "unknown protocol version", requestID: frames.count > 1 ? Frame.uuid(frames[1]) : nil)
        }
        let known = Frame.uuid(frames[1])
        // A later minor version may append frames; those are left alone.
        guard frames.count >= 8, let id = known, let deadline = Frame.time(frames[3]),
            let method = String(validating: frames[2], as: UTF8.self),
            let trace = String(validating: frames[5], as: UTF8.self)
        else { throw EnvelopeError(reason: "malformed request", requestID: known) }
        do {
            caller = try CallerFrame.decode(frames[4])
        } catch { throw EnvelopeError(reason: "malformed caller", requestID: known) }
        self.id = id
        self.method = method
        self.deadline = deadline
        self.trace = trace
        parameters = frames[6]
        body = frames[7]
    }
}

/// The answer to a request.
package struct ReplyEnvelope: Hashable, Sendable {
    package var id: UUID
    package var outcome: Outcome
    /// Names this version of what was read; the gateway makes the ETag from it. Empty where the service gives none.
    package var tag: String

    package enum Outcome: Hashable, Sendable {
        case success([UInt8])
        case failure(ServiceError)
    }

    package init(id: UUID, outcome: Outcome, tag: String = "") {
        self.id = id
        self.outcome = outcome
        self.tag = tag
    }

    package func frames() throws -> [[UInt8]] {
        let (status, body): (String, [UInt8]) =
            switch outcome {
            case .success(let bytes): ("ok", bytes)
            case .failure(let error): ("error", try WireJSON.encode(error))
            }
        return [ProtocolVersion.frame, Frame.uuid(id), Array(status.utf8), Array(tag.utf8), body]
    }

    package init(frames: [[UInt8]]) throws {
        guard frames.count >= 5, frames[0] == ProtocolVersion.frame, let id = Frame.uuid(frames[1]),
            let tag = String(validating: frames[3], as: UTF8.self)
        else { throw EnvelopeError(reason: "malformed reply", requestID: nil) }
        switch frames[2] {
        case Array("ok".utf8): outcome = .success(frames[4])
        case Array("error".utf8): outcome = .failure(try WireJSON.decode(from: frames[4]))
        default: throw EnvelopeError(reason: "unknown status", requestID: id)
        }
        self.id = id
        self.tag = tag
    }
}

/// What a publisher says on its PUB socket. Both are hints: the publisher's table is the truth.
package enum Publication: Hashable, Sendable {
    case event(EventEnvelope)
    /// The publisher lives, and `head` is the last position that it gave out.
    case heartbeat(publisher: String, epoch: UUID, head: Int64)

    package func frames() throws -> [[UInt8]] {
        switch self {
        case .event(let event):
            [
                ProtocolVersion.frame, Array("event".utf8), Array(event.publisher.utf8), Frame.uuid(event.epoch),
                Frame.integer(event.position), try WireJSON.encode(event.header), event.payload,
            ]
        case .heartbeat(let publisher, let epoch, let head):
            [
                ProtocolVersion.frame, Array("heartbeat".utf8), Array(publisher.utf8), Frame.uuid(epoch),
                Frame.integer(head),
            ]
        }
    }

    package init(frames: [[UInt8]]) throws {
        guard frames.count >= 5, frames[0] == ProtocolVersion.frame, let epoch = Frame.uuid(frames[3]),
            let publisher = String(validating: frames[2], as: UTF8.self), let position = Frame.integer(frames[4])
        else { throw EnvelopeError(reason: "malformed publication", requestID: nil) }
        switch frames[1] {
        case Array("event".utf8) where frames.count >= 7:
            let header = try WireJSON.decode(EventHeader.self, from: frames[5])
            self = .event(
                EventEnvelope(
                    publisher: publisher, epoch: epoch, position: position, header: header, payload: frames[6]))
        case Array("heartbeat".utf8): self = .heartbeat(publisher: publisher, epoch: epoch, head: position)
        default: throw EnvelopeError(reason: "unknown publication", requestID: nil)
        }
    }
}

/// Fixed-width frames, big-endian.
package enum Frame {
    package static func uuid(_ uuid: UUID) -> [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }

    package static func uuid(_ bytes: [UInt8]) -> UUID? {
        guard bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    package static func integer(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    package static func integer(_ bytes: [UInt8]) -> Int64? {
        guard bytes.count == 8 else { return nil }
        return bytes.withUnsafeBytes { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) }
    }

    /// Unix milliseconds.
    package static func time(_ date: Date) -> [UInt8] {
        integer(Int64((date.timeIntervalSince1970 * 1000).rounded().clamped(to: -9e15...9e15)))
    }

    package static func time(_ bytes: [UInt8]) -> Date? {
        integer(bytes).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}

extension Comparable {
    fileprivate func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
