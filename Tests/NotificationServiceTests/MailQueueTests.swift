import DurableMessaging
import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// The queue on a real PostgreSQL, with a transport that does what a test says.
@Suite struct MailQueueTests {
    @Test func a_mail_is_taken_on_once_delivered_and_then_forgotten() async throws {
        try await Post.with { post in
            let id = UUID.version7()
            for _ in 0..<3 { try await post.send(id) }
            await #expect(throws: ServiceError.self) { try await post.send(id, to: "eve@example.org") }
            #expect(try await post.round() == 1)
            #expect(try await post.round() == 0)
            #expect(post.delivered().map(\.id) == [id])
            #expect(post.delivered()[0].text.contains("token=token-0"))
            #expect(try await post.states() == ["delivered"])
            #expect(try await post.pool.query("SELECT FROM mails WHERE sealed IS NOT NULL").isEmpty)
            // Sent again when it is long delivered, it is not delivered again.
            try await post.send(id)
            #expect(try await post.round() == 0)
        }
    }

    @Test func nothing_of_it_stands_in_the_database() async throws {
        try await Post.with { post in
            try await post.send()
            post.transport.failure.withLock { $0 = MailFailure(isFinal: false, reason: "RCPT failed: 451") }
            _ = try await post.round()
            var dump = ""
            for table in ["mails", "requests", "outbox"] {
                dump += try await post.pool.query("SELECT t::text AS row FROM \(unescaped: table) t").map {
                    try $0.get("row", as: String.self)
                }.joined()
            }
            #expect(dump.contains("RCPT failed"))
            for secret in ["maya@example.org", "token-0", "maya.0"] {
                let hex = secret.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
                #expect(!dump.contains(secret) && !dump.contains(hex))
            }
        }
    }

    @Test func a_sealed_mail_opens_in_its_own_row_only() throws {
        let seal = MailSeal(secret: Array("a secret of this test".utf8))
        let (id, order) = (UUID.version7(), MailMessageTests.order())
        let sealed = try seal.seal(order, of: id)
        #expect(try seal.open(sealed, of: id) as MailOrder == order)
        #expect(throws: (any Error).self) { try seal.open(sealed, of: .version7()) as MailOrder }
        #expect(throws: (any Error).self) {
            try MailSeal(secret: Array("another secret here".utf8)).open(sealed, of: id) as MailOrder
        }
    }

    @Test func failures_are_tried_again_ever_more_rarely() async throws {
        try await Post.with { post in
            try await post.send()
            post.transport.failure.withLock { $0 = MailFailure(isFinal: false, reason: "away") }
            for wait in [5, 10, 20, 40] {
                #expect(try await post.round() == 1)
                post.clock.advance(by: .seconds(wait - 1))
                #expect(try await post.round() == 0)
                post.clock.advance(by: .seconds(1))
            }
            post.transport.failure.withLock { $0 = nil }
            #expect(try await post.round() == 1)
            #expect(try await post.states() == ["delivered"])
            #expect(MailPolicy().wait(after: 60) == 15 * 60)
        }
    }

    @Test func a_refused_mail_is_dead_and_the_operator_sees_and_repeats_it() async throws {
        try await Post.with { post in
            let id = UUID.version7()
            try await post.send(id)
            post.transport.failure.withLock { $0 = MailFailure(isFinal: true, reason: "RCPT failed: 550") }
            _ = try await post.round()
            let dead = try await post.mails.dead().items
            #expect(dead.map(\.id) == [id] && dead.map(\.reason) == ["RCPT failed: 550"])
            #expect(dead.map(\.attempts) == [1] && dead.map(\.canRetry) == [true])
            post.transport.failure.withLock { $0 = nil }
            #expect(try await post.mails.retryDead(post.context()).retried == 1)
            #expect(try await post.round() == 1)
            #expect(try await post.states() == ["delivered"])
            #expect(try await post.mails.dead().items.isEmpty)
        }
    }

    @Test func what_expired_is_not_delivered_and_its_words_go() async throws {
        try await Post.with { post in
            try await post.send(lifetime: 600)
            post.transport.failure.withLock { $0 = MailFailure(isFinal: false, reason: "away") }
            _ = try await post.round()
            post.clock.advance(by: .seconds(601))
            #expect(try await post.round() == 0)
            try await post.sender.sweep()
            let dead = try await post.mails.dead().items
            #expect(dead.map(\.reason) == ["Its time was over. Before that: away"])
            #expect(dead.map(\.canRetry) == [false])
            #expect(try await post.pool.query("SELECT FROM mails WHERE sealed IS NOT NULL").isEmpty)
            post.clock.advance(by: .seconds(31 * 86_400))
            try await post.sender.sweep()
            #expect(try await post.states().isEmpty)
        }
    }

    /// A process that dies while it delivers: its mail waits for the lease, and what it notes later changes nothing.
    @Test func a_lease_that_is_over_lets_another_one_deliver() async throws {
        try await Post.with { post in
            try await post.send()
            let now = post.clock.now
            let taken = try await post.store.claim(.mail, atMost: 5, now: now, lease: now.addingTimeInterval(60))
            #expect(taken.count == 1)
            #expect(try await post.round() == 0)
            post.clock.advance(by: .seconds(61))
            #expect(try await post.round() == 1)
            try await post.store.settle(taken[0], as: .dead(reason: "late"), now: post.clock.now)
            #expect(try await post.states() == ["delivered"])
        }
    }

    @Test func two_senders_deliver_each_mail_once() async throws {
        try await Post.with { post in
            for _ in 0..<40 { try await post.send() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { while try await post.round() > 0 {} } }
                try await group.waitForAll()
            }
            #expect(post.delivered().count == 40)
            #expect(Set(post.delivered().map(\.id)).count == 40)
        }
    }

    @Test func the_folder_holds_each_mail_once_for_the_operator_alone() async throws {
        try await Post.with { post in
            let directory = try TemporaryDirectory("mails")
            let folder = FolderTransport(folder: directory.path, reactor: post.database.pool.reactor)
            let mail = try MailMessageTests.composer().message(for: MailMessageTests.order(), id: UUID(), at: Date())
            for _ in 0..<2 { try await folder.deliver(mail) }
            let name = "\(mail.id.uuidString.lowercased()).eml"
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [name])
            #expect(directory.read(name).contains("Message-ID: <"))
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let nowhere = FolderTransport(folder: "/nowhere", reactor: post.database.pool.reactor)
            await #expect(throws: MailFailure.self) { try await nowhere.deliver(mail) }
        }
    }
}

/// The mail channel without a bus, on a schema of its own.
struct Post: Sendable {
    let database: Database
    let store: PostgresMailStore
    let mails: MailUseCases<PostgresMailStore>
    let sender: MailSender<PostgresMailStore>
    let clock: FixedClock
    let transport: FakeTransport

    var pool: PostgresPool { database.pool }

    static func with(isolation: isolated (any Actor)? = #isolation, _ body: (Post) async throws -> Void) async throws {
        try await TestDatabase.with { test in
            let clock = FixedClock(Date(timeIntervalSince1970: 1_795_232_513))
            let database = Database(
                pool: test.pool, service: "notification", digestKey: Array("a secret of this test".utf8),
                clock: clock.read, logger: .quiet)
            try await database.migrate(NotificationSchema.migrations)
            let store = PostgresMailStore(database: database)
            let seal = MailSeal(secret: Array("a secret of this test".utf8))
            let transport = FakeTransport()
            let sender = MailSender(
                queue: store,
                courier: MailCourier(
                    seal: seal, composer: try MailMessageTests.composer(), transport: transport,
                    tokens: UnsubscribeTokens(secret: [1]), notices: AllWanted()),
                policy: MailPolicy(), logger: .quiet, now: clock.read)
            try await body(
                Post(
                    database: database, store: store, mails: MailUseCases(records: store, seal: seal, now: clock.read),
                    sender: sender, clock: clock, transport: transport))
        }
    }

    func send(_ id: UUID = .version7(), to: String = "maya@example.org", lifetime: TimeInterval = 3600) async throws {
        var order = MailMessageTests.order(to: to)
        order.expiresAt = Date(timeIntervalSince1970: 1_795_232_513 + lifetime)
        try await mails.send(order, context(id, Array(try WireJSON.encode(order))))
    }

    func context(_ id: UUID = .version7(), _ content: [UInt8] = []) -> RequestContext {
        RequestContext(
            id: id, method: "notification.sendMail", deadline: Date() + 60, caller: .anonymous, peer: .auth,
            content: content)
    }

    func round() async throws -> Int { try await sender.deliver() }
    func delivered() -> [MailMessage] { transport.delivered.withLock { $0 } }

    func states() async throws -> [String] {
        try await pool.query("SELECT state FROM mails ORDER BY id").map { try $0.get("state") }
    }
}

final class FakeTransport: MailTransport {
    let failure = Mutex<MailFailure?>(nil)
    let delivered = Mutex<[MailMessage]>([])

    func deliver(_ message: MailMessage) async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        delivered.withLock { $0.append(message) }
    }
}

struct AllWanted: MailedNotices {
    func stillWanted(_ notices: [InboxNoticeID], of person: PersonID) async throws -> Set<InboxNoticeID> {
        Set(notices)
    }
}
