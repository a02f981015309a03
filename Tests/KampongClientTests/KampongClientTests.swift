import Synchronization
import Testing
import WireProtocol

@testable import KampongClient

@Suite struct EventStreamParserTests {
    static let text =
        "retry: 1000\n: beat\n\nid: 7\nevent: spotAdded\ndata: {\"a\":1,\ndata: \"b\":2}\n\n\ndata: x\n\n:\nid: 8\n\n"
    static let messages: [StreamMessage] = [
        .position(""), .event(StreamEvent(id: "7", name: "spotAdded", data: "{\"a\":1,\n\"b\":2}")),
        .event(StreamEvent(id: "7", name: "message", data: "x")), .position("8"),
    ]

    @Test(arguments: 1...40) func wherever_it_is_cut_the_messages_are_the_same(size: Int) {
        var parser = EventStreamParser()
        let bytes = Array(Self.text.utf8)
        let messages = stride(from: 0, to: bytes.count, by: size).flatMap {
            parser.consume(bytes[$0..<min($0 + size, bytes.count)])
        }
        #expect(messages == Self.messages)
    }

    @Test(arguments: ["\r\n", "\r"]) func any_line_end_will_do(lineEnd: String) {
        var parser = EventStreamParser()
        let bytes = Self.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd).utf8
        #expect(parser.consume(bytes) == Self.messages)
    }

    @Test func an_accent_after_a_colon_belongs_to_the_value() {
        var parser = EventStreamParser()
        let messages = parser.consume("event:\u{301}x\ndata: \u{301}y\n\n".utf8)
        #expect(messages == [.event(StreamEvent(id: "", name: "\u{301}x", data: "\u{301}y"))])
    }

    @Test func a_byte_order_mark_is_no_part_of_the_first_name() {
        var parser = EventStreamParser()
        let messages = parser.consume("\u{FEFF}data: x\n\ndata: \u{FEFF}\n\n".utf8)
        let expected = ["x", "\u{FEFF}"].map { StreamMessage.event(StreamEvent(id: "", name: "message", data: $0)) }
        #expect(messages == expected)
    }

    @Test func a_cut_event_is_not_delivered() {
        var parser = EventStreamParser(lastID: "6")
        #expect(parser.consume("id: 7\ndata: half".utf8).isEmpty)
    }
}

@Suite struct TokenVaultTests {
    static func tokens(_ name: String) -> SessionTokens {
        SessionTokens(accessToken: "access-\(name)", refreshToken: "refresh-\(name)", expiresIn: 300)
    }

    @Test func fifty_calls_with_an_expired_token_refresh_once() async throws {
        let exchanges = Mutex(0)
        let vault = TokenVault(tokens: Self.tokens("old")) { refreshToken, _ in
            #expect(refreshToken == "refresh-old")
            exchanges.withLock { $0 += 1 }
            try await Task.sleep(for: .milliseconds(20))
            return Self.tokens("new")
        }
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await vault.refresh(insteadOf: "access-old") } }
            for try await token in group { #expect(token == "access-new") }
        }
        #expect(exchanges.withLock { $0 } == 1)
    }

    @Test func a_session_that_is_over_is_forgotten() async throws {
        let vault = TokenVault(tokens: Self.tokens("old")) { _, _ in throw TokenVault.signedOut }
        await #expect(throws: Problem.self) { try await vault.refresh() }
        #expect(await vault.tokens == nil)
    }

    @Test func a_server_that_is_away_does_not_end_the_session() async throws {
        let vault = TokenVault(tokens: Self.tokens("old")) { _, _ in
            throw Unreachable(outcomeUnknown: true, reason: "cut")
        }
        await #expect(throws: Unreachable.self) { try await vault.refresh() }
        #expect(await vault.tokens == Self.tokens("old"))
    }
}

extension TokenVaultTests {
    @Test func a_lost_answer_is_asked_for_again_by_the_same_request() async throws {
        let keys = Mutex<[String]>([])
        let vault = TokenVault(tokens: Self.tokens("old")) { refreshToken, key in
            let count = keys.withLock { keys in
                keys.append(key)
                return keys.count
            }
            if count < 3 { throw Unreachable(outcomeUnknown: true, reason: "in a tunnel") }
            return Self.tokens("new-\(count)")
        }
        for _ in 0..<2 { await #expect(throws: Unreachable.self) { try await vault.refresh() } }
        #expect(try await vault.refresh() == "access-new-3")
        #expect(Set(keys.withLock { $0 }).count == 1)
        // Another token is another request.
        #expect(try await vault.refresh() == "access-new-4")
        #expect(Set(keys.withLock { $0 }).count == 2)
        // And nobody can tell the key from the token.
        let other = TokenVault(tokens: Self.tokens("old")) { _, key in
            #expect(!keys.withLock { $0 }.contains(key))
            return Self.tokens("new")
        }
        _ = try await other.refresh()
    }
}

@Suite struct RetryPolicyTests {
    @Test func waits_double_up_to_a_limit_and_heed_the_server() {
        let policy = RetryPolicy(attempts: 9, firstWait: .milliseconds(100), longestWait: .seconds(3))
        #expect(
            (0..<4).map { policy.wait(after: $0, retryAfter: nil) } == [100, 200, 400, 800].map { .milliseconds($0) })
        #expect(policy.wait(after: 0, retryAfter: 2) == .seconds(2))
        #expect(policy.wait(after: 8, retryAfter: 60) == .seconds(3))
    }
}
