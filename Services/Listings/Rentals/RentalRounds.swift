import DurableMessaging
import Logging
import People
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

    /// What cannot be read keeps nothing else from being done.
    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let looked = [
            try await store.pass("rentals", "due_at", atMost: batch) { try await $0.pass($1, atMost: $2) },
            try await store.pass("rentals", "remind_at", atMost: batch) { try await $0.remind($1, atMost: $2) },
            try await store.pass("rentals", "talk_until", atMost: batch) { try await $0.closeRooms($1, atMost: $2) },
            try await reconcile(),
            try await store.transaction { try await $0.forgetPlates(atMost: batch) },
        ]
        return looked.contains { $0 >= batch }
    }

    private func reconcile() async throws -> Int {
        try await store.reconcile(
            all: { try await $0.reconcile(atMost: batch) },
            people: { try await $0.unreconciled(atMost: batch) },
            steps: [
                { try await $0.withholdAndGiveBack($1, atMost: batch) },
                { try await $0.callOffOfSuspended($1, atMost: batch) },
            ])
    }
}
