import FoundationEssentials
import WireProtocol

// What is true of a friendship. No I/O and no clock: the time is an argument. Each transition answers with what is to be kept
// and what happened, or throws why it may not be.

/// A question whether to be friends, and once it was accepted, a friendship. There is at most one for each two people.
struct Friendship: Hashable, Sendable {
    let asker: PersonID
    let asked: PersonID
    var isAccepted = false
    /// When it was asked; once accepted, when that was.
    var since: Date

    /// Both, the smaller id first.
    var people: (low: PersonID, high: PersonID) {
        (min(asker, asked), max(asker, asked))
    }

    func state(for person: PersonID) -> FriendState {
        if isAccepted { return .friends }
        return person == asker ? .asked : .waiting
    }
}

/// What a transition comes to.
enum FriendshipDecision: Hashable, Sendable {
    /// It was so before.
    case stays(Friendship?)
    case asked(Friendship)
    case began(Friendship)
    /// A question was taken back or declined: it is gone, and neither of the two is told.
    case dropped(Friendship)
    case ended(Friendship)

    /// As it is afterwards.
    var friendship: Friendship? {
        switch self {
        case .stays(let friendship): friendship
        case .asked(let friendship), .began(let friendship): friendship
        case .dropped, .ended: nil
        }
    }
}

/// Why something may not be done.
enum FriendshipError: Error, Hashable, Sendable {
    case oneself
    case unknownPerson
    case tooMany(limit: Int)
    /// It does not stand as the one who asks believes.
    case changed
}

/// What a community allows.
struct FriendLimits: Hashable, Sendable {
    /// Friends, and people who were asked, that one may have at once: what mutual friends are looked for among.
    var most = 2000
}

extension Friendship {
    /// Asks; or accepts, where the other one has asked.
    /// - Parameters:
    ///   - found: what there is between the two.
    ///   - count: friends that the person has, with those whom they have asked.
    static func press(
        by person: PersonID, for other: PersonID, finding found: Friendship?, having count: Int, at now: Date,
        within limits: FriendLimits
    ) throws(FriendshipError) -> FriendshipDecision {
        guard person != other else { throw .oneself }
        if let found, found.state(for: person) != .waiting { return .stays(found) }
        guard count < limits.most else { throw .tooMany(limit: limits.most) }
        guard var found else { return .asked(Friendship(asker: person, asked: other, since: now)) }
        found.isAccepted = true
        found.since = now
        return .began(found)
    }

    /// Ends, takes back or declines what there is.
    /// - Parameter expected: how it has to stand; nil where that does not matter.
    static func end(
        by person: PersonID, with other: PersonID, finding found: Friendship?, expecting expected: FriendState?
    ) throws(FriendshipError) -> FriendshipDecision {
        guard person != other else { throw .oneself }
        // Gone is what was wanted, whoever did it.
        guard let found else { return .stays(nil) }
        if let expected, found.state(for: person) != expected { throw .changed }
        return found.isAccepted ? .ended(found) : .dropped(found)
    }
}
