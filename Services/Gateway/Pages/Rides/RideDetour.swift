import WireProtocol

/// How far its driver goes out of the way, in words.
enum RideDetour {
    /// `6 km out of the way, 7 minutes`; nil where it is on the way.
    static func text(_ metres: Int, _ seconds: Int?, in words: Words) -> String? {
        guard metres > 0 else { return nil }
        let way = Distance.reach(metres, in: words)
        guard let seconds else { return words["seats.detour", ["way": way]] }
        return words["seats.detourTime", ["way": way, "time": time(seconds, in: words)]]
    }

    /// `7 minutes`, `2 hours`: as exact as streets tell it.
    static func time(_ seconds: Int, in words: Words) -> String {
        let minutes = max(1, (seconds + 30) / 60)
        return minutes < 90 ? words["share.minutes", count: minutes] : words["share.hours", count: (minutes + 30) / 60]
    }
}
