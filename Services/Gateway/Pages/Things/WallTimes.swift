import WireProtocol

/// Days and hours on the wall of where a thing is, as contracts write them (`2026-12-01`, `2026-12-01T14:00`), in words.
enum WallTimes {
    /// `1 December 2026`, `1 December 2026, 14:00`; what cannot be read is said as it is.
    static func text(_ written: String, in words: Words) -> String {
        let halves = written.split(separator: "T", maxSplits: 1)
        let numbers = halves.first?.split(separator: "-").compactMap { Int($0) } ?? []
        let months = words["time.months"].split(separator: " ")
        guard numbers.count == 3, months.indices.contains(numbers[1] - 1) else { return written }
        let day = words[
            "time.date",
            ["day": String(numbers[2]), "month": String(months[numbers[1] - 1]), "year": String(numbers[0])]]
        return halves.count > 1 ? words["things.at", ["day": day, "time": String(halves[1])]] : day
    }

    /// From the first to the last; one day alone is called once.
    static func period(from: String, until: String, in words: Words) -> String {
        if from == until { return text(from, in: words) }
        return words["things.period", ["from": text(from, in: words), "until": text(until, in: words)]]
    }
}
