import WireProtocol

// On which days a series has rides. No I/O and no clock.

/// The days of a series, on the calendar of its zone.
struct SeriesPlan: Hashable, Sendable {
    var weekdays: Set<Weekday>
    /// That of the times of its draft.
    var first: CivilDay
    var last: CivilDay
    var skips: Set<CivilDay>

    /// So many days ahead its rides are made.
    static let ahead = 28
    /// So many days after the first one the last one is at most.
    static let longest = 84

    func has(_ day: CivilDay) -> Bool {
        first <= day && day <= last && weekdays.contains(day.weekday) && !skips.contains(day)
    }

    /// All of its days, or those of them between two days.
    func days(from day: CivilDay? = nil, through end: CivilDay? = nil) -> [CivilDay] {
        let (begin, end) = (max(first, day ?? first), min(last, end ?? last))
        return begin <= end ? (begin.number...end.number).map { CivilDay(number: $0) }.filter(has) : []
    }

    /// The day, or the first one after it that is among the weekdays.
    static func first(from day: CivilDay, among weekdays: Set<Weekday>) -> CivilDay {
        (0..<7).map { day + $0 }.first { weekdays.contains($0.weekday) } ?? day
    }
}

extension CivilDay {
    var weekday: Weekday {
        // 1 January 1970 was a Thursday.
        Weekday.allCases[((number + 3) % 7 + 7) % 7]
    }
}

extension Set<Weekday> {
    /// From Monday on.
    var inOrder: [Weekday] { Weekday.allCases.filter(contains) }
}
