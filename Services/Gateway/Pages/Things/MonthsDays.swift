import FoundationEssentials
import WireProtocol

/// What is true of the days and hours of a thing's calendar.
struct MonthsDays {
    enum State: String, CaseIterable, Hashable { case free, partly, taken, outside, beyond, past }

    private let taken: [(start: Int, end: Int)]
    private let window: MonthsWindow
    private let purpose: MonthsView.Purpose
    private let chosen: MonthsView.Choice
    private let words: Words
    private let byHour: Bool
    private let zone: Zone?
    private let available: (from: CivilDay?, until: CivilDay?)
    /// The last day on which something may begin.
    private let last: CivilDay?
    /// What is chosen, in seconds on the wall.
    private let span: (start: Int, end: Int)?

    init(
        _ calendar: ThingCalendar, _ window: MonthsWindow, _ purpose: MonthsView.Purpose,
        _ chosen: MonthsView.Choice, _ words: Words
    ) {
        taken = calendar.taken.compactMap { Self.span($0.from, $0.until) }
        self.window = window
        self.purpose = purpose
        self.chosen = chosen
        self.words = words
        byHour = window.thing.terms.unit == .hour
        zone = Zone.named(window.thing.terms.zone)
        let days = window.thing.available
        available = (days?.from.flatMap { CivilDay($0) }, days?.until.flatMap { CivilDay($0) })
        last = calendar.last.flatMap { CivilDay($0) }
        span = chosen.from.flatMap { from in
            chosen.until.flatMap { Self.span(from, $0) }
                ?? Self.span(from, from).map { ($0.start, max($0.end, $0.start + 3600)) }
        }
    }

    /// From the first second to the one after the last: of whole days, or of hours.
    static func span(_ from: String, _ until: String) -> (start: Int, end: Int)? {
        if let first = CivilDay(from), let last = CivilDay(until) {
            return (WallTime(first).seconds, WallTime(last + 1).seconds)
        }
        guard let start = WallTime(from), let end = WallTime(until) else { return nil }
        return (start.seconds, end.seconds)
    }

    /// Which states there can be, for the legend.
    var shown: [State] {
        State.allCases.filter { state in
            switch state {
            case .free, .taken: true
            case .partly: byHour
            case .outside: available.from != nil || available.until != nil
            case .beyond: last.map { $0 < window.last } ?? false
            case .past: false
            }
        }
    }

    // MARK: Days

    func state(of day: CivilDay) -> State {
        if day < window.now.day { return .past }
        if let from = available.from, day < from { return .outside }
        if let until = available.until, day > until { return .outside }
        if let zone, !zone.has(day) { return .outside }
        let state = occupation(of: day)
        if state != .taken, let last, day > last { return .beyond }
        return state
    }

    private func occupation(of day: CivilDay) -> State {
        let begin = WallTime(day).seconds
        // Of today, what is over is of no use to anybody.
        let left = hours(of: day).filter { !isOver($0) }.map { isTaken($0.seconds, $0.seconds + 3600) }
        if !left.contains(false) { return .taken }
        if byHour { return left.contains(true) ? .partly : .free }
        return isTaken(begin, begin + 86400) ? .taken : .free
    }

    /// As listings reads it: an hour that clocks show twice may be over when they show it again.
    private func isOver(_ hour: WallTime) -> Bool {
        if hour.day > window.now.day { return false }
        guard let zone else { return hour.seconds + 3600 <= window.now.seconds }
        return zone.end(ofHour: hour) <= window.moment
    }

    private func isTaken(_ start: Int, _ end: Int) -> Bool { taken.contains { $0.start < end && start < $0.end } }

    private func isChosen(_ start: Int, _ end: Int) -> Bool {
        span.map { $0.start < end && start < $0.end } ?? false
    }

    func day(_ day: CivilDay) -> MonthsView.Day {
        let state = state(of: day)
        let begin = WallTime(day).seconds
        let isChosen = isChosen(begin, begin + 86400)
        let said = [
            CivilText.full(day, in: words), words["rentals.calendar.state.\(state.rawValue)"],
            isChosen ? words["rentals.calendar.chosen"] : nil,
            day == window.now.day ? words["rentals.calendar.today"] : nil,
        ]
        return MonthsView.Day(
            id: "day-\(day.text)", date: day.text, number: day.civil.day, state: state.rawValue,
            label: said.compactMap { $0 }.joined(separator: ", "), href: href(of: day, state), chosen: isChosen,
            today: day == window.now.day)
    }

    /// Where pressing a day leads: its hours; or it becomes the first day, or the last of what begins before it.
    private func href(of day: CivilDay, _ state: State) -> String? {
        guard case .pick(let path) = purpose else { return nil }
        let begun = byHour || chosen.until != nil ? nil : chosen.from.flatMap { CivilDay($0) }
        let ends = begun.map { $0 <= day } ?? false
        // What begins in time may end later.
        let endsBeyond = state == .beyond && ends && self.state(of: begun ?? day) != .beyond
        guard state == .free || state == .partly || endsBeyond else { return nil }
        var next = chosen
        if byHour {
            next.day = day.text
        } else if let begun, ends {
            (next.from, next.until) = (begun.text, day.text)
        } else {
            (next.from, next.until) = (day.text, nil)
        }
        return address(path, next, month: window.first.monthText)
    }

    func address(_ path: String, _ choice: MonthsView.Choice, month: String) -> String {
        let values = [
            ("month", month), ("from", choice.from ?? ""), ("until", choice.until ?? ""), ("day", choice.day ?? ""),
        ]
        let query = values.filter { !$0.1.isEmpty }.map { "\($0.0)=\(LocalPath.encoded($0.1))" }
        return "\(path)\(path.contains("?") ? "&" : "?")\(query.joined(separator: "&"))"
    }

    // MARK: Hours

    /// The hours that there are on a day, as clocks show their beginning: those over which clocks are put forward are none.
    private func hours(of day: CivilDay) -> [WallTime] {
        let all = (0..<24).map { WallTime(day, hour: $0) }
        guard byHour, let zone, zone.start(of: day + 1).timeIntervalSince(zone.start(of: day)) < 86400 else {
            return all
        }
        return all.filter { !zone.moments(of: $0).isEmpty }
    }

    /// The day whose hours are shown: what was pressed, or what is chosen begins on.
    private var dayOfHours: CivilDay? {
        guard byHour, let text = chosen.day ?? chosen.from, let day = CivilDay(text.prefix(10)) else { return nil }
        return day
    }

    func hours() -> MonthsView.Hours? {
        guard let day = dayOfHours else { return nil }
        let whole = state(of: day)
        let isClosed = [State.past, .outside, .beyond].contains(whole)
        let hours = hours(of: day).map { start in
            let end = WallTime(seconds: start.seconds + 3600)
            let state: State =
                isClosed
                ? whole
                : isOver(start)
                    ? .past : isTaken(start.seconds, end.seconds) ? .taken : .free
            let isChosen = isChosen(start.seconds, end.seconds)
            let text = "\(CivilText.time(start)) – \(CivilText.time(end))"
            let said = [
                text, words["rentals.calendar.state.\(state.rawValue)"],
                isChosen ? words["rentals.calendar.chosen"] : nil,
            ]
            return MonthsView.Hour(
                id: "hour-\(start.text)", text: text, state: state.rawValue,
                label: said.compactMap { $0 }.joined(separator: ", "), href: href(of: start, end, state),
                chosen: isChosen)
        }
        var hint: String?
        if case .pick = purpose {
            hint = words["rentals.calendar.\(chosen.from != nil && chosen.until == nil ? "pickEnd" : "pickBegin")"]
        }
        let title = words["rentals.calendar.hours", ["date": CivilText.full(day, in: words)]]
        return MonthsView.Hours(title: title, hours: hours, hint: hint)
    }

    private func href(of start: WallTime, _ end: WallTime, _ state: State) -> String? {
        guard case .pick(let path) = purpose, state == .free else { return nil }
        var next = chosen
        next.day = start.day.text
        if let from = chosen.from.flatMap({ WallTime($0) }), chosen.until == nil, from.seconds <= start.seconds {
            next.until = end.text
        } else {
            (next.from, next.until) = (start.text, nil)
        }
        return address(path, next, month: window.first.monthText)
    }
}
