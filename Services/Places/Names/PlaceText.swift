/// What somebody types for a place, taken apart before its words are compared: a name, what stands behind commas, and where the name may have ended.
struct PlaceText: Hashable, Sendable {
    private static let mostContexts = 4
    private static let mostCuts = 5
    private static let mostPieces = 6

    /// A name, and what may stand behind it or in front of it without being a part of it.
    struct Cut: Hashable, Sendable {
        var name: String
        var rest: String
    }

    var name: String
    /// Behind commas: `Naples, Florida, USA`.
    var contexts: [String] = []
    /// `Fabianinkatu 33 Helsinki`, `391 Orchard Road #22-01`; those that leave out least first.
    var cuts: [Cut] = []
    /// The pieces between full stops, where there are several: `Fabianink. 33`.
    var pieces: [String] = []

    init(_ text: String) {
        let commas = ",،、，".unicodeScalars
        var parts = text.unicodeScalars.split(omittingEmptySubsequences: false) { commas.contains($0) }.map {
            String($0)
        }
        // A number alone is the house of what stands beside it: `33, Fabianinkatu`, `Calle Mayor, 5`.
        if parts.count > 1, Self.isHouse(parts[0]) || Self.isHouse(parts[1]) {
            parts.replaceSubrange(0...1, with: ["\(parts[0]) \(parts[1])".oneLine])
        }
        name = parts[0]
        contexts = Array(parts.dropFirst().prefix(Self.mostContexts))
        cuts = Self.cuts(of: name)
        let pieces = name.split(separator: ".").map(String.init)
        if (2...Self.mostPieces).contains(pieces.count) { self.pieces = pieces }
    }

    /// All that is compared, so that it is asked for at once: the name, the contexts, of each cut both parts, the pieces.
    var all: [String] { [name] + contexts + cuts.flatMap { [$0.name, $0.rest] } + pieces }

    /// Four digits at the most: more are a postcode.
    private static func isHouse(_ part: String) -> Bool {
        let text = part.oneLine
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }.count
        return (1...4).contains(digits) && text.utf8.first != 0x30 && text.utf8.count <= 12
            && text.split(separator: " ").dropFirst().allSatisfy { HouseQuestion.isSuffix($0.lowercased()) }
            && !HouseNumber.all(on: text).isEmpty
    }

    private static func cuts(of name: String) -> [Cut] {
        let words = name.split(separator: " ")
        var found: [Cut] = []
        func add(_ name: ArraySlice<Substring>, _ rest: ArraySlice<Substring>) {
            guard !name.isEmpty, !rest.isEmpty else { return }
            let cut = Cut(name: name.joined(separator: " "), rest: rest.joined(separator: " "))
            if !found.contains(cut) { found.append(cut) }
        }
        // Behind each number, with its letter and without: the longest name first.
        for index in words.indices.dropFirst().reversed() where hasDigit(words[index]) {
            let next = index + 1
            if next < words.count, HouseQuestion.isSuffix(words[next].lowercased()) {
                add(words[...next], words[(next + 1)...])
            }
            add(words[...index], words[next...])
        }
        // A postcode that nobody knows, at either end.
        for length in [1, 2] where words.count > length {
            if words.suffix(length).allSatisfy(hasDigit) { add(words.dropLast(length), words.suffix(length)) }
            if words.prefix(length).allSatisfy(hasDigit) { add(words.dropFirst(length), words.prefix(length)) }
        }
        return Array(found.prefix(mostCuts))
    }

    private static func hasDigit(_ word: Substring) -> Bool { word.utf8.contains { (0x30...0x39).contains($0) } }
}
