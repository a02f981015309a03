import FoundationEssentials
import WireProtocol

// What is true of a block. No I/O and no clock: the time is an argument.

/// Somebody wants to have nothing to do with somebody else. There is at most one for each two people: who is blocked does not find
/// the other one any more, and so cannot block them.
struct Block: Hashable, Sendable {
    let blocker: PersonID
    let blocked: PersonID
    let since: Date

    var pair: BlockedPair { BlockedPair(blocker, blocked) }
}

/// What blocking comes to.
enum BlockDecision: Hashable, Sendable {
    /// It was so before.
    case stays(Block)
    case begins(Block)

    var block: Block {
        switch self {
        case .stays(let block), .begins(let block): block
        }
    }
}

/// Why somebody may not be blocked.
enum BlockError: Error, Hashable, Sendable {
    case oneself
    /// There is nobody, or nobody whom this person may know of.
    case unknownPerson
    case tooMany(limit: Int)
}

/// What a community allows.
struct BlockLimits: Hashable, Sendable {
    /// People that one may have blocked at once.
    var most = 1000
}

extension Block {
    /// - Parameters:
    ///   - found: what there is between the two, whoever did it.
    ///   - count: how many the person has blocked already.
    static func begin(
        by person: PersonID, against other: PersonID, finding found: Block?, having count: Int, at now: Date,
        within limits: BlockLimits
    ) throws(BlockError) -> BlockDecision {
        guard person != other else { throw .oneself }
        if let found {
            // Who was blocked is told what those are told who ask for nobody.
            guard found.blocker == person else { throw .unknownPerson }
            return .stays(found)
        }
        guard count < limits.most else { throw .tooMany(limit: limits.most) }
        return .begins(Block(blocker: person, blocked: other, since: now))
    }

    /// - Returns: What ends; nil where this person has blocked nobody here, also where they were blocked themselves.
    static func end(
        by person: PersonID, against other: PersonID, finding found: Block?
    ) throws(BlockError) -> Block? {
        guard person != other else { throw .oneself }
        return found?.blocker == person ? found : nil
    }
}
