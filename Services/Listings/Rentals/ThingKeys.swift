import WireProtocol

// By what things are found by standing searches. Each key is of one kind of thing: nobody looks for two.

/// A word of what was typed.
struct TypedWord: Hashable, Sendable {
    var text: String
    /// It may be but begun.
    var isLast: Bool
}

extension RentableThing {
    /// - Parameter words: those of title and description, as the search has them.
    func keys(_ words: [String]) -> [SearchKey] {
        var keys = Set(words.map { SearchKey.word($0, of: kind) })
        keys.formUnion(words.compactMap { SearchKey.beginning(of: $0, kind) })
        keys.formUnion(SearchKey.said(details.region, details.brand, details.model, of: kind))
        keys.insert(.any(kind))
        return keys.sorted()
    }
}

extension ThingSearch {
    /// More words make it no easier to find what a search finds.
    private static let mostWords = 8

    /// Whatever it finds has each of these. The brand is left out where there is a model, and the kind where there is anything else: fewer things have those.
    func anchors(_ words: [TypedWord]) -> [SearchKey] {
        // The longer a word, the fewer things have it.
        let whole = words.filter { !$0.isLast }.map(\.text)
        let longest = whole.sorted { ($1.unicodeScalars.count, $0) < ($0.unicodeScalars.count, $1) }
        var anchors = longest.prefix(Self.mostWords).map { SearchKey.word($0, of: kind) }
        anchors += words.filter(\.isLast).compactMap { SearchKey.beginning(of: $0.text, kind) }
        anchors += SearchKey.said(page.region, page.model == nil ? page.brand : nil, page.model, of: kind)
        return anchors.isEmpty ? [.any(kind)] : anchors
    }
}

extension SearchKey {
    /// What a word begins with: what is but begun is looked for by it.
    private static let begun = 3

    fileprivate static func any(_ kind: ThingKind) -> SearchKey { SearchKey(rawValue: "\(kind.rawValue)/*") }

    fileprivate static func word(_ word: String, of kind: ThingKind) -> SearchKey {
        SearchKey(rawValue: "\(kind.rawValue)/word:\(word)")
    }

    /// Nil where the word is too short for it.
    fileprivate static func beginning(of word: String, _ kind: ThingKind) -> SearchKey? {
        let letters = word.unicodeScalars.prefix(begun)
        return letters.count < begun
            ? nil : SearchKey(rawValue: "\(kind.rawValue)/begins:\(String(String.UnicodeScalarView(letters)))")
    }

    fileprivate static func said(
        _ region: String?, _ brand: String?, _ model: String?, of kind: ThingKind
    ) -> [SearchKey] {
        [("region", region), ("brand", brand), ("model", model)].compactMap { name, value in
            value.map { SearchKey(rawValue: "\(kind.rawValue)/\(name):\($0)") }
        }
    }
}
