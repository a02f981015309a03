package import Messaging
package import WireProtocol

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What the gateway does with the events of all services: it keeps its knowledge of sessions fresh, and relays the rest to people.
///
/// Nothing is durable here: a gateway that starts begins with what comes next, and listeners fetch what they missed.
package struct GatewayEvents: EventConsumer {
    private let relay: StreamRelay
    private let tokens: AccessTokens

    package init(relay: StreamRelay, tokens: AccessTokens) {
        self.relay = relay
        self.tokens = tokens
    }

    package func offset(of publisher: String) async throws -> StreamOffset? {
        relay.offset(of: publisher).map { StreamOffset(epoch: $0.epoch, position: $0.position) }
    }

    package func consume(_ events: [EventEnvelope]) async throws {
        for event in events where event.publisher == PeerRole.auth.rawValue { try await heed(event) }
        relay.relay(events)
    }

    package func resynchronise(_ publisher: String, epoch: UUID, head: Int64) async throws {
        relay.restart(publisher, epoch: epoch, head: head)
        if publisher == PeerRole.auth.rawValue { tokens.reload() }
    }

    private func heed(_ event: EventEnvelope) async throws {
        switch event.header.type {
        case SessionsRevoked.type:
            let sessions = try WireJSON.decode(SessionsRevoked.self, from: event.payload).sessions
            tokens.revoke(sessions)
            relay.end(sessions: Set(sessions.map(\.id)))
        case SigningKeysChanged.type:
            await tokens.adopt(try WireJSON.decode(SigningKeysChanged.self, from: event.payload).keys)
        default: break
        }
    }
}
