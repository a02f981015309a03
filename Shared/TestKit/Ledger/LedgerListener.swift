import KampongClient
import Synchronization
import WireProtocol

/// Somebody who listens to the live stream all the time, through the client that reconnects and resumes by itself.
final class LedgerListener: Sendable {
    private let heard: Mutex<HeardStream>
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// What the gateway says of the stream itself, rather than of something that happened.
    private static let control: Set<String> = ["bye", "end"]

    init(_ name: String, person: PersonID?, client: KampongClient) {
        heard = Mutex(HeardStream(listener: name, person: person, messages: []))
        let listening = Task { [weak self] in
            do {
                for try await event in client.events() where !Self.control.contains(event.name) {
                    self?.heard.withLock { $0.messages.append(.init(type: event.name, payload: event.data)) }
                }
            } catch { self?.heard.withLock { $0.end = "\(error)" } }
        }
        task.withLock { $0 = listening }
    }

    var stream: HeardStream { heard.withLock { $0 } }

    func stop() { task.withLock { $0?.cancel() } }

    deinit { stop() }
}
