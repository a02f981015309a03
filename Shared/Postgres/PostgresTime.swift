package import FoundationEssentials

/// `timestamptz`, to the microsecond; `infinity` and `-infinity` are `.distantFuture` and `.distantPast`.
extension Date: PostgresCodable {
    package static var postgresType: PostgresType { .timestamptz }
    package static var postgresArrayType: PostgresType { .timestamptzArray }
    package var postgresParameter: PostgresParameter { .text(TimeText.text(of: self)) }
    package init?(postgresText text: String) {
        guard let date = TimeText.date(of: text) else { return nil }
        self = date
    }
}

/// `tstzrange`. A missing bound reads as the infinite one; a range that is not half-open reads as the half-open one with the same
/// moments (timestamps are whole microseconds); `empty` reads as an empty range at the Unix epoch.
extension Range: PostgresEncodable where Bound == Date {
    package static var postgresType: PostgresType { .tstzrange }
    package static var postgresArrayType: PostgresType { .tstzrangeArray }
    package var postgresParameter: PostgresParameter {
        .text("[\"\(TimeText.text(of: lowerBound))\",\"\(TimeText.text(of: upperBound))\")")
    }
}

extension Range: PostgresDecodable where Bound == Date {
    package init?(postgresText text: String) {
        guard let range = TimeText.range(of: text) else { return nil }
        self = range
    }
}

/// The server's text form of times, as it is with `DateStyle = ISO` and `TimeZone = UTC`.
enum TimeText {
    static func text(of date: Date) -> String {
        if date == .distantFuture { return "infinity" }
        if date == .distantPast { return "-infinity" }
        // The whole second first: a Double of microseconds would lose some of them.
        let seconds = date.timeIntervalSince1970.rounded(.down)
        var second = Int(seconds)
        var micros = Int(((date.timeIntervalSince1970 - seconds) * 1e6).rounded())
        if micros == 1_000_000 { (second, micros) = (second + 1, 0) }
        let (day, rest) = second.quotientAndRemainder(flooringBy: 86400)
        let (year, month, dayOfMonth) = civil(fromDays: day)
        let clock = "\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60)).\(padded(micros, to: 6))+00"
        let calendar = "\(padded(year > 0 ? year : 1 - year, to: 4))-\(padded(month))-\(padded(dayOfMonth))"
        return "\(calendar) \(clock)\(year > 0 ? "" : " BC")"
    }

    /// Reads `2026-11-21 03:41:52.123456+00`, with `+05:30:12` or ` BC` where there is one.
    static func date(of text: String) -> Date? {
        if text == "infinity" { return .distantFuture }
        if text == "-infinity" { return .distantPast }
        var scanner = Scanner(bytes: Array(text.utf8))
        guard var year = scanner.number(), scanner.take("-"), let month = scanner.number(), scanner.take("-"),
            let day = scanner.number(), scanner.take(" "), let hour = scanner.number(), scanner.take(":"),
            let minute = scanner.number(), scanner.take(":"), let second = scanner.number()
        else { return nil }
        let micros = scanner.take(".") ? scanner.fraction() : 0
        guard let offset = scanner.offset() else { return nil }
        if scanner.take(" ") {
            guard scanner.take("B"), scanner.take("C") else { return nil }
            year = 1 - year
        }
        // The server's own range; what is beyond it did not come from there.
        guard scanner.atEnd, (-4713...294_276).contains(year), (1...12).contains(month), (1...31).contains(day),
            hour <= 24, minute < 60, second <= 60, abs(offset) < 16 * 3600
        else { return nil }
        let seconds = days(fromYear: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + Double(micros) / 1e6)
    }

    static func range(of text: String) -> Range<Date>? {
        let start = Date(timeIntervalSince1970: 0)
        if text == "empty" { return start..<start }
        guard let opening = text.first, let closing = text.last, let comma = text.firstIndex(of: ","),
            "[(".contains(opening), "])".contains(closing)
        else { return nil }
        let lowerText = text[text.index(after: text.startIndex)..<comma].filter { $0 != "\"" }
        let upperText = text[text.index(after: comma)..<text.index(before: text.endIndex)].filter { $0 != "\"" }
        guard var lower = lowerText.isEmpty ? .distantPast : date(of: lowerText),
            var upper = upperText.isEmpty ? .distantFuture : date(of: upperText)
        else { return nil }
        if opening == "(", lower != .distantPast { lower += 1e-6 }
        if closing == "]", upper != .distantFuture { upper += 1e-6 }
        return lower <= upper ? lower..<upper : nil
    }

    private static func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    // The proleptic Gregorian calendar in 400-year cycles that begin on 1 March, so that the leap day comes last.

    static func days(fromYear year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var atEnd: Bool { index == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
            index += 1
            return true
        }

        mutating func digit() -> Int? {
            guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else {
                return nil
            }
            defer { index += 1 }
            return Int(bytes[index] - UInt8(ascii: "0"))
        }

        mutating func number() -> Int? {
            guard var value = digit() else { return nil }
            while let next = digit() {
                guard value < 100_000_000 else { return nil }
                value = value * 10 + next
            }
            return value
        }

        /// Microseconds from the one to six digits after the point.
        mutating func fraction() -> Int {
            var value = 0
            var width = 100_000
            while let next = digit() {
                value += next * width
                width /= 10
            }
            return value
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            let negative = take("-")
            guard negative || take("+"), let hours = number() else { return nil }
            let minutes = take(":") ? number() ?? 0 : 0
            let seconds = take(":") ? number() ?? 0 : 0
            let total = hours * 3600 + minutes * 60 + seconds
            return negative ? -total : total
        }
    }
}

extension Int {
    /// Division that rounds down, so that the remainder is never negative.
    fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
