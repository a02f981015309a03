import CZeroMQ
import Reactor

// What a server socket has beside the others: its own list of roles, a log of refused handshakes, and a way to be rid of its peers.

extension ZMQSocket {
    /// - Parameter roles: whom the gate lets in; every role whose key is known, where absent. Before the socket is bound.
    func guardServer(_ context: ZMQContext, of roles: Set<String>? = nil) throws(ZMQError) {
        if let roles {
            let domain = context.authenticator.assumeIsolated { $0.domain(of: roles) }
            try set(ZMQ_ZAP_DOMAIN, text: domain)
        }
        handshakes = try HandshakeLog(of: self, in: context)
        context.authenticator.assumeIsolated { $0.watch(over: self) }
    }

    /// Ends every connection: who may come back does so within the reconnect interval, and passes the gate anew.
    ///
    /// libzmq cannot end a single one. Letting go of the endpoint ends all that came by it, and so it is taken again.
    func dropPeers() {
        reactor.checkIsolated()
        guard let endpoint, !isClosed else { return }
        zmq_unbind(handle, endpoint)
        handshakes?.forget()
        bindAgain(endpoint)
    }

    /// libzmq's thread lets go of a port a moment after it was told to.
    private func bindAgain(_ endpoint: String) {
        guard !isClosed, (try? bind(endpoint)) == nil else { return }
        reactor.schedule(after: .milliseconds(5)) { [weak self] in self?.bindAgain(endpoint) }
    }
}
