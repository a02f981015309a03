/// Usernames like one that somebody has already. Pure; chance is an argument.
enum UsernameSuggestions {
    /// As many as are shown.
    static let most = 3

    /// Candidates, the plainest first: short ones, and then enough with chance in them that a few are free however many people
    /// are called the same.
    static func like(_ username: String, using generator: inout some RandomNumberGenerator) -> [String] {
        let endings =
            ["_"] + (2...9).map(String.init) + draw(4, in: 10...99, &generator) + draw(6, in: 100...9_999, &generator)
            + draw(6, in: 10_000...999_999, &generator)
        return endings.map { ending in
            username.prefix(ProfileRules.usernameLengths.upperBound - ending.count) + ending
        }
    }

    private static func draw(
        _ count: Int, in range: ClosedRange<Int>, _ generator: inout some RandomNumberGenerator
    ) -> [String] {
        (0..<count).map { _ in String(Int.random(in: range, using: &generator)) }
    }

    /// Those to show: the first that are free, none twice.
    static func choose(from candidates: [String], taken: Set<String>) -> [String] {
        var chosen: [String] = []
        for candidate in candidates where !taken.contains(candidate) && !chosen.contains(candidate) {
            chosen.append(candidate)
            if chosen.count == most { break }
        }
        return chosen
    }
}
