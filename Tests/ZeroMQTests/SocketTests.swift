import Reactor
import TestKit
import Testing

@testable import ZeroMQ

@Suite(.timeLimit(.minutes(1))) struct SocketTests {
    @Test func aMessageComesWithItsFramesAndItsSendersRole() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let asker = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            let frames: [[UInt8]] = [[1], [], Array(repeating: 7, count: 100_000), [2, 3]]
            #expect(try await asker.sendWhenConnected(frames))
            #expect(await eventually { asker.replies == [frames] })
            #expect(echo.messages.map(\.peer) == ["gateway"])
            try await asker.close()
            try await echo.close()
        }
    }

    @Test func noFrameIsBiggerThanTheLimitAndOthersGoOn() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let gateway = try bench.context("gateway")
            let rude = try await Asker(gateway, to: "auth", at: [echo.endpoint])
            let polite = try await Asker(gateway, to: "auth", at: [echo.endpoint])
            #expect(try await polite.sendWhenConnected([[1]]))
            #expect(try await rude.sendWhenConnected([[UInt8](repeating: 0, count: BusLimits.wireSize)]))
            #expect(try await polite.sendWhenConnected([[2]]))
            #expect(await eventually { polite.replies == [[[1]], [[2]]] })
            #expect(rude.replies.isEmpty)
            #expect(echo.messages.count == 2)
        }
    }

    @Test func whoIsCutForAFrameThatIsTooBigIsLoggedOnceAndWhoLeavesIsNot() async throws {
        try await withBench { bench in
            let log = LogCapture()
            let echo = try await Echo(bench.context("auth", logger: log.logger))
            let gateway = try bench.context("gateway")
            let passing = try await Asker(gateway, to: "auth", at: [echo.endpoint])
            #expect(try await passing.sendWhenConnected([[UInt8](repeating: 1, count: BusLimits.frameSize)]))
            #expect(await eventually { passing.replies.count == 1 })
            try await passing.close()
            try await Task.sleep(for: .milliseconds(300))
            #expect(log.lines.isEmpty)

            let rude = try await Asker(gateway, to: "auth", at: [echo.endpoint])
            for number in UInt8(1)...3 {
                #expect(try await rude.sendWhenConnected([[UInt8](repeating: 0, count: BusLimits.wireSize)]))
                // It comes back by itself, and is served on the new connection.
                let isBack = try await eventually {
                    _ = try await rude.send([[number]])
                    try await Task.sleep(for: .milliseconds(50))
                    return rude.replies.contains([[number]])
                }
                #expect(isBack, "after \(number)")
            }
            #expect(await eventually { !log.lines.isEmpty })
            #expect(log.lines.map(\.message) == ["a connection was cut"])
            #expect(log.lines[0].metadata["address"] == "127.0.0.1")
            #expect(log.lines[0].metadata["reason"]?.contains("\(BusLimits.wireSize) bytes") == true)
        }
    }

    @Test func aFrameOfExactlyTheLimitPasses() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let asker = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            let frames = [[UInt8](repeating: 5, count: BusLimits.frameSize)]
            #expect(try await asker.sendWhenConnected(frames))
            #expect(await eventually { asker.replies == [frames] })
        }
    }

    @Test func nothingIsQueuedForAnEndpointThatIsNotThere() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            // Port 1 refuses connections; without ZMQ_IMMEDIATE every other message would wait for it.
            let asker = try await Asker(bench.context("gateway"), to: "auth", at: ["tcp://127.0.0.1:1", echo.endpoint])
            #expect(try await asker.sendWhenConnected([[0]]))
            for number in 1..<UInt8(50) { #expect(try await asker.send([[number]]) == .sent) }
            #expect(await eventually { asker.replies.count == 50 })
        }
    }

    @Test func withNobodyThereItIsKnownThatNothingWasSent() async throws {
        try await withBench { bench in
            _ = try bench.keys.identity("auth")
            let asker = try await Asker(bench.context("gateway"), to: "auth", at: ["tcp://127.0.0.1:1"])
            for _ in 0..<20 {
                #expect(try await asker.send([[1]]) == .full)
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test func allAddressesOfANameAreUsedAndFollowed() async throws {
        try await withBench { bench in
            let context = try bench.context("auth")
            let first = try await Echo(context, at: "tcp://127.0.0.1:*")
            let port = first.endpoint.split(separator: ":").last!
            let second = try await Echo(context, at: "tcp://127.0.0.2:\(port)")
            let asker = try await Asker(bench.context("gateway"), to: "auth", at: ["tcp://replicas:\(port)"]) {
                endpoint in
                ["tcp://127.0.0.1:\(endpoint.port)", "tcp://127.0.0.2:\(endpoint.port)"]
            }
            let both = try await eventually {
                _ = try await asker.send([[1]])
                return !first.messages.isEmpty && !second.messages.isEmpty
            }
            #expect(both)
        }
    }

    @Test func answeringSomebodyWhoIsGoneIsAnErrorAndNotASilence() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let outcome = try await on(echo.reactor) { echo.socket.send([[1, 2, 3, 4, 5], [6]]) }
            #expect(outcome == .unreachable)
        }
    }

    @Test func aBindThatFailsSaysWhere() async throws {
        try await withBench { bench in
            let context = try bench.context("auth")
            let echo = try await Echo(context)
            let error = await #expect(throws: ZMQError.self) { _ = try await Echo(context, at: echo.endpoint) }
            #expect(error?.description.contains(echo.endpoint) == true)
        }
    }

    @Test func everythingIsFreedWithTheReactor() async throws {
        weak var context: ZMQContext?
        try await withBench { bench in
            let mine = try bench.context("auth")
            context = mine
            let echo = try await Echo(mine)
            try await echo.close()
        }
        #expect(await eventually { context == nil })
    }
}
