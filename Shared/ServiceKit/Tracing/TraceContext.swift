package import ServiceContextModule

/// Where in a trace a piece of work stands, as W3C Trace Context has it (`traceparent`, version 00).
package struct TraceContext: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits, not all zero.
    package var traceID: String
    /// 16 lower-case hexadecimal digits, not all zero.
    package var spanID: String
    /// Whether whoever began the trace wants it recorded.
    package var isSampled: Bool
    /// What other vendors' tracers wrote; passed on as it came.
    package var state: String?

    package init(traceID: String, spanID: String, isSampled: Bool, state: String? = nil) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Reads a `traceparent`; nil where it is not well-formed, in which case a new trace begins.
    package init?(traceparent: String, state: String? = nil) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Self.isHex(parts[0], 2), parts[0] != "ff", Self.isHex(parts[1], 32),
            Self.isHex(parts[2], 16), Self.isHex(parts[3], 2), let flags = UInt8(parts[3], radix: 16),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            parts[0] != "00" || parts.count == 4  // a later version may append parts, this one has none
        else { return nil }
        self.init(traceID: String(parts[1]), spanID: String(parts[2]), isSampled: flags & 1 == 1, state: state)
    }

    package var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// The beginning of a new trace.
    package static func new(isSampled: Bool) -> TraceContext {
        TraceContext(traceID: hex() + hex(), spanID: hex(), isSampled: isSampled)
    }

    /// A span below this one, in the same trace.
    package func child() -> TraceContext {
        var child = self
        child.spanID = Self.hex()
        return child
    }

    private static func isHex(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// 16 random digits; never all zero, which the standard reserves.
    private static func hex() -> String {
        let digits = String(UInt64.random(in: 1...(.max)), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = TraceContext
        static var nameOverride: String? { "trace" }
    }

    /// The trace that this work belongs to.
    package var trace: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
