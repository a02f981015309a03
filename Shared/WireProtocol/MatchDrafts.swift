#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What is asked of matches, what comes with an act, and where a deliverer is.

/// Names a match.
public struct MatchReference: Codable, Hashable, Sendable {
    public var id: MatchID

    public init(id: MatchID) { self.id = id }
}

/// `POST /v1/matches/{id}/{accept|decline|cancel|pick-up|give-up|postpone|complete|undo|no-show|dispute|explain|settle|tip|raise-limit}`.
public struct MatchActReference: Codable, Hashable, Sendable {
    public var id: MatchID
    public var act: MatchAct

    public init(id: MatchID, act: MatchAct) {
        self.id = id
        self.act = act
    }
}

/// What comes with an act; nothing of it has to be there where the act does not say so.
public struct MatchActDraft: Codable, Hashable, Sendable {
    /// Up to 1,000 characters; required of giving up, of a dispute, of what is said in it, and of its settlement.
    public var reason: String?
    /// Of an acceptance: in how many minutes the food is expected to be ready; of a postponement: in how many it is there.
    public var minutes: Int?
    /// Of a pick-up; not more than the limit. Absent where it is paid for already.
    public var spent: Money?
    /// A picture of it.
    public var receipt: String?
    /// Of a completion by the deliverer: the orderer's four digits.
    public var code: String?
    /// Of a tip; of a limit that is raised.
    public var amount: Money?
    /// Where a dispute is settled: which share of what is owed the orderer owes, 0…100.
    public var share: Int?
    /// As it was shown to who acts: where it is otherwise by now, nothing is done (`terms_changed`).
    public var expected: MatchExpectation?

    public init(
        reason: String? = nil, minutes: Int? = nil, spent: Money? = nil, receipt: String? = nil, code: String? = nil,
        amount: Money? = nil, share: Int? = nil, expected: MatchExpectation? = nil
    ) {
        self.reason = reason
        self.minutes = minutes
        self.spent = spent
        self.receipt = receipt
        self.code = code
        self.amount = amount
        self.share = share
        self.expected = expected
    }
}

/// What a match was when somebody was shown it. What is absent is not compared.
public struct MatchExpectation: Codable, Hashable, Sendable {
    public var state: MatchState?
    /// In minor units; 0 for nothing.
    public var fee: Int?
    /// The same.
    public var limit: Int?

    public init(state: MatchState? = nil, fee: Int? = nil, limit: Int? = nil) {
        self.state = state
        self.fee = fee
        self.limit = limit
    }
}

/// `GET /v1/matches`: the caller's own, the latest first.
public struct MatchQuery: Codable, Hashable, Sendable {
    /// Both where absent.
    public var role: MatchRole?
    /// Those that are over, or only those that are not; all where absent. Offers that came to nothing are in none.
    public var isOver: Bool?
    /// To moderators: everybody's that are disputed, and nothing else.
    public var disputed: Bool?
    public var limit: Int?
    public var cursor: String?

    public init(
        role: MatchRole? = nil, isOver: Bool? = nil, disputed: Bool? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.role = role
        self.isOver = isOver
        self.disputed = disputed
        self.limit = limit
        self.cursor = cursor
    }
}

/// `PUT /v1/matches/{id}/position`: where the deliverer is, while they have it in hand and show it. Only the last is kept, and goes with the delivery.
public struct MatchPositionDraft: Codable, Hashable, Sendable {
    public var position: Position
    /// Metres.
    public var accuracy: Int?

    public init(position: Position, accuracy: Int? = nil) {
        self.position = position
        self.accuracy = accuracy
    }
}

/// `GET /v1/matches/{id}/position`: to the orderer and the deliverer.
public struct MatchPosition: Codable, Hashable, Sendable {
    public var position: Position
    public var accuracy: Int?
    public var at: Date
    /// To where it is brought.
    public var metres: Int
    /// Along streets, where they are known.
    public var seconds: Int?
    /// How many others are brought before it.
    public var stopsBefore: Int

    public init(
        position: Position, accuracy: Int? = nil, at: Date, metres: Int, seconds: Int? = nil, stopsBefore: Int = 0
    ) {
        self.position = position
        self.accuracy = accuracy
        self.at = at
        self.metres = metres
        self.seconds = seconds
        self.stopsBefore = stopsBefore
    }
}
