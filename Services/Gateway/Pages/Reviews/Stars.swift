import WireProtocol

/// One to five stars, for the eye and for those who listen.
struct Stars {
    var drawn: String
    var label: String

    init(_ rating: Int, in words: Words) {
        let full = min(max(rating, 0), 5)
        drawn = String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
        label = words["review.stars", count: rating]
    }
}

/// What reviews of somebody come to, as it stands beside their name: `4.67 (3)`.
struct ReputationView {
    var rating: String
    var label: String

    init?(_ reputation: Reputation?, in words: Words) {
        guard let reputation else { return nil }
        let number = Self.text(reputation.rating, separator: words.code == "en" ? "." : ",")
        rating = "\(number) (\(reputation.count))"
        label = words["review.reputation", count: reputation.count].replacing("{rating}", with: number)
    }

    /// `4`, `4.5`, `4.67`
    static func text(_ rating: Double, separator: String) -> String {
        let hundredths = Int((rating * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return String(whole) }
        let digits = rest % 10 == 0 ? String(rest / 10) : rest < 10 ? "0\(rest)" : String(rest)
        return "\(whole)\(separator)\(digits)"
    }
}
