import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import People

/// What a service knows of who is apart, from events and from the snapshot of what was before.
@Suite struct BlockProjectionTests {
    /// Auth, as far as it is asked here.
    private final class Auth: Sendable {
        struct State: Sendable {
            var pairs: Set<BlockedPair> = []
            var pages = 0
            /// Done once, between the answer and its arrival.
            var meanwhile: (@Sendable () async throws -> Void)?
        }
        let state = Mutex(State())

        init(_ pairs: BlockedPair...) { state.withLock { $0.pairs = Set(pairs) } }

        var pages: Int { state.withLock { $0.pages } }
        var sorted: [BlockedPair] { state.withLock { $0.pairs }.sorted { Self.text($0) < Self.text($1) } }

        static func text(_ pair: BlockedPair?) -> String { pair.map { "\($0.low)~\($0.high)" } ?? "" }

        /// Pages of two.
        func page(after last: BlockedPair?) async throws -> Page<BlockedPair> {
            let rest = sorted.filter { Self.text($0) > Self.text(last) }
            let meanwhile = state.withLock { state in
                state.pages += 1
                defer { state.meanwhile = nil }
                return state.meanwhile
            }
            try await meanwhile?()
            return Page(items: Array(rest.prefix(2)), next: rest.count > 2 ? Self.text(rest[1]) : nil)
        }
    }

    private struct Service {
        let blocks: BlockProjection
        let people: PeopleProjection
        let consumer: DurableConsumer
        let database: Database

        /// As statements of services ask; both ways of asking say the same, from either side.
        func isApart(_ one: PersonID, _ other: PersonID) async throws -> Bool {
            var answers: Set<Bool> = []
            for (viewer, person) in [(one, other), (other, one)] {
                for condition in [
                    BlockProjection.isTogether("person", with: viewer),
                    BlockProjection.isTogetherHere("asked.person", with: viewer),
                ] {
                    let rows = try await database.query(
                        "SELECT FROM (SELECT \(person)::uuid AS person) AS asked WHERE \(condition)")
                    answers.insert(rows.isEmpty)
                }
            }
            #expect(answers.count == 1)
            return answers.contains(true)
        }

        func apart(_ pairs: BlockedPair...) async throws -> [Bool] {
            var answers: [Bool] = []
            for pair in pairs { answers.append(try await isApart(pair.low, pair.high)) }
            return answers
        }

        func hear(_ event: some Event, at position: Int64, of epoch: UUID) async throws {
            try await consumer.hear(event, at: position, of: epoch)
        }

        func count(_ table: String) async throws -> Int {
            try await database.query("SELECT FROM \(unescaped: table)").count
        }
    }

    private func with(_ auth: Auth, _ body: (Service) async throws -> Void) async throws {
        try await Database.withCommunity { try await body(Self.service($0, auth)) }
    }

    /// A process of the service on this database.
    private static func service(_ database: Database, _ auth: Auth) -> Service {
        let blocks = BlockProjection(database: database) { try await auth.page(after: $0) }
        let people = PeopleProjection(database: database, ask: { _ in throw ServiceError(.unavailable, "Away.") })
        let consumer = DurableConsumer(database: database)
        people.follow(on: consumer)
        blocks.follow(on: consumer)
        return Service(blocks: blocks, people: people, consumer: consumer, database: database)
    }

    private let people = (0..<6).map { _ in PersonID.new() }
    private func pair(_ one: Int, _ other: Int) -> BlockedPair { BlockedPair(people[one], people[other]) }

    @Test func events_keep_two_people_apart_until_it_is_lifted() async throws {
        try await with(Auth()) { service async throws in
            await service.blocks.snapshot.fill()
            let epoch = UUID()
            try await service.hear(PeopleBlocked(pair: pair(0, 1)), at: 1, of: epoch)
            try await service.hear(PeopleBlocked(pair: pair(0, 2)), at: 2, of: epoch)
            #expect(try await service.apart(pair(0, 1), pair(0, 2), pair(1, 2)) == [true, true, false])
            try await service.hear(PeopleUnblocked(pair: pair(1, 0)), at: 3, of: epoch)
            #expect(try await service.apart(pair(0, 1), pair(0, 2)) == [false, true])
            try await service.hear(PeopleBlocked(pair: pair(1, 0)), at: 4, of: epoch)
            #expect(try await service.apart(pair(0, 1)) == [true])
            #expect(try await service.count("blocks") == 4)
            #expect(try await service.count("blocks_lifted") == 0)
        }
    }

    @Test func what_was_before_is_known_after_the_first_contact_and_asked_for_once() async throws {
        let auth = Auth(pair(0, 1), pair(0, 2), pair(3, 0), pair(4, 3), pair(5, 4))
        try await with(auth) { service async throws in
            let isMoreLeft = try await service.blocks.snapshot.step()
            #expect(isMoreLeft)
            // Another process goes on there, and a third has nothing to do.
            await Self.service(service.database, auth).blocks.snapshot.fill()
            await Self.service(service.database, auth).blocks.snapshot.fill()
            #expect(auth.pages == 3)
            #expect(try await service.count("blocks") == 10)
            #expect(try await service.apart(pair(0, 1), pair(3, 4), pair(1, 2)) == [true, true, false])
        }
    }

    @Test func an_event_that_comes_while_a_page_is_on_its_way_wins() async throws {
        let (lifted, again, fresh) = (pair(0, 1), pair(0, 2), pair(0, 3))
        let auth = Auth(lifted, again)
        try await with(auth) { service async throws in
            auth.state.withLock {
                $0.meanwhile = {
                    let epoch = UUID()
                    try await service.hear(PeopleUnblocked(pair: lifted), at: 1, of: epoch)
                    try await service.hear(PeopleUnblocked(pair: again), at: 2, of: epoch)
                    try await service.hear(PeopleBlocked(pair: again), at: 3, of: epoch)
                    try await service.hear(PeopleBlocked(pair: fresh), at: 4, of: epoch)
                }
            }
            await service.blocks.snapshot.fill()
            #expect(try await service.apart(lifted, again, fresh) == [false, true, true])
            #expect(try await service.count("blocks_lifted") == 0)
        }
    }

    /// After a backup was restored there may be blocks that were lifted since, and others may never have been.
    @Test func a_new_epoch_replaces_what_was_known() async throws {
        let auth = Auth(pair(0, 1), pair(0, 2))
        try await with(auth) { service async throws in
            await service.blocks.snapshot.fill()
            let epoch = UUID()
            try await service.hear(PeopleUnblocked(pair: pair(0, 1)), at: 1, of: epoch)
            try await service.hear(PeopleBlocked(pair: pair(4, 5)), at: 2, of: epoch)
            let restored = UUID()
            try await service.consumer.resynchronise("auth", epoch: restored, head: 1)
            // Until everything was asked for, what was known holds: rather too much than too little.
            #expect(try await service.apart(pair(0, 2), pair(4, 5)) == [true, true])
            try await service.hear(PeopleBlocked(pair: pair(2, 3)), at: 1, of: restored)
            await service.blocks.snapshot.fill()
            #expect(
                try await service.apart(pair(0, 1), pair(0, 2), pair(2, 3), pair(4, 5)) == [true, true, true, false])
        }
    }

    @Test func a_page_and_what_was_lifted_before_a_new_epoch_are_of_no_more_use() async throws {
        let auth = Auth(pair(0, 1), pair(0, 2))
        let (one, other) = (pair(0, 1), pair(0, 2))
        try await with(auth) { service async throws in
            auth.state.withLock { state in
                state.meanwhile = { [auth] in
                    try await service.hear(PeopleUnblocked(pair: one), at: 1, of: UUID())
                    auth.state.withLock { $0.pairs = [one] }
                    try await service.consumer.resynchronise("auth", epoch: UUID(), head: 0)
                }
            }
            await service.blocks.snapshot.fill()
            #expect(try await service.apart(one, other) == [true, false])
            #expect(auth.pages == 2)
        }
    }

    @Test func both_projections_of_a_service_begin_anew() async throws {
        try await with(Auth()) { service async throws in
            await service.people.snapshot.fill()
            await service.blocks.snapshot.fill()
            try await service.consumer.resynchronise("auth", epoch: UUID(), head: 0)
            for table in ["people_snapshot", "blocks_snapshot"] {
                let rows = try await service.database.query(
                    "SELECT FROM \(unescaped: table) WHERE NOT is_complete")
                #expect(rows.count == 1, "\(table)")
            }
        }
    }

    @Test func two_replicas_fill_one_table_while_events_come() async throws {
        let crowd = (0..<40).map { _ in BlockedPair(.new(), .new()) }
        let auth = Auth()
        auth.state.withLock { $0.pairs = Set(crowd) }
        try await with(auth) { service async throws in
            let other = Self.service(service.database, auth)
            async let one: Void = service.blocks.snapshot.fill()
            async let two: Void = other.blocks.snapshot.fill()
            let epoch = UUID()
            for (number, pair) in crowd.prefix(20).enumerated() {
                try await service.hear(PeopleUnblocked(pair: pair), at: Int64(number + 1), of: epoch)
            }
            _ = await (one, two)
            #expect(try await service.count("blocks") == 40)
            for pair in crowd.prefix(20) { #expect(try await service.apart(pair) == [false]) }
            #expect(try await service.count("blocks_lifted") == 0)
        }
    }

    /// Their names are no more told than those of somebody who is gone, known or not, and auth is not asked for them.
    @Test func who_is_apart_is_someone() async throws {
        try await with(Auth(pair(0, 1), pair(0, 2))) { service async throws in
            for person in people[1...3] {
                _ = try await service.database.query(
                    "INSERT INTO people (id, name) SELECT \(person), 'Ada' WHERE \(person) <> \(people[2])")
            }
            await service.blocks.snapshot.fill()
            let all = Set(people[1...3])
            for known in [
                try await service.people.summaries(of: all, for: people[0]),
                try await service.database.transaction { [people] in
                    try await service.people.summaries(of: all, for: people[0], in: $0)
                },
            ] {
                #expect(people[1...3].map { known[$0].name } == ["Someone", "Someone", "Ada"])
                #expect(known.unknown(among: all).isEmpty)
            }
            let known = try await service.people.summaries(of: all, for: people[3])
            #expect(known[people[1]].name == "Ada")
        }
    }
}
