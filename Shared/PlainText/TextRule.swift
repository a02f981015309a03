/// What a field takes of people: one line or several, so many characters. All that is written passes through here before anybody keeps it.
package struct TextRule: Hashable, Sendable {
    /// What is wrong with a text; the raw value is the code of the field's error.
    package enum Fault: String, Error, Hashable, Sendable {
        /// Nothing was said, or nothing that can be seen.
        case missing = "required"
        case tooLong = "too_long"
        /// Line breaks where there is one line, what steers terminals or turns other text, nothing that leaves ink, accents piled up.
        case notAllowed = "not_allowed"
    }

    /// A character takes four bytes at the most, and some have marks or are made of several.
    private static let bytesOfCharacter = 8

    /// Characters, as people count them.
    package let longest: Int
    package let hasLines: Bool

    package static func line(_ longest: Int) -> TextRule { TextRule(longest: longest, hasLines: false) }

    package static func lines(_ longest: Int) -> TextRule { TextRule(longest: longest, hasLines: true) }

    /// Without white space around, in normalisation form C, lines ended by line feeds.
    ///
    /// - Returns: Nil where nothing was said but white space.
    package func read(_ text: String) throws(Fault) -> String? {
        // The order matters: bytes first, then what makes the rest cheap.
        guard text.utf8.count <= max(longest * Self.bytesOfCharacter, EntranceText.longest) else { throw .tooLong }
        guard var text = text.nonEmpty else { return nil }
        guard text.utf8.count <= longest * Self.bytesOfCharacter else { throw .tooLong }
        guard StreamSafe.isSafe(text) else { throw .notAllowed }
        text = (hasLines ? text.unifiedLines : text).normalized
        guard text.count <= longest else { throw .tooLong }
        let mayBreak = hasLines
        let isPlain = text.unicodeScalars.allSatisfy { !$0.isControl || mayBreak && ($0 == "\n" || $0 == "\t") }
        guard isPlain, text.isVisible else { throw .notAllowed }
        return text
    }

    /// The same, where something has to be said.
    package func readRequired(_ text: String?) throws(Fault) -> String {
        guard let text = try read(text ?? "") else { throw .missing }
        return text
    }
}
