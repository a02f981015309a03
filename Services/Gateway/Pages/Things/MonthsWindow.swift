import FoundationEssentials
import WireProtocol

/// Which months of a thing's calendar are looked at, and what is asked of listings for them.
///
///     let asked = MonthsWindow(of: thing, in: visit)
///     let (calendar, window) = try await visit.calendar(asked)
///     let months = MonthsView(calendar, window, .look, here: path, in: visit.words)
struct MonthsWindow {
    /// How far ahead one may turn.
    enum Reach {
        /// To the last day on which something may begin.
        case asking
        /// A month on from what has begun: it may end later than anything may begin.
        case ending(from: String)
        /// To the last day that an owner may block: as far again.
        case owning
    }

    let thing: Thing
    let moment: Date
    /// What clocks show then where the thing is.
    let now: WallTime
    /// The first of the first month.
    private(set) var first: CivilDay
    /// How many months.
    let count: Int
    private let reach: Reach
    /// A day of the last month.
    private var horizon: CivilDay

    /// Months, whatever listings takes.
    static let farthest = 24

    /// - Parameter month: `2026-12`; what is over, or too far away, is not shown.
    init(of thing: Thing, month: String?, count: Int = 2, reach: Reach = .asking, at moment: Date) {
        self.thing = thing
        self.count = count
        self.reach = reach
        self.moment = moment
        now = WallTime(at: moment, in: thing.terms.zone)
        let today = now.day
        horizon = today.month(after: Self.farthest) + -1
        let earliest = max(today, thing.available?.from.flatMap { CivilDay($0) } ?? today).startOfMonth
        first = CivilDay(month: month) ?? earliest
        if case .owning = reach {
            turn(noFartherThan: horizon)
        } else {
            turn(noFartherThan: thing.available?.until.flatMap { CivilDay($0) } ?? horizon)
        }
    }

    /// Of `?month=`; where there is none, of the day that is chosen.
    init(of thing: Thing, chosen: String? = nil, count: Int = 2, reach: Reach = .asking, in visit: Visit) {
        let month = visit.query("month") ?? chosen.map { String($0.prefix(7)) }
        self.init(of: thing, month: month, count: count, reach: reach, at: visit.now)
    }

    /// The same, or the last months in which there is a day for what is looked for.
    func within(_ calendar: ThingCalendar) -> MonthsWindow {
        guard let last = calendar.last.flatMap({ CivilDay($0) }) else { return self }
        var window = self
        window.turn(noFartherThan: end(last))
        return window
    }

    /// - Parameter last: the last day on which something may begin.
    private func end(_ last: CivilDay) -> CivilDay {
        switch reach {
        case .asking: return last
        case .ending(let from):
            guard let begun = CivilDay(from.prefix(10)), begun <= last else { return last }
            return max(last, begun.month(after: 1))
        case .owning: return last + (last.number - now.day.number)
        }
    }

    private mutating func turn(noFartherThan day: CivilDay) {
        horizon = min(horizon, day)
        first = max(min(first, latest), now.day.startOfMonth)
    }

    /// The first month where the last one is the last that there is.
    private var latest: CivilDay { horizon.month(after: 1 - count) }

    var last: CivilDay { first.month(after: count) + -1 }

    var query: CalendarQuery { CalendarQuery(id: thing.id, from: first.text, until: last.text) }

    var earlier: CivilDay? {
        let before = max(first.month(after: -count), now.day.startOfMonth)
        return before < first ? before : nil
    }

    var later: CivilDay? {
        let next = min(first.month(after: count), latest)
        return next > first ? next : nil
    }
}

extension WallTime {
    /// What clocks in a zone show; those of UTC where the system does not know it.
    init(at moment: Date, in zone: String) {
        let seconds = Int(moment.timeIntervalSince1970.rounded(.down))
        self = Zone.named(zone)?.wallTime(at: moment) ?? WallTime(seconds: seconds)
    }
}

extension Visit {
    /// All that is taken in these months, in as many answers as it takes; where listings takes nothing so far ahead, in the last in which it does.
    func calendar(_ asked: MonthsWindow) async throws -> (calendar: ThingCalendar, window: MonthsWindow) {
        var whole = try await ask(ListingsMethods.calendar, asked.query, Nothing())
        let window = asked.within(whole)
        if window.first != asked.first { whole = try await ask(ListingsMethods.calendar, window.query, Nothing()) }
        var query = window.query
        while let next = whole.next, next > query.from ?? "" {
            query.from = next
            let more = try await ask(ListingsMethods.calendar, query, Nothing())
            // What reaches over midnight is in both.
            let isInBoth = more.taken.first != nil && more.taken.first == whole.taken.last
            whole.taken += more.taken.dropFirst(isInBoth ? 1 : 0)
            whole.next = more.next
        }
        return (whole, window)
    }

    /// Nil where listings is away.
    func calendarUnlessAway(
        _ asked: MonthsWindow
    ) async throws -> (calendar: ThingCalendar, window: MonthsWindow)? {
        do {
            return try await calendar(asked)
        } catch let error as ServiceError where [.unavailable, .internalError].contains(error.code) {
            return nil
        }
    }
}
