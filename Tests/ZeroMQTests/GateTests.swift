import Glibc
import Reactor
import TestKit
import Testing

@testable import ZeroMQ

/// Who gets in. A refused peer never shows up at the socket; that it had its chance is shown by one who comes after it.
@Suite(.timeLimit(.minutes(1))) struct GateTests {
    /// The keys of a stranger who knows the server's public key, in a directory of their own.
    private func stranger(to bench: Bench) throws -> (Keys, BusIdentity) {
        let foreign = Keys()
        let identity = try foreign.identity("gateway")
        foreign.publish(try bench.keys.identity("auth").keys.publicKey.text, as: "auth")
        return (foreign, identity)
    }

    @Test func anUnknownKeyIsRefused() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let (foreign, identity) = try stranger(to: bench)
            let intruder = try await Asker(
                bench.context("gateway", identity: identity), to: "auth", at: [echo.endpoint])
            let guest = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            #expect(try await guest.sendWhenConnected([[1]]))
            #expect(await eventually { guest.replies.count == 1 })
            for _ in 0..<100 {
                #expect(try await intruder.send([[66]]) != .sent)
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(echo.messages.map(\.peer) == ["gateway"])
            withExtendedLifetime(foreign) {}
        }
    }

    @Test func aKeyThatIsAddedGetsInWithoutARestart() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let (foreign, identity) = try stranger(to: bench)
            let newcomer = try await Asker(
                bench.context("listings", identity: identity), to: "auth", at: [echo.endpoint])
            try await Task.sleep(for: .milliseconds(300))
            #expect(echo.messages.isEmpty)
            bench.keys.publish(identity.keys.publicKey.text, as: "listings")
            // libzmq does not knock again after a refusal; whoever hears nothing opens a new socket.
            try await on(newcomer.reactor) { newcomer.connection.reopen() }
            #expect(try await newcomer.sendWhenConnected([[1]]))
            #expect(await eventually { echo.messages.map(\.peer) == ["listings"] })
            withExtendedLifetime(foreign) {}
        }
    }

    @Test func a_socket_for_some_roles_refuses_the_others_and_says_so_once_for_each() async throws {
        try await withBench { bench in
            let log = LogCapture()
            let context = try bench.context("auth", logger: log.logger)
            let (open, closed) = (try await Echo(context), try await Echo(context, security: .serverOf(["gateway"])))
            let guest = try await Asker(bench.context("gateway"), to: "auth", at: [closed.endpoint])
            var others: [Asker] = []
            for role in ["listings", "operator"] {
                let context = try bench.context(role)
                let welcome = try await Asker(context, to: "auth", at: [open.endpoint])
                #expect(try await welcome.sendWhenConnected([[1]]))
                others.append(try await Asker(context, to: "auth", at: [closed.endpoint]))
            }
            #expect(try await guest.sendWhenConnected([[1]]))
            for turn in 0..<40 {
                for other in others {
                    #expect(try await other.send([[66]]) != .sent)
                    if turn % 10 == 0 { try await on(other.reactor) { other.connection.reopen() } }
                }
                try await Task.sleep(for: .milliseconds(25))
            }
            #expect(await eventually { closed.messages.map(\.peer) == ["gateway"] && open.messages.count == 2 })
            let refusals = log.lines(saying: "a peer was refused: this socket is not for its role")
            #expect(refusals.compactMap { $0.metadata["peer"] }.sorted() == ["listings", "operator"])
        }
    }

    @Test func noKeyIsRefused() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let context = try bench.context("gateway")
            let naked = try await on(context.reactor) {
                let socket = try ZMQSocket(.dealer, security: .none, context: context)
                try socket.connect(echo.endpoint)
                return socket
            }
            for _ in 0..<50 {
                #expect(try await on(context.reactor) { naked.send([[66]]) } != .sent)
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(echo.messages.isEmpty)
            try await on(context.reactor) { naked.close() }
        }
    }

    @Test func withoutTheGateNobodyGetsIn() async throws {
        try await withBench { bench in
            let context = try bench.context("auth")
            let authenticator = context.authenticator
            try await on(context.reactor) { authenticator.assumeIsolated { $0.close() } }
            let echo = try await Echo(context)
            let asker = try await Asker(bench.context("gateway"), to: "auth", at: [echo.endpoint])
            for _ in 0..<50 {
                #expect(try await asker.send([[1]]) != .sent)
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(echo.messages.isEmpty)
        }
    }

    @Test func aServerWithAnotherKeyIsNotBelieved() async throws {
        try await withBench { bench in
            let impostor = try await Echo(bench.context("listings"))
            _ = try bench.keys.identity("auth")
            let asker = try await Asker(bench.context("gateway"), to: "auth", at: [impostor.endpoint])
            for _ in 0..<50 {
                #expect(try await asker.send([[1]]) != .sent)
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(impostor.messages.isEmpty)
        }
    }

    /// A client of two replicas in one process knocks twice at once: the second would be let in a second after the first.
    @Test func who_knocks_during_a_reading_that_knows_them_does_not_wait_for_the_next() async throws {
        try await withBench { bench in
            let context = try bench.context("auth")
            let echo = try await Echo(context)
            let (gateway, listings) = (try bench.context("gateway"), try bench.context("listings"))
            // Each reading stops here until somebody writes: the test says when one ends, and the next one never does.
            let slow = "\(bench.keys.publicKeys)/slow.pub"
            #expect(mkfifo(slow, 0o600) == 0)
            defer {
                let descriptor = open(slow, O_RDWR)
                unlink(slow)
                close(descriptor)
            }
            let first = try await Asker(gateway, to: "auth", at: [echo.endpoint])
            let authenticator = context.authenticator
            var writer: Int32 = -1
            let isReading = await eventually {
                writer = open(slow, O_WRONLY | O_NONBLOCK)
                return writer >= 0
            }
            #expect(isReading)
            let second = try await Asker(listings, to: "auth", at: [echo.endpoint])
            let isWaiting = try await eventually {
                try await on(context.reactor) { authenticator.assumeIsolated { $0.waitingCount == 1 } }
            }
            #expect(isWaiting)
            close(writer)
            for asker in [first, second] { #expect(try await asker.sendWhenConnected([[1]])) }
        }
    }

    @Test func manyWhoKnockAtOnceGetIn() async throws {
        try await withBench { bench in
            let echo = try await Echo(bench.context("auth"))
            let context = try bench.context("gateway")
            var askers: [Asker] = []
            for _ in 0..<40 { askers.append(try await Asker(context, to: "auth", at: [echo.endpoint])) }
            for asker in askers { #expect(try await asker.sendWhenConnected([[1]])) }
            #expect(await eventually { echo.messages.count == 40 })
        }
    }
}
