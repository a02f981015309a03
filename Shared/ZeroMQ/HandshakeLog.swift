import CZeroMQ
import Glibc
import Logging
import Reactor

/// Logs connections to a server socket that ended before their handshake did: what speaks another protocol, no CURVE, with the wrong
/// server key, or nothing at all; and those that were ended later for what their peer sent. Unknown keys are the gate's to log, who knows them;
/// of one address only one of the two speaks in a minute.
///
/// libzmq says which descriptor a connection has when it begins and when it ends, and what failed just before the end; never
/// which of them has succeeded. So the end of a connection without a failure is taken for a refusal only where none has succeeded since it began.
/// Of a message that is too large it says nothing at all; but it leaves it unread, which we see (`HeldConnection`).
final class HandshakeLog {
    /// Connections whose end has not been told, by descriptor.
    private struct Opened {
        var address: String
        var mayHaveSucceeded = false
        var line: HeldConnection?
    }

    private let monitor: ZMQSocket
    private let gate: Authenticator
    private var opened: [Int32: Opened] = [:]
    /// What the end that comes next is due to.
    private var failure: String?

    /// What a peer was about to send is there after this while.
    private static let moment = Duration.milliseconds(100)

    private static let events =
        ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED
        | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL

    init(of socket: ZMQSocket, in context: ZMQContext) throws(ZMQError) {
        let address = "inproc://handshakes.\(UInt64.random(in: .min ... .max))"
        try check("monitor") { zmq_socket_monitor(socket.handle, address, Self.events) }
        gate = context.authenticator
        monitor = try ZMQSocket(.monitor, within: context.handle, reactor: context.reactor)
        try monitor.connect(address)
        monitor.onMessage = { [weak self] message in self?.heard(message.frames) }
    }

    /// Ends the reports of `socket` first: libzmq's thread would wait for a reader that is gone.
    func close(monitorOf socket: ZMQSocket) {
        zmq_socket_monitor(socket.handle, nil, 0)
        monitor.close()
        forget()
    }

    /// Lets go of all connections: libzmq does not tell of those that end with their endpoint.
    func forget() { opened = [:] }

    /// One event: 16 bits that name it, 32 bits of detail, in the machine's own order; then the endpoint.
    private func heard(_ frames: [[UInt8]]) {
        guard let head = frames.first, head.count == 6 else { return }
        let (event, value) = head.withUnsafeBytes {
            (Int32($0.loadUnaligned(as: UInt16.self)), $0.loadUnaligned(fromByteOffset: 2, as: Int32.self))
        }
        switch event {
        case ZMQ_EVENT_ACCEPTED:
            opened[value] = Opened(address: Self.address(ofPeerAt: value), line: HeldConnection(value))
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
            for descriptor in opened.keys { opened[descriptor]?.mayHaveSucceeded = true }
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: failure = Self.reason(value)
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: failure = "it did not finish the handshake"
        case ZMQ_EVENT_DISCONNECTED: ended(value)
        default: break
        }
    }

    private func ended(_ descriptor: Int32) {
        defer { failure = nil }
        let connection = opened.removeValue(forKey: descriptor)
        guard failure != nil || connection?.mayHaveSucceeded == false else {
            if let connection, let line = connection.line { look(at: line, of: connection.address) }
            return
        }
        let (address, reason) = (connection?.address ?? Self.nowhere, failure ?? "it does not speak ZMTP")
        gate.assumeIsolated { $0.complain("a connection was refused", of: address, ["reason": "\(reason)"]) }
    }

    /// Whether a connection without a failure ended because its peer left, as most do, or because what it sent was not taken.
    private func look(at line: HeldConnection, of address: String) {
        switch line.rest {
        case .ended: break
        case .unread: Self.complainOfExcess(from: address, to: gate)
        case .none:
            // Of a large message libzmq has read no more than how large it is, perhaps before the next byte was there.
            gate.reactor.schedule(after: Self.moment) { [gate] in
                if line.rest == .unread { Self.complainOfExcess(from: address, to: gate) }
            }
        }
    }

    private static func complainOfExcess(from address: String, to gate: Authenticator) {
        let reason =
            "it sent a message of more than \(BusLimits.wireSize) bytes, or faster than it was read, for too long"
        gate.assumeIsolated { $0.complain("a connection was cut", of: address, ["reason": "\(reason)"]) }
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH: "it came without CURVE"
        case ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC: "it does not know our public key"
        default: "its handshake cannot be read"
        }
    }

    private static let nowhere = "unknown"

    /// Where the other end is. Who is gone again before we look has no address any more (or, rarely, that of the next who came).
    private static func address(ofPeerAt descriptor: Int32) -> String {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let found = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length) == 0
                    && getnameinfo($0, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        guard found else { return nowhere }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
