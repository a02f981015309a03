import GatewayService
import Glibc
import Testing
import WireProtocol

/// How many connections there may be, and how much of the memory, on real sockets.
@Suite struct ConnectionShareTests {
    /// Whether that becomes true soon.
    private func comes(_ condition: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<100 {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
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
                try? socket.write(Array((ConnectionTests.head + "Connection: close\r\n\r\n").utf8))
                // Closed or reset, without a word.
                let said = (try? await RawHTTP.offThread { try socket.readToEnd() }) ?? []
                if said.isEmpty {
                    cut += 1
                } else {
                    #expect(RawHTTP.statuses(String(decoding: said, as: UTF8.self)) == [200])
                }
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
