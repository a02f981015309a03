import Logging
import ServiceKit
import ServiceLifecycle

/// Ends what nobody answered or nobody came for, takes what was forgotten for returned, reminds the two of what is due, closes rooms about
/// what is over, forgets which plates were tried, and brings back what was withheld of people whose suspension is over.
///
/// What is due is in the database, by its time: nothing is forgotten while all replicas are away, and of those that run each takes what no other
/// is at.
struct RentalRounds: Service, CustomStringConvertible {
    let store: RentalStore
    let logger: Logger
    var batch = 100
    var pause = Duration.seconds(1)

    var description: String { "rental rounds" }

    func run() async throws {
        await repeatRounds(every: pause, logger: logger, failing: "what is due of rentals waits for the database") {
            try await round()
        }
    }

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let passed = try await store.transaction { try await $0.pass(atMost: batch) }
        let reminded = try await store.transaction { try await $0.remind(atMost: batch) }
        let closed = try await store.transaction { try await $0.closeRooms(atMost: batch) }
        let reconciled = try await store.transaction { try await $0.reconcile(atMost: batch) }
        let forgotten = try await store.transaction { try await $0.forgetPlates(atMost: batch) }
        return max(passed, reminded, closed, reconciled, forgotten) >= batch
    }
}
