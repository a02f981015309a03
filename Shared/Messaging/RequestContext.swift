package import FoundationEssentials
package import WireProtocol

/// What a handler knows of a request beside its parameters and body.
package struct RequestContext: Sendable {
    /// The idempotency key: a request that was lost is sent again under the same id.
    package var id: UUID
    package var method: String
    /// When the answer is of no more use; the handler's task is cancelled then.
    package var deadline: Date
    /// On whose behalf, as the peer established it.
    package var caller: Caller
    /// What the process that asks proved to be.
    package var peer: PeerRole
    /// W3C `traceparent`, or empty.
    package var trace: String
    /// Method, parameters and body, unambiguously joined: what the digest of an idempotent command is taken of.
    package var content: [UInt8]

    package init(
        id: UUID, method: String, deadline: Date, caller: Caller, peer: PeerRole, trace: String = "",
        content: [UInt8] = []
    ) {
        self.id = id
        self.method = method
        self.deadline = deadline
        self.caller = caller
        self.peer = peer
        self.trace = trace
        self.content = content
    }

    init(_ request: RequestEnvelope, from peer: PeerRole) {
        let method = Array(request.method.utf8)
        let lengths = Frame.integer(Int64(method.count)) + Frame.integer(Int64(request.parameters.count))
        self.init(
            id: request.id, method: request.method, deadline: request.deadline, caller: request.caller, peer: peer,
            trace: request.trace, content: lengths + method + request.parameters + request.body)
    }
}

/// A reply with the version of what was read, from which the gateway makes the ETag.
package struct Tagged<Value: Sendable>: Sendable {
    package var value: Value
    package var tag: String

    package init(_ value: Value, tag: String) {
        self.value = value
        self.tag = tag
    }
}

extension Tagged: Equatable where Value: Equatable {}

/// A reply as it came, for those who pass it on without reading it.
package struct RawReply: Hashable, Sendable {
    package var bytes: [UInt8]
    package var tag: String

    package init(bytes: [UInt8], tag: String = "") {
        self.bytes = bytes
        self.tag = tag
    }
}
