import Hummingbird
import PlainText
import WireProtocol

/// `/cars/{id}`, `/spaces/{id}`, `/private-parking/{id}`: everything about one thing, and what one may do about it; strangers may look.
/// `from=` and `until=` say when one wants it.
struct ThingPage {
    struct Photo {
        var id: String
        var text: String
    }
    struct Fact {
        var icon: String
        var name: String
        var text: String
    }
    var id: String
    var back: String
    var backText: String
    var title: String
    var icon: String
    /// What the stream is listened to for.
    var box: String
    var since: String
    var cover: Photo?
    var photos: [Photo]
    var several: Bool
    var price: String
    var priced: Bool
    var what: String?
    var whereabouts: String?
    /// That nobody else finds it, and why.
    var notice: String?
    var hidden: String?
    var button: ThingButton
    var description: String?
    var facts: [Fact]
    var place: ThingPlace?
    var placeText: String
    /// When it is free; nil where that is not known just now.
    var months: MonthsView?
    var owner: ThingOwner
    var message: MessageButton?
    var report: String?
    /// That one has looked for it.
    var found: FoundBox?

    static func register(on routes: PageRoutes) {
        for kind in ThingKind.allCases {
            routes.get(RouterPath("\(kind.path)/{id}")) { visit in
                try visit.context.requireSoundSession()
                let since = visit.since
                let thing = try await thing(visit)
                guard thing.kind == kind else { return visit.leave(for: thing.path + visit.kept) }
                return try await show(thing, since: since, visit)
            }
        }
        // Whatever it is: chats and notices know it by its id alone.
        routes.get("/things/{id}") { visit in
            try visit.context.requireSoundSession()
            return visit.leave(for: try await thing(visit).path + visit.kept)
        }
        // Cases from before spots and things were told apart know both by their ids alone.
        routes.get("/posts/{id}") { visit in
            try visit.context.requireSoundSession()
            do {
                return visit.leave(for: try await thing(visit).path)
            } catch let error as ServiceError where error.code == .notFound {
                return visit.leave(for: "/spots/\(try visit.id(SpotID.self))")
            }
        }
    }

    static func thing(_ visit: Visit) async throws -> Thing {
        try await visit.ask(ListingsMethods.thing, ThingReference(id: visit.id()), Nothing())
    }

    private static func show(_ thing: Thing, since: String, _ visit: Visit) async throws -> Response {
        let asked = MonthsWindow(of: thing, chosen: visit.query("from"), in: visit)
        async let shown = visit.calendarUnlessAway(asked)
        // Whichever months are looked at.
        async let hold = ThingHold(of: thing, in: visit)
        async let owner = ThingOwner(of: thing, in: visit)
        async let found = FoundBox(of: Subject(thing.id), on: thing.path + visit.period, in: visit)
        let way = thing.isExact ? await thing.position.asyncMap { await WayView(to: $0, in: visit) } : nil
        let chosen = MonthsView.Choice(from: visit.query("from"), until: visit.query("until"))
        let months = try await shown.map {
            MonthsView($0.calendar, $0.window, .look, here: thing.path, chosen: chosen, in: visit.words)
        }
        var page = ThingPage(
            thing, try await hold, months, try await owner, way ?? WayView(), since: since, in: visit)
        page.found = await found
        let frame = PageFrame(
            title: thing.title, tab: .home, width: "", usesMap: page.place != nil,
            scripts: ["thing", "months"] + (page.place == nil ? [] : ["pinned", "way"]), styles: ["rentals"])
        return try await visit.page("things/thing", page, frame)
    }

    private init(
        _ thing: Thing, _ hold: ThingHold, _ months: MonthsView?, _ owner: ThingOwner, _ way: WayView, since: String,
        in visit: Visit
    ) {
        let words = visit.words
        id = thing.id.description
        back = visit.lastSearch(of: thing.kind)
        backText = words["things.back.\(thing.kind.rawValue)"]
        title = thing.title
        icon = thing.kind.icon
        box = BoundingBox(around: thing.position ?? visit.community.center, metres: 1000).written
        self.since = since
        let all = thing.photos.enumerated().map { number, photo in
            Photo(id: photo, text: words["things.photo", ["n": String(number + 1), "name": thing.title]])
        }
        cover = all.first
        photos = all
        several = all.count > 1
        price = thing.priceTag(in: words)
        priced = (thing.terms.price?.amount ?? 0) > 0
        what = thing.what(in: words)
        whereabouts = thing.whereabouts
        notice = thing.state == .listed ? nil : words["things.notice.\(thing.state.rawValue)"]
        hidden = thing.hidden.map { words["things.hidden", ["reason": $0.reason]] }
        button = ThingButton(thing, hold, period: visit.period, in: words)
        description = thing.description?.nonEmpty
        facts = Self.facts(thing, words)
        place = ThingPlace(of: thing, way, in: visit)
        placeText = place?.text ?? thing.whereabouts ?? words["things.nowhere"]
        self.months = months
        self.owner = owner
        message = MessageButton.about(thing, in: visit)
        report = thing.mine || !visit.isSignedIn ? nil : Subject(thing.id).reportHref
    }

    private static func facts(_ thing: Thing, _ words: Words) -> [Fact] {
        let (terms, unit) = (thing.terms, thing.terms.unit.rawValue)
        let isFree = (terms.price?.amount ?? 0) == 0
        var facts = [
            Fact(
                icon: "check", name: words["things.answer"],
                text: words[terms.isInstant ? "things.instant" : "things.answered"]),
            Fact(
                icon: "undo", name: words["things.cancelling"],
                text: words["things.cancellation.\(isFree ? "free" : "\(terms.cancellation.rawValue).\(unit)")"]),
        ]
        if let longest = terms.longest {
            let text = terms.unit.text(of: longest, in: words)
            facts.append(Fact(icon: "hourglass", name: words["things.longest.name"], text: text))
        }
        if let days = thing.available.flatMap({ Self.days($0, words) }) {
            facts.append(Fact(icon: "clock", name: words["things.available.name"], text: days))
        }
        if terms.unit == .hour {
            facts.append(Fact(icon: "globe", name: words["things.zone"], text: terms.zone.replacing("_", with: " ")))
        }
        if let plate = thing.plate {
            let text = words["things.plateOnlyYou", ["plate": plate]]
            facts.append(Fact(icon: "lock", name: words["things.plate"], text: text))
        }
        return facts
    }

    private static func days(_ available: AvailableDays, _ words: Words) -> String? {
        if let from = available.from, let until = available.until { return CivilText.period(from, until, in: words) }
        if let from = available.from {
            return words["things.available.from", ["day": CivilText.moment(from, in: words)]]
        }
        return available.until.map { words["things.available.until", ["day": CivilText.moment($0, in: words)]] }
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ change: (Wrapped) async -> Result) async -> Result? {
        guard let self else { return nil }
        return await change(self)
    }
}

extension Visit {
    /// When a thing is wanted, as a query to go on with.
    var period: String {
        guard let from = query("from")?.nonEmpty, let until = query("until")?.nonEmpty else { return "" }
        return "?from=\(LocalPath.encoded(from))&until=\(LocalPath.encoded(until))"
    }
}
