import Reactor
import TestKit
import Testing

@testable import ZeroMQ

/// Who has no key, or does not even speak the protocol: refused, logged once, and nobody else is the worse for it.
@Suite(.timeLimit(.minutes(1)), .serialized) struct StrangerTests {
    private static let refusal = "a connection was refused"

    /// A server, a guest who is connected to it, and what the server logs.
    private func with(_ body: (_ endpoint: String, _ guest: Asker, _ log: LogCapture) async throws -> Void) async throws
    {
        try await withBench { bench in
            let log = LogCapture()
            let echo = try await Echo(bench.context("auth", logger: log.logger))
            let guest = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            #expect(try await guest.sendWhenConnected([[0]]))
            #expect(await eventually { guest.replies.count == 1 })
            try await body(echo.endpoint, guest, log)
            try await echo.close()
        }
    }

    /// That the guest is answered soon, and how soon.
    @discardableResult
    private func ask(_ guest: Asker) async throws -> Duration {
        let (start, before) = (ContinuousClock.now, guest.replies.count)
        #expect(try await guest.send([[1], [2]]) == .sent)
        #expect(await eventually { guest.replies.count > before })
        let wait = ContinuousClock.now - start
        #expect(wait < .seconds(3))
        return wait
    }

    /// What strangers say, by name. The last are right up to the place where they are not.
    private static let sayings: [(name: String, bytes: [UInt8])] = [
        ("HTTP", Array("GET / HTTP/1.1\r\nHost: bus\r\n\r\n".utf8)),
        ("TLS", [0x16, 3, 1, 0, 0xC8, 1, 0, 0, 0xC4, 3, 3] + [UInt8](repeating: 0x5A, count: 200)),
        ("zeros", [UInt8](repeating: 0, count: 4096)),
        ("ones", [UInt8](repeating: 0xFF, count: 4096)),
        ("an old version", [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 1, 5]),
        ("a later version", [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 9, 9] + [UInt8](repeating: 0, count: 52)),
        ("an unknown mechanism", greeting("NOTHING")),
        ("no mechanism", greeting("NULL") + [4, 5] + Array("READY".utf8)),
        ("a command that is no HELLO", greeting() + [4, 6] + Array("\u{5}HULLO".utf8)),
        ("a HELLO cut short", greeting() + [4, 6] + Array("\u{5}HELLO".utf8)),
        ("a HELLO of noise", greeting() + [4, 200] + Array("\u{5}HELLO".utf8) + [UInt8](repeating: 0xA5, count: 194)),
        ("a command longer than all memory", greeting() + [6] + [UInt8](repeating: 0x7F, count: 8) + [1, 2, 3]),
    ]

    @Test func whatever_strangers_say_they_are_sent_away_and_the_guest_is_served() async throws {
        try await with { endpoint, guest, log in
            let strangers = Self.sayings.map { saying in
                let stranger = Strangers(to: endpoint)
                stranger.come(saying: saying.bytes)
                return (saying.name, stranger)
            }
            for _ in 0..<20 { try await ask(guest) }
            for (name, stranger) in strangers {
                let isGone = await eventually(within: .seconds(6)) { stranger.ended == 1 }
                #expect(isGone, "\(name) is still connected")
            }
            #expect(await eventually { !log.lines(saying: Self.refusal).isEmpty })
            // All from one address: once a minute. (Who was gone before we looked has none.)
            let addresses = log.lines(saying: Self.refusal).compactMap { $0.metadata["address"] }
            #expect(addresses.count == Set(addresses).count && Set(addresses).isSubset(of: ["127.0.0.1", "unknown"]))
            try await ask(guest)
        }
    }

    @Test func a_flood_of_garbage_does_not_keep_the_guest_waiting() async throws {
        try await with { endpoint, guest, log in
            let noise = (0..<64 << 10).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 7) }
            let flood = Task.detached {
                var waves = 0
                while !Task.isCancelled, waves < 60 {
                    let strangers = Strangers(to: endpoint)
                    strangers.come(20, saying: waves % 2 == 0 ? noise : greeting() + noise)
                    strangers.leave()
                    waves += 1
                }
                return waves
            }
            var waits: [Duration] = []
            while waits.count < 200 { waits.append(try await ask(guest)) }
            flood.cancel()
            #expect(await flood.value > 0)
            #expect(waits.sorted()[waits.count / 2] < .milliseconds(250))
            #expect(log.lines(saying: Self.refusal).count <= 2)
        }
    }

    @Test func many_who_never_finish_their_handshake_are_sent_away_in_time() async throws {
        try await with { endpoint, guest, log in
            // Half of them say nothing, half of them begin rightly.
            let (silent, polite) = (Strangers(to: endpoint), Strangers(to: endpoint))
            #expect(silent.come(300) == 300 && polite.come(300, saying: greeting()) == 300)
            try await ask(guest)
            // The gate's three seconds, and what a busy machine takes.
            #expect(await eventually(within: .seconds(12)) { silent.ended == 300 && polite.ended == 300 })
            try await ask(guest)
            #expect(log.lines(saying: Self.refusal).map { $0.metadata["address"] } == ["127.0.0.1"])
            #expect(log.lines(saying: Self.refusal)[0].metadata["reason"] == "it did not finish the handshake")
        }
    }

    @Test func who_comes_without_curve_is_logged_as_such() async throws {
        try await with { endpoint, guest, log in
            let stranger = Strangers(to: endpoint)
            stranger.come(saying: greeting("NULL"))
            #expect(await eventually { stranger.ended == 1 && !log.lines(saying: Self.refusal).isEmpty })
            #expect(log.lines(saying: Self.refusal).map { $0.metadata["reason"] } == ["it came without CURVE"])
            try await ask(guest)
        }
    }

    @Test func a_peer_without_a_key_is_logged_once() async throws {
        try await withBench { bench in
            let log = LogCapture()
            let echo = try await Echo(bench.context("auth", logger: log.logger))
            let context = try bench.context("gateway")
            let naked = try await on(context.reactor) {
                let socket = try ZMQSocket(.dealer, security: .none, context: context)
                try socket.connect(echo.endpoint)
                return socket
            }
            #expect(await eventually { !log.lines(saying: Self.refusal).isEmpty })
            // libzmq comes again and again.
            try await Task.sleep(for: .seconds(1))
            let lines = log.lines(saying: Self.refusal)
            #expect(Set(lines.compactMap { $0.metadata["address"] }).count == lines.count)
            // Which of the two ends the connection first is not ours to say.
            let reasons = ["it came without CURVE", "it does not speak ZMTP", "it did not finish the handshake"]
            #expect(lines.allSatisfy { reasons.contains($0.metadata["reason"] ?? "") })
            #expect(try await on(context.reactor) { naked.send([[66]]) } != .sent)
            #expect(echo.messages.isEmpty)
            try await on(context.reactor) { naked.close() }
        }
    }

    @Test func many_keys_that_nobody_knows_are_logged_once() async throws {
        try await withBench { bench in
            let log = LogCapture()
            let echo = try await Echo(bench.context("auth", logger: log.logger))
            let guest = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            #expect(try await guest.sendWhenConnected([[0]]))
            var intruders: [(Keys, Asker)] = []
            for _ in 0..<12 {
                let foreign = Keys()
                let identity = try foreign.identity("gateway")
                foreign.publish(try bench.keys.identity("auth").keys.publicKey.text, as: "auth")
                let context = try bench.context("gateway", identity: identity)
                intruders.append((foreign, try await Asker(context, to: "auth", at: [echo.endpoint])))
            }
            #expect(await eventually { !log.lines(saying: "a peer with an unknown key was refused").isEmpty })
            for _ in 0..<10 { try await ask(guest) }
            try await Task.sleep(for: .seconds(1.5))
            for intruder in intruders { #expect(try await intruder.1.send([[66]]) != .sent) }
            #expect(log.lines(saying: "a peer with an unknown key was refused").count == 1)
            // The gate has said it; the sockets' log is silent about them.
            #expect(log.lines(saying: Self.refusal).isEmpty)
            #expect(Set(echo.messages.map(\.peer)) == ["gateway"])
        }
    }

    @Test func connections_of_a_key_that_is_withdrawn_are_cut() async throws {
        try await withBench { bench in
            let log = LogCapture()
            let context = try bench.context("auth", logger: log.logger)
            let echo = try await Echo(context)
            let guest = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            let other = try await Asker(bench.context("listings"), to: "auth", at: [echo.endpoint])
            for asker in [guest, other] { #expect(try await asker.sendWhenConnected([[1]])) }
            #expect(await eventually { guest.replies.count == 1 && other.replies.count == 1 })

            bench.keys.withdraw("gateway")
            // A socket that stays as it is: nobody opens it anew.
            let isCut = try await eventually(within: .seconds(15)) { try await guest.send([[2]]) != .sent }
            #expect(isCut)
            // What was on its way before that may still arrive.
            try await Task.sleep(for: .milliseconds(500))
            let heard = echo.messages.count { $0.peer == "gateway" }
            #expect(log.lines(saying: "a key was withdrawn: all connections pass the gate anew").count == 1)
            // The others are back by themselves, and the one who was sent away is not.
            #expect(try await other.sendWhenConnected([[3]]))
            #expect(await eventually { echo.messages.last?.peer == "listings" })
            for _ in 0..<50 {
                #expect(try await guest.send([[66]]) != .sent)
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(echo.messages.count { $0.peer == "gateway" } == heard)
        }
    }

    @Test func a_key_file_that_is_written_anew_cuts_nobody() async throws {
        try await withBench { bench in
            let log = LogCapture()
            let context = try bench.context("auth", logger: log.logger)
            let echo = try await Echo(context)
            let guest = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            #expect(try await guest.sendWhenConnected([[1]]))
            let authenticator = context.authenticator
            let key = try bench.keys.identity("gateway").keys.publicKey.text
            bench.keys.withdraw("gateway")
            let isMissed = try await eventually {
                try await on(context.reactor) { authenticator.assumeIsolated { !$0.missing.isEmpty } }
            }
            #expect(isMissed)
            bench.keys.publish(key, as: "gateway")
            try await Task.sleep(for: .seconds(2.5))
            #expect(try await guest.send([[2]]) == .sent)
            #expect(await eventually { guest.replies.count == 2 })
            #expect(log.lines.isEmpty)
        }
    }
}
