import ServiceContextModule
import Tracing
import WireProtocol

/// The trace that work belongs to, as it travels with events (W3C Trace Context).
enum TraceParent {
    private struct Carrier: Injector, Extractor {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
    }

    /// Nil where nothing is traced.
    static func current() -> String? {
        guard let context = ServiceContext.current else { return nil }
        var carrier: [String: String] = [:]
        InstrumentationSystem.instrument.inject(context, into: &carrier, using: Carrier())
        return carrier["traceparent"]
    }

    /// Runs `body` as a part of that trace.
    static func continuing<Value: Sendable>(
        _ trace: String?, _ body: () async throws -> Value
    ) async rethrows -> Value {
        var context = ServiceContext.current ?? .topLevel
        if let trace {
            InstrumentationSystem.instrument.extract(["traceparent": trace], into: &context, using: Carrier())
        }
        return try await ServiceContext.withValue(context) { try await body() }
    }
}
