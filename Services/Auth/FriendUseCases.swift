import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked of friendships: load, decide, save with its event.
struct FriendUseCases: Sendable {
    let database: any AuthDatabase
    let limits: FriendLimits
    let now: @Sendable () -> Date

    // MARK: Queries

    /// How somebody stands to the caller.
    func friend(_ other: PersonID, for caller: Caller) async throws -> Friend {
        let me = try caller.requirePerson()
        let friends = database.stores.friends
        guard let person = try await friends.summary(of: other, for: me, at: now()) else {
            throw FriendshipError.unknownPerson
        }
        let found = other == me ? nil : try await friends.friendship(of: me, and: other)
        return Friend(person, found, for: me)
    }

    func friends(_ query: FriendQuery, for caller: Caller) async throws -> Page<Friend> {
        let me = try caller.requirePerson()
        let page = try FriendPage(query)
        let found = try await database.stores.friends.friends(of: me, page)
        return Page(found, of: page.limit) { friend in friend.since.map { MomentCursor($0, friend.person.id.uuid) } }
    }

    func areFriends(_ query: FriendshipQuery) async throws -> FriendshipAnswer {
        FriendshipAnswer(areFriends: try await database.stores.friends.areFriends(query.one, query.other))
    }

    func mutualFriends(_ query: MutualFriendsQuery, for caller: Caller) async throws -> MutualFriends {
        let me = try caller.requirePerson()
        let limit = try Paging.limit(query.limit)
        let after = try query.cursor.map { text in
            guard let id = PersonID(text) else { throw Paging.unknownCursor }
            return id
        }
        guard query.id != me else { return MutualFriends(items: [], count: 0) }
        let friends = database.stores.friends
        guard try await friends.summary(of: query.id, for: me, at: now()) != nil else {
            throw FriendshipError.unknownPerson
        }
        let (found, count) = try await friends.mutual(me, query.id, after: after, limit: limit + 1)
        let page = FoundPage(found, of: limit)
        return MutualFriends(items: page.shown, next: page.last?.id.description, count: count)
    }

    // MARK: Commands

    /// Asks, or accepts. Whoever presses when the other one has done so just now, is their friend.
    func befriend(_ other: PersonID, _ context: RequestContext) async throws -> Friend {
        let me = try context.caller.requirePerson()
        let now = now()
        return try await database.command(context) { transaction in
            let people = try await transaction.friends.lock(me, other)
            guard people[me] != nil else { throw ServiceError(.unauthenticated, "Sign in again.") }
            guard let person = try await transaction.friends.summary(of: other, for: me, at: now) else {
                throw FriendshipError.unknownPerson
            }
            let found = me == other ? nil : try await transaction.friends.friendship(of: me, and: other)
            let decision = try Friendship.press(
                by: me, for: other, finding: found, having: try await transaction.friends.count(of: me), at: now,
                within: limits)
            try await transaction.save(decision, people)
            return Friend(person, decision.friendship, for: me)
        }
    }

    /// Ends a friendship, takes a question back, or declines one; where there is nothing, nothing is done.
    func unfriend(_ ending: FriendEnding, _ context: RequestContext) async throws {
        let me = try context.caller.requirePerson()
        _ = try await database.command(context) { transaction in
            let people = try await transaction.friends.lock(me, ending.id)
            let found = me == ending.id ? nil : try await transaction.friends.friendship(of: me, and: ending.id)
            let decision = try Friendship.end(
                by: me, with: ending.id, finding: found, expecting: ending.state)
            try await transaction.save(decision, people)
            return Nothing()
        }
    }
}

extension AuthTransaction {
    func save(_ decision: FriendshipDecision, _ people: [PersonID: PersonSummary]) async throws {
        // Who comes back to a live stream after a block is not told of what was before it.
        func published(_ friendship: Friendship, _ event: any Event, to audience: Audience) {
            let (low, high) = friendship.people
            publish(event, "friendship/\(low)~\(high)", to: audience, concerning: [low, high])
        }
        switch decision {
        case .stays: break
        case .asked(let friendship):
            try await friends.add(friendship)
            guard let asker = people[friendship.asker] else { return }
            published(
                friendship, FriendAsked(asker: asker, asked: friendship.asked), to: .people([friendship.asked]))
        case .began(let friendship):
            try await friends.accept(friendship)
            let both = [friendship.asker, friendship.asked]
            published(
                friendship, FriendshipBegan(people: both.compactMap { people[$0] }), to: .people(Set(both)))
        case .dropped(let friendship):
            try await friends.remove(friendship)
            published(
                friendship, FriendQuestionEnded(asker: friendship.asker, asked: friendship.asked), to: .nobody)
        case .ended(let friendship):
            try await friends.remove(friendship)
            published(friendship, FriendshipEnded(people: [friendship.asker, friendship.asked]), to: .nobody)
        }
    }
}

extension Friend {
    init(_ person: PersonSummary, _ friendship: Friendship?, for me: PersonID) {
        self.init(person: person, state: friendship?.state(for: me) ?? .none, since: friendship?.since)
    }
}

extension FriendshipError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .oneself: ServiceError(.forbidden, "This is you.")
        case .unknownPerson: .notFound("person")
        case .tooMany(let limit):
            ServiceError(.tooManyFriends, "You have \(limit) friends and open questions, which is as many as one may.")
        case .changed: ServiceError(.wrongState, "This has changed meanwhile. Look again.")
        }
    }
}
