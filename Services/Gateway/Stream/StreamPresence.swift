package import Logging
import ServiceLifecycle
import WireProtocol

/// Tells the notification service who has a page or the app open: when their stream begins, and while it lasts, once a minute at the most
/// for each. Who looks is not written a mail.
package struct StreamPresence: Service {
    private let relay: StreamRelay
    private let backend: any Backend
    private let logger: Logger
    /// How many are told of at once: thousands may come back together.
    private static let abreast = 8
    private static let pause = Duration.seconds(60)

    package init(relay: StreamRelay, backend: any Backend, logger: Logger) {
        self.relay = relay
        self.backend = backend
        self.logger = logger
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var told: [PersonID: ContinuousClock.Instant] = [:]
            while true {
                try await Task.sleep(for: .seconds(1))
                let now = ContinuousClock.now
                // Who was told of a minute ago, and is there still, is told of again; all others are forgotten. By the clock: telling takes
                // its time where the service is slow.
                told = told.filter { now - $0.value < Self.pause }
                let due = self.relay.people.subtracting(told.keys)
                for person in due { told[person] = now }
                await self.tell(due)
            }
        }
    }

    /// Where the service is away, the next minute tells it.
    func tell(_ people: Set<PersonID>) async {
        var rest = people.makeIterator()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.abreast { if let person = rest.next() { group.addTask { await tell(person) } } }
            while await group.next() != nil {
                if let person = rest.next() { group.addTask { await tell(person) } }
            }
        }
    }

    private func tell(_ person: PersonID) async {
        do {
            _ = try await backend.call(
                NotificationMethods.noteSeen, Nothing(), Nothing(), as: Caller(person: person), within: 2)
        } catch {
            logger.debug("who looks could not be told", metadata: ["reason": "\(error)"])
        }
    }
}
