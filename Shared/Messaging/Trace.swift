import Tracing

/// The trace context on the wire: W3C `traceparent`, written and read by whichever instrument the process has.
enum Trace {
    private static let key = "traceparent"

    /// What to put into an envelope; empty where nothing is traced.
    static func parent(of context: ServiceContext) -> String {
        var carrier: [String: String] = [:]
        InstrumentationSystem.instrument.inject(context, into: &carrier, using: Carrier())
        return carrier[key] ?? ""
    }

    /// What an envelope said.
    static func context(of parent: String) -> ServiceContext {
        var context = ServiceContext.topLevel
        guard !parent.isEmpty else { return context }
        InstrumentationSystem.instrument.extract([key: parent], into: &context, using: Carrier())
        return context
    }

    private struct Carrier: Injector, Extractor {
        func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
            carrier[key.lowercased()] = value
        }
        func extract(key: String, from carrier: [String: String]) -> String? { carrier[key.lowercased()] }
    }
}
