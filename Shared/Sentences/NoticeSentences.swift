import FoundationEssentials
package import WireProtocol

/// What notices say in one language, from `Notices/<code>.json`: of each kind once, for pages, devices and mails.
package struct NoticeSentences: Sendable {
    /// What a sentence is for. Each is a member of its kind, and has a member for each variant of it that says something of its own.
    package enum Purpose: String, Sendable {
        /// The inbox, and a line of a mail, where nobody is named but by `{name}`, and there is no `{title}`.
        case told
        /// A device, whose notice bears the name above the sentence.
        case push
        /// The subject of a mail of this one thing, to which `{community}` is known.
        case subject
    }

    package let code: String
    package let kinds: SentenceTree

    package init(code: String, kinds: SentenceTree) {
        self.code = code
        self.kinds = kinds
    }

    /// What a kind is about, as the settings list it.
    package func about(_ kind: InboxNoticeKind) -> String {
        (kinds[kind.rawValue] ?? kinds["other"])?["about"]?.filled([:]) ?? kind.rawValue
    }

    /// - Parameters:
    ///   - values: for its places: `name`, `title`, `n`, `community` and those of its typed values, as far as they are there and may be said.
    ///   - count: how many things it tells of: which form a sentence has, unless it says a `number` of its own.
    package func text(
        _ purpose: Purpose, of kind: InboxNoticeKind, _ variant: String?, _ values: [String: String], count: Int
    ) -> String {
        let known = kinds[kind.rawValue] ?? kinds["other"]
        guard let sentences = known?[purpose.rawValue] else { return kind.rawValue }
        let found = variant.flatMap { sentences[$0] } ?? sentences["otherwise"] ?? sentences
        return found.filled(values, count: values["number"].flatMap { Int($0) } ?? count) ?? kind.rawValue
    }
}

/// The same in all languages that there are.
package struct NoticeCatalogue: Sendable {
    package static let otherwise = "en"

    private let languages: [String: NoticeSentences]

    /// - Parameter folder: with a file for each language.
    /// - Throws: where a file cannot be read.
    package init(in folder: String) throws {
        var languages: [String: NoticeSentences] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".json") {
            let code = String(file.dropLast(".json".count))
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
            let kinds = try JSONDecoder().decode(SentenceTree.self, from: bytes)
            languages[code] = NoticeSentences(code: code, kinds: kinds)
        }
        self.init(languages)
    }

    package init(_ languages: [String: NoticeSentences]) { self.languages = languages }

    package var codes: [String] { languages.keys.sorted() }

    /// Those of the language that comes closest: `de` for `de-at` too.
    package subscript(_ language: String) -> NoticeSentences {
        let choices = [language, String(language.prefix { $0 != "-" }), Self.otherwise]
        return choices.lazy.compactMap { languages[$0] }.first
            ?? NoticeSentences(code: Self.otherwise, kinds: .group([:]))
    }
}
