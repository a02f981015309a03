/// What somebody wrote, cut into plain text and links to elsewhere. Words stay words: nothing of it becomes markup.
enum MessageText {
    struct Part: Equatable {
        var text: String
        /// Where it leads; nil for plain text.
        var href: String?
    }

    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var plain = ""
        var rest = Substring(text)
        // Remembered, for to look back at the last one of many flags takes as long as there are flags.
        var before: Character?
        while let word = nextWord(&rest, into: &plain, after: &before) {
            guard let length = linkLength(in: word) else {
                plain += word
                before = word.last
                continue
            }
            if !plain.isEmpty { parts.append(Part(text: plain)) }
            let link = String(word.prefix(length))
            parts.append(Part(text: link, href: link))
            plain = String(word.dropFirst(length))
            before = plain.last
        }
        if !plain.isEmpty { parts.append(Part(text: plain)) }
        return parts
    }

    /// Takes what may be a link from the front, up to where it can't go on, and puts what stands before it into `plain`.
    /// - Parameter before: The last character of `plain`.
    private static func nextWord(
        _ rest: inout Substring, into plain: inout String, after before: inout Character?
    ) -> Substring? {
        while let first = rest.first {
            let isBeginning = before.map { !$0.isLetter && !$0.isNumber } ?? true
            if isBeginning, schemes.contains(where: { rest.prefix($0.count).lowercased() == $0 }) {
                let word = rest.prefix { !ends($0) }
                rest = rest[word.endIndex...]
                return word
            }
            plain.append(first)
            before = first
            rest = rest.dropFirst()
        }
        return nil
    }

    private static let schemes = ["https://", "http://"]

    /// White space, quotation marks, and what hides or turns around what one reads.
    private static func ends(_ character: Character) -> Bool {
        character.isWhitespace || "<>\"`“”«»".contains(character)
            || character.unicodeScalars.contains { scalar in
                [.control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate]
                    .contains(scalar.properties.generalCategory)
            }
    }

    /// How much of a word that begins like a link is one; nil where it is none. A sentence's punctuation is not part of it, nor a bracket that was opened before.
    private static func linkLength(in word: Substring) -> Int? {
        var link = word
        // Counted once: a word may be nothing but brackets.
        var unopened = word.count { $0 == ")" } - word.count { $0 == "(" }
        while let last = link.last {
            let isClosing = last == ")" && unopened > 0
            guard isClosing || ".,;:!?'’]}*_…".contains(last) else { break }
            if isClosing { unopened -= 1 }
            // Not `dropLast`, which counts all characters.
            link.removeLast()
        }
        guard let slashes = link.firstRange(of: "://") else { return nil }
        // By bytes, and with the backslash, as browsers look for the end of the host.
        let host = link[slashes.upperBound...].utf8.prefix { !"/\\?#".utf8.contains($0) }
        // A name before the host is there to be taken for it.
        guard let first = Substring(host).first, first.isLetter || first.isNumber || first == "[",
            !host.contains(UInt8(ascii: "@"))
        else { return nil }
        return link.utf8.count <= 2000 ? link.count : nil
    }

    /// Whether these are a few emoji and nothing else: they are shown large.
    static func isEmojiAlone(_ text: String) -> Bool {
        let shown = text.filter { !$0.isWhitespace }
        return (1...6).contains(shown.count) && shown.allSatisfy(isEmoji)
    }

    /// Digits and the like are emoji too, but shown as such only with a sign that says so.
    private static func isEmoji(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, first.properties.isEmoji else { return false }
        return first.properties.isEmojiPresentation || scalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
    }
}
