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

    /// Whether that becomes true soon.
    private func comes(_ condition: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<100 {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    private func statuses(_ text: String) -> [Int] {
        text.split(separator: "HTTP/1.").dropFirst(text.hasPrefix("HTTP/1.") ? 0 : 1).compactMap {
            Int($0.dropFirst(2).prefix(3))
        }
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
            #expect(statuses(slow.text) == [408])
            #expect(slow.text.contains("too_slow"))
            #expect(slow.took < .seconds(5))
            #expect(try await conversation(door, "").text.isEmpty)
        }
    }

    @Test func an_idle_connection_is_closed_without_a_word() async throws {
        try await TestDoor.run(impatient { $0.idle = .milliseconds(300) }) { door async throws in
            let talk = try await conversation(door, Self.head + "\r\n")
            #expect(statuses(talk.text) == [200])
            #expect(talk.took > .milliseconds(250))
        }
    }

    @Test func a_body_that_is_too_slow_is_told_so_where_it_is_read() async throws {
        try await TestDoor.run(impatient { $0.body = .milliseconds(300) }) { door async throws in
            for framing in ["Content-Length: 100\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n64\r\n"] {
                let slow = try await conversation(
                    door, "POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + framing,
                    then: String(repeating: " ", count: 80))
                #expect(statuses(slow.text) == [408])
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
            #expect(statuses(steady.text) == [503])  // nobody plays auth: it was asked
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
                #expect(statuses(talk.text) == [status])
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
                #expect(statuses(talk.text) == [400])
                #expect(talk.text.contains("application/problem+json"))
            }
            let old = try await conversation(
                door, "POST /v1/sessions HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            #expect(statuses(old.text) == [400])
        }
    }

    @Test func a_head_that_is_too_long_and_a_version_that_is_not_spoken_have_their_own_answers() async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get("/v1/about", [("X-Long", String(repeating: "x", count: 100_000))])
            #expect(answer.status == 431)
            #expect(try answer.problem().code == .headersTooLarge)
            let future = try await conversation(door, "GET /v1/about HTTP/3.0\r\nHost: x\r\n\r\n")
            #expect(statuses(future.text) == [505])
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
                #expect(statuses(String(decoding: bytes, as: UTF8.self)) == [400])
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
                #expect(statuses(talk.text) == [200])
                #expect(talk.took < .seconds(3))
            }
        }
    }

    @Test func requests_in_one_packet_are_answered_in_order_and_garbage_last() async throws {
        try await TestDoor.run { door async throws in
            let nowhere = "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
            let many = (0..<20).map { _ in Self.head + "\r\n" + nowhere }.joined()
            let talk = try await conversation(door, many + "garbage\r\n\r\n")
            #expect(statuses(talk.text) == (0..<20).flatMap { _ in [200, 404] } + [400])
        }
    }

    @Test func who_waits_to_be_asked_for_the_body_is_asked() async throws {
        try await TestDoor.run { door async throws in
            let head = "POST /v1/sessions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\n"
            let polite = try await conversation(door, head + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}")
            #expect(statuses(polite.text) == [100, 415])
            // Not where it is too much anyway.
            let much = try await conversation(door, head + "Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
            #expect(statuses(much.text).first != 100)
            let odd = try await conversation(door, head + "Content-Length: 2\r\nExpect: wonders\r\n\r\n{}")
            #expect(statuses(odd.text) == [417])
        }
    }

    // MARK: Number

    @Test func an_address_has_its_share_of_connections() async throws {
        var options = TestDoor.Options()
        options.connections = ConnectionLimits(most: 100, perAddress: 3)
        try await TestDoor.run(options) { door async throws in
            var silent: [RawSocket] = []
            defer { silent.forEach { $0.close() } }
            // Each is taken in by a thread of its own: the second must not come before the first.
            for number in 1...3 {
                silent.append(try RawSocket(port: door.port))
                #expect(try await comes { door.parts.connections.count == number })
            }
            // The oldest silent one gives way.
            #expect(try await door.get("/v1/about").status == 200)
            let oldest = silent[0]
            let said = try await RawHTTP.offThread { try oldest.readToEnd() }
            #expect(said.isEmpty)
            #expect(door.parts.connections.evicted >= 1)
        }
    }

    @Test func who_opens_more_than_anybody_needs_is_cut_off_for_a_while() async throws {
        var options = TestDoor.Options()
        options.connections = ConnectionLimits(perSecond: 2)
        try await TestDoor.run(options) { door async throws in
            // As many as after a rest, a few that come by while it lasts, and many more.
            var cut = 0
            for _ in 0..<40 {
                let socket = try RawSocket(port: door.port)
                defer { socket.close() }
                try? socket.write(Array((Self.head + "Connection: close\r\n\r\n").utf8))
                // Closed or reset, without a word.
                let said = (try? await RawHTTP.offThread { try socket.readToEnd() }) ?? []
                if said.isEmpty { cut += 1 } else { #expect(statuses(String(decoding: said, as: UTF8.self)) == [200]) }
            }
            #expect((1...32).contains(cut))
            #expect(try await comes { (try? await door.get("/v1/about").status) == 200 })
        }
    }

    @Test func where_everybody_is_busy_the_next_is_told_to_come_back() async throws {
        var options = TestDoor.Options()
        options.connections = ConnectionLimits(most: 100, perAddress: 2)
        try await TestDoor.run(options) { door async throws in
            let streams = try (0..<2).map { _ in try RawSocket(port: door.port) }
            defer { streams.forEach { $0.close() } }
            for stream in streams {
                try stream.write(Array("GET /v1/stream HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
                _ = try await RawHTTP.offThread { try stream.read() }
            }
            let answer = try await door.get("/v1/about")
            #expect(answer.status == 503)
            #expect(try answer.problem().code == .tooManyConnections)
            #expect(answer["Retry-After"] != nil)
            streams[0].shutDown()
            #expect(try await comes { try await door.get("/v1/about").status == 200 })
        }
    }

    // MARK: Memory

    @Test func all_bodies_together_have_a_bound() async throws {
        var options = TestDoor.Options()
        options.bodies = BodyMemory(capacity: 100_000, share: 60_000)
        try await TestDoor.run(options) { door async throws in
            let (ann, bob) = (door.bearer(), door.bearer())
            let picture = [("Content-Type", "image/jpeg")]
            let large = [UInt8](repeating: 0xFF, count: 70_000)
            let share = try await door.send("POST", "/v1/photos", [ann] + picture, body: large)
            #expect(share.status == 503)
            #expect(share["Retry-After"] != nil)
            // Half a body of each is on its way: together they are too much, and each alone would not be.
            let waiting = try RawSocket(port: door.port)
            try waiting.write(
                Array(
                    "POST /v1/photos HTTP/1.1\r\nHost: x\r\n\(ann.0): \(ann.1)\r\nContent-Type: image/jpeg\r\nContent-Length: 60000\r\n\r\n"
                        .utf8) + large.prefix(59_000))
            #expect(try await comes { door.parts.bodies.used == 59_000 })
            let other = try await door.send("POST", "/v1/photos", [bob] + picture, body: Array(large.prefix(50_000)))
            #expect(other.status == 503)
            waiting.close()
            #expect(try await comes { door.parts.bodies.used == 0 })
            let later = try await door.send("POST", "/v1/photos", [bob] + picture, body: Array(large.prefix(50_000)))
            #expect(later.status == 415 || later.status == 422)
        }
    }

    @Test func a_stranger_has_no_large_picture_to_send() async throws {
        try await TestDoor.run { door async throws in
            let form = ("Content-Type", "multipart/form-data; boundary=b")
            let body = [UInt8](repeating: 0x2D, count: BodyLimits.joinForm + 1)
            #expect(try await door.send("POST", "/join", [form], body: body).status == 413)
            #expect(try await door.send("POST", "/sign-in", [form], body: Array(body.prefix(70_000))).status == 413)
        }
    }

    /// A quarter of the memory, less than one usual form would pass.
    @Test func strangers_pictures_leave_room_for_everybody_else() async throws {
        var options = TestDoor.Options()
        options.bodies = BodyMemory(capacity: 400_000, share: 400_000)
        try await TestDoor.run(options) { door async throws in
            let form = ("Content-Type", "multipart/form-data; boundary=b")
            let body = [UInt8](repeating: 0x2D, count: 200_000)
            let waiting = try RawSocket(port: door.port)
            let head = "POST /join HTTP/1.1\r\nHost: x\r\n\(form.0): \(form.1)\r\nContent-Length: 200000\r\n\r\n"
            try waiting.write(Array(head.utf8) + body.prefix(150_000))
            #expect(try await comes { door.parts.bodies.usedByPictures == 150_000 - BodyLimits.json })
            // A second one is too much of that kind; what has the size of a form, or comes from somebody with an account, is not.
            #expect(try await door.send("POST", "/join", [form], body: body).status == 503)
            #expect(try await door.send("POST", "/join", [form], body: Array(body.prefix(60_000))).status == 400)
            let picture = [door.bearer(), ("Content-Type", "image/jpeg")]
            #expect(try await door.send("POST", "/v1/photos", picture, body: body).status == 415)
            waiting.close()
            #expect(try await comes { door.parts.bodies.used == 0 && door.parts.bodies.usedByPictures == 0 })
            #expect(try await door.send("POST", "/join", [form], body: Array(body.prefix(100_000))).status == 400)
        }
    }
}
