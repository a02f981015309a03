import FoundationEssentials
import Sentences
import WireProtocol

/// The words of one language: a tree of sentences (Shared/Sentences), of all files in `Strings/<code>`, and what notices say.
struct Words: Sendable {
    let code: String
    let root: SentenceTree
    let notices: NoticeSentences
    /// What scripts say, as JSON that may stand in a page.
    let scriptStrings: String

    init(code: String, root: SentenceTree = .group([:]), notices: NoticeCatalogue = NoticeCatalogue([:])) {
        self.code = code
        self.root = root
        self.notices = notices[code]
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
            guard let next = node[String(part)] else { return nil }
            node = next
        }
        var values = values
        if let count { values["n"] = values["n"] ?? String(count) }
        return node.filled(values, count: count)
    }

    private static func json(of root: SentenceTree) -> String {
        guard case .group(let members) = root, case .group(var script)? = members["script"] else { return "{}" }
        for shared in ["time", "count"] { script[shared] = members[shared] }
        return json(.group(script))
    }

    /// Written out so that nothing in it ends the script element it stands in.
    private static func json(_ node: SentenceTree) -> String {
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
        // What is missing says its key, as a page's words do, and the tests find it.
        let notices = (try? NoticeCatalogue(in: resources.notices)) ?? NoticeCatalogue([:])
        var roots: [String: SentenceTree] = [:]
        for file in resources.files(in: "Strings") where file.hasSuffix(".json") {
            guard let bytes = resources.read("Strings/" + file),
                let words = try? JSONDecoder().decode(SentenceTree.self, from: Data(bytes))
            else { continue }
            let code = String(file.prefix { $0 != "/" })
            roots[code] = roots[code]?.merged(with: words) ?? words
        }
        let all = roots.map { Words(code: $0.key, root: $0.value, notices: notices) }
        self.all = all.sorted { ($0.code == "en" ? "" : $0.code) < ($1.code == "en" ? "" : $1.code) }
    }

    var codes: [String] { all.map(\.code) }

    func words(for code: String) -> Words {
        all.first { $0.code == code } ?? all.first ?? Words(code: "en")
    }
}
