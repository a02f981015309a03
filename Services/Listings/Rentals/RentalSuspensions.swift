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
        try await withholdAndGiveBack(person, atMost: limit) + callOffOfSuspended(person, atMost: limit)
    }

    /// To whom there is something to reconcile; at most so many of each kind.
    func unreconciled(atMost limit: Int) async throws -> [PersonID] {
        let answers = try await transaction.pipeline([
            withheld(of: nil, atMost: limit).owners("owner", where: Self.isShown),
            Self.suspendedWithRentals(nil, at: now, atMost: limit),
        ])
        return try Set(answers.joined().map { try $0.get("person", as: PersonID.self) }).sorted()
    }

    private static let isShown: SQLQuery = "NOT withheld"

    private func withheld(of person: PersonID?, atMost limit: Int) -> SuspendedRows {
        SuspendedRows(of: "things", RentableThing.columns, for: person, atMost: limit, in: transaction)
    }

    /// - Returns: how many things were looked at.
    func withholdAndGiveBack(_ person: PersonID?, atMost limit: Int) async throws -> Int {
        let rows = withheld(of: person, atMost: limit)
        try await rows.wait()
        let back = try await transaction.query(rows.toGiveBack(of: "owner"))
        for row in back { try await keep(row, isWithheld: false) }
        let away = try await transaction.query(rows.ofSuspended(in: "owner", where: Self.isShown))
        for row in away { try await keep(row, isWithheld: true) }
        return back.count + away.count
    }

    /// - Returns: how many agreements were looked at.
    func callOffOfSuspended(_ person: PersonID?, atMost limit: Int) async throws -> Int {
        let suspended: [PersonID] = try await transaction.query(
            Self.suspendedWithRentals(person, at: now, atMost: limit)
        ).map { try $0.get("person") }
        var called = 0
        for one in suspended { called += try await callOff(by: one) }
        return called
    }

    /// Whoever is suspended, and has asked for, promised or agreed on something that has not begun.
    private static func suspendedWithRentals(_ person: PersonID?, at now: Date, atMost limit: Int) -> SQLQuery {
        let theirs: SQLQuery = person.map { "AND suspensions.person = \($0)" } ?? ""
        func some(_ column: SQLQuery) -> SQLQuery {
            """
            EXISTS (
                SELECT FROM rentals WHERE \(column) = suspensions.person AND state IN ('requested', 'accepted') OFFSET 0)
            """
        }
        return """
            SELECT suspensions.person FROM suspensions
            WHERE suspensions.until > \(now) \(theirs) AND (\(some("owner")) OR \(some("renter")))
            ORDER BY suspensions.person LIMIT \(limit)
            """
    }

    private func keep(_ row: PostgresRow, isWithheld: Bool) async throws {
        let thing = try RentableThing(row, seal)
        try await keep(thing.becoming { $0.isWithheld = isWithheld }, insteadOf: thing)
    }
}
