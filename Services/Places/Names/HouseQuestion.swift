/// A house that somebody asks for, as the key of what was typed may be read: `ottostrasse 10 a`, `11 bis rue de la gare`.
struct HouseQuestion: Hashable, Sendable {
    /// The key of the street, or its beginning.
    var street: String
    var house: HouseNumber

    /// Its two keys: with the number behind the street, and in front.
    func keys(of house: HouseNumber) -> [String] { ["\(street) \(house.key)", "\(house.key) \(street)"] }

    /// The likeliest first: with the number at the end, with its letter.
    static func all(in key: String) -> [HouseQuestion] {
        let words = key.split(separator: " ").map(String.init)
        guard words.count > 1 else { return [] }
        var found: [HouseQuestion] = []
        for length in [2, 1] where words.count > length {
            if let house = read(words.suffix(length)) {
                found.append(HouseQuestion(street: words.dropLast(length).joined(separator: " "), house: house))
            }
        }
        for length in [2, 1] where words.count > length {
            if let house = read(words.prefix(length)) {
                found.append(HouseQuestion(street: words.dropFirst(length).joined(separator: " "), house: house))
            }
        }
        return found
    }

    /// Of one word (`10a`) or two (`10 a`).
    private static func read(_ words: ArraySlice<String>) -> HouseNumber? {
        guard let first = words.first else { return nil }
        let end = first.utf8.firstIndex { !(0x30...0x39).contains($0) } ?? first.endIndex
        let (digits, rest) = (first[..<end], String(first[end...]))
        // Houses are counted from one; what begins with a nought is a postcode.
        guard digits.utf8.count <= HouseNumber.mostDigits, digits.utf8.first != 0x30, let number = Int(digits) else {
            return nil
        }
        guard words.count == 2, let second = words.last else {
            return rest.isEmpty || isSuffix(rest) ? HouseNumber(number: number, suffix: rest) : nil
        }
        return rest.isEmpty && isSuffix(second) ? HouseNumber(number: number, suffix: second) : nil
    }

    static func isSuffix(_ word: some StringProtocol) -> Bool {
        let isLetter = word.utf8.count == 1 && word.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        return isLetter || HouseNumber.words.contains(String(word))
    }

    /// The number and its letter as one word, in front or at the end, as keys of houses have them; also while the last word is being typed (`11 bi`).
    static func joined(_ key: String) -> [String] {
        let words = key.split(separator: " ").map(String.init)
        var found: [String] = []
        func isNumber(_ word: String) -> Bool {
            word.utf8.count <= HouseNumber.mostDigits && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        func join(at index: Int) {
            var joined = words
            joined.replaceSubrange(index...(index + 1), with: [words[index] + words[index + 1]])
            found.append(joined.joined(separator: " "))
        }
        if words.count >= 2, isNumber(words[0]) {
            let isBegun = words.count == 2 && HouseNumber.words.contains { $0.hasPrefix(words[1]) }
            if isSuffix(words[1]) || isBegun { join(at: 0) }
        }
        if words.count > 2, isNumber(words[words.count - 2]) {
            let last = words[words.count - 1]
            if isSuffix(last) || HouseNumber.words.contains(where: { $0.hasPrefix(last) }) { join(at: words.count - 2) }
        }
        return found
    }
}
