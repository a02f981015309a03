import DurableMessaging
import FoundationEssentials
import Logging
import Messaging
import People
import Postgres
import Synchronization
import TestKit
import WireProtocol

@testable import ChatService

/// The service without a bus, on a schema of its own in a real PostgreSQL. Its clock stands at noon until it is moved; Maya, Tom, Lin and Kim
/// are known.
struct Chat: Sendable {
    let database: Database
    let people: PeopleProjection
    let store: RoomStore
    let chat: ChatUseCases
    let clock: FixedClock
    let listings: Listings
    private let auth: Publisher

    /// Whoever has what rooms are about.
    final class Listings: Sendable {
        private let known = Mutex<[Subject: RoomSubjectFacts]>([:])
        let isAway = Mutex(false)
        /// Runs within each question, after its answer was made.
        let meanwhile = Mutex<(@Sendable () async throws -> Void)?>(nil)

        func say(_ facts: RoomSubjectFacts?, of subject: Subject = spot) { known.withLock { $0[subject] = facts } }

        func answer(_ query: RoomSubjectQuery) async throws -> RoomSubjectFacts {
            if isAway.withLock({ $0 }) { throw ServiceError(.unavailable, "Away.", retryAfter: 1) }
            let facts = known.withLock { $0[query.subject] }
            let meanwhile = meanwhile.withLock { $0 }
            try await meanwhile?()
            guard let facts else { throw ServiceError.notFound("spot") }
            return facts
        }
    }

    static func with(
        limits: ChatLimits = ChatLimits(), campuses: CampusSeparation = .off, poolSize: Int = 8,
        isolation: isolated (any Actor)? = #isolation, _ body: (Chat) async throws -> Void
    ) async throws {
        try await TestDatabase.with(configure: { $0.poolSize = poolSize }) { test in
            let clock = FixedClock(noon)
            let database = Database(
                pool: test.pool, service: "chat", digestKey: Array("a secret of this test".utf8), clock: clock.read,
                logger: .quiet)
            try await database.migrate(ChatSchema.migrations)
            let people = PeopleProjection(database: database, campuses: campuses, clock: clock.read) { _ in nil }
            let store = RoomStore(database: database, people: people)
            let listings = Listings()
            listings.say(facts())
            let chat = ChatUseCases(
                store: store, people: people, limits: limits, askForSubject: { try await listings.answer($0) },
                clock: clock.read)
            let consumer = DurableConsumer(database: database)
            let community = Community(
                people: people, blocks: BlockProjection(database: database) { _ in Page(items: []) },
                suspensions: SuspensionProjection(database: database))
            store.follow(community, on: consumer)
            store.followModerators(on: consumer)
            let village = Chat(
                database: database, people: people, store: store, chat: chat, clock: clock, listings: listings,
                auth: Publisher(consumer: consumer))
            for (id, name) in [(maya, "Maya Tan"), (tom, "Tom"), (lin, "Lin Öberg"), (kim, "Kim")] {
                try await village.tell(PersonChanged(person: PersonSummary(id: id, name: name)))
            }
            try await body(village)
        }
    }

    // MARK: What others say

    /// Auth says it, unless somebody else is named.
    func tell(_ event: some Event, from publisher: String = "auth") async throws {
        try await auth.publish(event, from: publisher)
    }

    func tell(_ facts: RoomSubjectFacts, of subject: Subject = spot) async throws {
        listings.say(facts, of: subject)
        try await tell(RoomSubjectChanged(subject: subject, facts: facts), from: "listings")
    }

    private actor Publisher {
        let consumer: DurableConsumer
        let epoch = UUID()
        var positions: [String: Int64] = [:]

        init(consumer: DurableConsumer) { self.consumer = consumer }

        func publish(_ event: some Event, from publisher: String) async throws {
            let position = positions[publisher, default: 0] + 1
            positions[publisher] = position
            try await consumer.hear(event, from: publisher, at: position, of: epoch, on: noon)
        }
    }

    // MARK: What people do

    /// Tom's room with Maya about her spot.
    @discardableResult
    func opened(
        by person: PersonID = tom, with other: PersonID = maya, about subject: Subject = spot
    ) async throws -> Room {
        try await chat.open(RoomDraft(subject: subject, with: other), .from(person))
    }

    @discardableResult
    func write(_ text: String = "Hello", by person: PersonID = tom, in room: RoomID) async throws -> Message {
        try await chat.send(draft(text), in: room, .from(person))
    }

    func room(_ id: RoomID, of person: PersonID) async throws -> Room {
        try await chat.room(id, for: Caller(person: person))
    }

    func rooms(of person: PersonID, _ query: RoomQuery = RoomQuery()) async throws -> [Room] {
        try await chat.rooms(query, for: Caller(person: person)).items
    }

    func messages(in room: RoomID, of person: PersonID = tom) async throws -> [Message] {
        try await chat.messages(MessageQuery(id: room), for: Caller(person: person)).items
    }

    // MARK: What was published

    struct Published: Sendable {
        var header: EventHeader
        var payload: [UInt8]

        func decoded<E: Event>(as type: E.Type) -> E? {
            header.type == E.type ? try? WireJSON.decode(E.self, from: payload) : nil
        }
    }

    /// In order; without what people are told of it, unless that is asked for.
    func events(of type: String? = nil) async throws -> [Published] {
        try await database.query("SELECT header::text AS header, payload::text AS payload FROM outbox ORDER BY id").map
        {
            Published(
                header: try WireJSON.decode(from: Array(try $0.get("header", as: String.self).utf8)),
                payload: Array(try $0.get("payload", as: String.self).utf8))
        }.filter { type == nil ? !NoticeNews.types.contains($0.header.type) : $0.header.type == type }
    }
}

extension RequestContext {
    /// A request of a person, new unless an id is given.
    static func from(
        _ person: PersonID?, id: UUID = .version7(), _ content: String = "", method: String = "chat.test"
    ) -> RequestContext {
        RequestContext(
            id: id, method: method, deadline: Date() + 60, caller: Caller(person: person), peer: .gateway,
            content: Array(content.utf8))
    }
}

/// The code with which it is refused; nil where it is done.
func refusal(_ body: () async throws -> some Any) async -> ErrorCode? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? any Refusal)?.serviceError.code ?? ErrorCode(rawValue: "\(error)") }
}

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
