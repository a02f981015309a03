import FoundationEssentials
import WireProtocol

/// A time as templates show it: relative while near, absolute (in UTC, and saying so) when far; or a time of day, or a day; or when something is due. `time.js` says the same in the
/// viewer's own time zone.
struct Moment {
    enum Style: String { case ago, until, date, clock, day, due }

    var iso: String
    var style: String
    /// The whole of it, for the title.
    var full: String
    var text: String

    init(_ date: Date, _ style: Style, in words: Words, now: Date) {
        let parts = Parts(date, words)
        iso = WireJSON.text(of: date)
        self.style = style.rawValue
        full = words["time.utc", ["date": parts.date(words), "time": parts.time]]
        let seconds = now.timeIntervalSince(date)
        text =
            switch style {
            case .ago: Self.ago(seconds, words) ?? parts.short(words)
            case .until: Self.until(-seconds, words) ?? parts.short(words)
            case .date: parts.date(words)
            case .clock: words["time.clock", ["time": parts.time]]
            case .day: Self.day(parts, words, now) ?? parts.date(words)
            case .due: Self.due(-seconds, parts, words) ?? parts.short(words)
            }
    }

    private static func day(_ parts: Parts, _ words: Words, _ now: Date) -> String? {
        if parts.isSameDay(as: Parts(now, words)) { return words["time.today"] }
        return parts.isSameDay(as: Parts(now - 86_400, words)) ? words["time.yesterday"] : nil
    }

    /// Within a week the day of the week says it.
    private static func due(_ left: TimeInterval, _ parts: Parts, _ words: Words) -> String? {
        guard (0..<6 * 86_400).contains(left), let day = CivilDay(parts.iso) else { return nil }
        return words["time.due", ["weekday": CivilText.weekday(day, words), "time": parts.time]]
    }

    private static func ago(_ seconds: TimeInterval, _ words: Words) -> String? {
        switch seconds {
        case ..<45: words["time.now"]
        case ..<3570: words["time.minutesAgo", count: max(1, Int((seconds / 60).rounded()))]
        case ..<86400: words["time.hoursAgo", count: Int((seconds / 3600).rounded())]
        default: nil
        }
    }

    private static func until(_ left: TimeInterval, _ words: Words) -> String? {
        switch left {
        case ...0: words["time.over"]
        case ..<3570: words["time.inMinutes", count: max(1, Int((left / 60).rounded()))]
        case ..<86400: words["time.inHours", count: Int((left / 3600).rounded())]
        default: nil
        }
    }

    /// A date in UTC, taken apart.
    private struct Parts {
        /// `2026-11-21`
        var iso: String
        var year: String
        var month: String
        var day: String
        var time: String

        /// `2026-11-21T03:44:05.000Z`
        init(_ date: Date, _ words: Words) {
            let text = WireJSON.text(of: date)
            let halves = text.split(separator: "T")
            let numbers = halves[0].split(separator: "-")
            let months = words["time.months"].split(separator: " ")
            let index = (Int(numbers[1]) ?? 1) - 1
            iso = String(halves[0])
            year = String(numbers[0])
            month = months.indices.contains(index) ? String(months[index]) : String(numbers[1])
            day = String(Int(numbers[2]) ?? 1)
            time = halves.count > 1 ? String(halves[1].prefix(5)) : ""
        }

        func isSameDay(as other: Parts) -> Bool { (year, month, day) == (other.year, other.month, other.day) }

        func date(_ words: Words) -> String { words["time.date", ["day": day, "month": month, "year": year]] }

        func short(_ words: Words) -> String { words["time.short", ["day": day, "month": month, "time": time]] }
    }
}

extension Visit {
    func moment(_ date: Date, _ style: Moment.Style) -> Moment { Moment(date, style, in: words, now: now) }
}
