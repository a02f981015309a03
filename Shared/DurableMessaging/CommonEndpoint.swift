package import Messaging
package import WireProtocol

extension Database {
    /// Answers what every stateful service can be asked: its events, and what it had to set aside.
    /// - Parameters:
    ///   - stream: what the service publishes, to whom.
    ///   - consumer: handles dead letters again; nil for a service that listens to nobody.
    package func answer(
        on router: inout RequestRouter, publishing stream: PublishedStream, consumer: DurableConsumer? = nil
    ) {
        let methods = stream.methods
        router.on(methods.eventsSince) { since, _, _ in
            try await translatingOutages { try await sequencer.outbox.events(since: since) }
        }
        router.on(methods.deadLetters) { query, _, _ in try await deadLetters(after: query.cursor) }
        router.on(methods.replayDeadLetters) { _, _, _ in
            try await translatingOutages {
                try await consumer?.replayDeadLetters() ?? DeadLetterReplay(replayed: 0, remaining: 0)
            }
        }
        router.on(methods.discardDeadLetters) { _, body, _ in try await discardDeadLetters(body.events) }
    }
}
