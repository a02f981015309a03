import FoundationEssentials
import GatewayService
import Glibc
import NIOCore
import Synchronization
import Testing
import WireProtocol

/// What a connection is held to, on real sockets. `Tests/HostileTests` does the same, and more, to a whole stack.
@Suite struct ConnectionTests {
    static let head = "GET /v1/about HTTP/1.1\r\nHost: x\r\n"

    /// Everything that is said on a connection until it is closed, and how long that took.
    private func conversation(
        _ door: TestDoor, _ text: String, then drip: String = "", every pause: Duration = .milliseconds(20)
    ) async throws -> (text: String, took: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let socket = try RawSocket(port: door.port)
        defer { socket.close() }
        try socket.write(Array(text.utf8))
        // On a thread of its own: tasks may have to wait for a processor longer than the connection's patience lasts.
        let isOver = Atomic(false)
        async let dripped: Void = RawHTTP.offThread {
            for byte in drip.utf8 where !isOver.load(ordering: .relaxed) {
                usleep(UInt32(pause / .microseconds(1)))
                try socket.write([byte])
            }
        }
        let bytes = try await RawHTTP.offThread { try socket.readToEnd() }
        isOver.store(true, ordering: .relaxed)
        // Writing to who has closed fails, as it should.
        _ = try? await dripped
        return (String(decoding: bytes, as: UTF8.self), clock.now - start)
    }

    private func impatient(_ change: (inout ConnectionTimes) -> Void) -> TestDoor.Options {
        var options = TestDoor.Options()
        change(&options.times)
        return options
    }

    // MARK: Time

    @Test func one_who_does_not_finish_the_head_is_told_and_cut() async throws {
        try await TestDoor.run(impatient { $0.head = .milliseconds(300) }) { door async throws in
            let slow = try await conversation(door, Self.head, then: "X-Slow: " + String(repeating: "x", count: 60))
            #expect(RawHTTP.statuses(slow.text) == [408])
            #expect(slow.text.contains("too_slow"))
            #expect(slow.took < .seconds(5))
            #expect(try await conversation(door, "").text.isEmpty)
        }
    }

    @Test func an_idle_connection_is_closed_without_a_word() async throws {
        try await TestDoor.run(impatient { $0.idle = .milliseconds(300) }) { door async throws in
            let talk = try await conversation(door, Self.head + "\r\n")
            #expect(RawHTTP.statuses(talk.text) == [200])
            #expect(talk.took > .milliseconds(250))
        }
    }

    @Test func a_body_that_is_too_slow_is_told_so_where_it_is_read() async throws {
        try await TestDoor.run(impatient { $0.body = .milliseconds(300) }) { door async throws in
            for framing in ["Content-Length: 100\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n64\r\n"] {
                let slow = try await conversation(
                    door, "POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + framing,
                    then: String(repeating: " ", count: 80))
                #expect(RawHTTP.statuses(slow.text) == [408])
                #expect(slow.text.contains("too_slow"))
            }
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func a_steady_body_may_take_longer_than_one_that_stands_still() async throws {
        let options = impatient {
            $0.body = .milliseconds(600)
            $0.bodyRate = 1
        }
        try await TestDoor.run(options) { door async throws in
            let body = "{\"a\":123}"
            let steady = try await conversation(
                door,
                "POST /v1/sessions/refresh HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n", then: body, every: .milliseconds(120))
            #expect(RawHTTP.statuses(steady.text) == [503])  // nobody plays auth: it was asked
            #expect(steady.took > .milliseconds(900))
            #expect(door.backend.asked("auth.refresh").count == 1)
        }
    }

    @Test func who_is_refused_early_hears_it_and_need_not_send_the_rest() async throws {
        try await TestDoor.run(impatient { $0.linger = .milliseconds(400) }) { door async throws in
            for (path, status) in [("/v1/spots", 401), ("/nowhere", 404), ("/v1/sessions", 413)] {
                let talk = try await conversation(
                    door,
                    "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n",
                    then: String(repeating: "x", count: 100))
                #expect(RawHTTP.statuses(talk.text) == [status])
                #expect(talk.text.contains("Connection: close"))
                #expect(talk.took < .seconds(5))
            }
        }
    }

    // MARK: Form

    @Test func what_two_servers_could_read_differently_is_refused() async throws {
        try await TestDoor.run { door async throws in
            for head in [
                "Host: x\r\nHost: y\r\n", "", "Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
                "Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n", "Host : x\r\n",
            ] {
                let talk = try await conversation(door, "GET /v1/about HTTP/1.1\r\n\(head)\r\n\(Self.head)\r\n")
                #expect(RawHTTP.statuses(talk.text) == [400])
                #expect(talk.text.contains("application/problem+json"))
            }
            let old = try await conversation(
                door, "POST /v1/sessions HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            #expect(RawHTTP.statuses(old.text) == [400])
        }
    }

    @Test func a_head_that_is_too_long_and_a_version_that_is_not_spoken_have_their_own_answers() async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get("/v1/about", [("X-Long", String(repeating: "x", count: 100_000))])
            #expect(answer.status == 431)
            #expect(try answer.problem().code == .headersTooLarge)
            let future = try await conversation(door, "GET /v1/about HTTP/3.0\r\nHost: x\r\n\r\n")
            #expect(RawHTTP.statuses(future.text) == [505])
        }
    }

    @Test func a_body_that_breaks_off_is_not_taken_for_a_whole_one() async throws {
        try await TestDoor.run { door async throws in
            for framing in ["Content-Length: 100\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n64\r\n"] {
                let socket = try RawSocket(port: door.port)
                defer { socket.close() }
                try socket.write(
                    Array(
                        ("POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + framing
                            + "{\"email\":\"a@example.org\",\"password\":\"p\"}").utf8))
                socket.finishWriting()
                let bytes = try await RawHTTP.offThread { try socket.readToEnd() }
                #expect(RawHTTP.statuses(String(decoding: bytes, as: UTF8.self)) == [400])
            }
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func an_old_client_and_one_that_wants_another_protocol_get_their_answer_and_the_end() async throws {
        try await TestDoor.run { door async throws in
            for head in [
                "GET /v1/about HTTP/1.0\r\n", Self.head + "Connection: Close\r\n",
                Self.head + "Connection: Upgrade\r\nUpgrade: h2c\r\n",
            ] {
                let talk = try await conversation(door, head + "\r\n")
                #expect(RawHTTP.statuses(talk.text) == [200])
                #expect(talk.took < .seconds(3))
            }
        }
    }

    @Test func requests_in_one_packet_are_answered_in_order_and_garbage_last() async throws {
        try await TestDoor.run { door async throws in
            let nowhere = "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
            let many = (0..<20).map { _ in Self.head + "\r\n" + nowhere }.joined()
            let talk = try await conversation(door, many + "garbage\r\n\r\n")
            #expect(RawHTTP.statuses(talk.text) == (0..<20).flatMap { _ in [200, 404] } + [400])
        }
    }

    @Test func who_waits_to_be_asked_for_the_body_is_asked() async throws {
        try await TestDoor.run { door async throws in
            let head = "POST /v1/sessions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\n"
            let polite = try await conversation(door, head + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}")
            #expect(RawHTTP.statuses(polite.text) == [100, 415])
            // Not where it is too much anyway.
            let much = try await conversation(door, head + "Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
            #expect(RawHTTP.statuses(much.text).first != 100)
            let odd = try await conversation(door, head + "Content-Length: 2\r\nExpect: wonders\r\n\r\n{}")
            #expect(RawHTTP.statuses(odd.text) == [417])
        }
    }
}
