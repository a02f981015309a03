import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

// What is done to series and to their rides. People are locked first, then series, then rides.

extension RideTransaction {
    /// Locked.
    /// - Throws: `notFound` where the person has none.
    func series(_ id: RideSeriesID, of person: PersonID) async throws -> OfferedSeries {
        let rows = try await transaction.query(
            """
            SELECT \(OfferedSeries.columns) FROM ride_series WHERE id = \(id) AND driver = \(person) FOR NO KEY UPDATE
            """)
        guard let row = rows.first else { throw ServiceError.notFound("series") }
        return try OfferedSeries(row)
    }

    func answer(_ series: OfferedSeries, within limits: RideLimits) async throws -> RideSeries {
        let rows = try await transaction.query(SeriesEntry.selection(of: [series.id], at: now))
        return RideSeries(series, try rows.map(SeriesEntry.init), at: now, within: limits)
    }

    /// Keeps a new one, and makes its first rides.
    func add(_ series: OfferedSeries, on ways: KnownWays, within limits: RideLimits) async throws -> OfferedSeries {
        _ = try await transaction.query(series.insertion(due: nil))
        return try await makeRides(of: series, on: ways, within: limits)
    }

    /// Makes the rides of those days that are near enough by now and have none, and keeps the series until the next one is. A day that does not work
    /// is looked at again each time.
    @discardableResult
    func makeRides(
        of series: OfferedSeries, on ways: KnownWays, within limits: RideLimits
    ) async throws -> OfferedSeries {
        var made = series
        made.duplicates = []
        let days = series.daysToMake(at: now, within: limits)
        if let first = days.first {
            let taken = try await daysWithRides(of: series, from: first)
            let driving = try await driving(of: series.driver)
            for day in days where !taken.contains(day) {
                guard let rides = try? series.rides(on: day, at: now, within: limits) else { continue }
                if driving.hasDuplicate(of: rides) {
                    made.duplicates.insert(day)
                } else {
                    for ride in rides { try await add(ways.completing(ride)) }
                }
            }
        }
        _ = try await transaction.query(made.update(due: made.dueAt(after: now, within: limits)))
        return made
    }

    /// Lets rides that nobody has asked for follow a change.
    func follow(_ change: SeriesChange, on ways: KnownWays, by person: PersonID) async throws {
        let open = try await openRides(of: change.before.id)
        for day in Set(open.compactMap(\.ride.seriesDay)).sorted() {
            let rides = open.filter { $0.ride.seriesDay == day }
            let steps = change.steps(on: day, rides).map { step in
                RideStep(before: step.before, after: ways.completing(step.after))
            }
            try await keep(steps, by: person)
            for ride in rides.map(\.ride) {
                let then = steps.first { $0.before.id == ride.id }?.after ?? ride
                // One that somebody has asked for is there still, and one that its driver has taken back does not come again.
                if let back = change.wayBack(of: then), try await other(of: then) == nil {
                    try await add(ways.completing(back))
                }
            }
        }
    }

    /// Ends it: its rides that have not left are removed, or those that nobody has asked for.
    func end(_ series: OfferedSeries, _ ending: RideSeriesEnding, by person: PersonID) async throws {
        let removal = RideRemoval(reason: try RideRules.reason(ending.reason))
        let steps = try await openRides(of: series.id)
            .filter { ending.keepsAsked != true || $0.requests == 0 }
            .map { RideStep(before: $0.ride, after: try $0.ride.remove(removal, at: now)) }
        try await keep(steps, by: person)
        _ = try await transaction.query(series.ended(at: now).update(due: nil))
    }

    /// A way there and a way back at the most.
    func lastRides(of series: RideSeriesID) async throws -> [OfferedRide] {
        try await transaction.query(
            """
            SELECT \(OfferedRide.columns) FROM rides WHERE series = \(series) ORDER BY departs_at DESC, id DESC LIMIT 2
            """
        ).map(OfferedRide.init)
    }

    // MARK: What these are made of

    /// Those from a day on for which it has a ride, or had one.
    private func daysWithRides(of series: OfferedSeries, from day: CivilDay) async throws -> Set<CivilDay> {
        let rows = try await transaction.query(
            """
            SELECT series_day FROM rides
            WHERE series = \(series.id) AND return_of IS NULL AND series_day >= \(day.text)::text::date
            """)
        return Set(try rows.map { try CivilDay($0, "series_day") })
    }

    /// Locked: those that have not left, the soonest first.
    private func openRides(of series: RideSeriesID) async throws -> [AskedRide] {
        let earliest = now - RideLimits.longestDeparture
        let ids: [RideID] = try await transaction.query(
            "SELECT id FROM rides WHERE series = \(series) AND departs_at > \(earliest) AND state = 'open'"
        ).map { try $0.get("id") }
        let rides = try await locked(ids)
            .filter { $0.series == series && RideRule.allows(.change, $0, at: now) }
            .sorted { $0.departsAt < $1.departsAt }
        let rows = try await transaction.query(
            """
            SELECT ride, count(*) AS requests FROM seat_requests
            WHERE ride = ANY(\(rides.map(\.id))) AND \(SeatAgreement.isOpen) GROUP BY ride
            """)
        let requests: [RideID: Int] = try rows.reduce(into: [:]) {
            $0[try $1.get("ride", as: RideID.self)] = try $1.get("requests")
        }
        return rides.map { AskedRide(ride: $0, requests: requests[$0.id] ?? 0) }
    }
}

/// What Places has said of the ways of a series, so that it is not asked for each of its rides.
struct KnownWays: Sendable {
    var regions: [Position: String] = [:]
    var legs: [[Position]: [StreetLeg]] = [:]
    /// Those that were made last.
    var rides: [OfferedRide] = []

    func completing(_ ride: OfferedRide) -> OfferedRide {
        var ride = ride
        let same = rides.first { $0.way.stops.map(\.position) == ride.way.stops.map(\.position) }
        for index in ride.way.stops.indices where ride.way.stops[index].region == nil {
            ride.way.stops[index].region = same?.way.stops[index].region
        }
        ride.way.place(in: regions)
        ride.legs = ride.legs ?? legs[ride.way.points] ?? same?.legs
        return ride
    }
}
