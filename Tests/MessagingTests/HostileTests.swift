import FoundationEssentials
import Logging
import Reactor
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import Messaging

/// A peer that is let in and does not keep to the protocol: each message is refused or dropped, what it does is said once a minute, and
/// whoever asks beside it is served.
@Suite(.timeLimit(.minutes(1))) struct HostileTests {
    /// A service that echoes, what it logs, and one client that behaves.
    private func with(
        limits: RequestServer.Limits = .init(), taking time: Duration = .zero,
        _ body: (_ town: Town, _ endpoint: String, _ guest: RequestClient, _ log: LogCapture) async throws -> Void
    ) async throws {
        try await withTown { town in
            let log = LogCapture()
            var router = RequestRouter(service: "auth")
            router.on(Ask.echo) { _, body, _ in
                try await Task.sleep(for: time)
                return body
            }
            router.on(Ask.look) { _, _, _ in Note("seen") }
            let served = try await town.serve(router, limits: limits, logger: log.logger)
            let guest = try town.client(of: served.endpoint)
            #expect(try await guest.call(Ask.look, Nothing(), Nothing()) == Note("seen"))
            try await body(town, served.endpoint, guest, log)
        }
    }

    private static func request(
        _ method: String = "auth.echo", body: [UInt8] = Array(#"{"text":"x"}"#.utf8),
        deadline: Date = Date(timeIntervalSinceNow: 30)
    ) throws -> [[UInt8]] {
        try RequestEnvelope(
            id: .version7(), method: method, deadline: deadline, caller: .anonymous,
            parameters: Array(#"{"text":""}"#.utf8), body: body
        ).frames()
    }

    /// Everything that can be put into the place of a frame.
    static let nonsense: [[UInt8]] = [
        [], [0], [0xFF], [UInt8](repeating: 0, count: 7), [UInt8](repeating: 0xFF, count: 8), Array("K2".utf8),
        [UInt8](repeating: 0xFF, count: 17), Array("{".utf8), Array("null".utf8), Array("[[[[[[".utf8),
        Array(#"{"roles":["emperor"]}"#.utf8), [0xC3, 0x28], [0xED, 0xA0, 0x80],
        [UInt8](repeating: UInt8(ascii: "["), count: 100_000), [UInt8](repeating: 0x41, count: 900_000),
        Array("00-zz-zz-zz".utf8), Array("../../etc/passwd\0".utf8),
    ]

    @Test func every_field_of_a_request_may_hold_anything() async throws {
        try await with { town, endpoint, guest, log in
            let hand = try await Hand(.dealer, to: "auth", at: endpoint, town.context(.gateway))
            var number: Int64 = 1
            for field in 0..<8 {
                for nonsense in Self.nonsense {
                    var frames = try Self.request()
                    frames[field] = nonsense
                    try await hand.send([Frame.integer(number), []] + frames)
                    number += 1
                }
            }
            // More, fewer and none at all.
            let whole = try Self.request()
            for count in 0...8 { try await hand.send([Frame.integer(number), []] + whole.prefix(count)) }
            try await hand.send([Frame.integer(number), []] + whole + Array(repeating: [7], count: 200))
            try await hand.send(Array(repeating: [], count: 64))
            try await hand.send([Frame.integer(-1), []] + Self.request())
            try await eventually("the last answer") { hand.replies.contains { $0.first == Frame.integer(-1) } }

            for frames in hand.replies { _ = try #require(try ReplyEnvelope(frames)) }
            let codes = try Set(hand.replies.compactMap { try ReplyEnvelope($0)?.code })
            #expect(codes == [.malformed, .unknownMethod])
            #expect(log.lines.count { $0.level >= .warning } == 1)
            #expect(log.lines.first { $0.level >= .warning }?.metadata == ["peer": "gateway"])
            #expect(try await guest.call(Ask.look, Nothing(), Nothing()) == Note("seen"))
            await hand.close()
        }
    }

    @Test(arguments: ["", "K", "K0", "K2", "K1\0", "k1", "K10"])
    func another_version_is_refused_by_name(_ version: String) async throws {
        try await with { town, endpoint, guest, _ in
            let hand = try await Hand(.dealer, to: "auth", at: endpoint, town.context(.gateway))
            var frames = try Self.request()
            frames[0] = Array(version.utf8)
            try await hand.send([[7], []] + frames)
            try await eventually("the answer") { !hand.replies.isEmpty }
            let reply = try #require(try ReplyEnvelope(hand.replies[0]))
            #expect(reply.id == Frame.uuid(frames[1]) && reply.code == .malformed)
            await hand.close()
        }
    }

    @Test func a_later_minor_version_may_append_frames() async throws {
        try await with { town, endpoint, _, _ in
            let hand = try await Hand(.dealer, to: "auth", at: endpoint, town.context(.gateway))
            try await hand.send([[7], []] + Self.request() + [[1, 2, 3], Array("later".utf8)])
            try await eventually("the answer") { !hand.replies.isEmpty }
            #expect(try ReplyEnvelope(hand.replies[0])?.outcome == .success(Array(#"{"text":"x"}"#.utf8)))
            await hand.close()
        }
    }

    @Test func a_role_that_asks_for_what_is_not_its_is_refused_each_time_and_logged_once() async throws {
        try await with { town, endpoint, guest, log in
            let listings = try town.client(.listings, of: endpoint)
            for _ in 0..<20 {
                let refused = await failure { _ = try await listings.call(Ask.look, Nothing(), Nothing()) }
                #expect(refused?.code == .forbidden)
            }
            #expect(log.lines.filter { $0.level >= .warning }.map(\.metadata) == [["peer": "listings"]])
            #expect(try await guest.call(Ask.look, Nothing(), Nothing()) == Note("seen"))
        }
    }

    @Test func a_message_beyond_the_limit_costs_its_sender_the_connection_and_nobody_else() async throws {
        try await with { town, endpoint, guest, _ in  // what is logged of it: ZeroMQTests, SocketTests
            let hand = try await Hand(.dealer, to: "auth", at: endpoint, town.context(.gateway))
            try await hand.send([[1], []] + Self.request())
            try await eventually("the first answer") { hand.replies.count == 1 }
            var large = try Self.request()
            let megabyte = [UInt8](repeating: 0x20, count: 1_000_000)
            (large[5], large[6], large[7]) = (megabyte, megabyte, megabyte)
            try await hand.send([[2], []] + large)
            #expect(try await guest.call(Ask.look, Nothing(), Nothing()) == Note("seen"))
            // Its socket connects anew by itself, and what it sends then is answered; the large one never is.
            try await eventually("an answer on a new connection") {
                try await hand.send([[3], []] + Self.request())
                try await Task.sleep(for: .milliseconds(100))
                return hand.replies.contains { $0.first == [3] }
            }
            #expect(!hand.replies.contains { $0.first == [2] })
            await hand.close()
        }
    }

    @Test func a_frame_beyond_the_limit_makes_of_a_message_none() async throws {
        try await with { town, endpoint, _, log in
            let hand = try await Hand(.dealer, to: "auth", at: endpoint, town.context(.gateway))
            let large = try Self.request(body: [UInt8](repeating: 0x20, count: BusLimits.frameSize + 1))
            try await hand.send([[1], []] + large)
            try await hand.send([[2], []] + Self.request())
            try await eventually("the answer") { !hand.replies.isEmpty }
            #expect(hand.replies.map(\.first) == [[2]])
            #expect(log.lines.count { $0.level >= .warning } == 1)
            await hand.close()
        }
    }

    @Test func who_floods_waits_for_itself() async throws {
        var limits = RequestServer.Limits()
        (limits.inFlight, limits.waiting) = (4, 256)
        try await with(limits: limits, taking: .milliseconds(20)) { town, endpoint, guest, log in
            let hand = try await Hand(.dealer, to: "auth", at: endpoint, town.context(.gateway))
            try await hand.send([[0], []] + Self.request())
            // 200 a second is what the service can do; this is many seconds of that.
            var sent = 0
            for batch in 0..<20 {
                let messages = try (0..<100).map {
                    try [Frame.integer(Int64(batch * 100 + $0 + 1)), []] + Self.request()
                }
                sent += await hand.pour(messages)
            }
            #expect(sent > 1000)
            for number in 0..<20 {
                let note = Note("\(number)")
                // Behind the flood it would be five seconds and more.
                let deadline = Date(timeIntervalSinceNow: 4)
                #expect(try await guest.call(Ask.echo, Note(""), note, deadline: deadline) == note)
            }
            #expect(hand.replies.count < sent, "the flood is still there")
            #expect(log.lines.filter { $0.level >= .warning }.map(\.metadata) == [["peer": "gateway"]])
            await hand.close()
        }
    }

    @Test func what_waits_is_limited_in_bytes_as_well() async throws {
        var limits = RequestServer.Limits()
        (limits.inFlight, limits.waiting, limits.waitingBytes) = (1, 1000, 600_000)
        try await with(limits: limits, taking: .milliseconds(5)) { town, endpoint, guest, _ in
            let hand = try await Hand(.dealer, to: "auth", at: endpoint, town.context(.gateway))
            let body = Array(#"{"text":""#.utf8) + [UInt8](repeating: 0x61, count: 100_000) + Array(#""}"#.utf8)
            for number in 1...40 { try await hand.send([Frame.integer(Int64(number)), []] + Self.request(body: body)) }
            let deadline = Date(timeIntervalSinceNow: 30)
            #expect(try await guest.call(Ask.echo, Note(""), Note("small"), deadline: deadline) == Note("small"))
            try await eventually("all answers") { hand.replies.count == 40 }
            await hand.close()
        }
    }

    @Test func a_deadline_in_the_far_future_is_shortened() async throws {
        var limits = RequestServer.Limits()
        limits.longest = .milliseconds(300)
        try await withTown { town in
            let gauge = Gauge()
            var router = RequestRouter(service: "auth")
            router.on(Ask.look) { _, _, context in
                gauge.enter()
                defer { gauge.leave() }
                try await Task.sleep(for: .seconds(3600))
                return Note("")
            }
            let served = try await town.serve(router, limits: limits)
            let hand = try await Hand(.dealer, to: "auth", at: served.endpoint, town.context(.gateway))
            var frames = try Self.request("auth.look", body: [])
            frames[6] = []
            for deadline in [Int64.max, 9_000_000_000_000_000, 4_102_444_800_000] {
                (frames[1], frames[3]) = (Frame.uuid(.version7()), Frame.integer(deadline))
                try await hand.send([[1], []] + frames)
            }
            // Not even one that has passed since the beginning of time does any harm.
            frames[3] = Frame.integer(.min)
            try await hand.send([[1], []] + frames)
            try await eventually("the handlers to be cancelled") { gauge.total == 3 && gauge.now == 0 }
            await hand.close()
        }
    }
}

@Suite struct FairQueueTests {
    @Test func senders_take_turns() {
        var queue = FairQueue<String>()
        for number in 0..<4 { queue.append("a\(number)", of: [1], size: 10) }
        queue.append("b0", of: [2], size: 1)
        queue.append("c0", of: [3], size: 1)
        queue.append("b1", of: [2], size: 1)
        #expect(queue.count == 7 && queue.size == 43 && queue.nextOfBusiest == "a0")
        var order: [String] = []
        while let next = queue.popFirst() { order.append(next) }
        #expect(order == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"])
        #expect(queue.isEmpty && queue.size == 0)
        queue.append("b2", of: [2], size: 5)
        let last = queue.popFirst()
        #expect(last == "b2")
    }
}
