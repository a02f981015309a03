// Foundation as a whole: time zones by their names are not in its essentials.
import Foundation
import WireProtocol

// When something rings: quiet hours, and the hour of the daily mail, in a person's own time zone. Pure: every moment is an argument.

/// A time of day, in minutes since midnight.
struct TimeOfDay: Hashable, Sendable {
    let minute: Int

    init?(minute: Int) {
        guard (0..<1440).contains(minute) else { return nil }
        self.minute = minute
    }

    /// Reads `07:05`, and nothing that means the same.
    init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":"),
            let hour = Int(text.prefix(2)), let minute = Int(text.suffix(2)),
            (0..<24).contains(hour), (0..<60).contains(minute), digits[0] != UInt8(ascii: "+"),
            digits[3] != UInt8(ascii: "+"), digits[0] != UInt8(ascii: "-"), digits[3] != UInt8(ascii: "-")
        else { return nil }
        self.minute = hour * 60 + minute
    }

    var text: String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}

/// From one time of day to another, over midnight where the second is the earlier one.
struct QuietTimes: Hashable, Sendable {
    let from: TimeOfDay
    let to: TimeOfDay

    func contains(_ minute: Int) -> Bool {
        from.minute < to.minute
            ? (from.minute..<to.minute).contains(minute)
            : from.minute != to.minute && (minute >= from.minute || minute < to.minute)
    }
}

/// The clock on somebody's wall. Only a zone's distance from GMT is asked of it, so that days of 23 and 25 hours need no rule of their own.
struct WallClock: Hashable, Sendable {
    let zone: TimeZone

    init(_ zone: TimeZone) { self.zone = zone }

    /// Nil where IANA has no such name. Abbreviations and `GMT+5` are none.
    init?(named name: String) {
        guard name == "UTC" || name.contains("/"), name.utf8.count <= 64,
            name.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
            }), let zone = TimeZone(identifier: name)
        else { return nil }
        self.zone = zone
    }

    private func offset(_ moment: Date) -> Int { zone.secondsFromGMT(for: moment) }

    /// Seconds since 1970 as if the wall's clock were GMT's.
    private func wall(_ moment: Date) -> Int {
        Int(moment.timeIntervalSince1970.rounded(.down)) + offset(moment)
    }

    func minute(at moment: Date) -> Int { ((wall(moment) % 86_400 + 86_400) % 86_400) / 60 }

    /// When quiet hours end; nil where there are none at that moment.
    func end(of quiet: QuietTimes?, at moment: Date) -> Date? {
        guard let quiet, quiet.contains(minute(at: moment)) else { return nil }
        let wall = wall(moment)
        let left = ((quiet.to.minute * 60 - wall % 86_400) % 86_400 + 86_400) % 86_400
        let naive = Date(timeIntervalSince1970: Double(wall + left - offset(moment)))
        let end = naive.addingTimeInterval(Double(offset(moment) - offset(naive)))
        // Where the clock is put forward over the end, there is no such moment: it is over an hour later.
        return end > moment && !quiet.contains(minute(at: end)) ? end : naive
    }

    /// The first full hour of that number after a moment.
    func next(hour: Int, after moment: Date) -> Date {
        let wall = wall(moment)
        let day = wall - ((wall % 86_400) + 86_400) % 86_400
        let here = day + hour * 3600
        let then = here > wall ? here : here + 86_400
        let naive = Date(timeIntervalSince1970: Double(then - offset(moment)))
        let next = Date(timeIntervalSince1970: Double(then - offset(naive)))
        // Where the clock is put forward over the hour, there is none on that day: it is an hour later.
        return next > moment && minute(at: next) == hour * 60 ? next : naive
    }
}
