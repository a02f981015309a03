import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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

    /// The beginning of a name, as names are compared.
    var key: String
    /// Each the beginning of the name of a region, a country or a town, or the code of a country or region; the place is in all of them.
    var contexts: [String] = []
    /// Towns that the first context may name: a street is looked for around them, however many there are of its name.
    var contextCells: [Int] = []
    var near: Position?
    var kind: PlaceKind?
    var limit: Int

    /// - Throws: `invalid`.
    static func check(_ query: PlaceQuery) throws(PlaceError) {
        var errors: [FieldError] = []
        if query.q.utf8.count > longest * 8 || query.q.count > longest {
            errors.append(FieldError("q", "too_long", "At most \(longest) characters."))
        } else if query.q.unicodeScalars.count(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        ) < 2 {
            errors.append(FieldError("q", "too_short", "At least two letters or digits."))
        }
        if query.near?.isValid == false { errors.append(.outOfRange("near")) }
        if let limit = query.limit, !(1...largest).contains(limit) {
            errors.append(FieldError("limit", "out_of_range", "Between 1 and \(largest)."))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    private static let mostContexts = 4

    /// A name, and what stands behind commas: `Naples, Florida, USA`.
    static func parts(of text: String) -> (name: String, contexts: [String]) {
        let commas = ",،、，".unicodeScalars
        let parts = text.unicodeScalars.split(omittingEmptySubsequences: false) { commas.contains($0) }.map {
            String($0)
        }
        return (parts[0], Array(parts.dropFirst().prefix(mostContexts)))
    }

    /// What people write for codes of countries beside ISO 3166's own.
    private static let codes = ["uk": "gb", "usa": "us", "uae": "ae"]

    /// As contexts are compared: without a postcode before a town, which says no more than the town does.
    static func context(_ key: String) -> String? {
        var words = key.split(separator: " ")
        if words.count > 1, words[0].contains(where: \.isNumber) { words.removeFirst() }
        let context = words.joined(separator: " ")
        return context.isEmpty ? nil : codes[context] ?? context
    }

    /// The last word taken for a context: `paris texas`.
    var withLastWordAsContext: PlaceSearch? {
        guard contexts.isEmpty, let space = key.lastIndex(of: " "),
            let context = Self.context(String(key[key.index(after: space)...]))
        else { return nil }
        var other = self
        other.key = String(key[..<space])
        other.contexts = [context]
        return other.key.count < 2 ? nil : other
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

    /// What may have been meant where one letter is wrong: two in the wrong order, one too many, another one, one left out.
    ///
    /// Some hundred look-ups in an index, a few milliseconds whatever the names are.
    var slips: [String] {
        let letters = Array(key.unicodeScalars)
        guard (4...24).contains(letters.count) else { return [] }
        let latin = "abcdefghijklmnopqrstuvwxyz ".unicodeScalars
        let alphabet = letters.allSatisfy(\.isASCII) ? Set(latin) : Set(letters)
        var found: Set<[Unicode.Scalar]> = []
        for index in letters.indices {
            if index > 0 {
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

/// A place that a search found.
struct FoundPlace: Hashable, Sendable {
    var place: Place
    var score: Double
}

/// One page of what is near.
struct NearbyPage: Hashable, Sendable {
    static let usual = 20
    static let largest = 100
    static let usualRadius = 1_000
    static let largestRadius = 50_000

    var point: Position
    var kind: PlaceKind
    var radius: Int
    var limit: Int
    /// The last place of the page before.
    var after: NearbyCursor?

    /// - Throws: `invalid`.
    init(_ query: NearbyPlaceQuery) throws(PlaceError) {
        var errors: [FieldError] = []
        if !query.at.isValid { errors.append(.outOfRange("at")) }
        if let radius = query.radius, !(1...Self.largestRadius).contains(radius) {
            errors.append(FieldError("radius", "out_of_range", "Between 1 and \(Self.largestRadius) metres."))
        }
        if let limit = query.limit, !(1...Self.largest).contains(limit) {
            errors.append(FieldError("limit", "out_of_range", "Between 1 and \(Self.largest)."))
        }
        if let cursor = query.cursor {
            after = NearbyCursor(cursor)
            if after == nil {
                errors.append(FieldError("cursor", "not_a_cursor", "This is not a cursor of this list."))
            }
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        (point, kind) = (query.at, query.kind)
        (radius, limit) = (query.radius ?? Self.usualRadius, query.limit ?? Self.usual)
    }
}

struct NearbyPlace: Hashable, Sendable {
    var place: Place
    /// In a straight line through the earth: what the index, and so the list, is ordered by.
    var chord: Double
}

/// The place of one in a list: what comes after it is the next page. Opaque to everybody else.
struct NearbyCursor: Hashable, Sendable {
    var id: PlaceID
    var chord: Double

    init(_ found: NearbyPlace) { (id, chord) = (found.place.id, found.chord) }

    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = PlaceID(String(parts[0])),
            let chord = UInt64(parts[1], radix: 16).map(Double.init(bitPattern:)), chord.isFinite, chord >= 0
        else { return nil }
        (self.id, self.chord) = (id, chord)
        // One text for one place: signs, zeros in front and capitals are not ours.
        guard self.text == text else { return nil }
    }

    /// The distance is written bit by bit: the next page starts at exactly this one.
    var text: String { "\(id)~\(String(chord.bitPattern, radix: 16))" }
}

extension FieldError {
    fileprivate static func outOfRange(_ field: String) -> FieldError {
        FieldError(field, "out_of_range", "Latitude and longitude in degrees.")
    }
}
