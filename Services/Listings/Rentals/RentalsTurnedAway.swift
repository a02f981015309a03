import DurableMessaging
import Postgres
import WireProtocol

// Whose request can't be accepted any more, since somebody else has some of its days.

extension RentalTransaction {
    /// Those who wait for an answer about days that somebody else has now: at most so many, the others' time runs out. The thing is locked already.
    func turnedAway(by agreement: Agreement) -> [SQLQuery] {
        guard agreement.state == .accepted else { return [] }
        return [
            """
            SELECT \(Agreement.columns) FROM rentals
            WHERE thing = \(agreement.thing) AND state = 'requested' AND id <> \(agreement.id) AND answer_by > \(now)
                AND starts_at < \(agreement.period.endsAt) AND ends_at > \(agreement.period.startsAt)
            ORDER BY id LIMIT \(unescaped: "\(Self.mostTurnedAway)") FOR NO KEY UPDATE
            """
        ]
    }

    private static var mostTurnedAway: Int { 100 }

    func turnAway(_ rows: PostgresRows) async throws {
        for row in rows {
            let waiting = try Agreement(row)
            if let decision = waiting.giveWay(at: now) { try await keep(decision, insteadOf: waiting) }
        }
    }
}
