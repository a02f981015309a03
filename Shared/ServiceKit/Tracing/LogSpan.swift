import Logging
package import ServiceContextModule
import Synchronization
package import Tracing

/// One piece of work with a beginning and an end. Safe from any thread; only the first `end` counts.
package final class LogSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var status: SpanStatus?
        var error: String?
        var events: [String] = []
        var hasEnded = false
    }

    package let context: ServiceContext
    private let parent: String?
    private let kind: SpanKind
    private let startedAt: UInt64
    private let logger: Logger?
    private let level: Logger.Level
    private let state: Mutex<State>

    /// - Parameter logger: Nil for a span that nobody records.
    init(
        name: String, context: ServiceContext, parent: String?, kind: SpanKind, startedAt: UInt64, logger: Logger?,
        level: Logger.Level
    ) {
        self.context = context
        self.parent = parent
        self.kind = kind
        self.startedAt = startedAt
        self.logger = logger
        self.level = level
        state = Mutex(State(name: name))
    }

    package var isRecording: Bool { logger != nil && !state.withLock { $0.hasEnded } }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { if logger != nil { state.withLock { $0.attributes = newValue } } }
    }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    package func addEvent(_ event: SpanEvent) {
        if logger != nil { state.withLock { $0.events.append(event.name) } }
    }

    /// Keeps the kind of the error only: what an error says of itself may hold somebody's data.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        state.withLock { $0.error = String(reflecting: type(of: error)) }
    }

    /// Links are not written.
    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let ended = state.withLock { state -> State? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            return state
        }
        guard let logger, let ended, let trace = context.trace else { return }
        let nanoseconds = max(instant().nanosecondsSinceEpoch, startedAt) - startedAt
        logger.log(level: level, "span", metadata: metadata(of: ended, in: trace, nanoseconds: nanoseconds))
    }

    private func metadata(of ended: State, in trace: TraceContext, nanoseconds: UInt64) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "trace": .string(trace.traceID), "span": .string(trace.spanID), "name": .string(ended.name),
            "kind": .string("\(kind)"), "milliseconds": .stringConvertible(Double(nanoseconds / 1000) / 1000),
        ]
        if let parent { metadata["parent"] = .string(parent) }
        if let error = ended.error { metadata["error"] = .string(error) }
        if ended.status?.code == .error { metadata["status"] = "error" }
        if !ended.events.isEmpty { metadata["events"] = .array(ended.events.map { .string($0) }) }
        var attributes: Logger.Metadata = [:]
        ended.attributes.forEach { name, attribute in
            attributes[name] = .string(Self.text(of: attribute))
        }
        if !attributes.isEmpty { metadata["attributes"] = .dictionary(attributes) }
        return metadata
    }

    private static func text(of attribute: SpanAttribute) -> String {
        switch attribute {
        case .int32(let value): String(value)
        case .int64(let value): String(value)
        case .double(let value): String(value)
        case .bool(let value): String(value)
        case .string(let value): value
        case .stringConvertible(let value): value.description
        default: "\(attribute)"
        }
    }
}
