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

    /// - Returns: whether there is more to do.
    func round() async throws -> Bool {
        let looked = [
            try await pass("due_at") { try await $0.pass($1, atMost: $2) },
            try await pass("remind_at") { try await $0.remind($1, atMost: $2) },
            try await pass("talk_until") { try await $0.closeRooms($1, atMost: $2) },
            try await reconcile(),
            try await store.transaction { try await $0.forgetPlates(atMost: batch) },
        ]
        return looked.contains { $0 >= batch }
    }

    /// What cannot be read keeps nothing else from being done (`Database.pass`).
    private func pass(
        _ time: String, _ body: @Sendable @escaping (RentalTransaction, DueRows, Int) async throws -> Int
    ) async throws -> Int {
        let (store, batch) = (store, batch)
        return try await store.database.pass(DueRows("rentals", time), atMost: batch, logger: logger) { due in
            try await store.transaction { try await body($0, due, batch) }
        }
    }

    private func reconcile() async throws -> Int {
        try await People.reconcile(
            logger: logger, all: { try await store.transaction { try await $0.reconcile(atMost: batch) } },
            people: { try await store.transaction { try await $0.unreconciled(atMost: batch) } },
            steps: [
                { person in try await store.transaction { _ = try await $0.withholdAndGiveBack(person, atMost: batch) }
                },
                { person in try await store.transaction { _ = try await $0.callOffOfSuspended(person, atMost: batch) }
                },
            ])
    }
}
