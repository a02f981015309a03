// What is done to an agreement, and what whoever does it was shown before.

/// `POST /v1/rentals/{id}/{accept|decline|cancel|hand-over|return|no-show|dispute|explain|settle}`.
public struct RentalActReference: Codable, Hashable, Sendable {
    public var id: RentalID
    public var act: RentalAct

    public init(id: RentalID, act: RentalAct) {
        self.id = id
        self.act = act
    }
}

/// What comes with an act; nothing of it has to be there where the act does not say so.
public struct RentalActDraft: Codable, Hashable, Sendable {
    /// Up to 1,000 characters; required of a dispute, of what is said in it, and of its settlement.
    public var reason: String?
    /// Of the thing's state, where it is handed over or given back, or of what is disputed; at most twelve.
    public var photos: [String]?
    /// Where a dispute is settled: which share of the cost the renter owes, 0…100.
    public var share: Int?
    /// What was shown to who acts: where it is otherwise by now, nothing is done (`terms_changed`). Anything goes where absent.
    public var expected: RentalExpectation?

    public init(
        reason: String? = nil, photos: [String]? = nil, share: Int? = nil, expected: RentalExpectation? = nil
    ) {
        self.reason = reason
        self.photos = photos
        self.share = share
        self.expected = expected
    }
}

/// What an agreement was, and what an act would have come to, when somebody was shown it. What is absent is not compared.
public struct RentalExpectation: Codable, Hashable, Sendable {
    /// The state that it was in.
    public var state: RentalState?
    /// What the renter would owe once it is done, in minor units of the agreement's currency; 0 for nothing.
    public var owed: Int?
    /// How many times the two had said or shown something (`evidence`).
    public var evidence: Int?

    public init(state: RentalState? = nil, owed: Int? = nil, evidence: Int? = nil) {
        self.state = state
        self.owed = owed
        self.evidence = evidence
    }
}

extension RentalAct {
    /// Whether it decides what is owed, so that who does it has to know what that is.
    package var decidesWhatIsOwed: Bool {
        switch self {
        case .accept, .cancel, .reportNoShow, .settle: true
        case .decline, .handOver, .giveBack, .dispute, .explain: false
        }
    }
}
