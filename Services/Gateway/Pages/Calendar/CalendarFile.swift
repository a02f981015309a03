import FoundationEssentials
import WireProtocol

/// What stands in somebody's calendar, as iCalendar (RFC 5545). Pure: the same entries are the same bytes.
struct CalendarFile {
    /// What the calendar is called.
    var name: String
    /// As browsers see us, without a slash at the end.
    var publicURL: String
    var words: Words
    var verticals = Verticals.all

    func bytes(of entries: [CalendarEntry]) -> [UInt8] {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kampong//Calendar//EN", "CALSCALE:GREGORIAN",
            "METHOD:PUBLISH", "X-WR-CALNAME:\(Self.escaped(name))", "NAME:\(Self.escaped(name))",
            "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H",
        ]
        for entry in entries { lines += event(entry) }
        if entries.isEmpty { lines += Self.nothing }
        lines.append("END:VCALENDAR")
        return lines.flatMap { Self.folded($0) }
    }

    private func event(_ entry: CalendarEntry) -> [String] {
        // What it was when it changed last: so a calendar that did not change is the same file.
        let changed = Self.moment(entry.changedAt)
        var lines = [
            "BEGIN:VEVENT", "UID:\(entry.id)", "DTSTAMP:\(changed)", "LAST-MODIFIED:\(changed)",
            "SEQUENCE:\(entry.sequence ?? 0)",
            "STATUS:\(entry.state.rawValue.uppercased())",
        ]
        if let days = entry.days, let first = Self.day(days.first), let end = Self.day(days.last, later: 1) {
            // The end of a day is the beginning of the next one. Who rents for days is free on them all the same.
            lines += ["DTSTART;VALUE=DATE:\(first)", "DTEND;VALUE=DATE:\(end)", "TRANSP:TRANSPARENT"]
        } else {
            lines += ["DTSTART:\(Self.moment(entry.startsAt))", "DTEND:\(Self.moment(entry.endsAt))"]
        }
        let summary = verticals.lazy.compactMap { $0.summary(of: entry, in: words) }.first ?? entry.title
        let link = publicURL + entry.link
        let said = "\(words[entry.said])\n\(link)"
        lines += ["SUMMARY:\(Self.escaped(summary))", "DESCRIPTION:\(Self.escaped(said))", "URL:\(Self.plain(link))"]
        if let place = entry.place { lines.append("LOCATION:\(Self.escaped(place))") }
        if let position = entry.position { lines.append("GEO:\(position.latitude);\(position.longitude)") }
        lines.append("END:VEVENT")
        return lines
    }

    /// A calendar has at least one component (3.4): where there is no entry, the zone that all of its times are in.
    private static let nothing = [
        "BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000",
        "TZOFFSETTO:+0000", "TZNAME:UTC", "END:STANDARD", "END:VTIMEZONE",
    ]

    // MARK: Values

    /// `20261201T140000Z`
    static func moment(_ date: Date) -> String {
        date.formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
    }

    /// `20261201`; nil where it is no day.
    static func day(_ text: String, later days: Int = 0) -> String? {
        guard let midnight = try? Date("\(text)T00:00:00Z", strategy: .iso8601) else { return nil }
        return String(moment(midnight + Double(days) * 86_400).prefix(8))
    }

    /// A text (3.3.11), without control characters.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\\\"
            case ";": escaped += "\\;"
            case ",": escaped += "\\,"
            case "\n": escaped += "\\n"
            default: if scalar.value >= 0x20, scalar.value != 0x7F { escaped.unicodeScalars.append(scalar) }
            }
        }
    }

    /// An address is no text, and has nothing that would end its line.
    private static func plain(_ address: String) -> String {
        String(String.UnicodeScalarView(address.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F }))
    }

    /// A line of at most 75 octets, and what follows each after a space (3.1). No character is cut in two.
    static func folded(_ line: String) -> [UInt8] {
        var (bytes, length): ([UInt8], Int) = ([], 0)
        for scalar in line.unicodeScalars {
            let next = Array(String(scalar).utf8)
            if length + next.count > 75 {
                bytes += [13, 10, 32]
                length = 1
            }
            bytes += next
            length += next.count
        }
        return bytes + [13, 10]
    }
}

extension CalendarEntry {
    /// By which words its state is said: whoever drives has not agreed with anybody.
    fileprivate var said: String {
        isDriving == true && state == .confirmed ? "calendar.driving" : "calendar.state.\(state.rawValue)"
    }
}
