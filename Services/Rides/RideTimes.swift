import FoundationEssentials
import WireProtocol

/// When a ride leaves, as its driver says it: on the clocks of its zone, or as a moment. The only place where times on the wall become moments.
struct RideTimes: Hashable, Sendable {
    let departsAt: Date
    /// The same where it leaves at one time.
    let leavesBy: Date
    /// IANA's name.
    let zone: String
    /// Clocks are put back then, and show one of its times twice.
    let isShownTwice: Bool

    /// - Parameter before: the ride as it was: what is absent stays, and what was possible then is not asked for anew.
    /// - Returns: Nil where something is wrong, which `errors` names.
    init?(
        _ draft: RideDraft, insteadOf before: OfferedRide?, at now: Date, within limits: RideLimits,
        _ errors: inout [FieldError]
    ) {
        let name = draft.zone.flatMap { $0.isEmpty ? nil : $0 } ?? before?.zone ?? limits.zone
        guard let clocks = Zone.named(name) else {
            errors.append(FieldError("zone", "not_a_zone", "This is no time zone, such as America/Los_Angeles."))
            return nil
        }
        let departure = Self.departure(draft, insteadOf: before, clocks, &errors)
        if let moment = departure?.moment, moment != before?.departsAt {
            errors += Self.errors(inDeparture: moment, at: now, within: limits)
        }
        let end = Self.end(draft, insteadOf: before, after: departure?.moment, clocks, &errors)
        guard let departure, let end else { return nil }
        errors += Self.errors(inEnd: end.moment, after: departure.moment)
        self.init(
            departsAt: departure.moment, leavesBy: end.moment, zone: name,
            isShownTwice: departure.isShownTwice || end.isShownTwice)
    }

    private init(departsAt: Date, leavesBy: Date, zone: String, isShownTwice: Bool) {
        self.departsAt = departsAt
        self.leavesBy = leavesBy
        self.zone = zone
        self.isShownTwice = isShownTwice
    }

    private static func departure(
        _ draft: RideDraft, insteadOf before: OfferedRide?, _ clocks: Zone, _ errors: inout [FieldError]
    ) -> SaidTime? {
        if let text = draft.departsAt, !text.isEmpty { return SaidTime(text, on: clocks, at: "departsAt", &errors) }
        if draft.departsAt == nil, let before { return SaidTime(before.departsAt) }
        errors.append(FieldError("departsAt", "required", "Say when it leaves."))
        return nil
    }

    /// - Parameter departure: nil where that is wrong.
    private static func end(
        _ draft: RideDraft, insteadOf before: OfferedRide?, after departure: Date?, _ clocks: Zone,
        _ errors: inout [FieldError]
    ) -> SaidTime? {
        if let text = draft.leavesBy, !text.isEmpty {
            return SaidTime(text, on: clocks, at: "leavesBy", after: departure, &errors)
        }
        if draft.leavesBy == nil, let before, before.leavesBy > before.departsAt { return SaidTime(before.leavesBy) }
        // What leaves at one time goes on doing so.
        return departure.map { SaidTime($0) }
    }

    private static func errors(inDeparture moment: Date, at now: Date, within limits: RideLimits) -> [FieldError] {
        // Whoever posts what leaves now has typed for a while.
        if moment < now - 60 { return [FieldError("departsAt", "in_past", "This time is over.")] }
        guard moment <= now + limits.farthest else {
            return [FieldError("departsAt", "too_far_ahead", "At most \(limits.farthestDays) days ahead.")]
        }
        return []
    }

    private static func errors(inEnd end: Date, after departure: Date) -> [FieldError] {
        if end < departure { return [FieldError("leavesBy", "out_of_order", "Not before it leaves.")] }
        guard end <= departure + RideLimits.longestDeparture else {
            return [FieldError("leavesBy", "too_long", "At most 6 hours after it leaves.")]
        }
        return []
    }
}

/// A time that was read.
private struct SaidTime {
    var moment: Date
    var isShownTwice = false

    init(_ moment: Date) { self.moment = moment }

    /// Of a time that clocks show twice the first is meant that is not before another one.
    init?(_ text: String, on clocks: Zone, at field: String, after start: Date? = nil, _ errors: inout [FieldError]) {
        if let moment = WireJSON.date(from: text) {
            self.init(moment)
        } else if let time = WallTime(minutes: text) {
            let moments = clocks.moments(of: time)
            guard let moment = moments.first(where: { $0 >= start ?? $0 }) ?? moments.first else {
                errors.append(FieldError(field, "no_such_time", "Clocks go forward then; choose another time."))
                return nil
            }
            self.init(moment)
            isShownTwice = moments.count > 1
        } else {
            errors.append(FieldError(field, "not_a_time", "A time, such as 2026-03-06T17:00."))
            return nil
        }
    }
}
