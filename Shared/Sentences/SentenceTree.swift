/// A tree of sentences in one language.
///
/// A sentence may have places (`{name}`), plural forms (`one`, `other`, and `zero` where a language says it another way), and parts that need what
/// stands in them: `[ about “{title}”]` goes where there is no title, and `[{name}|Somebody]` says the other thing then.
package indirect enum SentenceTree: Decodable, Sendable {
    case sentence(String)
    case group([String: SentenceTree])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let sentence = try? container.decode(String.self) {
            self = .sentence(sentence)
        } else {
            self = .group(try container.decode([String: SentenceTree].self))
        }
    }

    /// One of the members of a group.
    package subscript(_ name: String) -> SentenceTree? {
        guard case .group(let members) = self else { return nil }
        return members[name]
    }

    /// As templates (`t.door.join.title`) and JSON read it.
    package var tree: Any {
        switch self {
        case .sentence(let text): text
        case .group(let members): members.mapValues(\.tree)
        }
    }

    /// Both. A group may have members in several files; of two sentences under one key the first stays.
    package func merged(with other: SentenceTree) -> SentenceTree {
        guard case .group(let own) = self, case .group(let more) = other else { return self }
        return .group(own.merging(more) { $0.merged(with: $1) })
    }

    /// A sentence with its places filled in, in the form for that count; nil where this is another group.
    package func filled(_ values: [String: String], count: Int? = nil) -> String? {
        switch self {
        case .sentence(let text): return Self.filled(text, values)
        case .group(let forms):
            let form = forms[count == 0 ? "zero" : ""] ?? forms[Self.form(of: count ?? 2)] ?? forms["other"]
            guard case .sentence(let text)? = form else { return nil }
            return Self.filled(text, values)
        }
    }

    /// The plural form of English, German and their like. A language with others adds its rule here.
    private static func form(of count: Int) -> String { count == 1 ? "one" : "other" }

    /// Values are not looked into: a name may contain braces.
    private static func filled(_ text: String, _ values: [String: String]) -> String {
        guard !values.isEmpty || text.utf8.contains(UInt8(ascii: "[")) else { return text }
        var filling = Filling(rest: Substring(text), values: values)
        return filling.part(isOptional: false).text
    }
}

/// A sentence that is being filled in.
private struct Filling {
    var rest: Substring
    let values: [String: String]

    /// Up to the end of the sentence, or, within brackets, of this part of it.
    /// - Returns: Its text, and whether there is a value for all of its places.
    mutating func part(isOptional: Bool) -> (text: String, isWhole: Bool) {
        var (text, isWhole) = ("", true)
        while let next = rest.first {
            if next == "[" {
                rest.removeFirst()
                text += choice()
            } else if next == "{", let end = rest.firstIndex(of: "}") {
                let name = String(rest[rest.index(after: rest.startIndex)..<end])
                text += values[name] ?? "{\(name)}"
                isWhole = isWhole && values[name] != nil
                rest = rest[rest.index(after: end)...]
            } else if isOptional, next == "|" || next == "]" {
                break
            } else {
                text.append(rest.removeFirst())
                let plain = rest.prefix { !"{[|]".contains($0) }
                text += plain
                rest = rest[plain.endIndex...]
            }
        }
        return (text, isWhole)
    }

    /// What stands in brackets, the opening one of which is gone.
    private mutating func choice() -> String {
        let first = part(isOptional: true)
        var otherwise = ""
        if rest.first == "|" {
            rest.removeFirst()
            otherwise = part(isOptional: true).text
        }
        if rest.first == "]" { rest.removeFirst() }
        return first.isWhole ? first.text : otherwise
    }
}
