/// The number of a house: `10`, `10a`, `11bis`.
struct HouseNumber: Hashable, Sendable {
    static let mostDigits = 5
    /// A sign says no more of them; what does is a list of something else.
    private static let most = 40
    private static let widest = 60
    static let words: Set<String> = ["bis", "ter", "quater", "quinquies"]

    var number: Int
    /// A letter or one of `words`, in lower case; mostly empty.
    var suffix = ""

    /// As it stands in keys.
    var key: String { "\(number)\(suffix)" }

    /// All that a sign says: `48-50` are 48 and 50, `47-50` are 47 to 50, `2a-c` three, `12;14` two. Nothing where it is another kind of number (`34-25`).
    static func all(on sign: String) -> [HouseNumber] {
        var scanner = HouseNumberScanner(sign)
        var found: [HouseNumber] = []
        while let first = scanner.house() {
            var last = first
            if scanner.take(.dash) {
                guard
                    let end = scanner.house() ?? scanner.suffix().map({ HouseNumber(number: first.number, suffix: $0) })
                else { return found }
                last = end
            }
            guard let meant = houses(from: first, to: last) else { return found }
            found += meant
            // 12/14 are two houses; 12/3 is the third flat of one, or a part of it.
            if scanner.take(.slash) {
                guard let next = scanner.ahead, next > last.number else { return found.count > 1 ? found : [] }
            } else if !scanner.take(.comma) {
                break
            }
        }
        // What goes on with words is no number: `5th`.
        return scanner.isAtEnd ? Array(found.prefix(most)) : []
    }

    /// Nil where the second comes before the first.
    private static func houses(from first: HouseNumber, to last: HouseNumber) -> [HouseNumber]? {
        if first == last { return [first] }
        if first.number == last.number {
            guard let from = first.letter, let to = last.letter else {
                return first.suffix.isEmpty ? [first, last] : nil
            }
            guard from < to else { return nil }
            return (from...to).map { HouseNumber(number: first.number, suffix: String(Unicode.Scalar($0))) }
        }
        guard first.number < last.number else { return nil }
        let width = last.number - first.number
        guard width <= widest else { return [first, last] }
        // Even numbers are on one side of a street, odd ones on the other.
        let between = stride(from: first.number, to: last.number, by: width % 2 == 0 ? 2 : 1).dropFirst()
        return [first] + between.map { HouseNumber(number: $0) } + [last]
    }

    private var letter: UInt8? { suffix.utf8.count == 1 ? suffix.utf8.first : nil }

    /// What may be answered for a house that is not known, the nearest first: the same number with and without letters, then this side of the street,
    /// then the other one.
    var neighbours: [HouseNumber] {
        let same = ([""] + ["a", "b", "c", "d", "e"]).map { HouseNumber(number: number, suffix: $0) }
        let steps = [2, 4, 6, 8, 10, 1, 3, 5, 7, 9]
        let others = steps.flatMap { [number - $0, number + $0] }.filter { $0 > 0 }.map { HouseNumber(number: $0) }
        return (same + others).filter { $0 != self }
    }

    /// An address cut into its street and what its sign says, whichever comes first: `Rue de la Gare 11 bis`, `10 Downing Street`.
    static func split(_ address: String) -> (street: String, sign: String)? {
        let words = address.split(separator: " ")
        func text(_ words: ArraySlice<Substring>) -> String { words.joined(separator: " ") }
        if let start = words.indices.dropFirst().first(where: {
            begins(words[$0]) && words[$0...].allSatisfy(mayFollow)
        }) {
            return (text(words[..<start]), text(words[start...]))
        }
        guard words.count > 1, begins(words[0]) else { return nil }
        let end = words.dropLast().dropFirst().firstIndex { !mayFollow($0) } ?? words.count - 1
        return (text(words[end...]), text(words[..<end]))
    }

    private static func begins(_ word: Substring) -> Bool {
        word.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    }

    private static func mayFollow(_ word: Substring) -> Bool {
        let letters = word.unicodeScalars.filter { $0.properties.isAlphabetic }
        return begins(word) || letters.count <= 1 || words.contains(word.lowercased())
    }
}

/// What a sign is read by, from its beginning on.
private struct HouseNumberScanner {
    enum Mark { case dash, slash, comma }

    private enum Piece: Equatable {
        case number(Int)
        case letters(String)
        case mark(Mark)
    }

    private var pieces: ArraySlice<Piece> = []

    init(_ sign: String) {
        var found: [Piece] = []
        var (digits, letters) = ("", "")
        func flush() {
            if let number = Int(digits), digits.utf8.count <= HouseNumber.mostDigits { found.append(.number(number)) }
            if !letters.isEmpty {
                found.append(
                    ["and", "und", "u", "et", "och", "ja"].contains(letters) ? .mark(.comma) : .letters(letters))
            }
            (digits, letters) = ("", "")
        }
        for scalar in sign.lowercased().unicodeScalars {
            switch scalar {
            case "0"..."9":
                if !letters.isEmpty { flush() }
                digits.unicodeScalars.append(scalar)
            case "-", "\u{2010}"..."\u{2015}":
                flush()
                found.append(.mark(.dash))
            case "/":
                flush()
                found.append(.mark(.slash))
            case ",", ";", "+", "&":
                flush()
                found.append(.mark(.comma))
            case _ where scalar.properties.isAlphabetic:
                if !digits.isEmpty { flush() }
                letters.unicodeScalars.append(scalar)
            default: flush()
            }
        }
        flush()
        pieces = found[...]
    }

    var isAtEnd: Bool { pieces.isEmpty }

    /// The number that comes next.
    var ahead: Int? {
        if case .number(let number)? = pieces.first { number } else { nil }
    }

    mutating func take(_ mark: Mark) -> Bool {
        guard pieces.first == .mark(mark) else { return false }
        pieces.removeFirst()
        return true
    }

    mutating func house() -> HouseNumber? {
        guard let number = ahead else { return nil }
        pieces.removeFirst()
        return HouseNumber(number: number, suffix: suffix() ?? "")
    }

    mutating func suffix() -> String? {
        guard case .letters(let letters)? = pieces.first,
            letters.utf8.count == 1 || HouseNumber.words.contains(letters)
        else { return nil }
        pieces.removeFirst()
        return letters
    }
}
