import Hummingbird
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
    /// A period in which nobody else can have it.
    struct Taken {
        var text: String
        /// Where it is one's own agreement.
        var href: String?
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
    var taken: [Taken]
    var anyTaken: Bool
    var free: String?
    var owner: ThingOwner
    var message: MessageButton?
    var report: String?

    static func register(on routes: PageRoutes) {
        for kind in ThingKind.allCases {
            routes.get(RouterPath("\(kind.path)/{id}")) { visit in
                try visit.context.requireSoundSession()
                let since = visit.since
                let thing = try await thing(visit)
                guard thing.kind == kind else { return visit.leave(for: thing.path + visit.period) }
                return try await show(thing, since: since, visit)
            }
        }
        // Whatever it is: chats and notices know it by its id alone.
        routes.get("/things/{id}") { visit in
            try visit.context.requireSoundSession()
            return visit.leave(for: try await thing(visit).path + visit.period)
        }
        // A post is a spot or a thing: reports know it by its id alone, too.
        routes.get("/posts/{id}") { visit in
            try visit.context.requireSoundSession()
            do {
                return visit.leave(for: try await thing(visit).path)
            } catch let error as ServiceError where error.code == .notFound {
                return visit.leave(for: "/spots/\(try visit.id(Spot.self))")
            }
        }
    }

    static func thing(_ visit: Visit) async throws -> Thing {
        try await visit.ask(ListingsMethods.thing, ThingReference(id: visit.id()), Nothing())
    }

    private static func show(_ thing: Thing, since: String, _ visit: Visit) async throws -> Response {
        async let calendar = visit.askUnlessAway(
            ListingsMethods.calendar, CalendarQuery(id: thing.id, kind: thing.kind))
        async let owner = ThingOwner(of: thing, in: visit)
        let way = thing.isExact ? await thing.position.asyncMap { await WayView(to: $0, in: visit) } : nil
        let page = ThingPage(
            thing, try await calendar, try await owner, way ?? WayView(), since: since, in: visit)
        let frame = PageFrame(
            title: thing.title, tab: .home, width: "", usesMap: page.place != nil,
            scripts: ["thing"] + (page.place == nil ? [] : ["pinned", "way"]))
        return try await visit.page("things/thing", page, frame)
    }

    private init(
        _ thing: Thing, _ calendar: ThingCalendar?, _ owner: ThingOwner, _ way: WayView, since: String, in visit: Visit
    ) {
        let words = visit.words
        id = thing.id.description
        back = visit.lastSearch(of: thing.kind)
        backText = words["things.back.\(thing.kind.rawValue)"]
        title = thing.title
        icon = thing.kind.icon
        box = Distance.box(around: thing.position ?? visit.community.center, metres: 1000).written
        self.since = since
        let all = thing.photos.enumerated().map { number, photo in
            Photo(id: photo, text: words["things.photo", ["n": String(number + 1), "name": thing.title]])
        }
        cover = all.first
        photos = all
        several = all.count > 1
        price = thing.terms.priceText(in: words)
        priced = (thing.terms.price?.amount ?? 0) > 0
        what = thing.what(in: words)
        whereabouts = thing.whereabouts
        notice = thing.state == .listed ? nil : words["things.notice.\(thing.state.rawValue)"]
        hidden = thing.hidden.map { words["things.hidden", ["reason": $0.reason]] }
        button = ThingButton(thing, calendar, period: visit.period, in: words)
        description = thing.description?.nonEmpty
        facts = Self.facts(thing, words)
        place = ThingPlace(of: thing, way, in: visit)
        placeText = place?.text ?? thing.whereabouts ?? words["things.nowhere"]
        taken =
            calendar?.taken.map { one in
                Taken(
                    text: WallTimes.period(from: one.from, until: one.until, in: words),
                    href: one.rental.map { "/rentals/\($0)" })
            } ?? []
        anyTaken = !taken.isEmpty
        free = words[calendar == nil ? "things.calendarAway" : "things.allFree"]
        self.owner = owner
        message = MessageButton.about(thing, in: visit)
        report = thing.mine || !visit.isSignedIn ? nil : ReportSubject(thing: thing.id).reportHref
    }

    private static func facts(_ thing: Thing, _ words: Words) -> [Fact] {
        let (terms, unit) = (thing.terms, thing.terms.unit.rawValue)
        let isFree = (terms.price?.amount ?? 0) == 0
        var facts = [
            Fact(icon: "check", name: words["things.answer"], text: words[terms.isInstant ? "things.instant" : "things.answered"]),
            Fact(
                icon: "undo", name: words["things.cancelling"],
                text: words[isFree ? "things.cancellation.free" : "things.cancellation.\(terms.cancellation.rawValue).\(unit)"]),
        ]
        if let longest = terms.longest {
            let text = words["things.longest.\(unit)", count: longest]
            facts.append(Fact(icon: "hourglass", name: words["things.longest.name"], text: text))
        }
        if let days = thing.available.flatMap({ Self.days($0, words) }) {
            facts.append(Fact(icon: "clock", name: words["things.available.name"], text: days))
        }
        if terms.unit == .hour {
            facts.append(Fact(icon: "globe", name: words["things.zone"], text: terms.zone))
        }
        if let plate = thing.plate {
            facts.append(Fact(icon: "lock", name: words["things.plate"], text: words["things.plateOnlyYou", ["plate": plate]]))
        }
        return facts
    }

    private static func days(_ available: AvailableDays, _ words: Words) -> String? {
        let from = available.from.map { WallTimes.text($0, in: words) }
        let until = available.until.map { WallTimes.text($0, in: words) }
        if let from, let until { return words["things.period", ["from": from, "until": until]] }
        if let from { return words["things.available.from", ["day": from]] }
        return until.map { words["things.available.until", ["day": $0]] }
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
    fileprivate var period: String {
        guard let from = query("from")?.nonEmpty, let until = query("until")?.nonEmpty else { return "" }
        return "?from=\(LocalPath.encoded(from))&until=\(LocalPath.encoded(until))"
    }
}
