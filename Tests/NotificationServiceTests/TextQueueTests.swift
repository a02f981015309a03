import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Texts in the queue that mails wait in, on a real PostgreSQL.
@Suite struct TextQueueTests {
    @Test func texts_and_mails_wait_apart_and_each_sender_takes_its_own() async throws {
        try await TextPost.with { texts in
            try await texts.post.send()
            let id = UUID.version7()
            for _ in 0..<3 { try await texts.send(id) }
            #expect(try await texts.round() == 1)
            #expect(texts.delivered().map(\.id) == [id])
            #expect(
                texts.delivered()[0].text
                    == "048213 ist dein Code für Testholm & <Sons>. Er gilt 10 Minuten lang. Gib ihn niemandem: Wir fragen nie danach."
            )
            #expect(texts.post.delivered().isEmpty)
            #expect(try await texts.post.round() == 1)
            #expect(texts.post.delivered().count == 1)
            #expect(try await texts.round() == 0)
            // A text that is slow keeps no mail waiting: nobody but its own sender takes it.
            try await texts.send()
            #expect(try await texts.post.round() == 0)
        }
    }

    @Test func nothing_of_it_stands_in_the_database() async throws {
        try await TextPost.with { texts in
            try await texts.send()
            texts.transport.failure.withLock {
                $0 = MailFailure(isFinal: false, reason: "The SMS gateway answers 503.")
            }
            _ = try await texts.round()
            var dump = ""
            for table in ["mails", "requests", "outbox"] {
                dump += try await texts.post.pool.query("SELECT t::text AS row FROM \(unescaped: table) t").map {
                    try $0.get("row", as: String.self)
                }.joined()
            }
            #expect(dump.contains("answers 503"))
            for secret in ["6591234567", "048213"] {
                let hex = secret.utf8.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
                #expect(!dump.contains(secret) && !dump.contains(hex))
            }
        }
    }

    @Test func a_text_is_tried_five_times_and_not_before_the_gateway_wants_to_be_asked() async throws {
        try await TextPost.with { texts in
            try await texts.send()
            texts.transport.failure.withLock {
                $0 = MailFailure(isFinal: false, reason: "The SMS gateway answers 429.", retryAfter: 90)
            }
            for attempt in 1...5 {
                #expect(try await texts.round() == 1)
                guard attempt < 5 else { break }
                texts.post.clock.advance(by: .seconds(89))
                #expect(try await texts.round() == 0)
                texts.post.clock.advance(by: .seconds(1))
            }
            let dead = try await texts.post.mails.dead().items
            #expect(dead.map(\.channel) == [.text] && dead.map(\.attempts) == [5] && dead.map(\.canRetry) == [true])
            #expect(dead.map(\.reason) == ["The SMS gateway answers 429."])
        }
    }

    @Test func a_wait_that_is_longer_than_its_time_ends_it() async throws {
        try await TextPost.with { texts in
            try await texts.send()
            texts.transport.failure.withLock { $0 = MailFailure(isFinal: false, reason: "later", retryAfter: 601) }
            #expect(try await texts.round() == 1)
            #expect(try await texts.post.states() == ["dead"])
        }
    }

    @Test(arguments: ["6591234567", "+0123456789", "+65 9123 4567", "+659", "", "+6591234567\n"])
    func what_is_no_number_is_refused(_ number: String) async throws {
        try await TextPost.with { texts in
            let error = await #expect(throws: ServiceError.self) { try await texts.send(to: number) }
            #expect(error?.code == .invalid)
        }
    }
}

/// The text channel without a bus, beside the mail channel on its schema.
private struct TextPost {
    let post: Post
    let sender: MailSender<PostgresMailStore>
    let transport: FakeTexts

    static func with(isolation: isolated (any Actor)? = #isolation, _ body: (TextPost) async throws -> Void)
        async throws
    {
        try await Post.with { post in
            let transport = FakeTexts()
            let composer = try TextComposer(
                community: "Testholm & <Sons>", folder: ServiceResourcesFolder.templates)
            let sender = MailSender(
                queue: post.store,
                courier: TextCourier(seal: post.mails.seal, composer: composer, transport: transport),
                policy: .texts, logger: .quiet, now: post.clock.read)
            try await body(TextPost(post: post, sender: sender, transport: transport))
        }
    }

    func send(_ id: UUID = .version7(), to number: String = "+6591234567") async throws {
        let order = TextOrder(
            to: number, language: "de-AT", phoneCode: PhoneCodeText(code: "048213", minutes: 10),
            expiresAt: Date(timeIntervalSince1970: 1_795_232_513 + 600))
        try await post.mails.send(order, post.context(id, Array(try WireJSON.encode(order))))
    }

    func round() async throws -> Int { try await sender.deliver() }
    func delivered() -> [TextMessage] { transport.delivered.withLock { $0 } }
}

private final class FakeTexts: TextTransport {
    let failure = Mutex<MailFailure?>(nil)
    let delivered = Mutex<[TextMessage]>([])

    func deliver(_ message: TextMessage) async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        delivered.withLock { $0.append(message) }
    }
}
