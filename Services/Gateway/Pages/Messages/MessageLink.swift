/// Where a link that somebody wrote begins and ends. The rules are of how people write: by RFC 3986 alone a link would go on over the punctuation
/// and the brackets of the sentence that it stands in, and over the next one where a language writes no spaces.
///
/// By scalars, never by `Character`: with an accent on it a quotation mark is another character than a quotation mark. Each scalar is looked at a few
/// times at the most, whatever was written.
enum MessageLink {
    private typealias Scalars = Substring.UnicodeScalarView

    private static let schemes = ["https://", "http://"]
    private static let longest = 2000

    /// What begins like a link at the front of a text.
    /// - Parameter before: what stands before it, marks left out.
    /// - Returns: Up to where it goes, and whether it is a link or nothing but words. Nil where nothing begins.
    static func read(
        _ rest: Substring.UnicodeScalarView, after before: Unicode.Scalar?
    ) -> (end: String.Index, isLink: Bool)? {
        guard isApart(from: before), let scheme = schemes.first(where: { begins(rest, with: $0) }) else { return nil }
        let address = rest.dropFirst(scheme.unicodeScalars.count)
        // With the backslash, as browsers look for the end of the host.
        let host = address.prefix { !"/\\?#".unicodeScalars.contains($0) && !ends($0) }
        // A name before the host is there to be taken for it: nothing of the word is a link.
        guard !host.contains("@") else { return (address.firstIndex(where: ends) ?? rest.endIndex, false) }
        var end = bracketed(address)
        while end > address.startIndex, isTrailing(rest[rest.index(before: end)], before) {
            end = rest.index(before: end)
        }
        guard let first = rest[address.startIndex..<end].first,
            first.properties.isAlphabetic || first.properties.numericType != nil || first == "[",
            Substring(rest[..<end]).utf8.count <= longest
        else { return (end, false) }
        return (end, true)
    }

    /// Not within a word. Scripts without upper and lower case are those that may write no space before it: Han, kana, Thai.
    private static func isApart(from before: Unicode.Scalar?) -> Bool {
        guard let before else { return true }
        return !before.properties.isCased && before.properties.generalCategory != .decimalNumber
    }

    private static func begins(_ rest: Scalars, with scheme: String) -> Bool {
        rest.starts(with: scheme.unicodeScalars) {
            $0 == $1 || $0.properties.isAlphabetic && $0.value | 0x20 == $1.value
        }
    }

    /// Up to what no link has, or to a bracket that closes none of the link's own: it was opened before.
    private static func bracketed(_ address: Scalars) -> String.Index {
        var open: [Unicode.Scalar] = []
        for index in address.indices {
            let scalar = address[index]
            if ends(scalar) { return index }
            switch scalar {
            case "(": open.append(")")
            case "[": open.append("]")
            case "{": open.append("}")
            case ")", "]", "}": if open.popLast() != scalar { return index }
            default: break
            }
        }
        return address.endIndex
    }

    /// White space, quotation marks, brackets and sentence marks of scripts that write no spaces, and what hides or turns around what one reads.
    private static func ends(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
            .surrogate:
            true
        case .openPunctuation, .closePunctuation: !scalar.isASCII
        // Single ones are apostrophes as well.
        case .initialPunctuation, .finalPunctuation: scalar != "‘" && scalar != "’"
        default: "<>\"`、。，．！？；：､｡＂＇／＠＼＜＞｜".unicodeScalars.contains(scalar)
        }
    }

    /// Whether the end of a link is rather that of the sentence. `_` belongs to the link, unless it stands around it.
    private static func isTrailing(_ scalar: Unicode.Scalar, _ before: Unicode.Scalar?) -> Bool {
        if scalar.isASCII { return scalar == "_" ? before == "_" : ".,;:!?'*".unicodeScalars.contains(scalar) }
        switch scalar.properties.generalCategory {
        case .otherPunctuation, .dashPunctuation, .initialPunctuation, .finalPunctuation: return true
        default: return false
        }
    }
}
