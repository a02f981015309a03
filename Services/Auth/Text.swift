// The standard library normalises for comparison and keeps it to itself; the alternative is all of ICU in every service.
@_spi(_Unicode) internal import Swift

extension String {
    /// Unicode's normalisation form C: what looks the same is the same, on whichever keyboard it was typed.
    var normalized: String { String(String.UnicodeScalarView(_nfc)) }

    var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// Nil where nothing but white space is left: how forms say "none".
    var nonEmpty: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }

    /// Whether it holds what breaks lines, steers terminals, or turns the text around it.
    var hasControlCharacters: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
            default: scalar.properties.isBidiControl && scalar != "\u{200E}" && scalar != "\u{200F}"
            }
        }
    }

    /// Whether any of it leaves ink: not only spaces, joiners and marks.
    var isVisible: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
                .nonspacingMark, .enclosingMark, .surrogate:
                false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }
}
