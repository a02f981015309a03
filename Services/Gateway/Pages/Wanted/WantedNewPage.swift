import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/wanted/new?of=cars&…`: what one would be told of, how often that would be, and what of it is there already. The search stands in the address, as that of
/// its list does; free spots around no point yet ask for one first.
struct WantedNewPage {
    /// What goes along with the form.
    struct Kept {
        var name: String
        var value: String
    }

    /// Another distance, another way that is extra, or another end.
    struct Reach {
        var href: String
        var text: String
        var chosen: Bool
        /// Metres.
        var value = ""
    }

    var list: String
    var sentence: String
    /// Why there is nothing to make, or was not made.
    var problem: String?
    /// To one's searches, where these are too many.
    var mine: String?
    var often: String?
    var fits: String?
    /// Whether there is something to look at.
    var any: Bool
    var reaches: [Reach]
    var hasReaches: Bool
    var reachesText: String
    /// Whether they are buttons of the form, whose box stays as it is so.
    var reachesInForm = false
    /// How long it may look.
    var times: [Reach] = []
    var hasTimes = false
    /// Where it is changed.
    var change: String
    var changeText: String
    var kept: [Kept]
    /// Where others can see who seeks this.
    var visible: WantedVisible?
    var key: String
    var mayMake: Bool
    /// Whether they are asked before it ends: what ends by its own words only ends.
    var asksFirst: Bool
    /// Whether no extra way is chosen, so that the usual one holds.
    var usualExtra: Bool

    static func path(_ pairs: [(String, String)]) -> String {
        "\(WantedPages.path)/new?" + pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
    }

    static func register(on routes: PageRoutes) {
        routes.get("/wanted/new") { visit in
            try visit.context.requirePerson()
            return try await look(SubmittedForm(try visit.asked.get()), visit)
        }
        routes.post("/wanted/new") { visit in
            try visit.context.requirePerson()
            return try await make(try await visit.form(), visit)
        }
    }

    private static func look(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var search = try await WantedSearch(form, in: visit)
        if case .spots(let spots) = search, spots.near == nil || spots.isForm {
            // The form's own address has all of its fields.
            return spots.errors.isEmpty && spots.near != nil
                ? visit.redirect(to: search.path) : try await WantedPlacePage.show(spots, visit)
        }
        if case .deliverers(let deliverers) = search,
            let asking = try await WantedDeliverersPage.asking(for: deliverers, form, visit)
        {
            return asking
        }
        guard let query = search.query else { return try await show(search, nil, visit, refusal: .invalid) }
        do {
            let draft = WantedDraft(query: query)
            let estimate = try await visit.ask(MatchingMethods.estimateWanted, Nothing(), draft)
            return try await show(search, estimate, visit)
        } catch let error as ServiceError where error.code == .invalid {
            search.refuse(error)
            return try await show(search, nil, visit, refusal: error.code)
        }
    }

    private static func make(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var search = try await WantedSearch(form, in: visit)
        if case .spots(let spots) = search, spots.near == nil {
            return try await WantedPlacePage.show(spots, visit, refusal: .invalid)
        }
        if case .deliverers(let deliverers) = search, deliverers.wanted == nil {
            return try await WantedDeliverersPage.show(deliverers, visit, refusal: .invalid)
        }
        if case .rides(var rides) = search, let extra = form["go"].nonEmpty {
            // Another way that is extra: it is said anew what one would be told of, and the box is as it was ticked.
            rides.mostExtra = Int(extra)
            return visit.redirect(to: path(rides))
        }
        let key = Visit.key(form)
        guard let query = search.query else {
            return try await show(search, nil, visit, key: key, refusal: .invalid)
        }
        do {
            let draft = WantedDraft(query: query, isVisible: search.isVisible == true ? true : nil)
            let wanted = try await visit.command(MatchingMethods.postWanted, Nothing(), draft, of: form)
            return visit.redirect(to: wanted.path, done: "made")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: WantedPages.path, done: "wanted.before")
        } catch let error as ServiceError where error.code != .unauthenticated {
            search.refuse(error)
            let problem = search.errors.isEmpty ? visit.told(error) : nil
            return try await show(search, nil, visit, key: key, refusal: error.code) { page in
                page.problem = problem ?? page.problem
                page.mine = error.code == .tooManyWanted ? WantedPages.path : nil
                // What was refused for what it says is not sent again as it is.
                page.mayMake = error.code != .invalid
            }
        }
    }

    private static func show(
        _ search: WantedSearch, _ estimate: WantedEstimate?, _ visit: Visit, key: String = Visit.newKey(),
        refusal: ErrorCode? = nil, with: (inout WantedNewPage) -> Void = { _ in }
    ) async throws -> Response {
        var page = WantedNewPage(search, estimate, key: key, in: visit)
        if let draft = search.draft { page.sentence = await visit.sentence(of: draft, knowing: search.names) }
        with(&page)
        page.reachesInForm = page.hasReaches && page.mayMake && page.visible != nil
        let frame = PageFrame(title: visit.words["wanted.new.title"], tab: .home)
        let status = refusal.map { ProblemStatus.status(of: $0) } ?? .ok
        return try await visit.page("wanted/new", page, frame, status: status)
    }

    private init(_ search: WantedSearch, _ estimate: WantedEstimate?, key: String, in visit: Visit) {
        let words = visit.words
        list = search.list
        sentence = ""
        self.key = key
        let wrong = search.errors.messages.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")
        let isTooWide = estimate?.isTooWide ?? false
        mayMake = wrong.isEmpty && !isTooWide
        // How much is too much is the operator's to say: no number here.
        often = isTooWide ? nil : estimate.map { WantedOften.text($0, in: words) }
        fits = estimate.map { WantedOften.fitting($0, in: words) }
        any = (estimate?.fitting ?? 0) > 0
        kept = search.pairs.map { Kept(name: $0.0, value: $0.1) }
        visible = search.isVisible.map { WantedVisible(isOn: $0) }
        reachesText = words["wanted.place.radius"]
        switch search {
        case .spots(let spots):
            problem = isTooWide ? words["field.wantedRadius.too_wide"] : wrong.isEmpty ? nil : wrong
            change = Self.path(WantedSpots.pairs(near: nil, radius: spots.radius))
            changeText = words["wanted.new.elsewhere"]
            reaches = spots.reaches.map { radius in
                Reach(
                    href: Self.path(WantedSpots.pairs(near: spots.near, radius: radius)),
                    text: Distance.reach(radius, in: words), chosen: radius == spots.radius)
            }
        case .things(let things):
            problem = isTooWide ? words["field.\(things.wantedTopic).too_wide"] : wrong.isEmpty ? nil : wrong
            change = list
            changeText = words["wanted.new.change"]
            reaches = []
        case .rides(let rides):
            problem = isTooWide ? words["field.wantedRides.too_wide"] : wrong.isEmpty ? nil : wrong
            change = list
            changeText = words["wanted.new.change"]
            reaches = Self.reaches(rides, in: words)
            reachesText = words["wanted.edit.extra"]
        case .deliverers(let deliverers):
            problem = isTooWide ? deliverers.tooWide(in: words) : wrong.isEmpty ? nil : wrong
            change = Self.path(deliverers.pairs + [("change", "yes")])
            changeText = words["wanted.new.change"]
            reaches = deliverers.otherReaches(in: words)
            times = WantedUntil.links(deliverers, in: visit)
        }
        usualExtra = search.draft?.rides.map { $0.mostExtra == nil } ?? false
        asksFirst = search.draft.map { !$0.endsByItsWords } ?? false
        (hasReaches, hasTimes) = (!reaches.isEmpty, !times.isEmpty)
    }

    /// How much extra may be.
    private static func reaches(_ search: RideSearch, in words: Words) -> [Reach] {
        guard search.wanted != nil else { return [] }
        let most = Set(RideSearch.extras + [search.mostExtra].compactMap(\.self)).sorted()
        return most.map { metres in
            var other = search
            other.mostExtra = metres
            return Reach(
                href: path(other), text: words["rides.filter.extra", ["extra": Distance.reach(metres, in: words)]],
                chosen: metres == search.mostExtra, value: String(metres))
        }
    }

    private static func path(_ search: RideSearch) -> String {
        path(search.wantedPairs + (search.isVisible ? [("visible", "yes")] : []))
    }
}

/// The point around which free spots are looked for, and how far (`wanted/place`).
struct WantedPlacePage {
    var form: WantedSpotsForm
    /// What script makes of one's own position.
    var here: String

    static func show(_ spots: WantedSpots, _ visit: Visit, refusal: ErrorCode? = nil) async throws -> Response {
        let here = WantedNewPage.path(WantedSpots.pairs(near: nil, radius: spots.radius))
        let page = WantedPlacePage(form: WantedSpotsForm(spots, in: visit), here: here)
        let frame = PageFrame(
            title: visit.words["wanted.place.title"], tab: .map, scripts: ["combobox", "wantedplace"])
        let isWrong = refusal != nil || !spots.errors.isEmpty
        return try await visit.page(
            "wanted/place", page, frame, status: isWrong ? .unprocessableContent : .ok)
    }
}

/// The fields of free spots that are looked for (`wanted/spots`).
struct WantedSpotsForm {
    var place: PlaceField
    var radius: Field

    init(_ spots: WantedSpots, in visit: Visit) {
        let words = visit.words
        var fields = [
            Field("place", words["wanted.place.around"]).with {
                $0.required = true
                $0.hint = words["wanted.place.hint"]
            },
            Field("radius", words["wanted.place.radius"]).with {
                $0.options = spots.reaches.map { radius in
                    Field.Option(
                        value: String(radius), text: Distance.reach(radius, in: words), chosen: radius == spots.radius)
                }
            },
        ]
        spots.errors.mark(&fields)
        place = PlaceField(fields[0], spots.around, near: spots.near ?? visit.community.center, in: visit)
        radius = fields[1]
    }
}
