import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// What is told of a series, to its driver alone.

/// A ride of a series, as its list shows it.
struct SeriesEntry: Hashable, Sendable {
    let series: RideSeriesID
    let ride: SeriesRide
    let isRemoved: Bool
    /// Whether it has not left.
    let isComing: Bool

    /// Those of some series from two days ago on, the soonest first.
    static func selection(of series: [RideSeriesID], at now: Date) -> SQLQuery {
        """
        SELECT id, series, series_day, return_of IS NOT NULL AS is_return, departs_at, state = 'removed' AS is_removed,
            state = 'open' AND leaves_by > \(now) AS is_coming,
            (SELECT count(*) FROM seat_requests WHERE ride = rides.id AND \(SeatAgreement.isOpen)) AS requests
        FROM rides WHERE series = ANY(\(series)) AND departs_at > \(now - 2 * 86_400) ORDER BY departs_at, id
        """
    }

    init(_ row: PostgresRow) throws {
        series = try row.get("series")
        ride = SeriesRide(
            id: try row.get("id"), day: try row.get("series_day"), isReturn: try row.get("is_return"),
            departsAt: try row.get("departs_at"), requests: try row.get("requests"))
        (isRemoved, isComing) = (try row.get("is_removed"), try row.get("is_coming"))
    }
}

extension RideSeries {
    init(_ series: OfferedSeries, _ entries: [SeriesEntry], at now: Date, within limits: RideLimits) {
        let own = entries.filter { $0.series == series.id }
        self.init(
            id: series.id, ride: series.draft, weekdays: series.plan.weekdays.inOrder, from: series.plan.first.text,
            until: series.plan.last.text, skips: series.plan.skips.sorted().map(\.text),
            rides: own.filter(\.isComing).map(\.ride), gaps: series.gaps(among: own, at: now, within: limits),
            isOver: series.isOver(at: now), version: series.version)
    }
}

extension OfferedSeries {
    fileprivate func gaps(among entries: [SeriesEntry], at now: Date, within limits: RideLimits) -> [SeriesGap] {
        let there = entries.filter { !$0.ride.isReturn }
        let driven = Set(there.filter { !$0.isRemoved }.map(\.ride.day))
        let removed = Set(there.filter(\.isRemoved).map(\.ride.day))
        return daysToMake(at: now, within: limits).filter { !driven.contains($0.text) }.compactMap { day in
            if removed.contains(day.text) { return SeriesGap(day: day.text, why: .removed) }
            if isPassedOver(on: day, at: now, within: limits) { return SeriesGap(day: day.text, why: .noSuchTime) }
            return duplicates.contains(day) ? SeriesGap(day: day.text, why: .duplicate) : nil
        }
    }

    private func isPassedOver(on day: CivilDay, at now: Date, within limits: RideLimits) -> Bool {
        do { return try rides(on: day, at: now, within: limits) == nil } catch { return false }
    }

    /// The gap on one of its days, before it is posted; nil where there would be a ride.
    fileprivate func gap(
        on day: CivilDay, besides driving: Driving, at now: Date, within limits: RideLimits
    ) throws(RideError) -> SeriesGap? {
        guard let rides = try rides(on: day, at: now, within: limits) else {
            return SeriesGap(day: day.text, why: .noSuchTime)
        }
        return driving.hasDuplicate(of: rides) ? SeriesGap(day: day.text, why: .duplicate) : nil
    }
}

extension RideSeriesQuote {
    /// - Parameters:
    ///   - ride: what its first ride would be.
    ///   - driving: what its driver drives already.
    init(
        _ series: OfferedSeries, first ride: RideQuote, besides driving: Driving, at now: Date,
        within limits: RideLimits
    ) throws(RideError) {
        var (days, gaps): ([String], [SeriesGap]) = ([], [])
        for day in series.plan.days() {
            if let gap = try series.gap(on: day, besides: driving, at: now, within: limits) {
                gaps.append(gap)
            } else {
                days.append(day.text)
            }
        }
        self.init(ride: ride, days: days, gaps: gaps)
    }
}
