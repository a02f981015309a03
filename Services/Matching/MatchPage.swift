import FoundationEssentials
import Postgres
import WireProtocol

/// One page of matches, the latest first. Offers that came to nothing are in none.
struct MatchPage: Hashable, Sendable {
    var whose: Whose
    /// Those that are over, or those that are not; all where nil.
    var isOver: Bool?
    var limit = PageSize.usual
    var after: MatchID?

    enum Whose: Hashable, Sendable {
        case own(PersonID, MatchRole?)
        /// What moderators have to settle.
        case disputed
    }

    /// - Throws: `invalid`, `unauthenticated`, or `forbidden` where somebody asks for what is disputed who does not moderate.
    init(_ query: MatchQuery, for caller: Caller) throws {
        let person = try caller.requirePerson()
        var errors: [FieldError] = []
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { MatchID($0) }
        guard errors.isEmpty else { throw DeliveryError.invalid(errors) }
        (whose, isOver) = (.own(person, query.role), query.isOver)
        if query.disputed == true {
            guard caller.roles.contains(.moderator) else {
                throw ServiceError(.forbidden, "Only moderators see these.")
            }
            (whose, isOver) = (.disputed, nil)
        }
    }

    init(_ whose: Whose, isOver: Bool? = nil, limit: Int = PageSize.usual, after: MatchID? = nil) {
        (self.whose, self.isOver, self.limit, self.after) = (whose, isOver, limit, after)
    }

    /// Answers the first `limit` + 1. Each role from its own index: one condition for both would read all of a person's past.
    func statement(at now: Date) -> SQLQuery {
        switch whose {
        case .own(let person, .orderer?): list(where: "orderer = \(person)", at: now)
        case .own(let person, .deliverer?): list(where: "deliverer = \(person)", at: now)
        case .disputed: list(where: "state = 'disputed'", at: now)
        case .own(let person, nil):
            """
            SELECT \(MatchAgreement.columns) FROM (
                (\(list(where: "orderer = \(person)", at: now)))
                UNION ALL (\(list(where: "deliverer = \(person)", at: now)))) AS own
            ORDER BY id DESC \(most)
            """
        }
    }

    private func list(where whose: SQLQuery, at now: Date) -> SQLQuery {
        var condition = whose + " AND \(MatchAgreement.isShown(at: now))"
        switch isOver {
        case true?: condition += " AND (NOT \(MatchAgreement.isRunning) OR \(MatchAgreement.hasPassed(at: now)))"
        case false?: condition += " AND \(MatchAgreement.isRunning) AND NOT \(MatchAgreement.hasPassed(at: now))"
        case nil: break
        }
        if let after { condition += " AND id < \(after)" }
        return "SELECT \(MatchAgreement.columns) FROM matches WHERE \(condition) ORDER BY id DESC \(most)"
    }

    private var most: SQLQuery { "LIMIT \(unescaped: "\(limit + 1)")" }
}

extension MatchAgreement {
    /// As its indexes have it.
    static let isRunning: SQLQuery = "state IN ('offered', 'accepted', 'pickedUp', 'delivered', 'received', 'disputed')"

    /// Whether time has ended it, and the rounds have not come by.
    fileprivate static func hasPassed(at now: Date) -> SQLQuery { "coalesce(due_at <= \(now), false)" }

    /// Whether it is an offer that may still be answered, or came to something.
    fileprivate static func isShown(at now: Date) -> SQLQuery {
        "state NOT IN ('declined', 'expired', 'withdrawn') AND (state <> 'offered' OR expires_at > \(now))"
    }
}
