import Postgres
import WireProtocol

/// One page of agreements, the latest request first.
struct AgreementPage: Hashable, Sendable {
    var whose: Whose
    /// In any where empty.
    var states: [RentalState] = []
    /// Of this one alone.
    var thing: ThingID?
    var limit = PageSize.usual
    var after: RentalID?

    enum Whose: Hashable, Sendable {
        case own(PersonID, RentalRole?)
        /// What moderators have to settle.
        case disputed
    }

    init(_ query: RentalQuery, for caller: Caller) throws {
        let person = try caller.requirePerson()
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { RentalID($0) }
        guard errors.isEmpty else { throw RentalError.invalid(errors) }
        thing = query.thing
        states = query.state.map { [$0] } ?? query.stage?.states ?? []
        if let state = query.state, let stage = query.stage, RentalStage(of: state) != stage {
            throw RentalError.invalid([FieldError("state", "not_allowed", "This state is not of that stage.")])
        }
        whose = .own(person, query.role)
        if query.disputed == true {
            guard caller.roles.contains(.moderator) else {
                throw ServiceError(.forbidden, "Only moderators see these.")
            }
            whose = .disputed
        }
    }

    init(_ whose: Whose, limit: Int, after: RentalID?) {
        self.whose = whose
        self.limit = limit
        self.after = after
    }

    /// Answers the first `limit` + 1.
    var statement: SQLQuery {
        switch whose {
        case .own(let person, .owner): list(of: ["owner = \(person)"])
        case .own(let person, .renter): list(of: ["renter = \(person)"])
        case .own(let person, nil): list(of: ["owner = \(person)", "renter = \(person)"])
        case .disputed: list(of: ["state = 'disputed'"])
        }
    }

    /// Each role and each state from its own index: one condition for several would read all of a person's past, or everybody's.
    private func list(of roles: [SQLQuery]) -> SQLQuery {
        let conditions = roles.flatMap { role in
            states.isEmpty ? [role] : states.map { "\(role) AND state = \($0.rawValue)" as SQLQuery }
        }
        let lists = conditions.map { list(where: $0) }
        guard var all = lists.first, lists.count > 1 else { return lists.first ?? "" }
        all = "(\(all))"
        for list in lists.dropFirst() { all += " UNION ALL (\(list))" }
        return "SELECT \(Agreement.columns) FROM (\(all)) AS own ORDER BY id DESC \(most)"
    }

    private func list(where whose: SQLQuery) -> SQLQuery {
        var condition = whose
        if let thing { condition += " AND thing = \(thing)" }
        if let after { condition += " AND id < \(after)" }
        return "SELECT \(Agreement.columns) FROM rentals WHERE \(condition) ORDER BY id DESC \(most)"
    }

    private var most: SQLQuery { "LIMIT \(unescaped: "\(limit + 1)")" }
}
