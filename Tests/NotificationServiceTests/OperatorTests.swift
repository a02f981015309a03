import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// What operators see of mails, and nobody else does.
@Suite struct OperatorTests {
    @Test func the_list_says_to_whom_and_a_mail_what_it_says_and_that_is_noted() async throws {
        try await Desk.with { desk in
            let id = UUID.version7()
            try await desk.deliver(id)
            let row = try #require(try await desk.list().items.first)
            #expect(row.id.uuid == id && row.to == "maya@example.org" && row.state == .delivered)
            #expect(row.template == "passwordReset" && !row.canRetry)
            #expect(desk.noted().isEmpty)
            let content = try await desk.read(id)
            #expect(content.subject?.contains("Testholm & <Sons>") == true)
            #expect(content.text.contains("https://share.example.org/new-password?token=token-0"))
            #expect(!content.text.contains("=\n") && !content.text.contains("<p>"))
            #expect(desk.noted() == [OperatorAct(.readMail, of: id)])
        }
    }

    @Test func who_is_none_sees_nothing_whatever_their_token_says_and_what_is_not_noted_is_not_shown() async throws {
        try await Desk.with { desk in
            let id = UUID.version7()
            try await desk.deliver(id)
            for refusal in [ServiceError(.forbidden, "No."), ServiceError(.unavailable, "Away.")] {
                desk.refuse(.init(require: refusal))
                await #expect(throws: refusal) { try await desk.list() }
                await #expect(throws: refusal) { try await desk.read(id) }
                await #expect(throws: refusal) { try await desk.retry(id) }
                // Nobody learns what mails there are, either.
                await #expect(throws: refusal) { try await desk.read(.version7()) }
                // Removed in between: the note is refused.
                desk.refuse(.init(note: refusal))
                await #expect(throws: refusal) { try await desk.read(id) }
                await #expect(throws: refusal) { try await desk.retry(id) }
            }
            #expect(desk.noted().isEmpty)
        }
    }

    @Test func what_was_given_up_says_why_and_is_tried_again() async throws {
        try await Desk.with { desk in
            let id = UUID.version7()
            try await desk.post.send(id)
            desk.post.transport.failure.withLock { $0 = MailFailure(isFinal: true, reason: "RCPT failed: 550") }
            _ = try await desk.post.round()
            let row = try #require(try await desk.list().items.first)
            #expect(row.state == .dead && row.reason == "RCPT failed: 550" && row.canRetry && row.to == nil)
            await #expect(throws: ServiceError.notFound("mail")) { try await desk.read(id) }
            let request = UUID.version7()
            for _ in 0..<2 { try await desk.retry(id, request) }
            #expect(try await desk.post.states() == ["waiting"])
            let again = await #expect(throws: ServiceError.self) { try await desk.retry(id) }
            #expect(again?.code == .wrongState)
            #expect(desk.noted().first == OperatorAct(.retryMail, of: id))
            await #expect(throws: ServiceError.notFound("mail")) { try await desk.retry(.version7()) }
        }
    }

    @Test func where_a_server_sends_them_only_what_waits_and_was_given_up_is_listed() async throws {
        try await Desk.with(folder: false) { desk in
            try await desk.post.send()
            _ = try await desk.post.round()
            #expect(try await desk.list().items.isEmpty)
            let id = UUID.version7()
            try await desk.post.send(id)
            #expect(try await desk.list().items.map(\.state) == [.waiting])
            await #expect(throws: ServiceError.notFound("mail")) { try await desk.read(id) }
        }
    }

    /// A page reads as many files as it has lines: of those thousands that there are, the others are no files at all here.
    @Test func thousands_are_paged_without_reading_them() async throws {
        try await Desk.with { desk in
            _ = try await desk.post.pool.query(
                """
                INSERT INTO mails (id, channel, template, state, accepted_at, due_at, expires_at, ended_at)
                SELECT gen_random_uuid(), 'mail', 'notice', 'delivered', t, t, t + interval '1 hour', t
                FROM (SELECT timestamptz '2026-01-01' + n / 3 * interval '1 second' AS t FROM generate_series(1, 5000) n) AS times
                """)
            var (cursor, seen) = (String?.none, Set<KeptMailID>())
            for page in 1...3 {
                let found = try await desk.list(limit: 50, cursor: cursor)
                #expect(found.items.count == 50 && found.next != nil)
                seen.formUnion(found.items.map(\.id))
                #expect(seen.count == 50 * page)
                cursor = found.next
            }
            #expect(desk.shelf.taken.withLock { $0 } == 150)
            let plan = try await desk.post.pool.query(
                """
                EXPLAIN SELECT id FROM mails WHERE channel = 'mail' ORDER BY accepted_at DESC, id DESC LIMIT 51
                """
            ).map { try $0.get("QUERY PLAN", as: String.self) }.joined()
            #expect(plan.contains("mails_in_time"), "\(plan)")
            for cursor in ["../../etc/passwd", "x", ""] {
                await #expect(throws: ServiceError.self) { try await desk.list(cursor: cursor) }
            }
        }
    }

    /// An id is read as one before it names a file; a link that lies there is not followed.
    @Test func nothing_but_a_mails_own_file_is_read() async throws {
        try await Desk.with { desk in
            for id in ["../mails", "..%2f..%2fetc%2fpasswd", "019aa3f2-0002-7077-8f80-92a3b4c5d6e7/../x", ""] {
                #expect(KeptMailID(id) == nil)
            }
            let id = UUID.version7()
            try await desk.deliver(id)
            let path = desk.directory.file("\(id.uuidString.lowercased()).eml")
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
            await #expect(throws: ServiceError.notFound("mail")) { try await desk.read(id) }
            // A file of which there is no row is none of the service's.
            try desk.directory.write("\(NOWHERE).eml", "To: <maya@example.org>\r\n\r\nwords")
            await #expect(throws: ServiceError.notFound("mail")) { try await desk.read(UUID(uuidString: NOWHERE)!) }
        }
    }

    @Test(arguments: ["en", "de"]) func what_is_written_is_read_back(_ language: String) throws {
        let mail = try MailMessageTests.composer().message(
            for: MailMessageTests.order(language, accounts: 3), id: UUID(), at: Date())
        let file = try #require(MailFile(try mail.bytes()))
        #expect(file.to == "maya@example.org" && file.subject == mail.subject)
        #expect(file.text == mail.text.trimmingCharacters(in: .newlines))
        // A part of it, as lists read it.
        #expect(MailFile(Array(try mail.bytes().prefix(1000)))?.to == "maya@example.org")
        #expect(MailFile(Array("no mail".utf8)) == nil)
        let text = MailFile(Array("To: +6591234567\r\nDate: x\r\n\r\n048213 = Code\r\n".utf8))
        #expect(text?.to == "+6591234567" && text?.subject == nil && text?.text == "048213 = Code")
    }
}

private let NOWHERE = "01999999-9999-7999-8999-999999999999"

/// The operator's desk, with an auth that says what a test wants.
private struct Desk {
    struct Refusals {
        var require: ServiceError?
        var note: ServiceError?
    }

    let post: Post
    let operators: OperatorUseCases<PostgresMailStore>
    let directory: TemporaryDirectory
    let shelf: CountingShelf
    private let state: Auth

    private final class Auth: Sendable {
        let refusals = Mutex(Refusals())
        let noted = Mutex<[OperatorAct]>([])
    }

    static func with(
        folder: Bool = true, isolation: isolated (any Actor)? = #isolation, _ body: (Desk) async throws -> Void
    ) async throws {
        try await Post.with { post in
            let (directory, state) = (try TemporaryDirectory("mails"), Auth())
            let access = OperatorAccess(
                require: { _ in if let refusal = state.refusals.withLock({ $0.require }) { throw refusal } },
                note: { act, _, _ in
                    if let refusal = state.refusals.withLock({ $0.note }) { throw refusal }
                    state.noted.withLock { $0.append(act) }
                })
            let shelf = CountingShelf(folder: DropFolder(path: directory.path, reactor: post.pool.reactor))
            let operators = OperatorUseCases(
                records: post.store, access: access, folders: folder ? [.mail: shelf] : [:], now: post.clock.read)
            try await body(Desk(post: post, operators: operators, directory: directory, shelf: shelf, state: state))
        }
    }

    func noted() -> [OperatorAct] { state.noted.withLock { $0 } }
    func refuse(_ refusals: Refusals) { state.refusals.withLock { $0 = refusals } }

    /// A mail that was delivered into the folder.
    func deliver(_ id: UUID) async throws {
        try await post.send(id)
        _ = try await post.round()
        let folder = FolderTransport(folder: directory.path, reactor: post.pool.reactor)
        for mail in post.delivered() { try await folder.deliver(mail) }
    }

    func list(limit: Int? = nil, cursor: String? = nil) async throws -> Page<KeptMail> {
        try await operators.mails(
            KeptMailQuery(channel: .mail, limit: limit, cursor: cursor), for: Caller(person: .new(), roles: [.operator])
        )
    }

    func read(_ id: UUID) async throws -> KeptMailContent { try await operators.mail(KeptMailID(id), post.context()) }

    func retry(_ id: UUID, _ request: UUID = .version7()) async throws {
        try await operators.retry(KeptMailID(id), post.context(request))
    }
}

/// Counts the files that are looked at.
private final class CountingShelf: MailShelf {
    let folder: DropFolder
    let taken = Mutex(0)

    init(folder: DropFolder) { self.folder = folder }

    func take(_ name: String, atMost count: Int) async throws -> [UInt8]? {
        taken.withLock { $0 += 1 }
        return try await folder.take(name, atMost: count)
    }
}
