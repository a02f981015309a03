import FoundationEssentials
import WireProtocol

/// A standing search for rides: what the search of this service may be asked, with a time, and all of it on one page. No I/O and no clock.
struct WantedRide: Hashable, Sendable {
    /// As it is kept: where a window has one end, the other one is filled in, and so is how much extra may be.
    let query: RideSearchQuery
    /// The same as the search reads it, which alone judges.
    let page: RideSearchPage

    /// - Throws: `invalid`, with fields of `WantedQuery`.
    init(_ wanted: WantedQuery, at now: Date) throws(RideError) {
        guard let query = wanted.rides, wanted.spots == nil, wanted.things == nil, wanted.deliverers == nil else {
            throw .invalid([FieldError("rides", "required", "Say from where to where.")])
        }
        let wish = try Self.page(query, at: now).wish
        var kept = query
        if query.at == nil { (kept.after, kept.before) = (wish.times.lowerBound, wish.times.upperBound) }
        kept.mostExtra = query.mostExtra ?? Self.usualExtra(on: wish.between)
        self.query = kept
        page = try Self.page(kept, at: now)
    }

    /// Five kilometres, or a tenth of the way, to the next kilometre: nobody is told at once of what hardly fits, unless they want that.
    static func usualExtra(on metres: Double) -> Int { max(5_000, Int((metres / 10_000).rounded(.up)) * 1_000) }

    private static func page(_ query: RideSearchQuery, at now: Date) throws(RideError) -> RideSearchPage {
        var (asked, errors) = (query, Self.errors(inFormOf: query))
        (asked.limit, asked.cursor) = (nil, nil)
        do throws(RideError) {
            var page = try RideSearchPage(asked, at: now)
            page.limit = SearchLook.most
            if errors.isEmpty { return page }
        } catch {
            guard case .invalid(let more) = error else { throw error }
            errors += more
        }
        throw .invalid(errors.map(\.ofRides))
    }

    /// What the search may be asked, and a standing one may not; and what it has to say.
    private static func errors(inFormOf query: RideSearchQuery) -> [FieldError] {
        var errors: [FieldError] = []
        let noPages = "A standing search has no pages."
        if query.limit != nil { errors.append(FieldError("limit", "not_allowed", noPages)) }
        if query.cursor != nil { errors.append(FieldError("cursor", "not_allowed", noPages)) }
        if query.at == nil, query.after == nil, query.before == nil {
            errors.append(FieldError("at", "required", "Say when."))
        }
        return errors
    }

    /// When it can find nothing any more: who leaves between two times is found as late as the later one.
    var until: Date { page.wish.times.upperBound + RideLimits.longestDeparture }

    /// Nobody begins to look for what is over.
    /// - Throws: `invalid`.
    func checkIsAhead(of now: Date) throws(RideError) {
        guard page.wish.times.upperBound <= now else { return }
        let field = query.at != nil ? "at" : "before"
        throw .invalid([FieldError(field, "in_past", "That is over.").ofRides])
    }
}

extension FieldError {
    /// The same of a search for rides among others.
    fileprivate var ofRides: FieldError { FieldError("rides.\(field)", code, message) }
}
