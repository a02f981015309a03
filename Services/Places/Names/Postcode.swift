/// Postcodes as keys have them: without spaces, so that `SW1A 1AA` and `sw1a1aa` are one.
enum Postcode {
    private static let longest = 10
    private static let mostWords = 3

    /// A key that may be (the beginning of) a postcode, in another form than it is: `sw1a 1aa`, `s 018956`, `d 10115`.
    static func compact(_ key: String) -> String? {
        let words = key.split(separator: " ")
        guard words.count <= mostWords, key.utf8.contains(where: isDigit) else { return nil }
        var compact = words.joined()
        // The country's letters, as they stand on envelopes: "FI-00100", "S(018956)".
        let letters = compact.utf8.prefix { !isDigit($0) }.count
        let digits = compact.utf8.dropFirst(letters)
        if (1...2).contains(letters), digits.count >= 4, digits.allSatisfy(isDigit) {
            compact = String(decoding: digits, as: UTF8.self)
        }
        return compact != key && (2...longest).contains(compact.utf8.count) ? compact : nil
    }

    /// Where a key may be a postcode and something else, in whichever order; postcodes without their spaces, the longest first.
    static func splits(of key: String) -> [(postcode: String, rest: String)] {
        let words = key.split(separator: " ").map(String.init)
        var found: [(postcode: String, rest: String)] = []
        for count in stride(from: mostWords, through: 1, by: -1) where words.count > count {
            for isFirst in [true, false] {
                let code = isFirst ? words.prefix(count) : words.suffix(count)
                let rest = isFirst ? words.dropFirst(count) : words.dropLast(count)
                let joined = code.joined()
                guard joined.utf8.contains(where: isDigit), (3...longest).contains(joined.utf8.count) else { continue }
                found.append((compact(code.joined(separator: " ")) ?? joined, rest.joined(separator: " ")))
            }
        }
        return found
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
