import FoundationEssentials
import WireProtocol

/// Whole days, or whole hours, of a thing in its own time zone.
///
/// Days are given by the first and the last: whoever has a car from the 1st to the 4th pays for four days. Hours are those that pass: a night
/// in which clocks are put back has one more than they show. This is the only place where times on the wall become moments: calendar, quote,
/// booking and search ask it, and the database compares moments.
struct RentalPeriod: Hashable, Sendable {
    let from: String
    let until: String
    let zone: String
    let startsAt: Date
    let endsAt: Date
    let units: Int

    /// - Throws: `invalid` with all that is wrong.
    init(_ draft: PeriodDraft, unit: RentalUnit, in zone: Zone) throws(RentalError) {
        switch unit {
        case .day: try self.init(days: draft, in: zone)
        case .hour: try self.init(hours: draft, in: zone)
        }
    }

    /// As it was stored.
    init(from: String, until: String, zone: String, startsAt: Date, endsAt: Date, units: Int) {
        self.from = from
        self.until = until
        self.zone = zone
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.units = units
    }

    private init(days draft: PeriodDraft, in zone: Zone) throws(RentalError) {
        let (first, last) = (CivilDay(draft.from), CivilDay(draft.until))
        guard let first, let last else {
            throw .invalid(Self.unreadable(first == nil, last == nil, "not_a_day", "A day, such as 2026-12-01."))
        }
        guard first <= last else { throw .invalid([Self.reversed]) }
        // Where a country changed sides of the date line there is a day less.
        guard zone.has(first) else {
            throw .invalid([FieldError("from", "no_such_day", "The calendar there passes over this day.")])
        }
        let (start, end) = (zone.start(of: first), zone.start(of: last + 1))
        self.init(
            from: first.text, until: last.text, zone: zone.name, startsAt: start, endsAt: end,
            units: Int((end.timeIntervalSince(start) / 86400).rounded()))
    }

    private init(hours draft: PeriodDraft, in zone: Zone) throws(RentalError) {
        let (first, last) = (WallTime(draft.from), WallTime(draft.until))
        guard let first, let last else {
            throw .invalid(
                Self.unreadable(first == nil, last == nil, "not_an_hour", "A whole hour, such as 2026-12-01T14:00."))
        }
        // What ends where clocks change ends when they do, so that one period ends where the next one begins. An hour that clocks show twice is one
        // that lasts two.
        guard let start = zone.moments(of: first).first else {
            throw .invalid([FieldError("from", "no_such_time", "Clocks are put forward over this hour.")])
        }
        let end = zone.firstMoment(of: last)
        guard start < end else { throw .invalid([Self.reversed]) }
        self.init(
            from: first.text, until: last.text, zone: zone.name, startsAt: start, endsAt: end,
            units: Int((end.timeIntervalSince(start) / 3600).rounded(.up)))
    }

    static let reversed = FieldError("until", "before_from", "It ends before it begins.")

    private static func unreadable(
        _ from: Bool, _ until: Bool, _ code: String, _ message: String
    ) -> [FieldError] {
        (from ? [FieldError("from", code, message)] : []) + (until ? [FieldError("until", code, message)] : [])
    }
}

extension RentalPeriod {
    /// What is wrong with asking for it.
    func errors(of thing: RentableThing, in zone: Zone, at now: Date, within limits: RentalLimits) -> [FieldError] {
        errors(by: thing.terms.unit, longest: thing.terms.longest, in: zone, at: now, within: limits)
            + (thing.details.available?.errors(outside: self) ?? [])
    }

    /// What is wrong with asking for it, whatever the thing says.
    /// - Parameter longest: the most units of one agreement about the thing.
    func errors(
        by unit: RentalUnit, longest: Int? = nil, in zone: Zone, at now: Date, within limits: RentalLimits
    ) -> [FieldError] {
        var errors: [FieldError] = []
        if firstEnds(by: unit, in: zone) <= now { errors.append(FieldError("from", "past", "This is over already.")) }
        if let firstDay, firstDay > limits.lastDay(in: zone, at: now) {
            errors.append(FieldError("from", "too_late", "At most \(limits.farthestDays) days from now."))
        }
        let longest = min(longest ?? .max, limits.longest(unit))
        if units > longest { errors.append(FieldError("until", "too_long", "At most \(longest) \(unit.rawValue)s.")) }
        return errors
    }

    /// A day that has begun can still be had; an hour too. Neither is always as long as another.
    func firstEnds(by unit: RentalUnit, in zone: Zone) -> Date {
        switch unit {
        case .day: firstDay.map { zone.start(of: $0 + 1) } ?? endsAt
        case .hour: WallTime(from).map { zone.end(ofHour: $0) } ?? endsAt
        }
    }
}

extension RentalTerms {
    /// For so many units; nil where it costs nothing.
    func cost(of units: Int) -> Money? { price.map { Money(amount: $0.amount * units, currency: $0.currency) } }
}
