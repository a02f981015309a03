import Mustache

/// Turns a page's view model, a struct, into what Mustache reads: dictionaries, lists, truths and texts.
///
/// Two things happen on the way. Nothing (nil) becomes a value of its own, so that a template finds it there and does not go on
/// looking in the models around it. And texts are made safe for Mustache's escaping, which looks at whole characters: a quotation
/// mark with a combining accent is one character that it does not know, and would leave the attribute it stands in.
enum ViewTree {
    static func of(_ model: some Any) -> [String: Any] { tree(model) as? [String: Any] ?? [:] }

    private static func tree(_ value: Any) -> Any {
        switch value {
        case let text as String: return safe(text)
        case let truth as Bool: return truth
        case let number as Int: return String(number)
        case let list as [Any]: return list.map(tree)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { tree($0.value) } ?? Absent()
        }
        var members: [String: Any] = [:]
        for (label, member) in mirror.children {
            if let label { members[label] = tree(member) }
        }
        return members
    }

    private static let special: Set<Unicode.Scalar> = ["<", ">", "&", "\"", "'"]

    /// Puts a word joiner between a character that HTML reads and accents that would hide it.
    static func safe(_ text: String) -> String {
        guard text.contains(where: { $0.unicodeScalars.count > 1 && special.contains($0.unicodeScalars.first!) }) else {
            return text
        }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar)
            if special.contains(scalar) { result.append("\u{2060}") }
        }
        return String(result)
    }
}

/// Nothing, said so that a template stops looking.
private struct Absent: MustacheCustomRenderable {
    var renderText: String { "" }
    var isNull: Bool { true }
}
