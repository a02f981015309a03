import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Friendships as the bus asks for them, on a real database.
@Suite struct FriendStoreTests {
    private struct Village {
        let auth: AuthBench

        @discardableResult
        func press(_ one: PersonID, _ other: PersonID, id: UUID = .version7()) async throws -> Friend {
            try await auth.call(
                AuthMethods.befriend, PersonReference(id: other), Nothing(), as: Caller(person: one), id: id)
        }

        func end(_ one: PersonID, _ other: PersonID, _ state: FriendState? = nil) async throws {
            _ = try await auth.call(
                AuthMethods.unfriend, FriendEnding(id: other, state: state), Nothing(), as: Caller(person: one))
        }

        func befriend(_ one: PersonID, _ others: PersonID...) async throws {
            for other in others {
                try await press(one, other)
                try await press(other, one)
            }
        }

        func state(_ one: PersonID, _ other: PersonID) async throws -> FriendState {
            try await auth.call(AuthMethods.friend, PersonReference(id: other), Nothing(), as: Caller(person: one))
                .state
        }

        func list(_ person: PersonID, _ state: FriendState? = nil, limit: Int? = nil) async throws -> [PersonID] {
            var (found, cursor): ([PersonID], String?) = ([], nil)
            var last = Date.distantFuture
            repeat {
                let page = try await auth.call(
                    AuthMethods.friends, FriendQuery(state: state, limit: limit, cursor: cursor), Nothing(),
                    as: Caller(person: person))
                #expect(page.items.allSatisfy { $0.state == state ?? .friends && $0.since != nil })
                #expect(page.items.count <= limit ?? 20)
                for since in page.items.compactMap(\.since) {
                    #expect(since <= last)
                    last = since
                }
                found += page.items.map(\.person.id)
                cursor = page.next
            } while cursor != nil
            return found
        }

        func mutual(_ one: PersonID, _ other: PersonID, limit: Int? = nil, cursor: String? = nil) async throws
            -> MutualFriends
        {
            try await auth.call(
                AuthMethods.mutualFriends, MutualFriendsQuery(id: other, limit: limit, cursor: cursor), Nothing(),
                as: Caller(person: one))
        }
    }

    private func village(_ body: (Village) async throws -> Void) async throws {
        try await AuthBench.run({ $0.friends.most = 60 }) { try await body(Village(auth: $0)) }
    }

    @Test func asking_and_accepting_makes_friends_and_the_two_are_told() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            #expect(try await village.state(ada, ben) == .none)
            let asked = try await village.press(ada, ben)
            #expect(asked.state == .asked && asked.person.name == "Ben")
            #expect(try await village.state(ben, ada) == .waiting)
            #expect(try await village.list(ben, .waiting) == [ada])
            #expect(try await village.list(ada, .asked) == [ben])
            #expect(try await village.list(ada).isEmpty)
            #expect(try await village.list(ben, .asked).isEmpty)
            village.auth.clock.advance(by: .seconds(60))
            #expect(try await village.press(ben, ada).state == .friends)
            for (one, other) in [(ada, ben), (ben, ada)] {
                #expect(try await village.list(one) == [other])
                #expect(try await village.list(one, .waiting).isEmpty)
                #expect(try await village.list(one, .asked).isEmpty)
            }
            let questions = try await village.auth.events(FriendAsked.self)
            #expect(questions.map(\.event.asker.name) == ["Ada"] && questions.map(\.event.asked) == [ben])
            let beginnings = try await village.auth.events(FriendshipBegan.self)
            #expect(beginnings.map { Set($0.event.people.map(\.id)) } == [[ada, ben]])
            try await village.end(ada, ben, .friends)
            #expect(try await village.state(ben, ada) == .none)
            #expect(try await village.auth.events(FriendshipEnded.self).count == 1)
        }
    }

    @Test func a_question_is_taken_back_or_declined_and_nobody_hears_of_it() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(2)
            for (asker, ender, state) in [(0, 0, FriendState.asked), (0, 1, .waiting), (1, 0, .waiting)] {
                try await village.press(people[asker], people[1 - asker])
                try await village.end(people[ender], people[1 - ender], state)
                #expect(try await village.state(people[0], people[1]) == .none)
            }
            try await village.end(people[0], people[1])
            #expect(try await village.auth.events(FriendshipEnded.self).isEmpty)
            // Services alone hear that there is nothing to be answered any more.
            let ended = try await village.auth.events(FriendQuestionEnded.self)
            #expect(ended.map(\.event.asker) == [people[0], people[0], people[1]])
            #expect(ended.map(\.event.asked) == [people[1], people[1], people[0]])
            #expect(ended.allSatisfy { $0.header.audience == .nobody })
            try await village.befriend(people[0], people[1])
            let late = try await refusal { try await village.end(people[0], people[1], .asked) }
            #expect(late?.code == .wrongState)
            #expect(try await village.state(people[0], people[1]) == .friends)
        }
    }

    @Test func what_cannot_be_is_refused() async throws {
        try await village { village in
            let ada = try await village.auth.newcomer("Ada")
            #expect(try await refusal { try await village.press(ada, ada) }?.code == .forbidden)
            #expect(try await refusal { try await village.press(ada, .new()) }?.code == .notFound)
            #expect(try await refusal { _ = try await village.state(ada, .new()) }?.code == .notFound)
            #expect(try await refusal { try await village.press(.new(), ada) }?.code == .unauthenticated)
            let anonymous = try await refusal {
                try await village.auth.call(AuthMethods.befriend, PersonReference(id: ada), Nothing())
            }
            #expect(anonymous?.code == .unauthenticated)
            #expect(try await village.mutual(ada, ada).items.isEmpty)
            #expect(try await refusal { _ = try await village.mutual(ada, .new()) }?.code == .notFound)
        }
    }

    /// The database itself has no room for a second one, nor for one with oneself.
    @Test func the_database_keeps_one_for_each_two_people() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(2).sorted()
            try await village.press(people[1], people[0])
            func add(_ low: PersonID, _ high: PersonID) async -> PostgresError? {
                do {
                    _ = try await village.auth.database.query(
                        """
                        INSERT INTO friendships (low, high, low_asked, accepted, since)
                        VALUES (\(low.uuid), \(high.uuid), true, false, now())
                        """)
                    return nil
                } catch { return error as? PostgresError }
            }
            #expect(await add(people[0], people[1])?.sqlState == "23505")
            #expect(await add(people[1], people[0])?.sqlState == "23514")
            #expect(await add(people[0], people[0])?.sqlState == "23514")
            let nobody = [people[0], PersonID.new()].sorted()
            #expect(await add(nobody[0], nobody[1])?.sqlState == "23503")
        }
    }

    @Test func both_pressing_at_once_makes_one_friendship() async throws {
        try await village { village in
            for _ in 0..<20 {
                let people = try await village.auth.newcomers(2)
                async let one = village.press(people[0], people[1])
                async let other = village.press(people[1], people[0])
                let states = [try await one.state, try await other.state]
                #expect(states.count { $0 == .friends } == 1 && states.count { $0 == .asked } == 1)
                #expect(try await village.state(people[0], people[1]) == .friends)
            }
            #expect(try await village.auth.events(FriendshipBegan.self).count == 20)
        }
    }

    @Test func a_repeated_command_is_done_once() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(2)
            let id = UUID.version7()
            let answers = try await withThrowingTaskGroup(of: Friend.self) { group in
                for _ in 0..<8 { group.addTask { try await village.press(people[0], people[1], id: id) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers).count == 1 && answers[0].state == .asked)
            try await village.press(people[1], people[0])
            // An answer that comes late says what was done then.
            #expect(try await village.press(people[0], people[1], id: id).state == .asked)
            #expect(try await village.auth.events(FriendAsked.self).count == 1)
        }
    }

    @Test func however_many_one_asks_at_once_there_are_no_more_than_one_may_have() async throws {
        try await village { village in
            let (me, others) = (try await village.auth.newcomers(1)[0], try await village.auth.newcomers(66))
            let outcomes = await withTaskGroup(of: ErrorCode?.self) { group in
                for other in others {
                    group.addTask {
                        do {
                            while true {
                                let refused = try await refusal { try await village.press(me, other) }
                                // On a busy machine the last ones wait for too long; asking again is what everybody would do.
                                if refused?.code != .unavailable { return refused?.code }
                            }
                        } catch { return .internalError }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 60 && outcomes.count { $0 == .tooManyFriends } == 6)
            // Those who ask one are not counted: they could keep one from having any.
            let popular = try await village.auth.newcomers(1)[0]
            for other in others { try await village.press(other, popular) }
            #expect(try await village.press(popular, others[0]).state == .friends)
        }
    }

    @Test func lists_come_page_by_page_the_latest_first() async throws {
        try await village { village in
            let me = try await village.auth.newcomers(1)[0]
            var expected: [FriendState: [PersonID]] = [.friends: [], .asked: [], .waiting: []]
            // Some of one moment, on either side of the pair.
            for (number, other) in try await village.auth.newcomers(45).enumerated() {
                if number % 3 == 0 { village.auth.clock.advance(by: .milliseconds(1500)) }
                switch number % 5 {
                case 0:
                    try await village.press(me, other)
                    expected[.asked]?.append(other)
                case 1:
                    try await village.press(other, me)
                    expected[.waiting]?.append(other)
                default:
                    try await village.befriend(number % 2 == 0 ? me : other, number % 2 == 0 ? other : me)
                    expected[.friends]?.append(other)
                }
            }
            for (state, people) in expected {
                let all = try await village.list(me, state, limit: 100)
                #expect(Set(all) == Set(people) && all.count == people.count)
                for limit in [1, 4] { #expect(try await village.list(me, state, limit: limit) == all) }
            }
            let bad = try await refusal {
                try await village.auth.call(
                    AuthMethods.friends, FriendQuery(cursor: "me"), Nothing(), as: Caller(person: me))
            }
            #expect(bad?.errors.map(\.field) == ["cursor"])
        }
    }

    @Test func mutual_friends_are_friends_of_both() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(12)
            let (ada, ben) = (people[0], people[1])
            let both = Array(people[2..<9])
            for other in both { try await village.befriend(ada, other) }
            for other in both { try await village.befriend(other, ben) }
            try await village.befriend(ada, people[9])
            try await village.befriend(ben, people[10])
            // A question is no friendship yet, nor are the two their own.
            try await village.befriend(ada, people[11])
            try await village.press(ben, people[11])
            try await village.befriend(ada, ben)
            let sorted = both.sorted()
            let all = try await village.mutual(ada, ben)
            #expect(all.items.map(\.id) == sorted && all.count == 7 && all.next == nil)
            #expect(try await village.mutual(ben, ada) == all)
            var (found, cursor): ([PersonID], String?) = ([], nil)
            repeat {
                let page = try await village.mutual(ada, ben, limit: 3, cursor: cursor)
                #expect(page.count == 7)
                found += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(found == sorted)
        }
    }
}
