import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import WireProtocol

// What can be asked of series.

extension RideUseCases {
    func quoteSeries(_ draft: RideSeriesDraft, for caller: Caller) async throws -> RideSeriesQuote {
        let (person, now) = (try caller.requirePerson(), clock())
        let offer = try SeriesOffer(draft, at: now, within: limits)
        let series = OfferedSeries(offer, id: .new(at: now), by: person, at: now)
        return try RideSeriesQuote(
            series, first: try await quote(series.firstDraft, for: caller),
            besides: try await store.driving(of: person),
            at: now, within: limits)
    }

    func postSeries(_ draft: RideSeriesDraft, _ request: RequestContext) async throws -> RideSeries {
        let ways = try await knownWays(of: draft, for: request.caller)
        return try await store.command(request) { rides, person in
            let offer = try SeriesOffer(draft, at: rides.now, within: limits)
            guard try await rides.driving(of: person).open < limits.rides else {
                throw RideError.tooManyRides(limit: limits.rides)
            }
            let series = OfferedSeries(offer, id: .new(at: rides.now), by: person, at: rides.now)
            return try await rides.answer(rides.add(series, on: ways, within: limits), within: limits)
        }
    }

    func changeSeries(
        _ id: RideSeriesID, to draft: RideSeriesDraft, _ request: RequestContext
    ) async throws -> RideSeries {
        let asked = try await knownWays(of: draft, for: request.caller)
        return try await store.command(request) { rides, person in
            let before = try await rides.series(id, of: person)
            let after = try before.change(draft, at: rides.now, within: limits)
            guard after != before else { return try await rides.answer(before, within: limits) }
            var ways = asked
            ways.rides = try await rides.lastRides(of: id)
            let change = SeriesChange(
                before: before, after: after, driving: try await rides.driving(of: person), now: rides.now,
                limits: limits)
            try await rides.follow(change, on: ways, by: person)
            return try await rides.answer(rides.makeRides(of: after, on: ways, within: limits), within: limits)
        }
    }

    func endSeries(_ id: RideSeriesID, _ ending: RideSeriesEnding, _ request: RequestContext) async throws {
        _ = try await store.command(request) { rides, person in
            try await rides.end(try await rides.series(id, of: person), ending, by: person)
            return Nothing()
        }
    }

    func series(_ id: RideSeriesID, for caller: Caller) async throws -> RideSeries {
        let person = try caller.requirePerson()
        guard let series = try await store.series(id, of: person), let answer = try await answers([series]).first else {
            throw ServiceError.notFound("series")
        }
        return answer
    }

    func mySeries(_ query: MySeriesQuery, for caller: Caller) async throws -> Page<RideSeries> {
        let person = try caller.requirePerson()
        var errors: [FieldError] = []
        let limit = query.readLimit(&errors)
        let after = query.readCursor(&errors) { RideSeriesID($0) }
        guard errors.isEmpty else { throw RideError.invalid(errors) }
        let found = FoundPage(try await store.series(of: person, after: after, limit: limit + 1), of: limit)
        return Page(items: try await answers(found.shown), next: found.last?.id.description)
    }

    func answers(_ series: [OfferedSeries]) async throws -> [RideSeries] {
        let now = clock()
        let entries = try await store.entries(of: series.map(\.id), at: now)
        return series.map { RideSeries($0, entries, at: now, within: limits) }
    }

    /// What Places knows of both ways, before anything is locked.
    private func knownWays(of draft: RideSeriesDraft, for caller: Caller) async throws -> KnownWays {
        let draft = draft.ride ?? RideDraft()
        async let legs = legs(of: draft)
        return KnownWays(regions: try await regions(of: draft, for: caller), legs: await legs)
    }
}

extension RideStore {
    /// Nil where the person has none.
    fileprivate func series(_ id: RideSeriesID, of person: PersonID) async throws -> OfferedSeries? {
        try await database.read(
            "SELECT \(OfferedSeries.columns) FROM ride_series WHERE id = \(id) AND driver = \(person)"
        ).first.map(OfferedSeries.init)
    }

    /// The latest first.
    func series(of person: PersonID, after: RideSeriesID?, limit: Int) async throws -> [OfferedSeries] {
        let earlier: SQLQuery = after.map { "AND id < \($0)" } ?? ""
        return try await database.read(
            """
            SELECT \(OfferedSeries.columns) FROM ride_series WHERE driver = \(person) \(earlier)
            ORDER BY id DESC LIMIT \(unescaped: "\(limit)")
            """
        ).map(OfferedSeries.init)
    }

    fileprivate func entries(of series: [RideSeriesID], at now: Date) async throws -> [SeriesEntry] {
        if series.isEmpty { return [] }
        return try await database.read(SeriesEntry.selection(of: series, at: now)).map(SeriesEntry.init)
    }
}
