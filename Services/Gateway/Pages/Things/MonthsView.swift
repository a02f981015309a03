import WireProtocol

/// When a thing is free, as months (`things/months`): tables for the eye and for those who listen, in the thing's own time. Pages that
/// show it name the style `rentals` and the script `months`.
struct MonthsView {
    /// What it is shown for.
    enum Purpose {
        /// Days can be looked at.
        case look
        /// Days, or hours, lead to an address with `from` and `until`.
        case pick(path: String)
        /// What is taken leads where the caller says: an agreement, what unblocks dates.
        case own(@Sendable (TakenPeriod) -> Link?)
    }

    struct Link {
        var href: String
        /// What it does: `Open for rent again`
        var text: String
    }

    /// What is chosen: the first and the last day, or the hours at which it begins and ends; and the day whose hours are shown.
    struct Choice {
        var from: String?
        var until: String?
        var day: String?
    }

    struct Month {
        var id: String
        var caption: String
        var weeks: [Week]
    }

    struct Week { var days: [Cell] }

    /// A day, or the room before the first and after the last of a month.
    struct Cell {
        var day: Day?
    }

    struct Day {
        var id: String
        var date: String
        var number: Int
        /// `free`, `partly`, `taken`, `outside`, `beyond` or `past`.
        var state: String
        /// All of it, for those who listen: `Tuesday, 1 December 2026, free`.
        var label: String
        var href: String?
        var chosen: Bool
        var today: Bool
    }

    struct Weekday {
        var short: String
        var name: String
    }

    struct Hours {
        var title: String
        var hours: [Hour]
        var hint: String?
    }

    struct Hour {
        var id: String
        var text: String
        var state: String
        var label: String
        var href: String?
        var chosen: Bool
    }

    struct Sign {
        var state: String
        var text: String
    }

    /// Of what is taken, to its owner: `1 – 4 December 2026`, and where it leads.
    struct Taken {
        var period: String
        var kind: String
        var link: Link?
    }

    var months: [Month]
    var weekdays: [Weekday]
    var zone: String
    var earlier: Link?
    var later: Link?
    /// Whether links are followed within the page, where scripts run.
    var picks: Bool
    var hours: Hours?
    var legend: [Sign]
    var taken: [Taken]
    var anyTaken: Bool

    /// - Parameter here: the address of the page, to which `?month=` is added.
    init(
        _ calendar: ThingCalendar, _ window: MonthsWindow, _ purpose: Purpose, here: String,
        chosen: Choice = Choice(), in words: Words
    ) {
        let days = MonthsDays(calendar, window, purpose, chosen, words)
        let begins = Int(words["rentals.calendar.weekBegins"]) ?? 1
        months = (0..<window.count).map { index in
            let first = window.first.month(after: index)
            return Month(
                id: "month-\(first.monthText)", caption: CivilText.month(of: first, in: words),
                weeks: Self.weeks(of: first, beginning: begins) { days.day($0) })
        }
        let (short, names) = (CivilText.weekdays("short", words), CivilText.weekdays("weekdays", words))
        weekdays = (0..<7).map { Weekday(short: short[($0 + begins) % 7], name: names[($0 + begins) % 7]) }
        zone = words["rentals.calendar.zone", ["zone": window.zoneName]]
        func link(_ month: CivilDay, _ key: String) -> Link {
            let href = days.address(here, chosen, month: month.monthText)
            return Link(href: href, text: words["rentals.calendar.\(key)"])
        }
        earlier = window.earlier.map { link($0, "earlier") }
        later = window.later.map { link($0, "later") }
        if case .pick = purpose { picks = true } else { picks = false }
        hours = days.hours()
        legend = days.shown.map { Sign(state: $0.rawValue, text: words["rentals.calendar.state.\($0.rawValue)"]) }
        if case .own(let link) = purpose {
            taken = calendar.taken.map { period in
                Taken(
                    period: CivilText.period(period.from, period.until, in: words),
                    kind: words["rentals.calendar.\(period.rental == nil ? "blocked" : "rented")"], link: link(period))
            }
        } else {
            taken = []
        }
        anyTaken = !taken.isEmpty
    }

    /// The weeks of a month, whole, with room where they belong to another one.
    private static func weeks(of first: CivilDay, beginning: Int, _ day: (CivilDay) -> Day) -> [Week] {
        let room = (first.weekday - beginning + 7) % 7
        let count = first.month(after: 1).number - first.number
        let rows = (room + count + 6) / 7
        return (0..<rows).map { row in
            Week(
                days: (0..<7).map { column in
                    let index = row * 7 + column - room
                    return Cell(day: (0..<count).contains(index) ? day(first + index) : nil)
                })
        }
    }
}

extension MonthsWindow {
    /// `Singapore`, `New York`: the zone as people say it.
    var zoneName: String {
        CivilText.city(of: thing.terms.zone)
    }
}
