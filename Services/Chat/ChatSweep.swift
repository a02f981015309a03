import FoundationEssentials
import Logging
import ServiceKit
import ServiceLifecycle

/// Deletes rooms that ended long ago, and then their messages, batch by batch. Any number of replicas may sweep.
struct ChatSweep: Service, CustomStringConvertible {
    let store: RoomStore
    let limits: ChatLimits
    let logger: Logger
    var rooms = 100
    var messages = 2_000
    var pause = Duration.seconds(600)

    var description: String { "chat sweep" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "old rooms could not be deleted") {
            try await round()
        }
    }

    /// - Returns: Whether there may be more.
    func round() async throws -> Bool {
        let (forgotten, cleared) = try await store.transaction { rooms in
            let now = rooms.now
            return (
                try await rooms.forget(endedBefore: now - limits.retention, atMost: self.rooms),
                try await rooms.clear(newsBefore: now - ChatLimits.newsLifetime, atMost: messages)
            )
        }
        return forgotten == rooms || cleared == messages
    }
}
