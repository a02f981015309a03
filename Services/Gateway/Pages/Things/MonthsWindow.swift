import FoundationEssentials
import WireProtocol

/// Which months of a thing's calendar are looked at, and what is asked of listings for them.
///
///     let window = MonthsWindow(of: thing, in: visit)
///     let calendar = try await visit.calendar(window)
///     let months = MonthsView(calendar, window, .look, in: visit.words)
struct MonthsWindow {
    let thing: Thing
    let moment: Date
    /// What clocks show then where the thing is.
    let now: WallTime
    /// The first of the first month.
    let first: CivilDay
    /// How many months.
    let count: Int

    /// Nobody can ask for what is farther away.
    static let farthest = 24

    /// - Parameter month: `2026-12`; what is over, or too far away, is not shown.
    init(of thing: Thing, month: String?, count: Int = 2, at moment: Date) {
        self.thing = thing
        self.count = count
        self.moment = moment
        now = WallTime(at: moment, in: thing.terms.zone)
        let earliest = max(now.day, thing.available?.from.flatMap { CivilDay($0) } ?? now.day).startOfMonth
        let asked = CivilDay(month: month) ?? earliest
        first = min(max(asked, now.day.startOfMonth), now.day.month(after: Self.farthest - count))
    }

    /// Of `?month=`; where there is none, of the day that is chosen.
    init(of thing: Thing, chosen: String? = nil, count: Int = 2, in visit: Visit) {
        let month = visit.query("month") ?? chosen.map { String($0.prefix(7)) }
        self.init(of: thing, month: month, count: count, at: visit.now)
    }

    var last: CivilDay { first.month(after: count) + -1 }

    var query: CalendarQuery { CalendarQuery(id: thing.id, from: first.text, until: last.text) }

    var earlier: CivilDay? {
        let before = max(first.month(after: -count), now.day.startOfMonth)
        return before < first ? before : nil
    }

    var later: CivilDay? {
        let next = first.month(after: count)
        let until = thing.available?.until.flatMap { CivilDay($0) }
        guard next < now.day.month(after: Self.farthest), until.map({ next <= $0 }) ?? true else { return nil }
        return next
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
    /// All that is taken in these months, in as many answers as it takes.
    func calendar(_ window: MonthsWindow) async throws -> ThingCalendar {
        var query = window.query
        var whole = try await ask(ListingsMethods.calendar, query, Nothing())
        while let next = whole.next, next > query.from ?? "" {
            query.from = next
            let more = try await ask(ListingsMethods.calendar, query, Nothing())
            // What reaches over midnight is in both.
            let isInBoth = more.taken.first != nil && more.taken.first == whole.taken.last
            whole.taken += more.taken.dropFirst(isInBoth ? 1 : 0)
            whole.next = more.next
        }
        return whole
    }

    /// Nil where listings is away.
    func calendarUnlessAway(_ window: MonthsWindow) async throws -> ThingCalendar? {
        do {
            return try await calendar(window)
        } catch let error as ServiceError where [.unavailable, .internalError].contains(error.code) {
            return nil
        }
    }
}
