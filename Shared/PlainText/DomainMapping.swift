/// What [UTS 46](https://www.unicode.org/reports/tr46/) makes of what people type as a domain: ß, ς and the joiners are letters of their own
/// (non-transitional), capitals and full-width letters are not.
///
/// The standard library knows which scalars UTS 46 maps, and not to what. What keyboards write is mapped here; `isSettled` is false for all that is
/// left, such as mathematical letters: whoever takes it for a letter of a name has two names for one.
enum DomainMapping {
    static func map(_ text: String) -> String {
        var mapped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { mapped.append(contentsOf: Self.mapped(scalar).unicodeScalars) }
        return String(mapped)
    }

    /// Whether UTS 46 leaves it as it is.
    static func isSettled(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xDF, 0x3C2, 0x200C, 0x200D: true
        default: !scalar.properties.changesWhenNFKCCaseFolded
        }
    }

    private static func mapped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        // Full stops of East Asian keyboards: ideographic, full-width, half-width.
        case 0x3002, 0xFF0E, 0xFF61: return "."
        // Soft hyphens, joiners of graphemes and words, spaces without width, variants of a glyph.
        case 0xAD, 0x34F, 0x180B...0x180D, 0x180F, 0x200B, 0x2060, 0x2064, 0xFE00...0xFE0F, 0xFEFF, 0xE0100...0xE01EF:
            return ""
        case 0xFF01...0xFF5E: return String(Unicode.Scalar(UInt8(scalar.value - 0xFEE0))).lowercased()
        case 0xFF65...0xFF9F: return String(katakana[Int(scalar.value - 0xFF65)])
        default: return folded(scalar)
        }
    }

    /// The small letter; by way of the capital where a letter has two small ones (`ſ`), and of ligatures.
    private static func folded(_ scalar: Unicode.Scalar) -> String {
        let (lower, upper) = (scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping)
        for candidate in [String(scalar), lower, upper, upper.lowercased()] {
            let text = letters[candidate] ?? candidate
            if text.unicodeScalars.allSatisfy(isSettled) { return text }
        }
        return String(scalar)
    }

    /// In the order of their half-width forms (U+FF65 to U+FF9F), the last two of which are marks of voice.
    private static let katakana = Array(
        "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}".unicodeScalars)

    /// Keys of keyboards that are another text to UTS 46: Spanish, Dutch, Croatian, Thai, Lao.
    private static let letters = [
        "\u{AA}": "a", "\u{BA}": "o", "\u{133}": "ij", "\u{1C6}": "d\u{17E}", "\u{1C9}": "lj", "\u{1CC}": "nj",
        "\u{1F3}": "dz", "\u{E33}": "\u{E4D}\u{E32}", "\u{EB3}": "\u{ECD}\u{EB2}", "\u{EDC}": "\u{EAB}\u{E99}",
        "\u{EDD}": "\u{EAB}\u{EA1}",
    ]
}
