import HTTPTypes
import Hummingbird
import WireProtocol

/// `/rides/search`: the rides that fit, the fewest extra metres first, each with why it is in the list. What is looked for is in the address.
/// Anybody may look.
struct RideSearchPage {
    struct Choice {
        var href: String
        var text: String
        var chosen: Bool
    }

    var tabs: [PageLink]
    var heading: String
    var search: RideSearchForm
    /// Whether there is something to do in the form.
    var isOpen: Bool
    var problem: String?
    var filters: [Choice]
    var luggage: [Choice]
    var said: String
    var cards: [RideCard]
    var any: Bool
    var none: Bool
    /// Whether something narrows the list.
    var all: String?
    var beyond: [RideCard]
    var hasBeyond: Bool
    /// Where one says that they want to be told of rides that fit; nil where something is wrong.
    var tell: String?
    var offerHref = OfferPages.path
    var more: String?

    static func register(on routes: PageRoutes) {
        routes.get("/rides/search") { visit in
            try visit.context.requireSoundSession()
            var search = await RideSearch(in: visit)
            if search.isForm, search.errors.isEmpty { return visit.redirect(to: search.path()) }
            let found = try await found(&search, visit)
            let page = RideSearchPage(found, search, in: visit)
            if visit.isFragment, visit.fragmentTarget == "more" { return visit.fragment("rides/rows", page) }
            let frame = PageFrame(
                title: page.heading, tab: .home, width: "middle", scripts: ["combobox"], styles: ["rides"])
            guard search.errors.isEmpty else {
                return try await visit.page("rides/search", page, frame, status: .unprocessableContent)
            }
            return visit.remembering(search, in: try await visit.page("rides/search", page, frame))
        }
    }

    /// Nothing where what is looked for is wrong, which the search says then.
    private static func found(_ search: inout RideSearch, _ visit: Visit) async throws -> FoundRides {
        guard search.errors.isEmpty, let query = search.question(cursor: visit.query("cursor")) else {
            return FoundRides(items: [])
        }
        do {
            return try await visit.ask(RidesMethods.search, query, Nothing())
        } catch let error as ServiceError where error.code == .invalid {
            search.refuse(error)
            return FoundRides(items: [])
        }
    }

    private init(_ found: FoundRides, _ search: RideSearch, in visit: Visit) {
        let words = visit.words
        let isRight = search.errors.isEmpty
        tabs = RideTabs(.find, in: words).tabs
        heading = isRight ? search.said(in: words) : words["rides.search.title"]
        self.search = RideSearchForm(search, in: visit)
        isOpen = !isRight
        problem = isRight ? nil : words["rides.search.wrong"]
        filters = isRight ? Self.filters(search, in: visit) : []
        luggage = isRight ? Self.luggage(search, in: words) : []
        let seats = Int(search.seats) ?? 1
        cards = found.items.map { RideCard($0, search, seats: seats, in: visit) }
        beyond = found.beyond.map { RideCard($0, search, seats: seats, in: visit) }
        hasBeyond = !beyond.isEmpty
        any = !cards.isEmpty
        none = cards.isEmpty && isRight
        let number = found.next == nil ? String(cards.count) : "\(cards.count)+"
        said = words["rides.count", ["n": number], count: cards.count]
        let isNarrow =
            search.onlyFree || search.onlyVerified || search.noDetour || search.luggage != nil
            || search.mostExtra != nil
        all = isNarrow ? search.widened.path() : nil
        tell = isRight ? search.tell(at: visit.now, in: visit.community.zone) : nil
        more = found.next.map { search.path(cursor: $0) }
    }

    private static func filters(_ search: RideSearch, in visit: Visit) -> [Choice] {
        func choice(_ name: String, _ field: WritableKeyPath<RideSearch, Bool>) -> Choice {
            var other = search
            other[keyPath: field].toggle()
            return Choice(
                href: other.path(), text: visit.words["rides.filter.\(name)"], chosen: search[keyPath: field])
        }
        let verified = visit.community.campuses.all.isEmpty ? [] : [choice("verified", \.onlyVerified)]
        return [choice("free", \.onlyFree), choice("noDetour", \.noDetour)] + verified + extra(search, in: visit.words)
    }

    /// How much extra may be, where that is said.
    private static func extra(_ search: RideSearch, in words: Words) -> [Choice] {
        guard let metres = search.mostExtra else { return [] }
        var other = search
        other.mostExtra = nil
        let text = words["rides.filter.extra", ["extra": Distance.reach(metres, in: words)]]
        return [Choice(href: other.path(), text: text, chosen: true)]
    }

    /// What has to fit in; pressed once more it may be anything again.
    private static func luggage(_ search: RideSearch, in words: Words) -> [Choice] {
        RideLuggage.allCases.filter { $0 != .none }.map { luggage in
            var other = search
            other.luggage = search.luggage == luggage ? nil : luggage
            return Choice(
                href: other.path(), text: words["rides.filter.luggage.\(luggage.rawValue)"],
                chosen: search.luggage == luggage)
        }
    }
}

extension RideSearch {
    /// The same without what narrows the list.
    fileprivate var widened: RideSearch {
        var other = self
        (other.luggage, other.onlyFree, other.onlyVerified, other.noDetour) = (nil, false, false, false)
        other.mostExtra = nil
        return other
    }
}
