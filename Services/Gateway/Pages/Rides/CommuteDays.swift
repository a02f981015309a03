import FoundationEssentials
import WireProtocol

// Days on which somebody drives, as people say them.

extension CivilDay {
    var dayOfWeek: Weekday { Weekday.allCases[(weekday + 6) % 7] }
}

extension CivilText {
    /// Half a year: a day that is farther away is said with its year.
    private static let near = 183

    /// `17 December`, with its year where that is not clear from today.
    static func short(_ day: CivilDay, today: CivilDay, in words: Words) -> String {
        guard abs(day.number - today.number) <= near else { return date(day, in: words) }
        let (_, month, number) = day.civil
        return words["rentals.calendar.dayMonth", ["day": String(number), "month": name(of: month, words)]]
    }

    /// `Thursday, 17 December`
    static func named(_ day: CivilDay, today: CivilDay, in words: Words) -> String {
        let date = short(day, today: today, in: words)
        return words["rentals.calendar.full", ["weekday": weekday(day, words), "date": date]]
    }
}

extension Weekday {
    /// As the week begins in a language.
    static func inTurn(_ words: Words) -> [Weekday] {
        words["rentals.calendar.weekBegins"] == "0" ? [.sunday] + allCases.filter { $0 != .sunday } : allCases
    }

    /// `Monday`
    func name(in words: Words) -> String {
        let index = (Self.allCases.firstIndex(of: self) ?? 0) + 1
        return CivilText.weekdays("weekdays", words)[index % 7]
    }

    /// `Mondays and Wednesdays`, `Monday to Friday`, `Every day`
    static func said(_ weekdays: [Weekday], in words: Words) -> String {
        let days = allCases.filter { weekdays.contains($0) }
        if days == allCases { return words["commutes.on.all"] }
        if days == allCases.dropLast(2) { return words["commutes.on.workdays"] }
        let said = words.list(days.map { words["commutes.on.\($0.rawValue)"] })
        return said.prefix(1).uppercased() + said.dropFirst()
    }
}

/// The days of a commute, or of one ride, by the clocks of its zone.
struct CommuteDays {
    let clock: RideClock
    let today: CivilDay

    init(_ zone: String, in visit: Visit) {
        clock = RideClock(zone, in: visit.words)
        today = clock.civilDay(visit.now)
    }

    /// `17 December`; as it is where it is no day.
    func short(_ day: String) -> String {
        CivilDay(day).map { CivilText.short($0, today: today, in: clock.words) } ?? day
    }

    /// `Thursday, 17 December`
    func named(_ day: String) -> String { CivilDay(day).map(named) ?? day }

    func named(_ day: CivilDay) -> String { CivilText.named(day, today: today, in: clock.words) }

    /// `Thursday, 17 December`
    func day(_ date: Date) -> String { named(clock.civilDay(date)) }

    /// `Thursday, 17 December, 08:00`
    func moment(_ date: Date) -> String {
        clock.words["rentals.calendar.moment", ["date": day(date), "time": clock.time(date)]]
    }
}

/// A day on which there is no ride, and why (`rides/commute-gaps`).
struct CommuteGap {
    var day: String
    var why: String

    init(_ gap: SeriesGap, _ days: CommuteDays) {
        day = days.named(gap.day)
        why = days.clock.words["commutes.gap.\(gap.why.rawValue)"]
    }
}
