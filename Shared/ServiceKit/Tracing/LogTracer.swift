package import Logging
package import ServiceContextModule
package import Tracing

/// Carries W3C trace context in and out, and writes each finished span as a log line.
///
/// There is no collector in a small house, and the log is where an operator looks anyway; lines of one trace are found by
/// their `trace`, across services. Spans are recorded when the logger's level lets them through; otherwise a span costs
/// its identity and no more.
package struct LogTracer: Tracer {
    package typealias Span = LogSpan
    private let logger: Logger
    private let level: Logger.Level

    /// - Parameters:
    ///   - level: The level at which finished spans are logged: `.info` to see them always, `.debug` to see them with the rest.
    package init(logger: Logger, level: Logger.Level) {
        self.logger = logger
        self.level = level
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> LogSpan {
        var context = context()
        let isRecording = level >= logger.logLevel
        let parent = context.trace
        context.trace = parent?.child() ?? .new(isSampled: isRecording)
        return LogSpan(
            name: operationName, context: context, parent: parent?.spanID, kind: kind,
            startedAt: instant().nanosecondsSinceEpoch, logger: isRecording ? logger : nil, level: level)
    }

    /// Spans are written as they end.
    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
        let state = extractor.extract(key: "tracestate", from: carrier)
        if let trace = TraceContext(traceparent: parent, state: state) { context.trace = trace }
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let trace = context.trace else { return }
        injector.inject(trace.traceparent, forKey: "traceparent", into: &carrier)
        if let state = trace.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
    }
}

extension Logger.MetadataProvider {
    /// Puts `trace` and `span` of the current task into every log line.
    package static let trace = Logger.MetadataProvider {
        guard let trace = ServiceContext.current?.trace else { return [:] }
        return ["trace": .string(trace.traceID), "span": .string(trace.spanID)]
    }
}
