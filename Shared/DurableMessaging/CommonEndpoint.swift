package import Messaging
import WireProtocol

extension Database {
    /// Answers what every stateful service can be asked: its events, and what it had to set aside.
    /// - Parameter consumer: handles dead letters again; nil for a service that listens to nobody.
    package func answer(on router: inout RequestRouter, consumer: DurableConsumer? = nil) {
        let methods = CommonMethods(service: service)
        router.on(methods.eventsSince) { since, _, _ in
            try await translatingOutages { try await sequencer.outbox.events(since: since) }
        }
        router.on(methods.deadLetters) { _, _, _ in Page(items: try await deadLetters()) }
        router.on(methods.replayDeadLetters) { _, _, _ in
            try await translatingOutages {
                try await consumer?.replayDeadLetters() ?? DeadLetterReplay(replayed: 0, remaining: 0)
            }
        }
        router.on(methods.discardDeadLetters) { _, body, _ in try await discardDeadLetters(body.events) }
    }
}
