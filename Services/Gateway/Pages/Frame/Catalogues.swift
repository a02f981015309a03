import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The words of one language: a tree of sentences, of all files in `Strings/<code>`.
///
/// A sentence may have places (`{name}`) and plural forms (`one`, `other`, and `zero` where a language says it another way).
struct Words: Sendable {
    indirect enum Node: Decodable, Sendable {
        case sentence(String)
        case group([String: Node])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let sentence = try? container.decode(String.self) {
                self = .sentence(sentence)
            } else {
                self = .group(try container.decode([String: Node].self))
            }
        }

        /// As templates (`t.door.join.title`) and JSON read it.
        var tree: Any {
            switch self {
            case .sentence(let text): text
            case .group(let members): members.mapValues(\.tree)
            }
        }

        /// Both. A group may have members in several files; of two sentences under one key the first stays.
        func merged(with other: Node) -> Node {
            guard case .group(let own) = self, case .group(let more) = other else { return self }
            return .group(own.merging(more) { $0.merged(with: $1) })
        }
    }

    let code: String
    let root: Node
    /// What scripts say, as JSON that may stand in a page.
    let scriptStrings: String

    init(code: String, root: Node) {
        self.code = code
        self.root = root
        scriptStrings = Self.json(of: root)
    }

    /// The language's own name.
    var name: String { self["language"] }

    var direction: String { ["ar", "dv", "fa", "he", "ps", "ur", "yi"].contains(code) ? "rtl" : "ltr" }

    /// A sentence with its places filled in; the key itself where the catalogue does not have it.
    subscript(_ key: String, _ values: [String: String] = [:], count count: Int? = nil) -> String {
        find(key, values, count: count) ?? key
    }

    /// A sentence, or nil where the catalogue does not have it.
    func find(_ key: String, _ values: [String: String] = [:], count: Int? = nil) -> String? {
        var node = root
        for part in key.split(separator: ".") {
            guard case .group(let members) = node, let next = members[String(part)] else { return nil }
            node = next
        }
        var values = values
        if let count { values["n"] = values["n"] ?? String(count) }
        switch node {
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
        guard !values.isEmpty else { return text }
        var result = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            result += values[name] ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private static func json(of root: Node) -> String {
        guard case .group(let members) = root, case .group(var script)? = members["script"] else { return "{}" }
        for shared in ["time", "count"] { script[shared] = members[shared] }
        return json(.group(script))
    }

    /// Written out so that nothing in it ends the script element it stands in.
    private static func json(_ node: Node) -> String {
        switch node {
        case .group(let members):
            let pairs = members.sorted { $0.key < $1.key }.map { "\(json(.sentence($0.key))):\(json($0.value))" }
            return "{\(pairs.joined(separator: ","))}"
        case .sentence(let text):
            let bytes = (try? JSONEncoder().encode(text)) ?? Data("\"\"".utf8)
            return String(decoding: bytes, as: UTF8.self).replacing("<", with: "\\u003C").replacing(
                "&", with: "\\u0026")
        }
    }
}

/// All languages that there are words of: a folder each, with a file for each area.
struct Catalogues: Sendable {
    /// English first, then by code.
    let all: [Words]

    init(in resources: GatewayResources) {
        var roots: [String: Words.Node] = [:]
        for file in resources.files(in: "Strings") where file.hasSuffix(".json") {
            guard let bytes = resources.read("Strings/" + file),
                let words = try? JSONDecoder().decode(Words.Node.self, from: Data(bytes))
            else { continue }
            let code = String(file.prefix { $0 != "/" })
            roots[code] = roots[code]?.merged(with: words) ?? words
        }
        let all = roots.map { Words(code: $0.key, root: $0.value) }
        self.all = all.sorted { ($0.code == "en" ? "" : $0.code) < ($1.code == "en" ? "" : $1.code) }
    }

    var codes: [String] { all.map(\.code) }

    func words(for code: String) -> Words {
        all.first { $0.code == code } ?? all.first ?? Words(code: "en", root: .group([:]))
    }
}
