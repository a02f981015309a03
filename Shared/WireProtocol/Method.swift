/// One thing that a service can be asked: its name on the wire, the types that go both ways, and which peers may ask.
///
/// `Parameters` is what an HTTP address carries (path and query); `Body` is the HTTP body, whose bytes the gateway forwards
/// as they came.
package struct Method<Parameters: Codable & Sendable, Body: Codable & Sendable, Reply: Codable & Sendable>: Sendable {
    package let name: String
    package let kind: MethodKind
    package let peers: Set<PeerRole>
    /// Whether it may be asked with a session that was opened while its person is suspended: what is theirs whatever they did, and
    /// nothing that others notice. No, unless it says so.
    package let isForSuspended: Bool

    package init(
        _ name: String, _ kind: MethodKind, peers: Set<PeerRole> = [.gateway], isForSuspended: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.peers = peers
        self.isForSuspended = isForSuspended
    }

    /// The service that answers: the part of the name before the dot.
    package var service: String { String(name.prefix { $0 != "." }) }
}

package enum MethodKind: String, Sendable {
    /// Changes nothing; may be asked again at will.
    case query
    /// Changes something, once for each request id.
    case command
}
