package import DurableMessaging
package import FoundationEssentials
package import WireProtocol

extension DurableConsumer {
    /// One event comes: auth's, unless somebody else is named.
    package func hear(
        _ event: some Event, from publisher: String = "auth", at position: Int64, of epoch: UUID,
        on moment: Date = Date()
    ) async throws {
        let header = EventHeader(
            id: .version7(), type: Swift.type(of: event).type, aggregate: "one", audience: .nobody, occurredAt: moment)
        try await consume([
            EventEnvelope(
                publisher: publisher, epoch: epoch, position: position, header: header,
                payload: try WireJSON.encode(event))
        ])
    }
}
