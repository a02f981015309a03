import WireProtocol

/// The first and the last day on which its owner lets a thing, in its own time; open where one is nil.
struct LetDays: Hashable, Sendable {
    var first: CivilDay?
    var last: CivilDay?

    /// Nil where neither is said: it is let always.
    init?(first: CivilDay?, last: CivilDay?) {
        if first == nil, last == nil { return nil }
        (self.first, self.last) = (first, last)
    }

    /// What cannot be read is left out here, and named by `errors`.
    init?(_ days: AvailableDays?) {
        self.init(first: days?.from.flatMap { CivilDay($0) }, last: days?.until.flatMap { CivilDay($0) })
    }

    static func errors(in days: AvailableDays?) -> [FieldError] {
        guard let days else { return [] }
        var errors: [FieldError] = []
        for (text, field) in [(days.from, "available.from"), (days.until, "available.until")] {
            if let text, CivilDay(text) == nil {
                errors.append(FieldError(field, "not_a_day", "A day, such as 2026-12-01."))
            }
        }
        if let read = LetDays(days), let first = read.first, let last = read.last, last < first {
            errors.append(FieldError("available.until", "before_from", "It ends before it begins."))
        }
        return errors
    }

    /// What is wrong with a period of which a part lies outside.
    func errors(outside period: RentalPeriod) -> [FieldError] {
        var errors: [FieldError] = []
        if let first, let from = period.firstDay, from < first {
            errors.append(FieldError("from", "not_available", "It is let from \(first.text) on."))
        }
        if let last, let until = period.lastDay, until > last {
            errors.append(FieldError("until", "not_available", "It is let until \(last.text)."))
        }
        return errors
    }
}

extension AvailableDays {
    init(_ days: LetDays) { self.init(from: days.first?.text, until: days.last?.text) }
}

extension RentalPeriod {
    /// The first day of which it has something.
    var firstDay: CivilDay? { CivilDay(from) ?? WallTime(from)?.day }

    /// The last one. What ends at midnight has nothing of the day that begins then.
    var lastDay: CivilDay? { CivilDay(until) ?? WallTime(until).map { WallTime(seconds: $0.seconds - 1).day } }
}
