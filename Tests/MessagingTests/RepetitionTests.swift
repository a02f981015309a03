import FoundationEssentials
import Reactor
import TestKit
import Testing
import WireProtocol

@testable import Messaging

/// What is said, and what is done, where a request was sent more than once.
@Suite(.timeLimit(.minutes(1))) struct RepetitionTests {
    private let ping = CommonMethods(service: "auth").ping

    @Test func a_slow_answer_after_a_pause_does_not_cost_the_connection() async throws {
        try await withTown { town in
            var router = RequestRouter(service: "auth")
            router.on(Ask.look) { _, _, _ in Note("quick") }
            router.on(Ask.echo) { _, body, _ in
                try await Task.sleep(for: .milliseconds(900))
                return body
            }
            let proxy = SilentProxy(to: try await town.serve(router).endpoint)
            let client = try town.client(of: await proxy.start())
            #expect(try await client.call(Ask.look, Nothing(), Nothing()) == Note("quick"))
            try await Task.sleep(for: ServiceLink.silence + .milliseconds(500))
            #expect(try await client.call(Ask.echo, Note(""), Note("slow")) == Note("slow"))
            #expect(await proxy.connections == 1)
            await proxy.stop()
            proxy.reactor.stop()
        }
    }

    /// One replica works on it; the other, asked because no answer came, cannot do it and knows nothing of the first.
    @Test func what_one_replica_may_have_done_another_one_cannot_say_to_be_undone() async throws {
        try await withTown { town in
            let (asked, refused) = (Gauge(), Gauge())
            var router = RequestRouter(service: "auth")
            router.on(Ask.echo) { _, body, _ in
                asked.enter()
                guard asked.total == 1 else {
                    refused.enter()
                    throw ServiceError.unavailable("auth")
                }
                // Asked once more, the client has not believed the first refusal.
                while refused.total < 2 { try await Task.sleep(for: .milliseconds(5)) }
                return body
            }
            let client = try await town.replicas(router, router)
            let deadline = Date(timeIntervalSinceNow: 30)
            #expect(try await client.call(Ask.echo, Note(""), Note("done"), deadline: deadline) == Note("done"))
        }
    }

    @Test func who_joins_with_a_later_deadline_gets_an_answer_later() async throws {
        try await withTown { town in
            let (gauge, barrier) = (Gauge(), Barrier())
            let client = try town.client(of: try await town.serve(echo(gauge, behind: barrier)).endpoint)
            _ = try await client.call(ping, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 30))
            let id = UUID.version7()
            let impatient = Task {
                try await client.call(
                    Ask.echo, Note(""), Note("same"), id: id, deadline: Date(timeIntervalSinceNow: 4))
            }
            try await eventually("the request to arrive") { gauge.total == 1 }
            let patient = Task {
                try await client.call(
                    Ask.echo, Note(""), Note("same"), id: id, deadline: Date(timeIntervalSinceNow: 30))
            }
            await #expect(throws: ServiceError.noAnswer) { try await impatient.value }
            #expect(gauge.total == 1)
            barrier.open()
            #expect(try await patient.value == Note("same"))
        }
    }

    /// Sent again after 0.5 and 1.5 seconds, and what the ping finds is what has arrived before it.
    private func expect(_ count: Int, in gauge: Gauge, afterRepetitionsTo client: RequestClient) async throws {
        try await Task.sleep(for: .seconds(2))
        _ = try await client.call(ping, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 30))
        #expect(gauge.total == count)
    }

    /// A service that echoes once the barrier is open.
    private func echo(_ gauge: Gauge, behind barrier: Barrier) -> RequestRouter {
        var router = RequestRouter(service: "auth")
        router.on(Ask.echo) { _, body, _ in
            gauge.enter()
            try await barrier.pass()
            return body
        }
        return router
    }

    @Test func aRequestThatIsSentAgainIsNotHandledTwice() async throws {
        try await withTown { town in
            let (gauge, barrier) = (Gauge(), Barrier())
            let client = try town.client(of: try await town.serve(echo(gauge, behind: barrier)).endpoint)
            _ = try await client.call(ping, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 30))
            let deadline = Date(timeIntervalSinceNow: 30)
            async let reply = client.call(Ask.echo, Note(""), Note("slow"), deadline: deadline)
            try await expect(1, in: gauge, afterRepetitionsTo: client)
            barrier.open()
            #expect(try await reply == Note("slow"))
        }
    }

    /// Otherwise a client without patience would multiply the load of a server that has too much already.
    @Test func aRequestThatIsSentAgainWhileItWaitsIsNotHandledTwice() async throws {
        try await withTown { town in
            let (gauge, barrier) = (Gauge(), Barrier())
            var limits = RequestServer.Limits()
            limits.inFlight = 1
            let served = try await town.serve(echo(gauge, behind: barrier), limits: limits)
            let client = try town.client(of: served.endpoint)
            _ = try await client.call(ping, Nothing(), Nothing(), deadline: Date(timeIntervalSinceNow: 30))
            try await withThrowingTaskGroup { group in
                for number in 0..<4 {
                    group.addTask {
                        let deadline = Date(timeIntervalSinceNow: 30)
                        _ = try await client.call(Ask.echo, Note(""), Note("\(number)"), deadline: deadline)
                    }
                }
                try await expect(1, in: gauge, afterRepetitionsTo: client)
                barrier.open()
                try await group.waitForAll()
            }
            // Sent three times each: twelve, if those that wait were not told apart.
            #expect(gauge.total == 4)
        }
    }
}
