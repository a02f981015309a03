import DurableMessaging
import FoundationEssentials
import WireProtocol

// What is true of a series of rides. No I/O and no clock.

/// What somebody drives on the same days of each week.
struct OfferedSeries: Hashable, Sendable {
    let id: RideSeriesID
    let driver: PersonID
    let postedAt: Date
    /// Its times are those of its first day, on the wall of its zone, which it names.
    var draft: RideDraft
    var plan: SeriesPlan
    /// Days on which its driver drove such a ride already when its rides were made.
    var duplicates: Set<CivilDay> = []
    /// When its driver ended it.
    var endedAt: Date?

    /// Nil where the system has no such zone any more: then no ride is made.
    var clocks: Zone? { draft.zone.flatMap { Zone.named($0) } }

    /// Whether no ride will be made any more.
    func isOver(at now: Date) -> Bool {
        guard endedAt == nil, let clocks else { return true }
        return plan.last < clocks.wallTime(at: now).day
    }

    /// Its days from today on for which rides are made by now.
    func daysToMake(at now: Date, within limits: RideLimits) -> [CivilDay] {
        guard !isOver(at: now), let clocks else { return [] }
        let today = clocks.wallTime(at: now).day
        return plan.days(from: today, through: today + limits.seriesAhead)
    }

    /// When the next one of its days is near enough; nil where there is none.
    func dueAt(after now: Date, within limits: RideLimits) -> Date? {
        guard !isOver(at: now), let clocks else { return nil }
        return plan.days().lazy.map { clocks.start(of: $0 + -limits.seriesAhead) }.first { $0 > now }
    }

    /// When nobody needs its doors any more.
    var doorsUntil: Date {
        let end = clocks.map { $0.start(of: plan.last + 1) } ?? postedAt + Double(SeriesPlan.longest) * 86_400
        return min(end, endedAt ?? end) + OfferedRide.doorsKept
    }

    /// Names what its driver says of it.
    var version: String {
        ContentVersion.of(
            RideSeriesDraft(
                ride: draft, weekdays: plan.weekdays.inOrder, until: plan.last.text,
                skips: plan.skips.sorted().map(\.text))) ?? ""
    }

    func ended(at now: Date) -> OfferedSeries {
        var series = self
        series.endedAt = endedAt ?? now
        return series
    }

    // MARK: What there is on a day

    /// With the moments of that day; nil where clocks pass over its times.
    func draft(on day: CivilDay) -> RideDraft? {
        clocks.flatMap { draft.moments(on: $0, later: day.number - plan.first.number) }
    }

    /// That of its first ride; the first day may be one of its skips.
    var firstDraft: RideDraft {
        plan.has(plan.first) ? draft : plan.days().lazy.compactMap { self.draft(on: $0) }.first ?? draft
    }

    /// The way there of a day, and the way back where there is one.
    /// - Returns: Nil where clocks pass over its times, or leave too little between them.
    /// - Throws: `invalid` where the community does not allow such a ride, or the time is over.
    func rides(on day: CivilDay, at now: Date, within limits: RideLimits) throws(RideError) -> [OfferedRide]? {
        guard let draft = draft(on: day) else { return nil }
        let offers: RideOffers
        do {
            offers = try RideOffers(draft, at: now, within: limits.ofSeries)
        } catch .invalid(let errors) where errors.allSatisfy({ $0.code == "out_of_order" }) {
            return nil
        }
        return offers.rides(by: driver, at: now).map { ride in
            var ride = ride
            (ride.series, ride.seriesDay) = (id, day)
            return ride
        }
    }
}

extension RideLimits {
    /// So many days ahead rides of a series are made.
    var seriesAhead: Int { min(SeriesPlan.ahead, farthestDays) }

    /// Of its rides: how far ahead they are is its own affair.
    var ofSeries: RideLimits {
        var limits = self
        limits.farthest += Double(SeriesPlan.longest + 2) * 86_400
        return limits
    }
}
