package import FoundationEssentials
package import Logging
package import Messaging
package import WireProtocol

/// What the gateway does with the events of all services: it keeps its knowledge of sessions and blocks fresh, and relays the rest to
/// people.
///
/// Nothing is durable here: a gateway that starts gets the latest events once, for all listeners who come back to it.
package struct GatewayEvents: EventConsumer {
    private let relay: StreamRelay
    private let tokens: AccessTokens
    private let backend: any Backend
    private let logger: Logger
    private static let batch = 500

    package init(relay: StreamRelay, tokens: AccessTokens, backend: any Backend, logger: Logger) {
        self.relay = relay
        self.tokens = tokens
        self.backend = backend
        self.logger = logger
    }

    package func offset(of publisher: String) async throws -> StreamOffset? {
        relay.offset(of: publisher).map { StreamOffset(epoch: $0.epoch, position: $0.position) }
    }

    package func consume(_ events: [EventEnvelope]) async throws {
        // One after the other: who is told that their sessions end, is told before their stream ends with them.
        for event in events where event.publisher == PeerRole.auth.rawValue {
            relay.relay([event])
            await heed(event)
        }
        relay.relay(events.filter { $0.publisher != PeerRole.auth.rawValue })
        for event in events where event.publisher == PeerRole.chat.rawValue && event.header.type == MessageHidden.type {
            guard let hidden: MessageHidden = try? WireJSON.decode(from: event.payload), hidden.hidden else { continue }
            relay.redact(hidden)
        }
    }

    package func resynchronise(_ publisher: String, epoch: UUID, head: Int64) async throws {
        relay.restart(publisher, epoch: epoch, head: head, latest: await latest(of: publisher, epoch, head))
        guard publisher == PeerRole.auth.rawValue else { return }
        tokens.reload()
        relay.renewBlocks()
    }

    /// An event that cannot be read says that something has changed: auth is asked for everything. To throw would bring the same event
    /// again, for ever, and none after it.
    private func heed(_ event: EventEnvelope) async {
        do {
            switch event.header.type {
            case SessionsRevoked.type:
                tokens.revoke(try WireJSON.decode(SessionsRevoked.self, from: event.payload).sessions)
            case SigningKeysChanged.type:
                await tokens.adopt(try WireJSON.decode(SigningKeysChanged.self, from: event.payload).keys)
            case PeopleBlocked.type:
                relay.blocks.apply(try WireJSON.decode(PeopleBlocked.self, from: event.payload).pair, isBlocked: true)
            case PeopleUnblocked.type:
                let pair = try WireJSON.decode(PeopleUnblocked.self, from: event.payload).pair
                relay.blocks.apply(pair, isBlocked: false)
            case PersonChanged.type:
                relay.blocks.apply(try WireJSON.decode(PersonChanged.self, from: event.payload).person)
            default: break
            }
        } catch {
            logger.error(
                "an event of auth cannot be read; auth is asked instead",
                metadata: ["type": "\(event.header.type)", "position": "\(event.position)", "reason": "\(error)"])
            switch event.header.type {
            case PeopleBlocked.type, PeopleUnblocked.type, PersonChanged.type: relay.renewBlocks()
            default: tokens.reload()
            }
        }
    }

    /// The publisher's last events up to `head`, as many as the relay remembers; without them each listener who comes back would have
    /// to ask for its own. Nothing where they are not to be had whole.
    private func latest(of publisher: String, _ epoch: UUID, _ head: Int64) async -> [StreamItem] {
        var items: [StreamItem] = []
        var position = max(0, head - Int64(relay.logCapacity))
        do {
            while position < head {
                // Without an epoch it begins with the first that is kept.
                let batch = try await backend.call(
                    CommonMethods(service: publisher).eventsSince,
                    EventsSince(
                        epoch: items.isEmpty ? nil : epoch, position: position,
                        limit: min(Self.batch, Int(head - position))), Nothing())
                guard batch.epoch == epoch, let first = batch.events.first, let last = batch.events.last,
                    items.isEmpty || first.position == position + 1
                else { return [] }
                for event in batch.events where event.position <= head {
                    items.append(
                        StreamItem(
                            publisher: publisher, position: event.position, header: event.header,
                            payload: event.payload.utf8))
                }
                position = last.position
            }
        } catch {
            logger.notice(
                "the latest events could not be had", metadata: ["publisher": "\(publisher)", "reason": "\(error)"])
            return []
        }
        return items
    }
}
