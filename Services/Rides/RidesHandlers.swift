import DurableMessaging
import People
import Postgres
import WireProtocol

/// What auth says of people and of what moderators decide, and what becomes of rides and of seats in them.
struct RidesHandlers: Sendable {
    let store: RideStore
    /// Of one person at once; the rounds take what is left.
    private static let mostOfOne = 1000

    func follow(_ community: Community, on consumer: DurableConsumer) {
        community.follow(
            on: consumer,
            erase: { person, transaction in try await store.rides(in: transaction).erase(person) },
            changed: { person, transaction in try await store.rides(in: transaction).tellSearchesOfMoved(person) },
            parted: { pair, transaction in
                // Two who are together again have nothing left to end.
                if try await areApart(pair, in: transaction) { try await store.rides(in: transaction).part(pair) }
            },
            suspended: { person, transaction in
                _ = try await store.rides(in: transaction).reconcile(person, atMost: Self.mostOfOne)
            })
        consumer.on(SubjectHidden.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            guard let id = event.subject.id(of: Ride.self) else { return }
            try await store.rides(in: transaction).hide(id, event.hiding)
        }
        consumer.on(SubjectRestored.self, from: PeerRole.auth.rawValue) { event, _, transaction in
            guard let id = event.subject.id(of: Ride.self) else { return }
            try await store.rides(in: transaction).restore(id)
        }
    }

    private func areApart(_ pair: BlockedPair, in transaction: CommandTransaction) async throws -> Bool {
        try await transaction.query(
            "SELECT NOT \(BlockProjection.isTogetherHere("\(pair.high)", with: pair.low)) AS apart")[0].get("apart")
    }
}
