import Logging
import ServiceKit
import ServiceLifecycle

/// Tells whoever has a chat open that it cannot be written in while one of the two is suspended, and that it can again.
///
/// A suspension begins by an event, ends by its time alone, and may be known by a snapshot only. So what was told is kept and compared with who
/// is suspended, which leaves out none of these, and nothing while all replicas are away. Any number of replicas may compare.
struct SuspensionNews<Store: RoomStore>: Service, CustomStringConvertible {
    let store: Store
    let logger: Logger
    var people = 20
    var rooms = ChatLimits.roomsTold
    var pause = Duration.seconds(2)

    var description: String { "suspension news" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "open chats could not be told of suspensions") {
            try await round()
        }
    }

    /// Each person by a transaction of their own: however many are suspended at once, none writes more events than one person has rooms to tell.
    /// - Returns: Whether there may be more.
    func round() async throws -> Bool {
        let due = try await store.transaction { try await $0.suspensionsToTell(atMost: people) }
        for person in due {
            try await store.transaction { try await $0.tellOfSuspension(of: person, inAtMost: rooms) }
        }
        return due.count == people
    }
}
