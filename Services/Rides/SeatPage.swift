import FoundationEssentials
import Postgres
import WireProtocol

/// One page of requests for seats, the latest first.
struct SeatPage: Hashable, Sendable {
    var whose: Whose
    /// In any where nil.
    var state: SeatState?
    /// Of this one alone.
    var ride: RideID?
    var limit = PageSize.usual
    var after: SeatRequestID?

    enum Whose: Hashable, Sendable {
        case own(PersonID, SeatRole?)
        /// What moderators have to settle.
        case disputed
    }

    /// - Throws: `invalid`, `unauthenticated`, or `forbidden` where somebody asks for what is disputed who does not moderate.
    init(_ query: SeatRequestQuery, for caller: Caller) throws {
        let person = try caller.requirePerson()
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { SeatRequestID($0) }
        guard errors.isEmpty else { throw RideError.invalid(errors) }
        (ride, state) = (query.ride, query.state)
        whose = .own(person, query.role)
        if query.disputed == true {
            guard caller.roles.contains(.moderator) else {
                throw ServiceError(.forbidden, "Only moderators see these.")
            }
            whose = .disputed
        }
    }

    init(_ whose: Whose, limit: Int, after: SeatRequestID?) {
        (self.whose, self.limit, self.after) = (whose, limit, after)
    }

    /// Answers the first `limit` + 1. Each role from its own index: one condition for both would read all of a person's past.
    var statement: SQLQuery {
        switch whose {
        case .own(let person, .driver): list(where: isOwn("driver", person))
        case .own(let person, .rider): list(where: isOwn("rider", person))
        case .disputed: list(where: "state = 'disputed'")
        case .own(let person, nil):
            """
            SELECT \(SeatAgreement.columns) FROM (
                (\(list(where: isOwn("driver", person)))) UNION ALL (\(list(where: isOwn("rider", person))))) AS own
            ORDER BY id DESC \(most)
            """
        }
    }

    /// Those of one ride come from its own index. A person's has all of their past, and can't be taken for what is written so.
    private func isOwn(_ column: SQLQuery, _ person: PersonID) -> SQLQuery {
        ride == nil ? "\(column) = \(person)" : "\(column) IS NOT DISTINCT FROM \(person)"
    }

    private func list(where whose: SQLQuery) -> SQLQuery {
        var condition = whose
        if let state { condition += " AND state = \(state.rawValue)" }
        if let ride { condition += " AND ride = \(ride)" }
        if let after { condition += " AND id < \(after)" }
        return "SELECT \(SeatAgreement.columns) FROM seat_requests WHERE \(condition) ORDER BY id DESC \(most)"
    }

    private var most: SQLQuery { "LIMIT \(unescaped: "\(limit + 1)")" }
}
