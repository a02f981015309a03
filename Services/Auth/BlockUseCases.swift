import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked of blocks: load, decide, save with its event.
struct BlockUseCases: Sendable {
    let database: any AuthDatabase
    let limits: BlockLimits
    let now: @Sendable () -> Date

    // MARK: Queries

    /// Those whom the caller has blocked; of those who have blocked the caller nobody is told.
    func blocks(_ query: BlockQuery, for caller: Caller) async throws -> Page<BlockedPerson> {
        let me = try caller.requirePerson()
        let (limit, after) = (try Paging.limit(query.limit), try Paging.moment(query.cursor))
        let found = try await database.stores.blocks.blocks(by: me, after: after, limit: limit + 1)
        return Page(found, of: limit) { MomentCursor($0.since, $0.person.id.uuid) }
    }

    /// For the live stream: from whom the caller is apart, and where they belong.
    func apart(_ query: ApartQuery, for caller: Caller) async throws -> ApartPage {
        let me = try caller.requirePerson()
        let limit = min(max(1, query.limit), ApartQuery.largest)
        let found = try await database.stores.blocks.apart(from: me, after: query.after, limit: limit + 1)
        let page = Array(found.prefix(limit))
        return ApartPage(
            items: page, next: found.count > limit ? page.last?.description : nil,
            campus: try await database.stores.friends.summaries(of: [me])[me]?.campus)
    }

    /// For services that begin, or begin anew: one page of all pairs.
    func pairs(_ query: BlockedPairsQuery) async throws -> Page<BlockedPair> {
        let limit = min(max(1, query.limit), BlockedPairsQuery.largest)
        let found = try await database.stores.blocks.pairs(after: query.after, limit: limit + 1)
        let page = Array(found.prefix(limit))
        return Page(items: page, next: found.count > limit ? page.last.map { "\($0.low)~\($0.high)" } : nil)
    }

    // MARK: Commands

    /// Whatever was between the two ends with it: a friendship, or a question. The other one is not told.
    func block(_ other: PersonID, _ context: RequestContext) async throws -> BlockedPerson {
        let me = try context.caller.requirePerson()
        let now = now()
        return try await database.command(context) { transaction in
            let people = try await transaction.friends.lock(me, other)
            guard people[me] != nil else { throw ServiceError(.unauthenticated, "Sign in again.") }
            guard let person = people[other] else { throw BlockError.unknownPerson }
            let blocks = transaction.stores.blocks
            let found = me == other ? nil : try await blocks.block(between: me, and: other)
            // Whoever is of another campus is not there; to end a block they may be.
            if found == nil, try await transaction.friends.reachable([other], from: me).isEmpty {
                throw BlockError.unknownPerson
            }
            let decision = try Block.begin(
                by: me, against: other, finding: found, having: try await blocks.count(by: me), at: now, within: limits)
            if case .begins(let block) = decision { try await transaction.begin(block, people) }
            return BlockedPerson(person: person, since: decision.block.since)
        }
    }

    /// What there was before does not come back. Where there is no block, nothing is done.
    func unblock(_ other: PersonID, _ context: RequestContext) async throws {
        let me = try context.caller.requirePerson()
        _ = try await database.command(context) { transaction in
            _ = try await transaction.friends.lock(me, other)
            let blocks = transaction.stores.blocks
            let found = me == other ? nil : try await blocks.block(between: me, and: other)
            if let block = try Block.end(by: me, against: other, finding: found) {
                try await blocks.remove(block)
                transaction.publish(PeopleUnblocked(pair: block.pair), block.aggregate)
            }
            return Nothing()
        }
    }
}

extension AuthTransaction {
    fileprivate func begin(_ block: Block, _ people: [PersonID: PersonSummary]) async throws {
        if let friendship = try await friends.friendship(of: block.blocker, and: block.blocked) {
            let decision = try Friendship.end(
                by: block.blocker, with: block.blocked, finding: friendship, expecting: nil)
            try await save(decision, people)
        }
        try await stores.blocks.add(block)
        publish(PeopleBlocked(pair: block.pair), block.aggregate)
    }
}

extension Block {
    /// What its events are about: the same whoever of the two begins, so that they keep their order.
    fileprivate var aggregate: String { "block/\(pair.low)~\(pair.high)" }
}

extension BlockError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .oneself: ServiceError(.forbidden, "This is you.")
        case .unknownPerson: .notFound("person")
        case .tooMany(let limit):
            ServiceError(.tooManyBlocks, "You have blocked \(limit) people, which is as many as one may.")
        }
    }
}
