import DurableMessaging
import FoundationEssentials
import Logging
import Metrics
import Postgres
import Reactor
import ServiceKit
import ServiceLifecycle
import WireProtocol

/// Finds who brings what: looks where something became possible (`marks`), lets the engine decide, and offers what it says. Whether anybody is at a restaurant is told here, too.
///
/// Marks are made in the transaction that makes something possible, so whatever commits last is seen by the round that comes after it. What somebody else is at is left to
/// the next round. Of an area there is one round at a time, whichever replica has it.
struct MatchRounds: Service, CustomStringConvertible {
    let store: DeliveryStore
    let limits: DeliveryLimits
    let logger: Logger
    var pause = Duration.milliseconds(100)
    /// Where rounds are decided in which many wait: others are answered meanwhile.
    private let pool = BlockingPool(name: "rounds", limit: 1)
    /// What the last round may have missed of the best there is, as a share of it.
    private let gap = Gauge(label: "kampong_matching_gap")

    var description: String { "match rounds" }

    func run() async throws {
        defer { pool.stop() }
        await repeatRounds(every: pause, logger: logger, failing: "matches wait for the database") {
            try await round()
        }
    }

    /// - Returns: whether there may be more to do at once.
    func round() async throws -> Bool {
        guard try await store.database.read("SELECT FROM marks LIMIT 1").first != nil else { return false }
        return try await store.transaction { deliveries in
            guard let area = try await deliveries.takeMarks() else { return false }
            let isWhole = try await deliveries.match(in: area, within: limits, on: pool) { gap.record($0) }
            try await deliveries.tellRestaurants(in: area)
            if !isWhole { try await deliveries.mark([area]) }
            return isWhole
        }
    }
}

extension DeliveryTransaction {
    /// Takes all marks of one area, which nobody else matches until this is committed.
    /// - Returns: Nil where there are none that nobody is at.
    fileprivate func takeMarks() async throws -> Int64? {
        // By chance: one area where a round fails does not keep the others from theirs.
        let first = try await transaction.query(
            "SELECT area FROM marks ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED")
        guard let area: Int64 = try first.first?.get("area") else { return nil }
        try await transaction.pipeline([
            .lock("round", area),
            "DELETE FROM marks WHERE id IN (SELECT id FROM marks WHERE area = \(area) FOR UPDATE SKIP LOCKED)",
        ])
        return area
    }

    /// - Returns: whether nothing was left out, that somebody else was at or that was too much.
    fileprivate func match(
        in area: Int64, within limits: DeliveryLimits, on pool: BlockingPool, telling gap: (Double) -> Void
    ) async throws -> Bool {
        guard let scene = try await scene(of: area) else { return true }
        let (round, now) = (scene.round, now)
        let outcome = try await round.isLarge ? pool.run { round.decided(at: now) } : round.decided(at: now)
        gap(outcome.gap)
        for offer in outcome.offers { try await make(offer, within: limits) }
        let credits = outcome.credits.map { ($0.person, $0.credit) }
        try await keep(Dictionary(credits) { _, later in later }, since: scene.credits)
        try await ask(outcome.questions + scene.trips, in: area)
        return scene.isWhole
    }

    /// The engine has looked at those who are there, and the rows are locked: nobody can have become apart or suspended since without waiting for this.
    private func make(_ offer: ProposedOffer, within limits: DeliveryLimits) async throws {
        var chance = SystemRandomNumberGenerator()
        let decision = try offer.order.offer(
            to: offer.availability, offer.fit, id: .new(at: now), code: MatchAgreement.code(using: &chance),
            until: now + limits.offer, at: now)
        try await keep(decision, insteadOf: offer.order)
    }
}
