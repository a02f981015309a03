import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Blocks as the bus asks for them, on a real database.
@Suite struct BlockStoreTests {
    private func village(_ body: (BlockVillage) async throws -> Void) async throws {
        try await AuthBench.run({ $0.blocks.most = 12 }) { try await body(BlockVillage(auth: $0)) }
    }

    @Test func neither_is_there_for_the_other_and_everybody_else_sees_both() async throws {
        try await village { village in
            let (ada, ben, eve) = try await village.three()
            let answer = try await village.block(ada, ben)
            #expect(answer.person.id == ben && abs(answer.since.timeIntervalSince(village.auth.clock.now)) < 0.002)
            for (one, other) in [(ada, ben), (ben, ada)] {
                for code in try await village.refusals(one, of: other) { #expect(code == .notFound) }
                // To the letter what is said of somebody who never was.
                let (blocked, nobody) = (
                    try await village.words(one, of: other), try await village.words(one, of: .new())
                )
                #expect(blocked == nobody && blocked.count == 4)
                #expect(try await village.refusals(eve, of: one) == [nil, nil, nil, nil])
            }
            // Oneself is not hidden from oneself, nor from strangers and services, who ask for nobody in particular.
            #expect(try await village.person(ada, as: ada).id == ada)
            #expect(try await village.person(ada, as: nil).id == ada)
            #expect(try await village.list(ada).map(\.person.id) == [ben])
            #expect(try await village.list(ben).isEmpty)
        }
    }

    @Test func a_lifted_block_leaves_nothing_and_brings_nothing_back() async throws {
        try await village { village in
            let (ada, ben, _) = try await village.three()
            try await village.befriend(ada, ben)
            try await village.block(ada, ben)
            #expect(try await village.auth.count("friendships") == 0)
            #expect(try await village.auth.events(FriendshipEnded.self).count == 1)
            // Who is blocked lifts nothing, and is not told that there is anything.
            try await village.unblock(ben, ada)
            #expect(try await village.list(ada).count == 1)
            try await village.unblock(ada, ben)
            try await village.unblock(ada, ben)
            #expect(try await village.state(ada, ben) == FriendState.none)
            #expect(try await village.person(ada, as: ben).id == ada)
            #expect(try await village.list(ada).isEmpty)
        }
    }

    @Test func questions_end_and_the_blocked_one_hears_of_nothing() async throws {
        try await village { village in
            let (ada, ben, eve) = try await village.three()
            _ = try await village.press(ada, ben)
            _ = try await village.press(eve, ada)
            let before = try await village.auth.count("outbox")
            try await village.block(ada, ben)
            try await village.block(ada, eve)
            #expect(try await village.auth.count("friendships") == 0)
            let told = try await village.auth.events(PeopleBlocked.self)
            #expect(told.map(\.event.pair) == [BlockedPair(ada, ben), BlockedPair(ada, eve)])
            #expect(told.allSatisfy { $0.header.audience == .nobody })
            let ended = try await village.auth.events(FriendQuestionEnded.self)
            #expect(ended.map(\.event.asker) == [ada, eve] && ended.map(\.event.asked) == [ben, ada])
            #expect(ended.allSatisfy { $0.header.audience == .nobody })
            // These are all, with what the two who were asked are told of no more.
            let settled = try await village.auth.events(NoticeSettled.self)
            #expect(settled.map(\.event.to) == [.people([ben]), .people([ada])])
            #expect(try await village.auth.count("outbox") == before + 6)
            try await village.block(ada, ben)
            #expect(try await village.auth.count("outbox") == before + 6)
            try await village.unblock(ada, ben)
            let lifted = try await village.auth.events(PeopleUnblocked.self)
            #expect(lifted.map(\.event.pair) == [BlockedPair(ada, ben)])
            #expect(lifted.allSatisfy { $0.header.audience == .nobody })
            #expect(Set(lifted.map(\.header.aggregate)) == [told[0].header.aggregate])
        }
    }

    @Test func what_cannot_be_is_refused() async throws {
        try await village { village in
            let (ada, ben, _) = try await village.three()
            let auth = village.auth
            #expect(try await refusal { try await village.block(ada, ada) }?.code == .forbidden)
            #expect(try await refusal { try await village.unblock(ada, ada) }?.code == .forbidden)
            #expect(try await refusal { try await village.block(ada, .new()) }?.code == .notFound)
            #expect(try await refusal { try await village.block(.new(), ada) }?.code == .unauthenticated)
            for anonymous in [
                try await refusal { try await auth.call(AuthMethods.block, PersonReference(id: ada), Nothing()) },
                try await refusal { try await auth.call(AuthMethods.unblock, PersonReference(id: ada), Nothing()) },
                try await refusal { try await auth.call(AuthMethods.blocks, BlockQuery(), Nothing()) },
                try await refusal { try await auth.call(AuthMethods.apart, ApartQuery(), Nothing()) },
            ] { #expect(anonymous?.code == .unauthenticated) }
            try await village.unblock(ada, ben)
            for query in [BlockQuery(cursor: "me"), BlockQuery(limit: 0), BlockQuery(limit: 101)] {
                let bad = try await refusal {
                    try await auth.call(AuthMethods.blocks, query, Nothing(), as: Caller(person: ada))
                }
                #expect(bad?.code == .invalid)
            }
        }
    }

    /// Whatever else may write: one for each two people, none with oneself, and no friend among the blocked.
    @Test func the_database_itself_has_no_room_for_what_may_not_be() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(3).sorted()
            let (ada, ben, eve) = (people[0], people[1], people[2])
            try await village.block(ben, ada)
            func fails(_ query: SQLQuery) async -> PostgresError? {
                do {
                    _ = try await village.auth.database.query(query)
                    return nil
                } catch { return error as? PostgresError }
            }
            func block(_ one: PersonID, _ other: PersonID) -> SQLQuery {
                "INSERT INTO blocks (blocker, blocked, since) VALUES (\(one.uuid), \(other.uuid), now())"
            }
            func friendship(_ low: PersonID, _ high: PersonID) -> SQLQuery {
                """
                INSERT INTO friendships (low, high, low_asked, accepted, since)
                VALUES (\(low.uuid), \(high.uuid), true, false, now())
                """
            }
            #expect(await fails(block(ben, ada))?.sqlState == "23505")
            #expect(await fails(block(ada, ben))?.constraint == "blocks_of_pair")
            #expect(await fails(block(ada, ada))?.sqlState == "23514")
            #expect(await fails(block(ada, .new()))?.sqlState == "23503")
            #expect(await fails(friendship(ada, ben))?.constraint == "friendships_not_blocked")
            #expect(await fails(friendship(ada, eve)) == nil)
            #expect(await fails(block(eve, ada))?.constraint == "blocks_not_friends")
            #expect(await fails(block(eve, ben)) == nil)
        }
    }

    @Test func one_may_block_so_many_and_be_blocked_by_more() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(16)
            let outcomes = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
                for other in people[1...15] {
                    group.addTask {
                        // They wait for each other; whom a busy machine keeps waiting for too long is told to try again.
                        var code: ErrorCode?
                        repeat {
                            code = try await refusal { try await village.block(people[0], other) }?.code
                        } while code == .unavailable
                        return code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == nil } == 12 && outcomes.count { $0 == .tooManyBlocks } == 3, "\(outcomes)")
            #expect(try await village.list(people[0], limit: 100).count == 12)
            let popular = try await village.auth.newcomers(1)[0]
            for other in people[1...15] { try await village.block(other, popular) }
            #expect(try await village.apart(popular) == people[1...15].sorted())
        }
    }

    @Test func lists_are_paged_with_the_latest_first_and_pairs_come_in_their_order() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(9)
            var expected: [PersonID] = []
            for (number, other) in people[1...].enumerated() {
                // Some of one moment, on either side of the pair.
                if number % 3 == 0 { village.auth.clock.advance(by: .milliseconds(1500)) }
                if number % 2 == 0 {
                    try await village.block(people[0], other)
                    expected.append(other)
                } else {
                    try await village.block(other, people[0])
                }
            }
            let all = try await village.list(people[0], limit: 100)
            #expect(Set(all.map(\.person.id)) == Set(expected) && all.count == expected.count)
            #expect(all.map(\.since) == all.map(\.since).sorted(by: >))
            for limit in [1, 3] { #expect(try await village.list(people[0], limit: limit) == all) }
            for limit in [1, 3, 100] {
                #expect(
                    try await village.apart(people[0], limit: limit)
                        == people[1...].sorted())
                let pairs = try await village.pairs(limit: limit)
                #expect(Set(pairs) == Set(people[1...].map { BlockedPair(people[0], $0) }) && pairs.count == 8)
                #expect(pairs.map { "\($0)" } == pairs.map { "\($0)" }.sorted())
            }
        }
    }

    @Test func a_repeated_command_is_done_once() async throws {
        try await village { village in
            let people = try await village.auth.newcomers(2)
            let id = UUID.version7()
            let answers = try await withThrowingTaskGroup(of: BlockedPerson.self) { group in
                for _ in 0..<8 { group.addTask { try await village.block(people[0], people[1], id: id) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers).count == 1)
            #expect(try await village.auth.events(PeopleBlocked.self).count == 1)
        }
    }

    /// Whatever comes first: in the end there is a block and nothing else between the two.
    @Test(arguments: [false, true]) func a_block_and_a_question_at_the_same_moment_leave_the_block(accepting: Bool)
        async throws
    {
        try await village { village in
            for _ in 0..<20 {
                let people = try await village.auth.newcomers(2)
                if accepting { _ = try await village.press(people[1], people[0]) }
                async let block = village.block(people[0], people[1])
                async let asked = try? village.press(people[accepting ? 0 : 1], people[accepting ? 1 : 0])
                async let also = try? village.press(people[accepting ? 1 : 0], people[accepting ? 0 : 1])
                _ = (try await block, await asked, await also)
                #expect(try await village.list(people[0]).count == 1)
                #expect(try await village.auth.count("friendships") == 0)
            }
        }
    }

    @Test func both_blocking_at_once_leaves_one_block() async throws {
        try await village { village in
            for _ in 0..<20 {
                let people = try await village.auth.newcomers(2)
                async let one = refusal { try await village.block(people[0], people[1]) }
                async let other = refusal { try await village.block(people[1], people[0]) }
                let codes = [try await one?.code, try await other?.code]
                #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .notFound } == 1)
            }
            #expect(try await village.auth.count("blocks") == 20)
        }
    }
}
