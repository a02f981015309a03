import CZeroMQ
package import Logging
package import Reactor

/// libzmq in this process, and the gate that lets in only peers whose keys are known.
///
/// One per process. Every socket of it lives on `reactor` and keeps it alive.
package final class ZMQContext: Sendable {
    package let reactor: Reactor
    package let identity: BusIdentity
    let handle: ContextHandle
    let authenticator: Authenticator

    package init(identity: BusIdentity, reactor: Reactor, logger: Logger) {
        self.reactor = reactor
        self.identity = identity
        handle = ContextHandle()
        let authenticator = Authenticator(
            handle: handle, publicKeys: identity.publicKeys, reactor: reactor, logger: logger)
        self.authenticator = authenticator
        // The reactor keeps the order, so the gate stands before any other socket is made.
        reactor.submit { authenticator.assumeIsolated { $0.open() } }
    }

    deinit { reactor.submit { [authenticator] in authenticator.assumeIsolated { $0.close() } } }
}

/// libzmq's context, which ends with its last socket: `zmq_ctx_term` would wait for one that is still open.
///
/// `@unchecked Sendable`: libzmq's contexts may be used from any thread.
final class ContextHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init() {
        guard let pointer = zmq_ctx_new() else { preconditionFailure("zmq_ctx_new: errno \(zmq_errno())") }
        self.pointer = pointer
        zmq_ctx_set(pointer, ZMQ_BLOCKY, 0)
    }

    deinit { while zmq_ctx_term(pointer) != 0, zmq_errno() == EINTR {} }
}
