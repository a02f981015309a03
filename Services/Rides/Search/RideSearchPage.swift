import FoundationEssentials
import WireProtocol

/// One page of rides that go along a way: a checked `RideSearchQuery`.
struct RideSearchPage: Hashable, Sendable {
    /// Around a moment that is asked for.
    static let around: TimeInterval = 86_400
    static let longestWindow: TimeInterval = 7 * 86_400
    /// On either side, where nothing fits.
    static let beyond: TimeInterval = 3.5 * 86_400
    static let mostBeyond = 5

    let wish: RideWish
    /// The moment that was asked for; nil where a window was.
    let moment: Date?
    let seats: Int
    let luggage: RideLuggage
    let onlyFree: Bool
    let onlyVerified: Bool
    var limit: Int
    let after: FoundKey?

    /// - Throws: `invalid`.
    init(_ query: RideSearchQuery, at now: Date) throws(RideError) {
        var errors = Self.errors(inEndsOf: query)
        let hasWindow = query.after != nil || query.before != nil
        moment = hasWindow ? nil : query.at ?? now
        let times = Self.times(of: query, at: now, &errors)
        seats = query.seats ?? 1
        if !RideLimits.seatsAtOnce.contains(seats) {
            errors.append(FieldError("seats", "out_of_range", "1 to 8 seats."))
        }
        if let most = query.mostExtra, !RideLimits.extra.contains(most) {
            errors.append(FieldError("mostExtra", "out_of_range", "0 to 3,000,000 metres."))
        }
        luggage = query.luggage ?? .none
        (onlyFree, onlyVerified) = (query.onlyFree ?? false, query.onlyVerified ?? false)
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { FoundKey($0) }
        guard let times, errors.isEmpty else { throw .invalid(errors) }
        wish = RideWish(
            from: query.from, to: query.to, times: times, mayDetour: query.noDetour != true, mostExtra: query.mostExtra)
    }

    private static func errors(inEndsOf query: RideSearchQuery) -> [FieldError] {
        let errors =
            FieldRules.errors(inPoint: query.from, at: "from") + FieldRules.errors(inPoint: query.to, at: "to")
        guard errors.isEmpty, query.from.metres(to: query.to) < Double(RideLimits.shortestWay) else { return errors }
        return [FieldError("to", "too_close", "That is a walk.")]
    }

    private static func times(
        of query: RideSearchQuery, at now: Date, _ errors: inout [FieldError]
    ) -> ClosedRange<Date>? {
        let (past, over) = ("More than a day ago.", now - around)
        guard query.after != nil || query.before != nil else {
            let moment = query.at ?? now
            if moment < over { errors.append(FieldError("at", "in_past", past)) }
            return moment - around...moment + around
        }
        if query.at != nil {
            errors.append(FieldError("at", "not_allowed", "A moment or a window, not both."))
        }
        let from = query.after ?? query.before.map { $0 - around } ?? now
        let until = query.before ?? from + around
        guard from <= until else {
            errors.append(FieldError("before", "out_of_order", "The window ends before it begins."))
            return nil
        }
        if until < over { errors.append(FieldError(query.before == nil ? "after" : "before", "in_past", past)) }
        if until > from + longestWindow { errors.append(FieldError("before", "too_long", "At most seven days.")) }
        return from...until
    }

    /// The week around, where nothing fits. All else is as it is asked for.
    var wider: RideSearchPage {
        let times = moment.map { $0...$0 } ?? wish.times
        var wider = wish
        wider.times = times.lowerBound - Self.beyond...times.upperBound + Self.beyond
        return RideSearchPage(
            wish: wider, moment: moment, seats: seats, luggage: luggage, onlyFree: onlyFree,
            onlyVerified: onlyVerified, limit: Self.mostBeyond, after: nil)
    }

    private init(
        wish: RideWish, moment: Date?, seats: Int, luggage: RideLuggage, onlyFree: Bool, onlyVerified: Bool,
        limit: Int, after: FoundKey?
    ) {
        (self.wish, self.moment, self.seats, self.luggage) = (wish, moment, seats, luggage)
        (self.onlyFree, self.onlyVerified, self.limit, self.after) = (onlyFree, onlyVerified, limit, after)
    }

    /// Seconds that somebody who passes a point is later than asked for; nothing while they may be on time.
    func difference(_ departsAt: Date, _ leavesBy: Date, after metres: Int) -> Int? {
        guard let moment else { return nil }
        let seconds = RideWay.seconds(to: metres)
        let (earliest, latest) = (departsAt + seconds, leavesBy + seconds)
        let nearest = min(max(moment, earliest), latest)
        return Int(nearest.timeIntervalSince(moment).rounded())
    }
}

// Its text is the cursor of the page that follows. Opaque to everybody else.

extension FoundKey {
    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 3, let extra = Int(parts[0]), extra >= 0,
            let bits = UInt64(parts[1], radix: 16), let id = RideID(String(parts[2]))
        else { return nil }
        let seconds = Double(bitPattern: bits)
        guard seconds.isFinite else { return nil }
        self.init(extra: extra, departsAt: Date(timeIntervalSinceReferenceDate: seconds), id: id)
        // One text for one place.
        guard self.text == text else { return nil }
    }

    var text: String {
        "\(extra)~\(String(departsAt.timeIntervalSinceReferenceDate.bitPattern, radix: 16))~\(id)"
    }
}
