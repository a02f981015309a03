import CoreMetrics
import FoundationEssentials
import Logging
import ServiceContextModule
import ServiceKit
import Synchronization
import TestKit
import Testing
import Tracing
import WireProtocol
import ZeroMQ

@testable import Messaging

/// The process's metrics and traces, as a service installs them. Of both there is one in a process, and only once.
private enum Observed {
    static let log = LogCapture()
    static let registry: PrometheusRegistry = {
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        InstrumentationSystem.bootstrap(LogTracer(logger: log.logger, level: .info))
        return registry
    }()

    /// The number behind a line of the page; nil where there is none.
    static func value(_ line: String) -> Double? {
        registry.text().split(separator: "\n").first { $0.hasPrefix(line + " ") }
            .flatMap { Double($0.dropFirst(line.utf8.count + 1)) }
    }
}

/// What an operator sees of the bus. The names are what dashboards are built on.
@Suite(.timeLimit(.minutes(1)), .serialized) struct ObservedTests {
    private static let said = Method<Nothing, Note, Note>("operator.said", .command)
    private static let told = Method<Nothing, Note, Note>("operator.told", .command)
    private static let refused = Method<Nothing, Note, Note>("operator.refused", .command)

    init() { _ = Observed.registry }

    /// A service that no other test of this process has, so that its figures are this test's.
    private func client(_ town: Town, _ router: RequestRouter) async throws -> RequestClient {
        let served = try await town.serve(router)
        let client = try RequestClient(
            peers: [.operator: [served.endpoint]], context: town.context(.gateway), logger: quiet)
        town.start(client)
        return client
    }

    // MARK: Traces

    @Test func a_trace_goes_on_from_the_caller_into_the_handler() async throws {
        try await withTown { town in
            let seen = Mutex<[(context: String, span: TraceContext?)]>([])
            var router = RequestRouter(service: "operator")
            router.on(Self.told) { _, body, context in
                seen.withLock { $0.append((context.trace, ServiceContext.current?.trace)) }
                return body
            }
            let client = try await client(town, router)
            let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            var caller = ServiceContext.topLevel
            caller.trace = TraceContext(traceparent: text)
            try await ServiceContext.withValue(caller) {
                _ = try await client.call(Self.told, Nothing(), Note("a"))
            }
            let handled = try #require(seen.withLock { $0.first })
            let onTheWire = try #require(TraceContext(traceparent: handled.context))
            let inTheHandler = try #require(handled.span)
            // One trace, and a span of its own for each side.
            #expect(onTheWire.traceID == "4bf92f3577b34da6a3ce929d0e0e4736" && onTheWire.isSampled)
            #expect(inTheHandler.traceID == onTheWire.traceID)
            #expect(Set([onTheWire.spanID, inTheHandler.spanID, "00f067aa0ba902b7"]).count == 3)
            // And their lines name their parents.
            try await eventually("both spans to be logged") {
                let lines = Observed.log.lines.filter {
                    $0.metadata.values.contains("4bf92f3577b34da6a3ce929d0e0e4736")
                }
                return lines.contains { $0.metadata.values.contains("00f067aa0ba902b7") }
                    && lines.contains { $0.metadata.values.contains(onTheWire.spanID) }
            }
        }
    }

    @Test func without_a_trace_one_begins_and_a_trace_that_is_none_is_not_passed_on() async throws {
        try await withTown { town in
            let seen = Mutex<[TraceContext?]>([])
            var router = RequestRouter(service: "operator")
            router.on(Self.told) { _, body, _ in
                seen.withLock { $0.append(ServiceContext.current?.trace) }
                return body
            }
            let served = try await town.serve(router)
            let hand = try await Hand(.dealer, to: "operator", at: served.endpoint, town.context(.gateway))
            for trace in ["", "nonsense", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"] {
                let request = RequestEnvelope(
                    id: .version7(), method: "operator.told", deadline: Date(timeIntervalSinceNow: 5),
                    caller: .anonymous, trace: trace, body: try WireJSON.encode(Note("")))
                try await hand.send([[1], []] + request.frames())
            }
            try await eventually("three answers") { hand.replies.count == 3 }
            let traces = try seen.withLock { $0 }.map { try #require($0) }
            #expect(Set(traces.map(\.traceID)).count == 3)
            await hand.close()
        }
    }

    // MARK: Metrics

    @Test func requests_are_counted_by_method_and_outcome_on_both_sides() async throws {
        try await withTown { town in
            var router = RequestRouter(service: "operator")
            router.on(Self.said) { _, body, _ in
                if body.text == "no" { throw ServiceError(.wrongState, "") }
                return body
            }
            let client = try await client(town, router)
            for _ in 0..<3 { _ = try await client.call(Self.said, Nothing(), Note("yes")) }
            for _ in 0..<2 { _ = await failure { _ = try await client.call(Self.said, Nothing(), Note("no")) } }
            for side in ["server", "client"] {
                let requests = "kampong_bus_\(side)_requests_total{method=\"operator.said\","
                #expect(Observed.value(requests + "outcome=\"ok\"}") == 3)
                #expect(Observed.value(requests + "outcome=\"wrong_state\"}") == 2)
                let duration = "kampong_bus_\(side)_duration_seconds"
                #expect(Observed.value("\(duration)_count{method=\"operator.said\"}") == 5)
                let seconds = try #require(Observed.value("\(duration)_sum{method=\"operator.said\"}"))
                #expect(seconds > 0 && seconds < 60)
                #expect(Observed.value("kampong_bus_\(side)_in_flight{service=\"operator\"}") == 0)
            }
        }
    }

    @Test func what_is_refused_is_counted() async throws {
        try await withTown { town in
            var router = RequestRouter(service: "operator")
            router.on(Self.refused) { _, body, _ in body }
            let served = try await town.serve(router)
            func dropped() -> Double { Observed.value("kampong_bus_server_dropped_total{service=\"operator\"}") ?? 0 }
            let before = dropped()
            let hand = try await Hand(.dealer, to: "operator", at: served.endpoint, town.context(.listings))
            let request = RequestEnvelope(
                id: .version7(), method: "operator.refused", deadline: Date(timeIntervalSinceNow: 5), caller: .anonymous
            )
            try await hand.send([[1]])
            try await hand.send([[2], []] + request.frames())
            try await eventually("the refusal") { hand.replies.count == 1 }
            #expect(dropped() == before + 2)
            #expect(
                Observed.value("kampong_bus_server_requests_total{method=\"operator.refused\",outcome=\"forbidden\"}")
                    == 1
            )
            await hand.close()
        }
    }

    /// A method's name comes from the peer: it must not become a label.
    @Test func methods_that_do_not_exist_make_no_series() async throws {
        try await withTown { town in
            let client = try await client(town, RequestRouter(service: "operator"))
            let invented = Method<Nothing, Nothing, Nothing>("operator.invented", .query)
            #expect(await failure { _ = try await client.call(invented, Nothing(), Nothing()) }?.code == .unknownMethod)
            #expect(
                !Observed.registry.text().contains("kampong_bus_server_requests_total{method=\"operator.invented\""))
        }
    }

    @Test func events_are_counted_by_publisher() async throws {
        try await withTown { town in
            let epoch = UUID()
            let context = try town.context(.operator)
            var router = RequestRouter(service: "operator")
            let stream = PublishedStream(of: "operator", to: [.gateway])
            router.on(stream.methods.eventsSince) { since, _, _ in
                let stored = (since.position..<3).map { StoredEvent(event(epoch, $0 + 1, publisher: "operator")) }
                return EventBatch(epoch: epoch, head: 3, events: stored)
            }
            let served = try await town.serve(router, in: context)
            let publisher = EventPublisher(
                stream, context: context, endpoint: "tcp://127.0.0.1:*", logger: quiet
            ) { StreamOffset(epoch: epoch, position: 3) }
            town.start(publisher)
            let gateway = try town.context(.gateway)
            let client = try RequestClient(peers: [.operator: [served.endpoint]], context: gateway, logger: quiet)
            town.start(client)
            let reader = Reader()
            town.start(
                try EventSubscriber(
                    publishers: [.operator: [try await publisher.address()]], client: client, consumer: reader,
                    context: gateway, logger: quiet))
            try await eventually("the events") { await reader.positions == [1, 2, 3] }
            await publisher.publish([event(epoch, 3, publisher: "operator")])
            let label = "{publisher=\"operator\"}"
            try await eventually("the figures") {
                Observed.value("kampong_events_consumed_total\(label)") == 3
                    && Observed.value("kampong_events_published_total\(label)") == 1
                    && Observed.value("kampong_events_lag\(label)") == 0
                    && (Observed.value("kampong_events_pulls_total\(label)") ?? 0) >= 1
                    && Observed.value("kampong_events_failures_total\(label)") == 0
            }
        }
    }
}

extension StoredEvent {
    fileprivate init(_ event: EventEnvelope) {
        self.init(
            position: event.position, header: event.header, payload: String(decoding: event.payload, as: UTF8.self))
    }
}
