import DurableMessaging
import People
import Postgres
import WireProtocol

/// What auth says of people, and what becomes of deliveries and of standing searches. Of what moderators hide it has nothing: see MatchingModeration.swift.
struct MatchingHandlers: Sendable {
    let store: DeliveryStore
    let wanted: WantedStore

    func follow(_ community: Community, on consumer: DurableConsumer) {
        community.follow(
            on: consumer,
            erase: { person, transaction in
                let (records, photos) = try await store.deliveries(in: transaction).erase(person)
                return (records + (try await wanted.wanted(in: transaction).erase(person)), photos)
            },
            changed: { person, transaction in try await wanted.wanted(in: transaction).lookWhereTheyBelong(person) },
            parted: { pair, transaction in
                // Two who are together again have nothing left to end, and may find what the other shares.
                if try await areApart(pair, in: transaction) {
                    try await store.deliveries(in: transaction).part(pair)
                } else {
                    try await wanted.wanted(in: transaction).lookOnceMore(for: [pair.low, pair.high])
                }
            },
            suspended: { person, transaction in
                _ = try await store.deliveries(in: transaction).reconcile(person, atMost: 1)
            })
    }

    private func areApart(_ pair: BlockedPair, in transaction: CommandTransaction) async throws -> Bool {
        try await transaction.query(
            "SELECT NOT \(BlockProjection.isTogetherHere("\(pair.high)", with: pair.low)) AS apart")[0].get("apart")
    }
}
