import WireProtocol

/// A place that a search found.
struct FoundPlace: Hashable, Sendable {
    var place: Place
    var score: Double
    /// The name by which it was found, as names are compared, and its form (README.md).
    var key: String
    var form: Int
    /// Whether the name is only much like what was typed.
    var isSimilar: Bool

    /// Whether it is what was asked for, as far as anybody has typed it.
    var isMeant: Bool { place.match != .otherNumber && place.match != .street }

    /// Says how it was found.
    /// - Parameters:
    ///   - readings: of what was typed, of which its name may be the whole.
    ///   - others: readings that may name its number as well.
    func judged(_ readings: [String], besides others: [String] = []) -> FoundPlace {
        var found = self
        if form == PlaceSearch.postcodeForm {
            found.place.match = .postcode
            found.place.foundBy = nil
        } else if others.isEmpty && readings.contains(key) {
            found.place.match = .name
        } else if let numbers, !Self.areNamed(numbers, by: readings, others) {
            found.place.match = .otherNumber
        } else {
            found.place.match = isSimilar ? .similar : readings.contains(key) ? .name : .beginning
        }
        return found
    }

    /// Whether one of the numbers was typed, or the beginning of its letters (`11bi`); also where there is no number yet. A letter that was typed counts,
    /// however the rest is read.
    private static func areNamed(_ numbers: [HouseNumber], by readings: [String], _ others: [String]) -> Bool {
        let lettered = others.flatMap(numberWords).filter { !$0.utf8.allSatisfy(isDigit) }
        let words = lettered.isEmpty ? (readings.isEmpty ? others : readings).flatMap(numberWords) : lettered
        return words.isEmpty
            || words.contains { word in
                numbers.contains { $0.key == word || !word.utf8.allSatisfy(isDigit) && $0.key.hasPrefix(word) }
            }
    }

    /// The words of a reading that may be a house's number; with the letter that stands behind one at the end, which makes it another house.
    private static func numberWords(_ reading: String) -> [String] {
        let words = reading.split(separator: " ").map(String.init)
        return words.indices.compactMap { index in
            guard words[index].utf8.first.map(isDigit) == true else { return nil }
            let hasLetter = index > 0 && index == words.count - 2 && HouseQuestion.isSuffix(words[index + 1])
            return hasLetter ? words[index] + words[index + 1] : words[index]
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Of the house by whose address it was found; nil where it was found by something else.
    private var numbers: [HouseNumber]? {
        let address = place.kind == .address ? place.name : place.address
        guard let address, let sign = HouseNumber.split(address)?.sign else { return nil }
        let numbers = HouseNumber.all(on: sign)
        let keyed = HouseQuestion.all(in: key).map(\.house)
        return keyed.contains(where: numbers.contains) ? numbers : nil
    }
}

extension [FoundPlace] {
    /// Each place once, as it was found best; what is meant first.
    func best(_ limit: Int) -> [FoundPlace] {
        var known: [PlaceID: FoundPlace] = [:]
        for found in self {
            guard let other = known[found.place.id] else {
                known[found.place.id] = found
                continue
            }
            if found.rank > other.rank { known[found.place.id] = found }
        }
        let sorted = known.values.sorted { ($0.rank, $1.place.id) > ($1.rank, $0.place.id) }
        return Array(sorted.prefix(limit))
    }

    /// Of one postcode of one town the most central first: a postcode stands for the middle of where it is.
    var fromTheMiddle: [FoundPlace] {
        guard count > 2, allSatisfy({ $0.place.match == .postcode }), Set(map { $0.place.locality ?? "" }).count == 1
        else {
            return self
        }
        let middle = Position(
            latitude: map(\.place.position.latitude).reduce(0, +) / Double(count),
            longitude: map(\.place.position.longitude).reduce(0, +) / Double(count))
        return map { (found: $0, metres: $0.place.position.metres(to: middle)) }
            .sorted { ($0.metres, $0.found.place.id) < ($1.metres, $1.found.place.id) }.map(\.found)
    }
}

extension FoundPlace {
    /// By which it stands among others: what is meant, then streets, then other houses.
    fileprivate var rank: Double { isMeant ? score : place.match == .street ? score - 10 : score - 20 }
}
