/// What stands behind a comma, and what it may mean: a region, a country, a town, a postcode.
struct PlaceContext: Hashable, Sendable {
    /// A town or a part of one that is called so: what is around its middle is in it, whatever town it belongs to.
    struct Middle: Hashable, Sendable {
        static let reach = 3_000.0
        var latitude: Double
        var longitude: Double
    }

    /// As it was written.
    var text: String
    /// The beginning of a name, or the code of a country or region.
    var key: String
    /// Of regions and countries that have another name which begins so.
    var codes: [String] = []
    /// The keys of towns that have such a name: what belongs to Helsinki is in Helsingfors.
    var towns: [String] = []
    var middles: [Middle] = []
    /// Squares around those: a street is looked for there, however many there are of its name.
    var cells: [Int] = []
    /// Whether it is the whole name of something.
    var isWhole = false

    private var isBegun: Bool { !codes.isEmpty || !towns.isEmpty || isWhole }

    /// Which of some is left out where nothing is in all of them: one that means nothing here, else the last that is not (yet) a whole name. Nil where all
    /// are known: then it is what was asked for that is not there.
    static func leastKnown(of contexts: [PlaceContext]) -> Int? {
        contexts.lastIndex { !$0.isBegun } ?? contexts.lastIndex { !$0.isWhole }
    }

    /// What people write for codes of countries beside ISO 3166's own.
    private static let codes = ["uk": "gb", "usa": "us", "uae": "ae"]

    /// As contexts are compared: without the postcode before or behind a town, which says no more than the town does.
    static func key(_ key: String) -> String? {
        var words = key.split(separator: " ")
        // A postcode alone is one (`sw1a 1aa`).
        if words.count > 1, words.allSatisfy({ $0.contains(where: \.isNumber) }) { return key }
        while words.count > 1, words[0].contains(where: \.isNumber) { words.removeFirst() }
        while words.count > 1, words[words.count - 1].contains(where: \.isNumber) { words.removeLast() }
        // "1012 AB Amsterdam", as postcodes are in the Netherlands.
        if words.count > 1, words.count < key.split(separator: " ").count, words[0].utf8.count <= 2,
            key.utf8.first.map({ (0x30...0x39).contains($0) }) == true
        {
            words.removeFirst()
        }
        let context = words.joined(separator: " ")
        return context.isEmpty ? nil : codes[context] ?? context
    }

    /// As postcodes are compared; nil where it can be none.
    var postcode: String? {
        key.utf8.contains { (0x30...0x39).contains($0) } ? key.split(separator: " ").joined() : nil
    }
}
