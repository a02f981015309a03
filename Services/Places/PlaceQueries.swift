import FoundationEssentials
import WireProtocol

// What is asked for, checked. Pure.

/// A refusal of the domain.
enum PlaceError: Error, Hashable {
    case invalid([FieldError])
    case notFound
}

/// A search for what somebody is typing.
struct PlaceSearch: Hashable, Sendable {
    static let usual = 10
    static let largest = 20
    static let longest = 100
    private static let longestLanguage = 35

    /// The beginning of a name, as names are compared.
    var key: String
    /// The place is in all of them.
    var contexts: [PlaceContext] = []
    var near: Position?
    var kind: PlaceKind?
    /// Only names of this form; of all where nil.
    var form: Int?
    var limit: Int
    /// In which names are shown, where a source says them.
    var language: String?
    /// Where full stops stand for the rest of words (`Fabianink. 33`).
    var pattern: Pattern?

    struct Pattern: Hashable, Sendable {
        /// With fewer letters half a country's names are looked at.
        private static let shortest = 4
        /// Of the key, so that names are found by an index.
        var first: String
        /// A regular expression of keys.
        var expression: String

        /// - Parameter pieces: the keys of what stands between full stops.
        init?(_ pieces: [String]) {
            guard pieces.count > 1, let first = pieces.first, first.unicodeScalars.count >= Self.shortest else {
                return nil
            }
            self.first = first
            expression = "^" + pieces.joined(separator: "[^ ]* ")
        }
    }

    /// Of names that are postcodes.
    static let postcodeForm = 3

    /// Towns that a context may name: a street is looked for around them, however many there are of its name.
    var contextCells: [Int] { Set(contexts.flatMap(\.cells)).sorted() }

    /// - Throws: `invalid`.
    static func check(_ query: PlaceQuery) throws(PlaceError) {
        var errors: [FieldError] = []
        if query.q.utf8.count > longest * 8 || query.q.count > longest {
            errors.append(FieldError("q", "too_long", "At most \(longest) characters."))
        } else if query.q.unicodeScalars.count(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        ) < 2 {
            errors.append(FieldError("q", "too_short", "At least two letters or digits."))
        }
        errors += FieldRules.errors(inPoint: query.near, at: "near")
        if let language = query.language, language.utf8.count > longestLanguage {
            errors.append(FieldError("language", "too_long", "At most \(longestLanguage) characters."))
        }
        if let limit = query.limit, !(1...largest).contains(limit) {
            errors.append(FieldError("limit", "out_of_range", "Between 1 and \(largest)."))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// Another key for the same question.
    func with(_ key: String) -> PlaceSearch {
        var other = self
        other.key = key
        return other
    }

    /// Other ways to read the key: abbreviations written out, a house's number and letter as one word, a postcode as one. The key itself comes first.
    var readings: [String] {
        let written = Abbreviation.readings(of: key, most: Self.mostReadings)
        var readings = written + written.prefix(4).flatMap(HouseQuestion.joined)
        readings += [Postcode.compact(key), glued].compactMap(\.self)
        var found: [String] = []
        for reading in readings where !found.contains(reading) { found.append(reading) }
        return found
    }

    private static let mostReadings = 8

    /// `ottostrasse10a`, where the space was forgotten.
    private var glued: String? {
        let digits: ClosedRange<UInt8> = 0x30...0x39
        let start = key.utf8.lastIndex(of: UInt8(ascii: " ")).map { key.utf8.index(after: $0) } ?? key.utf8.startIndex
        guard let number = key.utf8[start...].firstIndex(where: digits.contains),
            key.utf8.distance(from: start, to: number) >= 4
        else { return nil }
        return "\(key[..<number]) \(key[number...])"
    }

    /// Its last words taken for a context: `paris texas`, `station road new york`.
    func withLastWordsAsContext(_ count: Int) -> (search: PlaceSearch, context: String)? {
        let words = key.split(separator: " ")
        guard contexts.isEmpty, words.count > count,
            let context = PlaceContext.key(words.suffix(count).joined(separator: " ")),
            // A number says which house it is, or a postcode, and is the code of many a state.
            !context.utf8.contains(where: { (0x30...0x39).contains($0) })
        else { return nil }
        let other = with(words.dropLast(count).joined(separator: " "))
        return other.key.unicodeScalars.count < 2 ? nil : (other, context)
    }

    /// A postcode at either end, and what stands beside it taken for a context: `00100 helsinki`, `london sw1a 1aa`.
    var postcodes: [(search: PlaceSearch, context: String)] {
        Postcode.splits(of: key).compactMap { postcode, rest -> (search: PlaceSearch, context: String)? in
            guard let context = PlaceContext.key(rest) else { return nil }
            var other = with(postcode)
            other.form = Self.postcodeForm
            return (other, context)
        }
    }

    /// Between two words "and" is left out of keys; here somebody is about to type the second one: `marks and`.
    var withoutJoiner: PlaceSearch? {
        guard let space = key.lastIndex(of: " "), Self.joiners.contains(String(key[key.index(after: space)...])) else {
            return nil
        }
        var other = self
        other.key = String(key[..<space])
        return other.key.count < 2 ? nil : other
    }

    /// As `unjoined` in the schema has them.
    private static let joiners: Set = ["and", "und", "et", "och", "ja"]

    /// The first word behind the others, as it stands in addresses and names here: `33 fabianinkatu`, `savoy ravintola`.
    var withFirstWordLast: PlaceSearch? {
        guard let space = key.firstIndex(of: " ") else { return nil }
        var other = self
        other.key = "\(key[key.index(after: space)...]) \(key[..<space])"
        return other
    }

    /// What may have been meant where one letter is wrong: two in the wrong order, one too many, another one, one left out. A number is never another one:
    /// it is another house.
    ///
    /// Some hundred look-ups in an index, a few milliseconds whatever the names are.
    var slips: [String] {
        let letters = Array(key.unicodeScalars)
        guard (4...24).contains(letters.count) else { return [] }
        let latin = "abcdefghijklmnopqrstuvwxyz ".unicodeScalars
        let alphabet = letters.allSatisfy(\.isASCII) ? Set(latin) : Set(letters)
        var found: Set<[Unicode.Scalar]> = []
        func isDigit(_ index: Int) -> Bool { letters.indices.contains(index) && ("0"..."9").contains(letters[index]) }
        for index in letters.indices where !isDigit(index) && !(isDigit(index - 1) && isDigit(index + 1)) {
            if index > 0, !isDigit(index - 1) {
                var other = letters
                other.swapAt(index - 1, index)
                found.insert(other)
            }
            var shorter = letters
            shorter.remove(at: index)
            found.insert(shorter)
            for letter in alphabet {
                var (other, longer) = (letters, letters)
                other[index] = letter
                longer.insert(letter, at: index)
                found.formUnion([other, longer])
            }
        }
        found.remove(letters)
        return found.map { scalars in
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
    }
}

/// One page of what is near.
struct NearbyPage: Hashable, Sendable {
    var point: Position
    var kind: PlaceKind
    var radius: Int
    var limit: Int
    /// The last place of the page before.
    var after: DistanceCursor?
    var language: String?

    /// - Throws: `invalid`.
    init(_ query: NearbyPlaceQuery) throws(PlaceError) {
        var errors: [FieldError] = []
        errors += FieldRules.errors(inPoint: query.at, at: "at") + FieldRules.errors(inRadius: query.radius)
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { DistanceCursor($0) }
        guard errors.isEmpty else { throw .invalid(errors) }
        (point, kind, language) = (query.at, query.kind, query.language)
        radius = query.radius ?? FieldRules.usualRadius
    }
}

struct NearbyPlace: Hashable, Sendable {
    var place: Place
    /// In a straight line through the earth: what the index, and so the list, is ordered by.
    var chord: Double
}

extension DistanceCursor {
    init(_ found: NearbyPlace) { self.init(found.chord, found.place.id.uuid) }
}
