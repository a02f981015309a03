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

/// Who joined before a service began, or while auth's events were lost, is known to it all the same.
@Suite struct PeopleSnapshotTests {
    /// Auth, as far as it is asked here.
    private final class Auth: Sendable {
        struct State: Sendable {
            var people: [PersonSummary] = []
            var pages = 0
            var isAway = false
            /// Done once, between the answer and its arrival.
            var meanwhile: (@Sendable () async throws -> Void)?
        }
        let state = Mutex(State())

        init(_ names: [String]) {
            let joined = Date(timeIntervalSince1970: 1_790_000_000)
            // One a second: ids of one moment have no order.
            let people = names.enumerated().map { PersonSummary(id: .new(at: joined + Double($0)), name: $1) }
            state.withLock { $0.people = people }
        }

        var people: [PersonSummary] { state.withLock { $0.people.sorted { $0.id.description < $1.id.description } } }
        var pages: Int { state.withLock { $0.pages } }

        func rename(_ index: Int, _ name: String) { state.withLock { $0.people[index].name = name } }

        func page(after last: PersonID?) async throws -> Page<PersonSummary> {
            if state.withLock({ $0.isAway }) { throw ServiceError(.unavailable, "Away.") }
            let rest = people.filter { $0.id.description > last?.description ?? "" }
            let page = Array(rest.prefix(2))
            let meanwhile = state.withLock { state in
                state.pages += 1
                defer { state.meanwhile = nil }
                return state.meanwhile
            }
            try await meanwhile?()
            return Page(items: page, next: rest.count > 2 ? page.last?.id.description : nil)
        }
    }

    private struct Service {
        let people: PeopleProjection
        let consumer: DurableConsumer
        let database: Database

        func names(_ auth: Auth) async throws -> [String] {
            let people = try await people.summaries(of: Set(auth.people.map(\.id)))
            return auth.people.map { people[$0.id].name }
        }

        func changed(_ person: PersonSummary, to name: String, at position: Int64, of epoch: UUID) async throws {
            let event = PersonChanged(person: PersonSummary(id: person.id, name: name))
            try await consumer.hear(event, at: position, of: epoch)
        }
    }

    private func with(_ auth: Auth, _ body: (Service) async throws -> Void) async throws {
        try await Database.withCommunity { try await body(Self.service($0, auth)) }
    }

    /// A process of the service on this database. Nobody is asked for one by one.
    private static func service(_ database: Database, _ auth: Auth) -> Service {
        let people = PeopleProjection(database: database, ask: { _ in nil }, askAll: { try await auth.page(after: $0) })
        let consumer = DurableConsumer(database: database)
        people.follow(on: consumer)
        return Service(people: people, consumer: consumer, database: database)
    }

    @Test func everybody_who_joined_before_is_known_after_the_first_contact() async throws {
        let auth = Auth(["Ada", "Ben", "Eve", "Fay", "Gus"])
        try await with(auth) { service async throws in
            await service.people.snapshot.fill()
            #expect(try await service.names(auth) == ["Ada", "Ben", "Eve", "Fay", "Gus"])
            #expect(auth.pages == 3)
            // Once is enough, also for a process that starts later.
            await Self.service(service.database, auth).people.snapshot.fill()
            #expect(auth.pages == 3)
        }
    }

    @Test func a_community_without_anybody_is_complete() async throws {
        let auth = Auth([])
        try await with(auth) { service async throws in
            await service.people.snapshot.fill()
            await service.people.snapshot.fill()
            #expect(auth.pages == 1)
        }
    }

    @Test func all_that_others_see_of_a_person_is_taken_over() async throws {
        let auth = Auth(["Ada", "Ben"])
        auth.state.withLock {
            $0.people[0].photo = "0123456789abcdef"
            $0.people[1].campus = "tuas"
            $0.people[1].reputation = Reputation(rating: 4.5, count: 2)
        }
        try await with(auth) { service async throws in
            await service.people.snapshot.fill()
            let known = try await service.people.summaries(of: Set(auth.people.map(\.id)))
            let shown = auth.people.map { known[$0.id] }
            #expect(shown == auth.people)
            // A beginning anew tells of what has changed since.
            auth.state.withLock { $0.people[1].campus = nil }
            try await service.consumer.resynchronise("auth", epoch: UUID(), head: 0)
            await service.people.snapshot.fill()
            let again = try await service.people.summaries(of: [auth.people[1].id])
            #expect(again[auth.people[1].id].campus == nil)
        }
    }

    @Test func it_goes_on_where_a_process_ended() async throws {
        let auth = Auth(["Ada", "Ben", "Eve", "Fay", "Gus"])
        try await with(auth) { service async throws in
            let isMoreLeft = try await service.people.snapshot.step()
            #expect(isMoreLeft)
            await Self.service(service.database, auth).people.snapshot.fill()
            #expect(auth.pages == 3)
            #expect(try await service.names(auth) == ["Ada", "Ben", "Eve", "Fay", "Gus"])
        }
    }

    @Test func an_event_that_comes_while_a_page_is_on_its_way_wins() async throws {
        let auth = Auth(["Ada", "Ben"])
        try await with(auth) { service async throws in
            let ada = auth.people[0]
            auth.state.withLock {
                $0.meanwhile = { try await service.changed(ada, to: "Ada Lovelace", at: 1, of: UUID()) }
            }
            await service.people.snapshot.fill()
            #expect(try await service.names(auth) == ["Ada Lovelace", "Ben"])
        }
    }

    /// After a backup was restored, names may be older than what was heard, and people may be gone again.
    @Test func a_new_epoch_replaces_what_was_known() async throws {
        let auth = Auth(["Ada", "Ben", "Eve"])
        try await with(auth) { service async throws in
            await service.people.snapshot.fill()
            let gone = auth.people[2]
            let epoch = UUID()
            try await service.changed(auth.people[0], to: "Ada Lovelace", at: 1, of: epoch)
            auth.state.withLock { _ = $0.people.removeLast() }
            let restored = UUID()
            try await service.consumer.resynchronise("auth", epoch: restored, head: 1)
            try await service.changed(auth.people[1], to: "Benjamin", at: 1, of: restored)
            await service.people.snapshot.fill()
            #expect(try await service.names(auth) == ["Ada", "Benjamin"])
            let known = try await service.people.summaries(of: [gone.id])
            #expect(!known.knows(gone.id))
        }
    }

    @Test func a_page_that_was_asked_for_before_a_new_epoch_is_not_taken() async throws {
        let auth = Auth(["Ada", "Ben"])
        try await with(auth) { service async throws in
            auth.state.withLock { state in
                state.meanwhile = { [auth] in
                    auth.rename(0, "Ada as restored")
                    try await service.consumer.resynchronise("auth", epoch: UUID(), head: 0)
                }
            }
            await service.people.snapshot.fill()
            let names = try await service.names(auth).sorted()
            #expect(names == ["Ada as restored", "Ben"])
            #expect(auth.pages == 2)
        }
    }

    @Test func two_replicas_fill_one_table() async throws {
        let auth = Auth((1...20).map { "Person \($0)" })
        try await with(auth) { service async throws in
            let other = Self.service(service.database, auth)
            async let one: Void = service.people.snapshot.fill()
            async let two: Void = other.people.snapshot.fill()
            _ = await (one, two)
            let names = auth.people.map(\.name)
            #expect(try await service.names(auth) == names)
        }
    }

    @Test func it_runs_beside_the_service_and_waits_for_auth() async throws {
        let auth = Auth(["Ada", "Ben", "Eve"])
        auth.state.withLock { $0.isAway = true }
        try await with(auth) { service async throws in
            let run = Task { try await service.people.snapshot.run() }
            try await Task.sleep(for: .milliseconds(300))
            let rows = try await service.database.query("SELECT FROM people")
            #expect(rows.isEmpty)
            auth.state.withLock { $0.isAway = false }
            func knows(_ count: Int) async throws {
                try await eventually("\(count) people", within: .seconds(10)) {
                    try await service.database.query("SELECT FROM people WHERE generation > 0").count == count
                }
            }
            try await knows(3)
            auth.state.withLock { $0.people.append(PersonSummary(id: .new(), name: "Fay")) }
            try await service.consumer.resynchronise("auth", epoch: UUID(), head: 0)
            try await knows(4)
            run.cancel()
            try await run.value
        }
    }
}
