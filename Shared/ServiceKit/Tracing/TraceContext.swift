package import ServiceContextModule
import WireProtocol

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
        let text = Array(traceparent.utf8)
        let (version, trace, span, flags) = (0..<2, 3..<35, 36..<52, 53..<55)
        guard text.count >= flags.upperBound,
            [version, trace, span].allSatisfy({ text[$0.upperBound] == UInt8(ascii: "-") }),
            [version, trace, span, flags].allSatisfy({ text[$0].allSatisfy(Self.isHex) }),
            [trace, span].allSatisfy({ text[$0].contains { $0 != UInt8(ascii: "0") } }),
            let sampled = UInt8(String(decoding: text[flags], as: UTF8.self), radix: 16)
        else { return nil }
        let number = String(decoding: text[version], as: UTF8.self)
        // A later version may append parts, this one has none.
        let isWhole = text.count == flags.upperBound
        guard isWhole || number != "00" && text[flags.upperBound] == UInt8(ascii: "-"), number != "ff" else {
            return nil
        }
        self.init(
            traceID: String(decoding: text[trace], as: UTF8.self), spanID: String(decoding: text[span], as: UTF8.self),
            isSampled: sampled & 1 == 1, state: state)
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

    private static func isHex(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

    /// 16 random digits; never all zero, which the standard reserves.
    private static func hex() -> String {
        var generator = BufferedRandom()
        return HexText.text(of: UInt64.random(in: 1...(.max), using: &generator))
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
