import FoundationEssentials
import Reactor
import TestKit
import Testing
import WireProtocol

@testable import Messaging

/// What is said, and what is done, where a request was sent more than once.
@Suite(.timeLimit(.minutes(1))) struct RepetitionTests {
    /// Gives both replicas time to be connected to: requests then go to them in turn.
    private func connect(_ client: RequestClient) async throws {
        for _ in 0..<5 {
            _ = try await client.call(CommonMethods(service: "auth").ping, Nothing(), Nothing())
            try await Task.sleep(for: .milliseconds(100))
        }
    }

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

    /// The first replica works on it, the second is asked because no answer came and knows nothing of it.
    @Test func what_one_replica_may_have_done_another_one_cannot_say_to_be_undone() async throws {
        try await withTown { town in
            let gauge = Gauge()
            var router = RequestRouter(service: "auth")
            router.on(Ask.echo) { _, body, _ in
                gauge.enter()
                guard gauge.total == 1 else { throw ServiceError.unavailable("auth") }
                try await Task.sleep(for: .milliseconds(1200))
                return body
            }
            let first = try await town.serve(router)
            let second = try await town.serve(router, in: first.context)
            let client = try town.client(of: first.endpoint, second.endpoint)
            try await connect(client)
            #expect(try await client.call(Ask.echo, Note(""), Note("done")) == Note("done"))
            #expect(gauge.total > 1)
        }
    }

    @Test func who_joins_with_a_later_deadline_gets_an_answer_later() async throws {
        try await withTown { town in
            let gauge = Gauge()
            var router = RequestRouter(service: "auth")
            router.on(Ask.echo) { _, body, _ in
                gauge.enter()
                try await Task.sleep(for: .milliseconds(1500))
                return body
            }
            let client = try town.client(of: try await town.serve(router).endpoint)
            let id = UUID.version7()
            let impatient = Task {
                try await client.call(
                    Ask.echo, Note(""), Note("same"), id: id, deadline: Date(timeIntervalSinceNow: 1))
            }
            try await eventually("the request to arrive") { gauge.total == 1 }
            let reply = try await client.call(
                Ask.echo, Note(""), Note("same"), id: id, deadline: Date(timeIntervalSinceNow: 20))
            #expect(reply == Note("same"))
            #expect(gauge.total == 1)
            _ = await impatient.result
        }
    }
}
