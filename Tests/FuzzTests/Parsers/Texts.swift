import FoundationEssentials
import WireProtocol

@testable import GatewayService
@testable import ListingsService
@testable import ServiceKit

extension Parser {
    private enum Anything {}

    /// Short texts that come from outside: ids, cursors, times, addresses.
    static let texts = [
        Parser(name: "id") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let id = ID<Anything>(text) else { return }
            // One text for one id, but for the case of its letters: nothing may stand around it or for it.
            try promise("\(text) is read as \(id)", id.description == text.lowercased() && text.utf8.count == 36)
        },
        Parser(name: "cursor") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let cursor = SpotCursor(text) else { return }
            try promise("\(text) is read as \(cursor.text)", cursor.text == text.lowercased())
            try promise("\(cursor.text) is no cursor", SpotCursor(cursor.text) == cursor)
        },
        Parser(name: "time") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let date = WireJSON.date(from: text) else { return }
            try promise("\(text) is no RFC 3339", isTime(Array(text.utf8)))
            // Beyond, an offset or the rounding may lead into a year of five digits, or none.
            guard abs(date.timeIntervalSince1970 - 93_000_000_000) < 154_000_000_000 else { return }
            let written = WireJSON.text(of: date)
            guard let again = WireJSON.date(from: written) else { throw Broken(description: "\(written) is not read") }
            try promise("\(written) is not \(text)", abs(again.timeIntervalSince(date)) < 0.001)
        },
        Parser(name: "positions") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let positions = StreamPositions(text) else { return }
            try promise("\(positions.text) is not \(positions)", StreamPositions(positions.text) == positions)
            // It goes into the lines of a stream.
            let isPlain = positions.text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || ",.-".utf8.contains($0)
            }
            try promise("\(text) is let through", isPlain)
        },
        Parser(name: "trace") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let trace = TraceContext(traceparent: text) else { return }
            try promise("\(text) becomes \(trace.traceparent)", TraceContext(traceparent: trace.traceparent) == trace)
            try promise("\(text) is not its own trace", text.contains(trace.traceID) && text.contains(trace.spanID))
        },
        Parser(name: "address") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if let address = IPAddress(parts[0]) {
                try promise("\(parts[0]) has \(address.bytes.count) bytes", [4, 16].contains(address.bytes.count))
                let isPlain = parts[0].utf8.prefix { $0 != UInt8(ascii: "%") }.allSatisfy {
                    UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "abcdefABCDEF:.".utf8.contains($0)
                }
                try promise("\(parts[0]) is no address", isPlain)
            }
            guard let proxies = try? TrustedProxies([parts[0]]) else { return }
            let client = proxies.client(peer: parts[0], forwardedFor: Array(parts.dropFirst()))
            try promise("\(client) is no address", client == parts[0] || IPAddress(client) != nil)
        },
    ]

    /// `2026-11-21T03:41:52.123Z`, or with an offset (RFC 3339, 5.6, in capitals); the fraction of any length.
    private static func isTime(_ text: [UInt8]) -> Bool {
        let form = Array("0000-00-00T00:00:00".utf8)
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard text.count > form.count else { return false }
        for (byte, wanted) in zip(text, form) where isDigit(wanted) ? !isDigit(byte) : byte != wanted { return false }
        var rest = text[form.count...]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard let first = rest.first, isDigit(first) else { return false }
            rest = rest.drop(while: isDigit)
        }
        if rest.elementsEqual([UInt8(ascii: "Z")]) { return true }
        guard rest.count == 6, let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return false
        }
        let offset = Array(rest.dropFirst())
        return offset[2] == UInt8(ascii: ":") && [0, 1, 3, 4].allSatisfy { isDigit(offset[$0]) }
    }
}
