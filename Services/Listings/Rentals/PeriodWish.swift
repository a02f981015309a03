import FoundationEssentials
import WireProtocol

// What somebody looks for among things whose clocks differ. No I/O and no clock.

/// Days or hours on the wall, wherever a thing is.
struct PeriodWish: Hashable, Sendable {
    private let from: Edge
    private let until: Edge

    private enum Edge: Hashable, Sendable {
        case day(CivilDay)
        case hour(WallTime)

        init?(_ text: String?) {
            guard let text else { return nil }
            if let hour = WallTime(text) {
                self = .hour(hour)
            } else if let day = CivilDay(text) {
                self = .day(day)
            } else {
                return nil
            }
        }
    }

    /// Nil where nothing is said, or something that can't be read, which `errors` names.
    init?(from: String?, until: String?, _ errors: inout [FieldError]) {
        if from == nil, until == nil { return nil }
        let (first, last) = (Edge(from), Edge(until))
        if first == nil { errors.append(Self.unreadable("from")) }
        if last == nil { errors.append(Self.unreadable("until")) }
        guard let first, let last else { return nil }
        (self.from, self.until) = (first, last)
        guard begin.seconds < end.seconds else {
            errors.append(RentalPeriod.reversed)
            return nil
        }
    }

    private static func unreadable(_ field: String) -> FieldError {
        FieldError(field, "not_a_day", "A day, such as 2026-12-01, or an hour, such as 2026-12-01T14:00.")
    }

    private var begin: WallTime {
        switch from {
        case .day(let day): WallTime(day)
        case .hour(let hour): hour
        }
    }

    /// The first second that is no part of it.
    private var end: WallTime {
        switch until {
        case .day(let day): WallTime(day + 1)
        case .hour(let hour): hour
        }
    }

    /// As somebody would ask for it who rents by this unit there: all days of which it has something; the hours of its days.
    func draft(by unit: RentalUnit, in zone: Zone) -> PeriodDraft {
        switch unit {
        case .day:
            PeriodDraft(from: begin.day.text, until: WallTime(seconds: end.seconds - 1).day.text)
        case .hour:
            PeriodDraft(from: firstHour(in: zone).text, until: end.text)
        }
    }

    /// A day begins with its first hour, which is another one where clocks are put forward at midnight.
    private func firstHour(in zone: Zone) -> WallTime {
        guard case .day(let day) = from, zone.has(day) else { return begin }
        return zone.wallTime(at: zone.start(of: day))
    }
}

/// By which clock things of a kind are let.
struct ThingClock: Hashable, Sendable {
    var kind: ThingKind
    /// IANA's name.
    var zone: String
}

/// A period that is looked for, among the things of one clock.
struct WantedPeriod: Hashable, Sendable {
    var clock: ThingClock
    var period: RentalPeriod
}

extension PeriodWish {
    /// The period on each of these clocks. A clock on which nobody could ask for it is left out.
    /// - Throws: `invalid` where that is so on all of them.
    func periods(
        on clocks: [ThingClock], at now: Date, within limits: RentalLimits
    ) throws(RentalError) -> [WantedPeriod] {
        var wanted: [WantedPeriod] = []
        var refusal: RentalError?
        for clock in clocks {
            guard let zone = Zone.named(clock.zone) else { continue }
            do throws(RentalError) {
                wanted.append(WantedPeriod(clock: clock, period: try period(on: clock, zone, at: now, within: limits)))
            } catch {
                // What is said is said of the community's own clock, where things are let by it.
                if refusal == nil || clock.zone == limits.zone { refusal = error }
            }
        }
        if wanted.isEmpty, let refusal { throw refusal }
        return wanted
    }

    private func period(
        on clock: ThingClock, _ zone: Zone, at now: Date, within limits: RentalLimits
    ) throws(RentalError) -> RentalPeriod {
        let unit = clock.kind.unit
        let period = try RentalPeriod(draft(by: unit, in: zone), unit: unit, in: zone)
        let errors = period.errors(by: unit, in: zone, at: now, within: limits)
        guard errors.isEmpty else { throw .invalid(errors) }
        return period
    }
}
