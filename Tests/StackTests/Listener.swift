import Foundation
import KampongClient
import Synchronization
import WireProtocol

/// Someone who keeps the live stream open and remembers what came.
final class Listener: Sendable {
    private let heard = Mutex<[StreamEvent]>([])
    /// What the next connection resumes after.
    private let position = Mutex<String?>(nil)
    private let trouble = Mutex<(any Error)?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let client: KampongClient
    private let box: BoundingBox?

    init(_ client: KampongClient, in box: BoundingBox? = nil) {
        self.client = client
        self.box = box
    }

    var events: [StreamEvent] { heard.withLock { $0 } }

    /// Opens one connection, resuming where the last one was cut. When this returns, nothing is missed from there on.
    func connect() async throws {
        let stream = client.connection(after: position.withLock { $0 }, in: box)
        let (opened, opening) = AsyncStream.makeStream(of: Void.self)
        let reading = Task { [weak self] in
            defer { opening.finish() }
            do {
                for try await message in stream {
                    self?.take(message)
                    opening.yield()
                }
            } catch { self?.trouble.withLock { $0 = error } }
        }
        task.withLock { $0 = reading }
        for await _ in opened { return }
        throw trouble.withLock { $0 } ?? URLError(.networkConnectionLost)
    }

    private func take(_ message: StreamMessage) {
        switch message {
        case .position(let stands): position.withLock { $0 = stands.isEmpty ? $0 : stands }
        case .event(let event):
            heard.withLock { $0.append(event) }
            position.withLock { $0 = event.id }
        }
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
