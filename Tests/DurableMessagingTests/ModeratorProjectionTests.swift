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

/// What a service knows of who moderates, from events and from the snapshot of who did before.
@Suite struct ModeratorProjectionTests {
    private let ada = PersonID.new()
    private let ben = PersonID.new()
    private let eve = PersonID.new()

    private struct Service {
        let consumer: DurableConsumer
        let database: Database
        /// Of whom it was said that they do not moderate.
        let left = Box()

        final class Box: Sendable {
            let people = Mutex<[PersonID]>([])
        }

        func hear(_ person: PersonID, _ roles: [PersonRole], at position: Int64, of epoch: UUID) async throws {
            try await consumer.hear(RolesChanged(person: person, roles: roles), at: position, of: epoch)
        }

        func moderators() async throws -> Set<PersonID> {
            Set(try await database.transaction { try await ModeratorProjection.moderators(in: $0) })
        }
    }

    private func with(_ body: (Service) async throws -> Void) async throws {
        try await Database.withCommunity { database in
            try await body(Service(consumer: DurableConsumer(database: database), database: database))
        }
    }

    /// - Parameter meanwhile: what happens between auth's answer and its arrival.
    private func projection(
        _ service: Service, of people: [PersonID], meanwhile: @escaping @Sendable () async throws -> Void
    ) -> ModeratorProjection {
        let projection = ModeratorProjection(database: service.database) { _ in
            try await meanwhile()
            return Page(
                items: people.map {
                    RoleHolder(id: $0, name: "x", username: nil, memberSince: Date(), roles: [.moderator])
                })
        }
        projection.follow(on: service.consumer) { person, _ in service.left.people.withLock { $0.append(person) } }
        return projection
    }

    @Test func an_event_that_comes_while_the_page_is_on_its_way_wins() async throws {
        try await with { service async throws in
            let epoch = UUID()
            let projection = projection(service, of: [ada, ben]) {
                try await service.hear(ada, [.operator], at: 1, of: epoch)
                try await service.hear(eve, [.moderator, .operator], at: 2, of: epoch)
            }
            await projection.snapshot.fill()
            #expect(try await service.moderators() == [ben, eve])
            #expect(service.left.people.withLock { $0 } == [ada])
            try await service.hear(ada, [.moderator], at: 3, of: epoch)
            try await service.hear(ben, [], at: 4, of: epoch)
            #expect(try await service.moderators() == [ada, eve])
        }
    }

    /// After a backup was restored some may not moderate any more, without an event that says so.
    @Test func a_new_epoch_replaces_what_was_known() async throws {
        try await with { service async throws in
            let epoch = UUID()
            let projection = projection(service, of: [ada]) {}
            await projection.snapshot.fill()
            try await service.hear(ben, [.moderator], at: 1, of: epoch)
            try await service.database.transaction { try await ModeratorProjection.forget(ben, in: $0) }
            try await service.hear(eve, [.moderator], at: 2, of: epoch)
            #expect(try await service.moderators() == [ada, eve])
            try await service.consumer.resynchronise("auth", epoch: UUID(), head: 0)
            #expect(try await service.moderators() == [ada, eve], "until everything was asked for")
            await projection.snapshot.fill()
            #expect(try await service.moderators() == [ada])
        }
    }
}
