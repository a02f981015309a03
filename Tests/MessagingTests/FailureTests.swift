import FoundationEssentials
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import Messaging
@testable import Reactor

/// What happens when the line, a process or a handler does not do its part.
@Suite(.timeLimit(.minutes(1))) struct FailureTests {
    private func echo(_ gauge: Gauge = Gauge(), after delay: Duration = .zero) -> RequestRouter {
        var router = RequestRouter(service: "auth")
        router.on(Ask.echo) { _, body, _ in
            gauge.enter()
            defer { gauge.leave() }
            try await Task.sleep(for: delay)
            return body
        }
        router.on(Ask.look) { _, _, _ in
            gauge.enter()
            defer { gauge.leave() }
            try await Task.sleep(for: delay)
            return Note("seen")
        }
        return router
    }

    /// Waits until the two are connected, for what is measured from there on.
    private func connect(_ client: RequestClient) async throws {
        _ = try await client.call(
            CommonMethods(service: "auth").ping, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 30))
    }

    @Test func theDeadlineFiresAndSaysHonestlyWhatIsKnown() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let client = try town.client(of: try await town.serve(echo(gauge, after: .seconds(30))).endpoint)
            try await connect(client)
            let start = ContinuousClock.now
            let deadline = Date(timeIntervalSinceNow: 1.5)
            async let command = failure { _ = try await client.call(Ask.echo, Note(""), Note(""), deadline: deadline) }
            async let query = failure { _ = try await client.call(Ask.look, Nothing(), Nothing(), deadline: deadline) }
            let codes = await [command?.code, query?.code]
            #expect(codes == [.outcomeUnknown, .unavailable])
            #expect(ContinuousClock.now - start < .seconds(10))
            // The handlers were cancelled: nobody waits for them.
            #expect(gauge.total == 2)
            try await eventually("both handlers to end") { gauge.most == 2 && gauge.now == 0 }
        }
    }

    /// What is left over would keep a thread from ever staying awake, and what is missing would keep it awake under load.
    @Test func howeverARequestEndsItIsUnderWayNoMore() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let quick = try await town.serve(echo())
            let slow = try await town.serve(echo(gauge, after: .seconds(30)))
            let (asks, waits) = (try town.client(of: quick.endpoint), try town.client(of: slow.endpoint))
            try await connect(asks)
            try await connect(waits)
            _ = try await asks.call(Ask.echo, Note(""), Note(""))
            #expect(await failure { _ = try await asks.call(Ask.ofNobody, Nothing(), Nothing()) } != nil)
            let given = Task { try await waits.call(Ask.look, Nothing(), Nothing()) }
            let late = Task {
                try await waits.call(Ask.echo, Note(""), Note(""), deadline: Date(timeIntervalSinceNow: 4))
            }
            try await eventually("both to be handled") { gauge.now == 2 }
            #expect(await underWay(waits.reactor) == 2)
            #expect(await underWay(slow.context.reactor) == 2)
            given.cancel()
            _ = await (given.result, late.result)
            #expect(await underWay(waits.reactor) == 0)
            // The service goes while one is still handled there.
            await slow.running.kill()
            try await eventually("nothing to be under way there") { await underWay(slow.context.reactor) == 0 }
            #expect(await underWay(asks.reactor) == 0)
            #expect(await underWay(quick.context.reactor) == 0)
        }
    }

    private func underWay(_ reactor: Reactor) async -> Int {
        await withCheckedContinuation { continuation in
            reactor.submit { continuation.resume(returning: reactor.loop.underWay) }
        }
    }

    @Test func aRefusalOfTheSecondCopySaysNothingOfTheFirst() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let first = try await town.serve(echo(gauge, after: .seconds(30)))
            let client = try town.client(of: first.endpoint)
            try await connect(client)
            async let command = failure { _ = try await client.call(Ask.echo, Note(""), Note("")) }
            async let query = failure { _ = try await client.call(Ask.look, Nothing(), Nothing()) }
            try await eventually("the first copies to arrive") { gauge.total == 2 }
            await first.running.kill()
            // As a service that was started again answers before its database is back.
            var second = RequestRouter(service: "auth")
            second.on(Ask.echo) { _, _, _ in throw ServiceError(.unavailable, "The database is away.") }
            second.on(Ask.look) { _, _, _ in throw ServiceError(.unavailable, "The database is away.") }
            _ = try await town.serve(second, at: first.endpoint, in: first.context)
            #expect(await [command?.code, query?.code] == [.outcomeUnknown, .unavailable])
        }
    }

    @Test func withNobodyThereACommandWasSurelyNotSent() async throws {
        try await withTown { town in
            _ = try town.context(.auth)
            let client = try town.client(of: "tcp://127.0.0.1:\(FreePort.next())")
            let error = await failure {
                _ = try await client.call(Ask.echo, Note(""), Note(""), deadline: Date(timeIntervalSinceNow: 0.3))
            }
            #expect(error?.code == .unavailable)
            let past = await failure {
                _ = try await client.call(Ask.echo, Note(""), Note(""), deadline: Date(timeIntervalSinceNow: -1))
            }
            #expect(past?.code == .unavailable)
        }
    }

    @Test func aClientThatWasThereFirstIsAnsweredOnceTheServerIs() async throws {
        try await withTown { town in
            let context = try town.context(.auth)
            let endpoint = "tcp://127.0.0.1:\(FreePort.next())"
            let client = try town.client(of: endpoint)
            async let reply = client.call(
                Ask.echo, Note(""), Note("patience"), deadline: Date(timeIntervalSinceNow: 20))
            try await Task.sleep(for: .milliseconds(700))
            _ = try await town.serve(echo(), at: endpoint, in: context)
            #expect(try await reply == Note("patience"))
        }
    }

    @Test func aRequestSurvivesTheServersDeath() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let first = try await town.serve(echo(gauge, after: .seconds(30)))
            let client = try town.client(of: first.endpoint)
            async let reply = client.call(Ask.echo, Note(""), Note("again"), deadline: Date(timeIntervalSinceNow: 20))
            try await eventually("the request to arrive") { gauge.total == 1 }
            await first.running.kill()
            _ = try await town.serve(echo(), at: first.endpoint, in: first.context)
            #expect(try await reply == Note("again"))
        }
    }

    @Test func aLineThatFellSilentIsNoticedAndReplaced() async throws {
        try await withTown { town in
            let proxy = SilentProxy(to: try await town.serve(echo()).endpoint)
            let client = try town.client(of: await proxy.start())
            #expect(try await client.call(Ask.echo, Note(""), Note("1")) == Note("1"))
            await proxy.fallSilent()
            let start = ContinuousClock.now
            let reply = try await client.call(Ask.echo, Note(""), Note("2"), deadline: Date(timeIntervalSinceNow: 40))
            #expect(reply == Note("2"))
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(await proxy.connections > 1)
            await proxy.stop()
            proxy.reactor.stop()
        }
    }

    @Test func aServiceThatMovedIsFoundUnderItsName() async throws {
        try await withTown { town in
            let first = try await town.serve(echo())
            let address = Mutex(first.endpoint)
            let client = try town.client(of: "tcp://auth.town:7101") { _ in [address.withLock { $0 }] }
            #expect(try await client.call(Ask.echo, Note(""), Note("1")) == Note("1"))
            await first.running.kill()
            let second = try await town.serve(echo(), in: first.context)
            address.withLock { $0 = second.endpoint }
            let reply = try await client.call(Ask.echo, Note(""), Note("2"), deadline: Date(timeIntervalSinceNow: 20))
            #expect(reply == Note("2"))
        }
    }

    @Test func aSilentReplicaDoesNotHoldUpTheOther() async throws {
        try await withTown { town in
            let line = Mutex<SilentProxy?>(nil)
            let client = try await town.replicas(echo(), echo()) { endpoint in
                let proxy = SilentProxy(to: endpoint)
                line.withLock { $0 = proxy }
                return await proxy.start()
            }
            let proxy = try #require(line.withLock { $0 })
            await proxy.fallSilent()
            for number in 0..<4 {
                let start = ContinuousClock.now
                let note = Note("\(number)")
                let reply = try await client.call(
                    Ask.echo, Note(""), note, deadline: Date(timeIntervalSinceNow: 30))
                #expect(reply == note)
                #expect(ContinuousClock.now - start < .seconds(8))
            }
            await proxy.stop()
            proxy.reactor.stop()
        }
    }

    @Test func whatIsTooLargeIsRefusedAndTheLineGoesOn() async throws {
        try await withTown { town in
            var router = echo()
            let large = Method<Nothing, Nothing, Note>("auth.large", .query)
            router.on(large) { _, _, _ in Note(String(repeating: "x", count: BusLimits.frameSize)) }
            let client = try town.client(of: try await town.serve(router).endpoint)
            let body = Note(String(repeating: "x", count: BusLimits.frameSize))
            #expect(await failure { _ = try await client.call(Ask.echo, Note(""), body) }?.code == .tooLarge)
            #expect(await failure { _ = try await client.call(large, Nothing(), Nothing()) }?.code == .replyTooLarge)
            let fits = Note(String(repeating: "x", count: BusLimits.frameSize - 100))
            #expect(try await client.call(Ask.echo, Note(""), fits) == fits)
        }
    }

    @Test func aCallThatIsCancelledEndsAtOnce() async throws {
        try await withTown { town in
            let gauge = Gauge()
            let client = try town.client(of: try await town.serve(echo(gauge, after: .seconds(30))).endpoint)
            let call = Task {
                try await client.call(Ask.echo, Note(""), Note(""), deadline: Date(timeIntervalSinceNow: 30))
            }
            try await eventually("the request to arrive") { gauge.total == 1 }
            let start = ContinuousClock.now
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test func aGracefulShutdownAnswersWhatIsInFlight() async throws {
        try await withTown { town in
            let arrived = Mutex<Set<String>>([])
            var router = echo()
            let slow = Method<Nothing, Note, Note>("auth.slow", .command)
            router.on(slow) { _, body, _ in
                arrived.withLock { _ = $0.insert(body.text) }
                try await Task.sleep(for: .milliseconds(400))
                return body
            }
            let served = try await town.serve(router)
            let client = try town.client(of: served.endpoint)
            try await connect(client)
            let replies = Task {
                try await withThrowingTaskGroup { group in
                    for number in 0..<8 {
                        group.addTask { try await client.call(slow, Nothing(), Note("\(number)")).text }
                    }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
            }
            try await eventually("the requests to arrive") { arrived.withLock { $0.count } == 8 }
            await served.running.shutDown()
            #expect(try await replies.value == Set((0..<8).map(String.init)))
            let late = await failure {
                _ = try await client.call(Ask.look, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 0.3))
            }
            #expect(late?.code == .unavailable)
        }
    }

    @Test func noMoreRunsAtOnceThanTheLimitAndNothingIsLost() async throws {
        try await withTown { town in
            let gauge = Gauge()
            var limits = RequestServer.Limits()
            (limits.inFlight, limits.waiting) = (3, 8)
            let served = try await town.serve(echo(gauge, after: .milliseconds(10)), limits: limits)
            let client = try town.client(of: served.endpoint)
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let note = Note("\(number)")
                        let reply = try await client.call(
                            Ask.echo, Note(""), note, deadline: Date(timeIntervalSinceNow: 20))
                        #expect(reply == note)
                    }
                }
                try await group.waitForAll()
            }
            #expect(gauge.most == 3)
            #expect(gauge.total >= 100)
        }
    }

    @Test func aServerThatIsBusyStillAnswersPing() async throws {
        try await withTown { town in
            let gauge = Gauge()
            var limits = RequestServer.Limits()
            (limits.inFlight, limits.waiting) = (1, 100)
            let served = try await town.serve(echo(gauge, after: .seconds(30)), limits: limits)
            let client = try town.client(of: served.endpoint)
            let busy = (0..<4).map { number in Task { try await client.call(Ask.echo, Note(""), Note("\(number)")) } }
            try await eventually("the first to run") { gauge.total == 1 }
            let ping = CommonMethods(service: "auth").ping
            let reply = try await client.call(ping, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 4))
            #expect(reply == Nothing())
            for task in busy { task.cancel() }
        }
    }
}
