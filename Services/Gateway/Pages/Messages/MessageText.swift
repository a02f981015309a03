/// What somebody wrote, cut into plain text and links to elsewhere. Words stay words: nothing of it becomes markup.
enum MessageText {
    struct Part: Equatable {
        var text: String
        /// Where it leads; nil for plain text.
        var href: String?
    }

    static func parts(of text: String) -> [Part] {
        var parts: [Part] = []
        var rest = text[...].unicodeScalars
        // Where the words begin that are not among the parts yet.
        var words = rest.startIndex
        var before: Unicode.Scalar?
        while let first = rest.first {
            guard let found = MessageLink.read(rest, after: before) else {
                if !isMark(first) { before = first }
                rest = rest.dropFirst()
                continue
            }
            if found.isLink {
                if words < rest.startIndex { parts.append(Part(text: String(text[words..<rest.startIndex]))) }
                let link = String(text[rest.startIndex..<found.end])
                parts.append(Part(text: link, href: link))
                words = found.end
            }
            before = rest[..<found.end].last
            rest = rest[found.end...]
        }
        if words < text.endIndex { parts.append(Part(text: String(text[words...]))) }
        return parts
    }

    /// What stands on the letter before it, or joins it to what follows.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: scalar == "\u{200C}" || scalar == "\u{200D}"
        }
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
