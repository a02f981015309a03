import DurableMessaging
import FoundationEssentials
import WireProtocol

/// A draft of a series that was checked, as a whole.
struct SeriesOffer: Hashable, Sendable {
    let draft: RideDraft
    let plan: SeriesPlan

    /// - Parameter before: the series as it was: what is absent stays, and so does its first day.
    /// - Throws: `invalid` with everything that is wrong; of its rides under `ride`.
    init(
        _ draft: RideSeriesDraft, insteadOf before: OfferedSeries? = nil, at now: Date, within limits: RideLimits
    ) throws(RideError) {
        var errors: [FieldError] = []
        let weekdays = draft.weekdays.map { Set($0) } ?? before?.plan.weekdays ?? []
        let said = SaidRide(draft.ride, on: weekdays, insteadOf: before, within: limits)
        let offers = said.offers(at: now, within: limits, isNew: before == nil, &errors)
        if weekdays.isEmpty {
            errors.append(FieldError("weekdays", "required", "Choose at least one day of the week."))
        }
        let last = Self.last(draft.until, insteadOf: before, after: said.first, &errors)
        let skips = Self.skips(draft.skips, insteadOf: before, &errors)
        guard let offers, let first = said.first, let last, errors.isEmpty else { throw .invalid(errors) }
        plan = SeriesPlan(
            weekdays: weekdays, first: first, last: last, skips: skips.filter { first <= $0 && $0 <= last })
        guard !plan.days().isEmpty else {
            throw .invalid([FieldError("until", "out_of_order", "None of its days is left until then.")])
        }
        self.draft = said.draft.written(as: offers, in: limits.currency)
    }

    private static func last(
        _ until: String?, insteadOf before: OfferedSeries?, after first: CivilDay?, _ errors: inout [FieldError]
    ) -> CivilDay? {
        guard let until = until ?? before?.plan.last.text, !until.isEmpty else {
            errors.append(FieldError("until", "required", "Say until when."))
            return nil
        }
        guard let last = CivilDay(until) else {
            errors.append(notADay(at: "until"))
            return nil
        }
        guard let first else { return last }
        if last < first { errors.append(FieldError("until", "out_of_order", "Not before the first day.")) }
        if first + SeriesPlan.longest < last {
            errors.append(FieldError("until", "too_far_ahead", "At most \(SeriesPlan.longest) days."))
        }
        return last
    }

    private static func skips(
        _ texts: [String]?, insteadOf before: OfferedSeries?, _ errors: inout [FieldError]
    ) -> Set<CivilDay> {
        guard let texts else { return before?.plan.skips ?? [] }
        guard texts.count <= SeriesPlan.longest else {
            errors.append(FieldError("skips", "too_many", "At most \(SeriesPlan.longest) days."))
            return []
        }
        var days: Set<CivilDay> = []
        for (number, text) in texts.enumerated() {
            if let day = CivilDay(text) { days.insert(day) } else { errors.append(notADay(at: "skips.\(number)")) }
        }
        return days
    }

    private static func notADay(at field: String) -> FieldError {
        FieldError(field, "not_a_day", "A day, such as 2026-12-01.")
    }
}

/// What a series says of its rides, with the times of its first day on the wall.
private struct SaidRide {
    let draft: RideDraft
    /// Nil where it is not said when it leaves.
    let first: CivilDay?
    private let clocks: Zone?

    init(_ ride: RideDraft?, on weekdays: Set<Weekday>, insteadOf before: OfferedSeries?, within limits: RideLimits) {
        var said = ride ?? RideDraft()
        let zone = [said.zone, before?.draft.zone].compactMap { $0 }.first { !$0.isEmpty } ?? limits.zone
        (said.version, said.zone) = (nil, zone)
        clocks = Zone.named(zone)
        let day = clocks.flatMap { clocks in said.departsAt.flatMap { clocks.wallTime(in: $0)?.day } }
        first = before?.plan.first ?? day.map { SeriesPlan.first(from: $0, among: weekdays) }
        if let clocks, let first {
            said = said.onWall(of: clocks, later: first.number - (day ?? first).number)
            // In a change the day does not count: the way back stays as many days later as it was.
            if day == nil, before != nil {
                said = said.withWayBack(on: before?.draft.dayBack(on: clocks) ?? first, of: clocks)
            }
        }
        draft = before?.draft.saying(said) ?? said
    }

    /// - Parameter isNew: otherwise its first day may be over.
    func offers(at now: Date, within limits: RideLimits, isNew: Bool, _ errors: inout [FieldError]) -> RideOffers? {
        let departure = clocks.flatMap { draft.moments(on: $0, later: 0)?.departsAt }.flatMap {
            WireJSON.date(from: $0)
        }
        do {
            return try RideOffers(draft, at: isNew ? now : min(now, departure ?? now), within: limits)
        } catch {
            if case .invalid(let wrong) = error { errors += wrong.map { $0.inside("ride") } }
            return nil
        }
    }
}

extension RideDraft {
    /// With what was read of its words, and without what takes something away.
    fileprivate func written(as offers: RideOffers, in currency: String) -> RideDraft {
        var draft = self
        draft.stops = offers.outward.way.drafts
        draft.notes = offers.outward.notes
        if draft.cost?.amount == 0 { draft.cost = nil }
        if draft.leavesBy == "" { draft.leavesBy = nil }
        if draft.returnRide?.stops != nil { draft.returnRide?.stops = offers.back?.way.drafts }
        // Nobody has read the currency of nothing.
        draft.returnRide?.cost?.currency = currency
        if draft.returnRide?.leavesBy == "" { draft.returnRide?.leavesBy = nil }
        return draft
    }
}

extension OfferedSeries {
    init(_ offer: SeriesOffer, id: RideSeriesID, by driver: PersonID, at now: Date) {
        self.init(id: id, driver: driver, postedAt: now, draft: offer.draft, plan: offer.plan)
    }

    /// What the draft leaves out stays.
    func change(_ draft: RideSeriesDraft, at now: Date, within limits: RideLimits) throws(RideError) -> OfferedSeries {
        guard !isOver(at: now) else { throw .wrongState([]) }
        let offer = try SeriesOffer(draft, insteadOf: self, at: now, within: limits)
        var series = self
        (series.draft, series.plan) = (offer.draft, offer.plan)
        guard series == self || ContentVersion.allows(draft.version, version) else { throw .changedMeanwhile(version) }
        return series
    }
}
