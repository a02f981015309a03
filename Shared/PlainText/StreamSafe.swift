/// Unicode's Stream-Safe Text Format ([UAX 15, section 13](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format)): no more than 30
/// non-starters, such as accents, in a row. No language writes more than a handful.
///
/// Normalisation sorts each run of them, in time that is quadratic in its length, and the standard library normalises whenever it compares or hashes
/// text that is not ASCII. So this is looked at before anything else is done with text that comes from outside; it takes one step for each byte.
package enum StreamSafe {
    package static let longestRun = 30

    /// Whether text may be compared, hashed and normalised.
    package static func isSafe(_ text: some StringProtocol) -> Bool {
        var run = Run()
        return text.unicodeScalars.allSatisfy { run.goesOn(with: $0) }
    }

    /// The same for a document of JSON that nobody has read yet, where a scalar may also stand as `\u0301`.
    ///
    /// Of bytes that are no UTF-8 it says nothing: whoever reads the document refuses them.
    package static func isSafe(json bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var (run, rest) = (Run(), bytes[...])
            while let byte = rest.first {
                if byte < 0x80, byte != UInt8(ascii: "\\") {
                    run.end()
                    rest = rest.dropFirst()
                } else if !run.goesOn(with: byte < 0x80 ? escaped(&rest) : encoded(&rest)) {
                    return false
                }
            }
            return true
        }
    }

    /// How many non-starters came one after the other.
    private struct Run {
        private var length = 0

        mutating func end() { length = 0 }

        /// - Returns: Whether the run is not too long with it.
        mutating func goesOn(with scalar: Unicode.Scalar) -> Bool {
            // The first of all non-starters is U+0300.
            guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
                end()
                return true
            }
            length += 1
            return length <= longestRun
        }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// Reads what follows a backslash; another character than one of `\u` is none that matters here.
    private static func escaped(_ rest: inout Bytes) -> Unicode.Scalar {
        guard let unit = codeUnit(&rest) else {
            rest = rest.dropFirst(2)
            return " "
        }
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) ?? " " }
        var following = rest
        guard let trail = codeUnit(&following), UTF16.isTrailSurrogate(trail) else { return " " }
        rest = following
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    /// Reads `\u0301`.
    private static func codeUnit(_ rest: inout Bytes) -> UInt16? {
        guard rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return nil }
        let digits = rest.dropFirst(2).prefix(4)
        guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            return nil
        }
        rest = rest.dropFirst(6)
        return unit
    }

    private static func encoded(_ rest: inout Bytes) -> Unicode.Scalar {
        let length =
            switch rest.first! {
            case 0xF0...: 4
            case 0xE0...: 3
            default: 2
            }
        let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first!
        rest = rest.dropFirst(length)
        return scalar
    }
}
