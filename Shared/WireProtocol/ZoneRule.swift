/// How a zone goes on after the last change that its file lists: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, with RFC 8536's longer hours).
struct ZoneRule: Hashable, Sendable {
    private let standard: Int
    private let summer: Summer?

    private struct Summer: Hashable, Sendable {
        var offset: Int
        var begins: Turn
        var ends: Turn
    }

    /// When in a year clocks are turned, by what they show before.
    private struct Turn: Hashable, Sendable {
        var day: Day
        var seconds: Int

        enum Day: Hashable, Sendable {
            /// 1…365, without 29 February.
            case ofCommonYear(Int)
            /// 0…365.
            case ofYear(Int)
            /// Month, week (5: the last), day of the week (0: Sunday).
            case ofWeek(Int, Int, Int)
        }

        /// Seconds on the wall.
        func wall(in year: Int) -> Int {
            let first = CivilDay(year: year, month: 1, day: 1)?.number ?? 0
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            switch day {
            case .ofCommonYear(let number): return (first + number - (isLeap && number >= 60 ? 0 : 1)) * 86400 + seconds
            case .ofYear(let number): return (first + number) * 86400 + seconds
            case .ofWeek(let month, let week, let weekday):
                let start = CivilDay(year: year, month: month, day: 1)?.number ?? 0
                let next =
                    month == 12
                    ? CivilDay(year: year + 1, month: 1, day: 1) : CivilDay(year: year, month: month + 1, day: 1)
                // 1 January 1970 was a Thursday.
                let ahead = (weekday - (start + 4) % 7 + 7) % 7
                var found = start + ahead + (week - 1) * 7
                while let next, found >= next.number { found -= 7 }
                return found * 86400 + seconds
            }
        }
    }

    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard Self.name(&rest), let standard = Self.hours(&rest) else { return nil }
        self.standard = -standard
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard Self.name(&rest) else { return nil }
        var offset = -standard + 3600
        if rest.first != UInt8(ascii: ","), let hours = Self.hours(&rest) { offset = -hours }
        guard let begins = Self.turn(&rest), let ends = Self.turn(&rest), rest.isEmpty else { return nil }
        summer = Summer(offset: offset, begins: begins, ends: ends)
    }

    func offset(at moment: Int) -> Int {
        guard let summer else { return standard }
        let year = WallTime(seconds: moment + standard).day.civil.year
        let begin = summer.begins.wall(in: year) - standard
        let end = summer.ends.wall(in: year) - summer.offset
        let isSummer = begin < end ? (begin..<end).contains(moment) : !(end..<begin).contains(moment)
        return isSummer ? summer.offset : standard
    }

    // MARK: Reading

    private static func name(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
        rest = rest[letters.endIndex...]
        return letters.count >= 3
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        return CivilDay.digits(digits)
    }

    private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func hours(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let isNegative = take("-", &rest)
        if !isNegative { _ = take("+", &rest) }
        guard var seconds = number(&rest).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where take(":", &rest) {
            guard let part = number(&rest) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    private static func turn(_ rest: inout ArraySlice<UInt8>) -> Turn? {
        guard take(",", &rest), let day = day(&rest) else { return nil }
        guard take("/", &rest) else { return Turn(day: day, seconds: 7200) }
        return hours(&rest).map { Turn(day: day, seconds: $0) }
    }

    private static func day(_ rest: inout ArraySlice<UInt8>) -> Turn.Day? {
        if take("J", &rest) { return number(&rest).map { .ofCommonYear($0) } }
        guard take("M", &rest) else { return number(&rest).map { .ofYear($0) } }
        guard let month = number(&rest), take(".", &rest), let week = number(&rest), take(".", &rest),
            let weekday = number(&rest), (1...12).contains(month), (1...5).contains(week), (0...6).contains(weekday)
        else { return nil }
        return .ofWeek(month, week, weekday)
    }
}
