/// A day of the calendar, wherever it is. `number` counts from 1 January 1970.
package struct CivilDay: Hashable, Comparable, Sendable {
    package let number: Int

    package init(number: Int) { self.number = number }

    /// Nil where the month has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Years that begin on 1 March have their leap day last.
        let shifted = month <= 2 ? year - 1 : year
        let (era, ofEra) = (shifted / 400, shifted % 400)
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        number = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
        guard civil == (year, month, day) else { return nil }
    }

    /// Reads `2026-12-01`.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.digits(bytes[0..<4]), let month = Self.digits(bytes[5..<7]),
            let day = Self.digits(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    package var civil: (year: Int, month: Int, day: Int) {
        let days = number + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let ofEra = days - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let shown = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (shown <= 2 ? 1 : 0), shown, ofYear - (153 * month + 2) / 5 + 1)
    }

    package var text: String {
        let (year, month, day) = civil
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }

    package static func < (one: CivilDay, other: CivilDay) -> Bool { one.number < other.number }

    package static func + (day: CivilDay, days: Int) -> CivilDay { CivilDay(number: day.number + days) }

    package static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    package static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// What a clock on the wall shows: seconds since the midnight with which 1 January 1970 began there.
package struct WallTime: Hashable, Sendable {
    package let seconds: Int

    package init(seconds: Int) { self.seconds = seconds }
    package init(_ day: CivilDay, hour: Int = 0) { seconds = day.number * 86400 + hour * 3600 }

    /// Reads `2026-12-01T14:00`; an hour is whole.
    package init?(_ text: String) {
        guard let time = WallTime(minutes: text), time.seconds % 3600 == 0 else { return nil }
        self = time
    }

    /// Reads `2026-12-01T14:05`.
    package init?(minutes text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            let day = CivilDay(text.prefix(10)), let hour = CivilDay.digits(bytes[11..<13]), hour < 24,
            let minute = CivilDay.digits(bytes[14..<16]), minute < 60
        else { return nil }
        seconds = WallTime(day, hour: hour).seconds + minute * 60
    }

    package var day: CivilDay { CivilDay(number: Int((Double(seconds) / 86400).rounded(.down))) }

    package var text: String {
        let ofDay = seconds - day.number * 86400
        return "\(day.text)T\(CivilDay.padded(ofDay / 3600, 2)):\(CivilDay.padded(ofDay / 60 % 60, 2))"
    }
}
