#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The one form in which times are written, `2026-11-21T03:41:53.123Z`, without a formatter: it is in every answer many times.
enum RFC3339 {
    private static let unixEpoch = 978_307_200_000  // milliseconds before the reference date
    private static let day = 86_400_000
    private static let length = 24
    private static let zero = UInt8(ascii: "0")
    private static let marks: [(place: Int, byte: UInt8)] = [
        (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
        (16, UInt8(ascii: ":")), (19, UInt8(ascii: ".")), (23, UInt8(ascii: "Z")),
    ]

    /// To the nearest millisecond; nil for years that four digits cannot say, and for those before the Gregorian calendar, in which
    /// Foundation reads and writes the Julian one.
    static func text(of date: Date) -> String? {
        let reference = (date.timeIntervalSinceReferenceDate * 1000).rounded()
        guard abs(reference) < 1e15 else { return nil }
        let milliseconds = Int(reference) + unixEpoch
        let days = Int((Double(milliseconds) / Double(day)).rounded(.down))
        let rest = milliseconds - days * day
        let (year, month, dayOfMonth) = civil(days)
        guard (1583...9999).contains(year) else { return nil }
        return String(unsafeUninitializedCapacity: length) { text in
            write(year, 4, at: 0, in: text)
            write(month, 2, at: 5, in: text)
            write(dayOfMonth, 2, at: 8, in: text)
            write(rest / 3_600_000, 2, at: 11, in: text)
            write(rest / 60_000 % 60, 2, at: 14, in: text)
            write(rest / 1000 % 60, 2, at: 17, in: text)
            write(rest % 1000, 3, at: 20, in: text)
            for mark in marks { text[mark.place] = mark.byte }
            return length
        }
    }

    private static func write(_ number: Int, _ digits: Int, at place: Int, in text: UnsafeMutableBufferPointer<UInt8>) {
        var rest = number
        for index in (place..<place + digits).reversed() {
            text[index] = zero + UInt8(rest % 10)
            rest /= 10
        }
    }

    /// Year, month and day of the day so many days after 1970-01-01, in the Gregorian calendar.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        // Years that begin in March, in eras of 400 of them.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
