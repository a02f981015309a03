import Foundation
import KampongClient
import Synchronization
import WireProtocol

/// Someone who keeps the live stream open and remembers what came.
final class Listener: Sendable {
    private let heard = Mutex<[StreamEvent]>([])
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let client: KampongClient
    private let box: BoundingBox?

    init(_ client: KampongClient, in box: BoundingBox? = nil) {
        self.client = client
        self.box = box
    }

    var events: [StreamEvent] { heard.withLock { $0 } }

    /// Opens one connection, resuming after the last event that was heard.
    func connect() {
        let last = events.last?.id
        let stream = client.connection(after: last, in: box)
        let reading = Task { [weak self] in
            do { for try await event in stream { self?.heard.withLock { $0.append(event) } } } catch {}
        }
        task.withLock { $0 = reading }
    }

    func cut() {
        task.withLock {
            $0?.cancel()
            $0 = nil
        }
    }

    /// The ids of the spots that came under this name, in the order of their coming.
    func spots(named name: String) -> [SpotID] {
        events.filter { $0.name == name }.compactMap { event in
            let bytes = Array(event.data.utf8)
            if let added = try? WireJSON.decode(SpotAdded.self, from: bytes) { return added.spot.id }
            if let claimed = try? WireJSON.decode(SpotClaimed.self, from: bytes) { return claimed.id }
            return nil
        }
    }

    deinit { cut() }
}
