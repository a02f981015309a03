import DurableMessaging
import FoundationEssentials
import Logging
import Metrics
import Postgres
import Reactor
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Finds who brings what: looks at what became possible (`marks`), lets the engine decide, and offers what it says. Whether anybody is at a restaurant is told here, too.
///
/// Marks are made in the transaction that makes something possible, so whatever commits last is seen by the round that comes after it. What somebody else is at is left to
/// the next round. Of an area there is one round at a time, whichever replica has it.
struct MatchRounds: Service, CustomStringConvertible {
    let store: DeliveryStore
    let limits: DeliveryLimits
    let logger: Logger
    /// After what was done elsewhere than in this process.
    var pause = Duration.milliseconds(100)
    /// What comes within it is decided in one round.
    var gathering = Duration.milliseconds(5)
    /// Where rounds are decided in which many wait: others are answered meanwhile.
    private let pool = BlockingPool(name: "rounds", limit: 1)
    /// What the last round may have missed of the best there is, as a share of it.
    private let gap = Gauge(label: "kampong_matching_gap")

    var description: String { "match rounds" }

    func run() async throws {
        defer { pool.stop() }
        await repeatRounds(
            every: pause, ringing: store.bell, gathering: gathering, logger: logger,
            failing: "matches wait for the database"
        ) {
            try await round()
        }
    }

    /// - Returns: whether there may be more to do at once.
    func round() async throws -> Bool {
        guard try await store.database.read("SELECT FROM marks ORDER BY id LIMIT 1").first != nil else { return false }
        return try await store.transaction { deliveries in
            guard let marks = try await deliveries.takeMarks() else { return false }
            let round = MatchRound(deliveries: deliveries, area: marks.area, limits: limits, pool: pool, logger: logger)
            let waiting = try await deliveries.waiting(of: marks, logger: logger)
            let (again, isWhole) = try await round.match(waiting) { gap.record($0) }
            try await deliveries.mark(again, in: marks.area)
            try await deliveries.tellRestaurants(marks.restaurants, in: marks.area)
            return isWhole
        }
    }
}

/// One round: orders that wait in an area, until all are offered that can be.
private struct MatchRound {
    let deliveries: DeliveryTransaction
    let area: Int64
    let limits: DeliveryLimits
    let pool: BlockingPool
    let logger: Logger

    /// For how many orders at once more are looked at than the usual candidates.
    private static let mostAtLength = 10

    /// - Parameter gap: is told what was missed at most.
    /// - Returns: orders that are to be looked at again, and whether none of them for the reason that somebody else was at something.
    func match(
        _ waiting: [FoundRow<PlacedOrder>], telling gap: (Double) -> Void
    ) async throws -> (again: Set<OrderID>, isWhole: Bool) {
        let first = try await pass(waiting, atMost: MatchCandidates.usual, telling: gap)
        // Of those who were looked at nobody fits along streets, and there are others.
        let unlucky = waiting.filter { first.unlucky.contains($0.value.id) }
        let few = Array(unlucky.prefix(Self.mostAtLength))
        let second = try await pass(few, atMost: MatchCandidates.atLength, telling: gap)
        let left = unlucky.dropFirst(Self.mostAtLength).map(\.value.id)
        return (
            first.missed.union(second.missed).union(first.again).union(second.again).union(left),
            first.missed.isEmpty && second.missed.isEmpty
        )
    }

    private struct Passed {
        /// What was decided for them is not so any more, or somebody is at it.
        var missed: Set<OrderID> = []
        /// All who were looked at for them have gone to others, and there may be more.
        var again: Set<OrderID> = []
        /// Nobody who was looked at fits, and there may be more.
        var unlucky: Set<OrderID> = []
    }

    private func pass(
        _ waiting: [FoundRow<PlacedOrder>], atMost limit: Int, telling gap: (Double) -> Void
    ) async throws -> Passed {
        let candidates = try await deliveries.candidates(for: waiting.map(\.value.id), atMost: limit)
        let possible = waiting.filter { candidates[$0.value.id] != nil }
        if possible.isEmpty { return Passed() }
        let scene = try await deliveries.scene(possible, Set(candidates.values.joined()), logger: logger)
        let (round, now) = (scene.round, deliveries.now)
        let outcome = try await round.isLarge ? pool.run { round.decided(at: now) } : round.decided(at: now)
        gap(outcome.gap)

        let (kept, missed) = try await deliveries.locked(outcome.offers, of: scene)
        try await deliveries.make(try kept.map { try decision(on: $0) })
        let credits = Dictionary(outcome.credits.map { ($0.person, $0.credit) }) { _, later in later }
        try await deliveries.keep(DeliveryTurns.taken(missed, from: credits, at: now), since: scene.credits)
        try await deliveries.ask(outcome.questions + scene.trips, in: area)

        let (offered, asked) = (Set(outcome.offers.map(\.order.id)), Set(outcome.offers.map(\.availability.id)))
        var passed = Passed(missed: Set(missed.map(\.order.id)))
        for (order, found) in candidates where found.count == limit && !offered.contains(order) {
            if asked.isDisjoint(with: found) { passed.unlucky.insert(order) } else { passed.again.insert(order) }
        }
        return passed
    }

    private func decision(on offer: ProposedOffer) throws -> (OrderDecision, PlacedOrder) {
        var chance = SystemRandomNumberGenerator()
        let now = deliveries.now
        let decision = try offer.order.offer(
            to: offer.availability, offer.fit, id: .new(at: now), code: MatchAgreement.code(using: &chance),
            until: now + limits.offer, at: now)
        return (decision, offer.order)
    }
}
