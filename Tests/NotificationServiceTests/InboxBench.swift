import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import Sentences
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// The inbox without a bus, on a schema of its own. Its clock stands until it is moved; Maya, Ben and Kim are known, and auth can be asked
/// how to write to them.
struct InboxBench: Sendable {
    static let start = Date(timeIntervalSince1970: 1_795_262_400)  // 2026-11-21 12:00 UTC
    static let maya = PersonID("00000000-0000-4000-8000-000000000001")!
    static let ben = PersonID("00000000-0000-4000-8000-000000000002")!
    static let kim = PersonID("00000000-0000-4000-8000-000000000003")!
    static let room = RoomID("00000000-0000-4000-8000-0000000000aa")!
    static let spot = SpotID("00000000-0000-4000-8000-0000000000bb")!

    let database: Database
    let clock: FixedClock
    let book: PostgresNoticeBook
    let inbox: InboxUseCases
    let settings: NoticeSettingsUseCases
    let mailer: NoticeMailer
    let rounds: NoticeRounds
    let deliveries: PostgresDeliveryQueue
    let sender: MailSender<PostgresMailStore>
    let transport: FakeTransport
    /// Whether auth answers.
    let authIsAway: Away
    private let publisher: Publisher

    final class Away: Sendable {
        let isAway = Mutex(false)
        let suspended = Mutex<Set<PersonID>>([])
        /// Whose address may be a stranger's.
        let unshown = Mutex<Set<PersonID>>([])
    }

    static func with(
        policy: NoticePolicy = NoticePolicy(), devices: PushDevices = .none, sentences: NoticeCatalogue? = nil,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (InboxBench) async throws -> Void
    ) async throws {
        try await TestDatabase.with { test in
            let clock = FixedClock(start)
            let secret = Array("a secret of this test".utf8)
            let database = Database(
                pool: test.pool, service: "notification", digestKey: secret, clock: clock.read, logger: .quiet)
            try await database.migrate(NotificationSchema.migrations)
            let people = PeopleProjection(database: database, clock: clock.read) { _ in nil }
            let book = PostgresNoticeBook(campuses: .off, policy: policy)
            let consumer = DurableConsumer(database: database)
            let community = Community(
                people: people, blocks: BlockProjection(database: database) { _ in Page(items: []) },
                suspensions: SuspensionProjection(database: database),
                moderators: ModeratorProjection(database: database))
            book.follow(community, on: consumer)
            let (away, seal) = (Away(), MailSeal(secret: secret))
            let tokens = UnsubscribeTokens(secret: secret, kinds: policy.kinds)
            let contacts: NoticeMailer.AskContacts = { people in
                if away.isAway.withLock({ $0 }) { throw ServiceError(.unavailable, "Away.", retryAfter: 1) }
                let suspended = away.suspended.withLock { $0 }
                let unshown = away.unshown.withLock { $0 }
                return people.filter { !suspended.contains($0) }.compactMap { person in
                    var found = contact(person)
                    if unshown.contains(person) { found?.email = nil }
                    return found
                }
            }
            let mailer = NoticeMailer(
                database: database, campuses: .off, policy: policy, seal: seal, contacts: contacts, logger: .quiet,
                now: clock.read)
            let transport = FakeTransport()
            let bench = InboxBench(
                database: database, clock: clock, book: book,
                inbox: InboxUseCases(database: database, people: people, book: book, now: clock.read),
                settings: NoticeSettingsUseCases(
                    store: NoticeSettingsStore(database: database, policy: policy), tokens: tokens, people: people,
                    contacts: contacts),
                mailer: mailer,
                rounds: NoticeRounds(
                    database: database, book: book, devices: devices, logger: .quiet, now: clock.read),
                deliveries: PostgresDeliveryQueue(database: database, people: people, policy: policy),
                sender: MailSender(
                    queue: PostgresMailStore(database: database),
                    courier: MailCourier(
                        seal: seal, composer: try MailMessageTests.composer(sentences), transport: transport,
                        tokens: tokens, notices: mailer),
                    policy: MailPolicy(), logger: .quiet, now: clock.read),
                transport: transport, authIsAway: away, publisher: Publisher(consumer: consumer))
            for (id, name) in [(maya, "Maya Tan"), (ben, "Ben"), (kim, "Kim")] {
                try await bench.tell(PersonChanged(person: PersonSummary(id: id, name: name)))
            }
            try await body(bench)
        }
    }

    private static func contact(_ person: PersonID) -> Contact? {
        let names = [maya: "maya.tan", ben: "ben", kim: "kim"]
        return names[person].map {
            Contact(person: person, email: "\($0)@example.org", language: person == ben ? "de" : "en", username: $0)
        }
    }

    // MARK: What others say

    func tell(_ event: some Event, from service: String = "auth", id: UUID = .version7()) async throws {
        try await publisher.publish(event, from: service, id: id, at: clock.now)
    }

    /// As services did before they said what follows from it.
    func tellAlone(_ event: some Event, from service: String) async throws {
        try await publisher.send(event, from: service, id: .version7(), at: clock.now)
    }

    /// The event by itself, of which services said what follows from it.
    func tellMarked(_ event: some Event, from service: String) async throws {
        try await publisher.send(event, from: service, id: .version7(), at: clock.now, told: true)
    }

    private actor Publisher {
        let consumer: DurableConsumer
        let epoch = UUID()
        var positions: [String: Int64] = [:]

        init(consumer: DurableConsumer) { self.consumer = consumer }

        /// As services do: with what people are told because of it.
        func publish(_ event: some Event, from publisher: String, id: UUID, at now: Date) async throws {
            let notices = event.notices(at: now)
            try await send(event, from: publisher, id: id, at: now, told: notices.isEmpty ? nil : true)
            for notice in notices { try await send(notice.event, from: publisher, id: .version7(), at: now) }
        }

        func send<E: Event>(
            _ event: E, from publisher: String, id: UUID, at now: Date, told: Bool? = nil
        ) async throws {
            let position = positions[publisher, default: 0] + 1
            positions[publisher] = position
            let header = EventHeader(
                id: id, type: E.type, aggregate: "one", audience: .nobody, occurredAt: now, told: told)
            try await consumer.consume([
                EventEnvelope(
                    publisher: publisher, epoch: epoch, position: position, header: header,
                    payload: try WireJSON.encode(event))
            ])
        }
    }

    /// Ben writes to Maya.
    func write(_ number: Int, in room: RoomID = room, to person: PersonID = maya, by author: PersonID = ben)
        async throws
    {
        let message = Message(
            id: .new(), room: room, number: number, by: author, text: "secret words", photo: nil, sentAt: clock.now)
        let sent = MessageSent(
            message: message, to: person, subject: Subject(kind: .spot, id: ID(Self.spot.uuid)),
            title: "By the library")
        try await tell(sent, from: "chat")
    }

    func read(_ number: Int, in room: RoomID = room, by person: PersonID = maya) async throws {
        let event = MessagesRead(room: room, by: person, marks: RoomMarks(delivered: number, read: number))
        try await tell(event, from: "chat")
    }

    func ask(_ asker: PersonID = ben, of asked: PersonID = maya) async throws {
        try await tell(FriendAsked(asker: PersonSummary(id: asker, name: "Ben"), asked: asked))
    }

    // MARK: What people do and see

    func context(_ person: PersonID = maya, id: UUID = .version7()) -> RequestContext {
        RequestContext(
            id: id, method: "notification.test", deadline: Date() + 60, caller: Caller(person: person), peer: .gateway,
            content: Array(id.uuidString.utf8))
    }

    func notices(of person: PersonID = maya, _ query: InboxQuery = InboxQuery()) async throws -> [InboxNotice] {
        try await inbox.notices(query, for: Caller(person: person)).items
    }

    func unread(of person: PersonID = maya) async throws -> Int {
        try await inbox.count(for: Caller(person: person)).unread
    }

    func choose(_ person: PersonID = maya, _ change: (inout NoticeSettings) -> Void) async throws {
        var wanted = try await settings.settings(for: Caller(person: person))
        change(&wanted)
        _ = try await settings.change(wanted, context(person))
    }

    /// A message that waits for devices, five seconds later.
    func writeAndHandOver(_ number: Int) async throws {
        try await write(number)
        wait(5)
        try await rounds.tell()
        try await rounds.push()
    }

    func wait(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

    /// Mails that are delivered after a round of everybody.
    func mails() async throws -> [MailMessage] {
        while try await mailer.round() > 0 {}
        while try await sender.deliver() > 0 {}
        return transport.delivered.withLock { delivered in
            defer { delivered.removeAll() }
            return delivered
        }
    }

    func published<E: Event>(_ type: E.Type) async throws -> [(header: EventHeader, event: E)] {
        try await database.read(
            "SELECT header::text AS header, payload::text AS payload FROM outbox WHERE header->>'type' = \(E.type) ORDER BY id"
        ).map { row in
            (
                try WireJSON.decode(from: Array(try row.get("header", as: String.self).utf8)),
                try WireJSON.decode(from: Array(try row.get("payload", as: String.self).utf8))
            )
        }
    }
}
