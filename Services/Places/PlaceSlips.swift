import Postgres

// Names that begin as was typed but for one letter: what may have been meant, and the statement that looks for it.

/// One text that may have been meant. Before `position` it is as was typed.
struct Slip: Hashable, Sendable {
    var text: String
    var position: Int
}

extension PlaceSearch {
    /// How alike a name is that differs in one letter.
    private static let oneSlip = (beginning: 0.8, whole: 0.9)
    private static let ofEachSlip = 40
    /// So few names that begin alike are looked through for slips in what follows, instead of each slip being looked up.
    private static let lookedThrough = 250
    private static let longestWithSlips = 24
    /// After how many letters they may be so few.
    private static let starts = [4, 5, 6, 7, 8, 10, 12, 15, 19]
    /// From so many letters on, what begins a name was not typed by chance.
    private static let certain = 8

    /// What may have been meant where one letter is wrong: two in the wrong order, one too many, another one, one left out. Each once: a letter
    /// before its like is the same as after it.
    var slips: [Slip] {
        let letters = Array(key.unicodeScalars)
        guard (4...Self.longestWithSlips).contains(letters.count) else { return [] }
        let latin = "abcdefghijklmnopqrstuvwxyz ".unicodeScalars
        let alphabet = letters.allSatisfy(\.isASCII) ? Array(latin) : Set(letters).sorted()
        let before = letters.indices.map { Self.text(letters[..<$0]) }
        let behind = (0...letters.count).map { Self.text(letters[$0...]) }
        var found: [Slip] = []
        found.reserveCapacity(letters.count * (2 * alphabet.count + 2))
        for index in letters.indices {
            let own = letters[index]
            if index == 0 || letters[index - 1] != own {
                found.append(Slip(text: before[index] + behind[index + 1], position: index))
            }
            if index + 1 < letters.count, letters[index + 1] != own {
                let text = "\(before[index])\(letters[index + 1])\(own)\(behind[index + 2])"
                found.append(Slip(text: text, position: index))
            }
            for letter in alphabet where letter != own {
                let begun = before[index] + String(letter)
                found.append(Slip(text: begun + behind[index + 1], position: index))
                found.append(Slip(text: begun + behind[index], position: index))
            }
        }
        return found
    }

    private static func text(_ letters: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: letters)
        return String(view)
    }

    /// The same as patterns, in which one letter may be any.
    private var slipPatterns: [String] {
        let letters = Array(key.unicodeScalars)
        return letters.indices.flatMap { index in
            let (before, behind) = (Self.text(letters[..<index]), Self.text(letters[(index + 1)...]))
            var patterns = ["\(before)\(behind)", "\(before)_\(behind)", "\(before)_\(letters[index])\(behind)"]
            if index + 1 < letters.count {
                patterns.append("\(before)\(letters[index + 1])\(letters[index])\(Self.text(letters[(index + 2)...]))")
            }
            return patterns
        }
    }

    /// Slips in the first letters are some hundred look-ups in an index. As soon as few names begin as was typed, these are looked through.
    /// - Parameter hasFound: whether names begin as was typed. Where they do with many letters, its first letters are right.
    func slippedStatement(hasFound: Bool) -> SQLQuery {
        let count = key.unicodeScalars.count
        let starts = Self.starts.filter { $0 <= count }
            .map { String(String.UnicodeScalarView(key.unicodeScalars.prefix($0))) }
        let patterns = Self.longestWithSlips >= count ? slipPatterns : []
        let high = "\u{10FFFF}"
        return select(
            from: """
                WITH first AS MATERIALIZED (
                    SELECT text FROM unnest(\(starts)::text[]) AS every (text) WHERE NOT EXISTS (
                        SELECT FROM names WHERE key >= text COLLATE "C" AND key < (text || \(high)) COLLATE "C"
                        OFFSET \(unescaped: "\(Self.lookedThrough)"))
                    LIMIT 1
                ), start AS MATERIALIZED (
                    SELECT max(text) AS text, coalesce(max(length(text)), 100) AS letters FROM first
                )
                SELECT place, key, form, rank, CASE WHEN is_whole THEN \(unescaped: "\(Self.oneSlip.whole)::float8")
                    ELSE \(unescaped: "\(Self.oneSlip.beginning)::float8") END AS likeness
                FROM (
                    \(hasFound && count >= Self.certain ? "" : lookedUp)
                    SELECT place, key, form, rank, key LIKE ANY (\(patterns)::text[]) AS is_whole FROM (
                        SELECT place, key, form, rank FROM names
                        WHERE key >= (SELECT text FROM start) COLLATE "C"
                            AND key < ((SELECT text FROM start) || \(high)) COLLATE "C" \(ofKind)
                    ) AS begun
                    WHERE key LIKE ANY (\(patterns.map { $0 + "%" })::text[])
                ) AS alike
                """)
    }

    /// Those with the slip before the first letters that are looked through.
    private var lookedUp: SQLQuery {
        let slips = slips
        return """
            SELECT one.*, one.key = slip COLLATE "C" AS is_whole FROM (
                SELECT text FROM unnest(\(slips.map(\.text))::text[], \(slips.map(\.position))) AS every (text, position)
                WHERE position < (SELECT letters FROM start)
            ) AS every (slip) CROSS JOIN LATERAL (
                SELECT place, key, form, rank FROM names
                WHERE key >= slip COLLATE "C" AND key < (slip || \("\u{10FFFF}")) COLLATE "C" \(ofKind)
                ORDER BY key, rank DESC LIMIT \(unescaped: "\(Self.ofEachSlip)")
            ) AS one UNION ALL
            """
    }
}
