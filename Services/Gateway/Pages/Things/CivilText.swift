import FoundationEssentials
import WireProtocol

/// Days and hours of a thing in words. They are the thing's own: no clock of who looks is asked.
enum CivilText {
    /// `1 December 2026`
    static func date(_ day: CivilDay, in words: Words) -> String {
        let (year, month, number) = day.civil
        return words["time.date", ["day": String(number), "month": name(of: month, words), "year": String(year)]]
    }

    /// `Tuesday, 1 December 2026`
    static func full(_ day: CivilDay, in words: Words) -> String {
        words["rentals.calendar.full", ["weekday": weekday(day, words), "date": date(day, in: words)]]
    }

    /// `December 2026`
    static func month(of day: CivilDay, in words: Words) -> String {
        let (year, month, _) = day.civil
        return "\(name(of: month, words)) \(year)"
    }

    /// `Tuesday, 1 December 2026, 14:00`, as clocks show it there.
    static func moment(_ date: Date, in zone: String, _ words: Words) -> String {
        let wall = WallTime(at: date, in: zone)
        return words["rentals.calendar.moment", ["date": full(wall.day, in: words), "time": time(wall)]]
    }

    /// What people call a zone: `Ho Chi Minh`.
    static func city(of zone: String) -> String {
        let city = zone.split(separator: "/").last.map(String.init) ?? zone
        return city.replacing("_", with: " ")
    }

    /// `14:00`
    static func time(_ time: WallTime) -> String { String(time.text.suffix(5)) }

    /// `1 – 4 December 2026`, `28 December 2026 – 2 January 2027`, `1 December 2026, 14:00 – 18:00`.
    static func period(_ from: String, _ until: String, in words: Words) -> String {
        if let first = CivilDay(from), let last = CivilDay(until) { return days(first, last, words) }
        guard let start = WallTime(from), let end = WallTime(until) else { return "\(from) – \(until)" }
        let (first, last) = (date(start.day, in: words), date(end.day, in: words))
        let (begins, ends) = (time(start), time(end))
        return start.day == end.day ? "\(first), \(begins) – \(ends)" : "\(first), \(begins) – \(last), \(ends)"
    }

    private static func days(_ first: CivilDay, _ last: CivilDay, _ words: Words) -> String {
        if first == last { return date(first, in: words) }
        let (one, other) = (first.civil, last.civil)
        guard one.year == other.year else { return "\(date(first, in: words)) – \(date(last, in: words))" }
        let key = one.month == other.month ? "rentals.calendar.day" : "rentals.calendar.dayMonth"
        let begins = words[key, ["day": String(one.day), "month": name(of: one.month, words)]]
        return "\(begins) – \(date(last, in: words))"
    }

    /// One day of the week, 0 for Sunday, as the catalogue lists them.
    static func weekday(_ day: CivilDay, _ words: Words) -> String { weekdays("weekdays", words)[day.weekday] }

    static func weekdays(_ key: String, _ words: Words) -> [String] {
        let names = words["rentals.calendar.\(key)"].split(separator: " ").map(String.init)
        return names.count == 7 ? names : (0..<7).map(String.init)
    }

    static func name(of month: Int, _ words: Words) -> String {
        let names = words["time.months"].split(separator: " ")
        return names.indices.contains(month - 1) ? String(names[month - 1]) : String(month)
    }
}

extension CivilDay {
    /// 0: Sunday. 1 January 1970 was a Thursday.
    var weekday: Int { ((number + 4) % 7 + 7) % 7 }

    /// The first day of its month.
    var startOfMonth: CivilDay { self + (1 - civil.day) }

    /// The first day of the month that is so many later, or earlier.
    func month(after months: Int) -> CivilDay {
        let (year, month, _) = civil
        let index = year * 12 + month - 1 + months
        return CivilDay(year: index / 12, month: index % 12 + 1, day: 1) ?? self
    }

    /// `2026-12`
    var monthText: String { String(text.prefix(7)) }

    /// Reads `2026-12`: its first day.
    init?(month text: String?) { self.init("\(text ?? "")-01") }
}
