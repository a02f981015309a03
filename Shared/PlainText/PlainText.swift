// The standard library normalises for comparison and keeps it to itself; the alternative is all of ICU in every service.
@_spi(_Unicode) internal import Swift

// By scalars and bytes, never by `Character`: an accent makes one character with what stands before it, U+0600 with what stands after it, and a line
// break of two bytes is one.
extension StringProtocol {
    /// Without white space at either end.
    package var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// Nil where nothing but white space is left: how forms say "none".
    package var nonEmpty: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }

    /// Whether any of it leaves ink.
    package var isVisible: Bool { unicodeScalars.contains { $0.isVisible } }

    /// Whether it holds what breaks lines, steers terminals, or turns the text around it.
    package var hasControls: Bool { unicodeScalars.contains { $0.isControl } }

    /// Lines end as they do here, however the browser ended them.
    package var unifiedLines: String {
        var (lines, wasReturn) = (String.UnicodeScalarView(), false)
        for scalar in unicodeScalars {
            if !(wasReturn && scalar == "\n") { lines.append(scalar == "\r" ? "\n" : scalar) }
            wasReturn = scalar == "\r"
        }
        return String(lines)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Whether the pattern takes all of it, scalar by scalar: to one that goes by characters, the sign of kelvin is a K.
    package func isWhole(_ pattern: Regex<Substring>) -> Bool {
        wholeMatch(of: pattern.matchingSemantics(.unicodeScalar)) != nil
    }
}

extension String {
    /// Unicode's normalisation form C: what looks the same is the same, on whichever keyboard it was typed. Only for text that is `StreamSafe`.
    package var normalized: String { String(UnicodeScalarView(_nfc)) }
}
