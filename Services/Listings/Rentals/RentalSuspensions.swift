import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What becomes of things and agreements of those who are suspended.

extension RentalTransaction {
    /// Makes what one person shares, or everybody, follow from who is suspended now; at most so many. What a suspended person has not begun with others
    /// is called off, by which the others hear of it.
    /// - Returns: how many things and agreements were looked at.
    func reconcile(_ person: PersonID? = nil, atMost limit: Int) async throws -> Int {
        let rows = SuspendedRows(of: "things", RentableThing.columns, for: person, atMost: limit, in: transaction)
        try await rows.wait()
        let back = try await transaction.query(rows.toGiveBack(of: "owner"))
        for row in back { try await keep(row, isWithheld: false) }
        let away = try await transaction.query(rows.ofSuspended(in: "owner", where: "NOT withheld"))
        for row in away { try await keep(row, isWithheld: true) }
        let theirs: SQLQuery = person.map { "AND suspensions.person = \($0)" } ?? ""
        let suspended: [PersonID] = try await transaction.query(
            """
            SELECT suspensions.person FROM suspensions
            WHERE suspensions.until > \(now) \(theirs) AND (
                EXISTS (
                    SELECT FROM rentals WHERE owner = suspensions.person AND state IN ('requested', 'accepted') OFFSET 0)
                OR EXISTS (
                    SELECT FROM rentals WHERE renter = suspensions.person AND state IN ('requested', 'accepted') OFFSET 0))
            ORDER BY suspensions.person LIMIT \(limit)
            """
        ).map { try $0.get("person") }
        var called = 0
        for one in suspended { called += try await callOff(by: one) }
        return back.count + away.count + called
    }

    private func keep(_ row: PostgresRow, isWithheld: Bool) async throws {
        let thing = try RentableThing(row, seal)
        try await keep(thing.becoming { $0.isWithheld = isWithheld }, insteadOf: thing)
    }
}
