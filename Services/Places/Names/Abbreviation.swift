/// What people write shorter than it is called, as keys have it: `str`, `av`, `st`.
enum Abbreviation {
    /// Some stand for several words, of which a name may have any.
    private static let words: [String: [String]] = [
        // Saints go first: streets named after them are many.
        "st": ["saint", "sankt", "street", "sint"], "ste": ["sainte"], "sta": ["santa"], "sto": ["santo"],
        "str": ["strasse", "street"], "rd": ["road"], "ln": ["lane"], "ct": ["court"], "cres": ["crescent"],
        "cl": ["close", "calle"],
        "av": ["avenue", "avenida"], "ave": ["avenue"], "avda": ["avenida"], "bd": ["boulevard"], "bl": ["boulevard"],
        "bld": ["boulevard"], "blv": ["boulevard"], "blvd": ["boulevard"], "bvd": ["boulevard"],
        "dr": ["drive", "doktor", "doctor"],
        "pl": ["place", "platz", "plaza"], "plz": ["plaza", "platz"], "pza": ["plaza", "piazza"], "sq": ["square"],
        "ter": ["terrace"],
        "terr": ["terrace"], "hwy": ["highway"], "pkwy": ["parkway"], "gdn": ["garden"], "gdns": ["gardens"],
        "hts": ["heights"],
        "mt": ["mount"], "ft": ["fort"], "pt": ["point"], "ctr": ["center", "centre"], "nth": ["north"],
        "sth": ["south"],
        "upp": ["upper"], "n": ["north"], "s": ["south"], "e": ["east"], "w": ["west"], "r": ["rue", "rua"],
        "rte": ["route"],
        "ch": ["chemin"], "imp": ["impasse"], "fbg": ["faubourg"], "fg": ["faubourg"], "all": ["allee"], "c": ["calle"],
        "cso": ["corso"], "lgo": ["largo"], "v": ["via"], "vle": ["viale"], "al": ["aleja"], "ul": ["ulica"],
        "jl": ["jalan"], "jln": ["jalan"], "lor": ["lorong"], "bt": ["bukit"], "kg": ["kampong"], "kpg": ["kampong"],
        "tg": ["tanjong"],
        "tj": ["tanjong"], "hbf": ["hauptbahnhof"], "bhf": ["bahnhof"], "univ": ["university", "universitat"],
        "ул": ["улица"], "пр": ["проспект"], "просп": ["проспект"], "пл": ["площадь"], "пер": ["переулок"],
        "наб": ["набережная"],
        "бул": ["бульвар"], "ш": ["шоссе"],
    ]
    /// At the end of a longer word: `grossgorschenstr`.
    private static let endings = [("str", "strasse"), ("pl", "platz")]
    private static let shortestStem = 3

    /// Left out before a number: `ottostrasse nr 10`, `blk 123 ang mo kio`.
    private static let beforeNumbers: Set<String> = [
        "nr", "no", "num", "numero", "n", "blk", "block", "haus", "дом", "д",
    ]

    static func meanings(of word: String) -> [String] {
        if let meanings = words[word] { return meanings }
        for (short, long) in endings where word.hasSuffix(short) && word.utf8.count >= short.utf8.count + shortestStem {
            return [String(word.dropLast(short.count)) + long]
        }
        return []
    }

    /// What a word of a key may be in place of itself; empty where it may be left out.
    private static func choices(_ word: String, isFirst: Bool, before next: String) -> [String] {
        let isBeforeNumber = next.utf8.first.map { (0x30...0x39).contains($0) } ?? false
        var meanings = meanings(of: word)
        // "St 5" is no saint, and "St Martin" no street.
        if word == "st", isBeforeNumber { meanings = ["street"] }
        if word == "st", isFirst, !isBeforeNumber, !next.isEmpty { meanings.removeAll { $0 == "street" } }
        return meanings + (beforeNumbers.contains(word) && isBeforeNumber ? [""] : [])
    }

    /// A key as it is, and with its abbreviations written out: those in which most are, first.
    static func readings(of key: String, most: Int) -> [String] {
        var readings = [Reading()]
        let words = key.split(separator: " ").map(String.init)
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1] : ""
            let choices = choices(word, isFirst: index == 0, before: next)
            let plain = readings.map { $0.with(word, isShort: !choices.isEmpty) }
            let longer = choices.flatMap { choice in readings.map { $0.with(choice, isShort: false) } }
            // As many as a name of several such words has; nobody means the rest.
            readings = Array((plain + longer).prefix(64))
        }
        let rest = readings.dropFirst().enumerated().sorted {
            ($0.element.short, $0.offset) < ($1.element.short, $1.offset)
        }
        var found = [key]
        for reading in rest.map(\.element.text) where !found.contains(reading) && !reading.isEmpty {
            found.append(reading)
        }
        return Array(found.prefix(most))
    }

    private struct Reading {
        var words: [String] = []
        /// How many of them are abbreviations still.
        var short = 0

        var text: String { words.joined(separator: " ") }

        func with(_ word: String, isShort: Bool) -> Reading {
            Reading(words: word.isEmpty ? words : words + [word], short: short + (isShort ? 1 : 0))
        }
    }

    /// A name whose own abbreviations are written out, as people may look for it; without the name itself.
    static func writtenOut(_ name: String, most: Int = 6) -> [String] {
        let words = name.lowercased().unicodeScalars.split {
            !($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == ".")
        }
        guard words.contains(where: { isShort(String($0)) }) else { return [] }
        let plain = words.map { word in String(word).split(separator: ".").joined(separator: " ") }.joined(
            separator: " ")
        return readings(of: plain, most: most + 1).filter { $0 != plain }
    }

    /// With its full stop, or without one where it can hardly be a word.
    private static func isShort(_ word: String) -> Bool {
        let bare = word.split(separator: ".").last.map(String.init) ?? ""
        return !meanings(of: bare).isEmpty && (word.hasSuffix(".") || sure.contains(bare) || words[bare] == nil)
    }

    private static let sure: Set<String> = ["st", "ste", "str", "rd", "ave", "blvd", "hwy", "jln", "mt"]
}
