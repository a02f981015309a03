import PlainText
import Sentences
import WireProtocol

/// Prices as people write them.
enum Price {
    /// `$2.50`, `$2`, `2,50 €`.
    static func text(_ money: Money, in words: Words) -> String { MoneyText.text(money, in: words.code) }

    /// What was typed, in minor units: `2`, `2.5`, `2,50`; nil where it is no such number.
    static func amount(_ text: String, currency: String) -> Int? {
        let parts = text.replacing(",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
        let decimals = MoneyText.decimals(of: currency)
        guard (1...2).contains(parts.count), let whole = digits(parts[0]), whole < 1_000_000_000 else { return nil }
        let cents = parts.count == 2 ? parts[1] : ""
        guard cents.count <= decimals else { return nil }
        guard decimals > 0 else { return whole }
        guard let fraction = digits(cents + String(repeating: "0", count: decimals - cents.count)) else { return nil }
        return whole * 100 + fraction
    }

    private static func digits(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}

/// How far away something is.
enum Distance {
    /// Whole metres between two positions, as the services measure them.
    static func between(_ a: Position, _ b: Position) -> Int { Int(a.metres(to: b).rounded()) }

    /// `140 m away`, `1.2 km away`: as exact as one can walk.
    static func text(_ metres: Int, in words: Words) -> String { said(metres, "distance", in: words) }

    /// `140 m`, `1.2 km`; how far is looked is a round number, `2 km`.
    static func reach(_ metres: Int, in words: Words) -> String {
        let isRound = metres >= 1000 && metres <= farthest && metres % 1000 == 0
        guard isRound else { return said(metres, "way.reach", in: words) }
        return words["way.reach.kilometres", count: metres / 1000]
    }

    /// Nothing on earth is farther away, whatever somebody wrote.
    private static let farthest = 100_000_000

    private static func said(_ metres: Int, _ key: String, in words: Words) -> String {
        let metres = min(metres, farthest)
        if metres < 1000 { return words["\(key).metres", count: max(10, (metres + 5) / 10 * 10)] }
        let tenths = (metres + 50) / 100
        if tenths >= 100 { return words["\(key).kilometres", count: (metres + 500) / 1000] }
        let separator = words.code == "en" ? "." : ","
        return words["\(key).kilometres", ["n": "\(tenths / 10)\(separator)\(tenths % 10)"]]
    }
}

extension Position {
    /// `60.1711,24.9500`, as addresses and scripts carry it.
    var written: String { "\(latitude),\(longitude)" }

    /// To about a metre, for people: `60.17112, 24.95003`.
    var shown: String {
        func rounded(_ degrees: Double) -> String { String((degrees * 100_000).rounded() / 100_000) }
        return "\(rounded(latitude)), \(rounded(longitude))"
    }

    init?(written text: String?) {
        guard let numbers = WrittenNumbers.read(text, count: 2) else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1])
        guard isValid else { return nil }
    }
}

extension BoundingBox {
    /// `west,south,east,north`
    var written: String { "\(west),\(south),\(east),\(north)" }

    /// A map that is dragged across the date line counts on beyond 180°: `170,-20,190,-15` is from 170° to 170° west.
    init?(written text: String?) {
        guard let numbers = WrittenNumbers.read(text, count: 4) else { return nil }
        let (west, east) = (numbers[0], numbers[2])
        // Only one that is drawn on one map goes across the line by greater numbers; by lesser ones it goes from west to east.
        let isOnOneMap = max(west.magnitude, east.magnitude) <= 180
        guard isOnOneMap || west <= east && max(west.magnitude, east.magnitude) <= Self.farthest else { return nil }
        let isAround = east - west >= 360
        self.init(
            west: isAround ? -180 : Self.turned(west), south: numbers[1], east: isAround ? 180 : Self.turned(east),
            north: numbers[3])
        guard isValid else { return nil }
    }

    /// Three times around the earth: nobody drags a map farther.
    private static let farthest = 1080.0

    /// The same meridian, from −180 to 180.
    private static func turned(_ longitude: Double) -> Double {
        longitude.magnitude > 180 ? longitude.remainder(dividingBy: 360) : longitude
    }
}

private enum WrittenNumbers {
    /// So many with commas between, and spaces where people put them; nil where any of them is none.
    static func read(_ text: String?, count: Int) -> [Double]? {
        let parts = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double(decimal: $0.trimmed) }
        return parts.count == count && numbers.count == count ? numbers : nil
    }
}
