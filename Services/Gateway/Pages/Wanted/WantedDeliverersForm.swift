import FoundationEssentials
import HTTPTypes
import Hummingbird
import WireProtocol

/// The fields of somebody who can bring something (`wanted/deliverers`).
struct WantedDeliverersForm {
    var sources: [Field.Option]
    var restaurant: PlaceField
    /// See `WantedDeliverers.keptRestaurant`.
    var kept: String?
    var near: PlaceField
    var radius: Field
    var to: PlaceField
    var until: Field

    init(_ search: WantedDeliverers, in visit: Visit) {
        let words = visit.words
        var fields = [
            Field("restaurant", words["orders.form.restaurant"]), Field("near", words["orders.form.around"]),
            Field("radius", words["orders.form.radius"]).with {
                $0.options = search.reaches.map { radius in
                    Field.Option(
                        value: String(radius), text: Distance.reach(radius, in: words),
                        chosen: radius == search.radius)
                }
            },
            Field("to", words["orders.form.to"]).with {
                $0.optional = true
                $0.hint = words["wanted.deliverers.toHint"]
            },
            Field("until", words["wanted.deliverers.until"]).with {
                $0.options = WantedUntil.options(search, in: visit)
            },
        ]
        search.errors.mark(&fields)
        let center = search.to.chosen?.position ?? visit.community.center
        sources = WantedDeliverers.Source.allCases.map { source in
            Field.Option(
                value: source.rawValue, text: words["wanted.deliverers.source.\(source.rawValue)"],
                chosen: source == search.source)
        }
        restaurant = PlaceField(fields[0], search.restaurant.answer, near: center, of: .restaurant, in: visit)
        kept = search.keptRestaurant
        near = PlaceField(fields[1], search.near, near: center, in: visit)
        to = PlaceField(fields[3], search.to, near: search.near.chosen?.position ?? center, in: visit)
        (radius, until) = (fields[2], fields[4])
    }
}

/// How long one may look for somebody who brings something.
enum WantedUntil {
    /// Until the day is over, or until one says so; and what was said, where that is something else.
    static func options(_ search: WantedDeliverers, in visit: Visit) -> [Field.Option] {
        let (words, today) = (visit.words, WantedDeliverers.endOfToday(in: visit))
        func option(_ time: Date?, _ text: String) -> Field.Option {
            Field.Option(value: time.map { WireJSON.text(of: $0) } ?? "", text: text, chosen: time == search.until)
        }
        var options = today.map { [option($0, words["wanted.deliverers.today"])] } ?? []
        if let until = search.until, until != today {
            let time = CivilText.moment(until, in: visit.community.zone, words)
            options.append(option(until, words["wanted.deliverers.upTo", ["time": time]]))
        }
        return options + [option(nil, words["wanted.deliverers.always"])]
    }

    /// The same as links to what one would be told of then.
    static func links(_ search: WantedDeliverers, in visit: Visit) -> [WantedNewPage.Reach] {
        options(search, in: visit).map { option in
            var other = search
            other.until = WireJSON.date(from: option.value)
            return WantedNewPage.Reach(
                href: WantedNewPage.path(other.pairs), text: option.text, chosen: option.chosen)
        }
    }
}

extension WantedDeliverers {
    /// Links to other distances; none where it is one restaurant.
    func otherReaches(in words: Words) -> [WantedNewPage.Reach] {
        guard source == .around else { return [] }
        return reaches.map { metres in
            var other = self
            other.radius = metres
            return WantedNewPage.Reach(
                href: WantedNewPage.path(other.pairs), text: Distance.reach(metres, in: words),
                chosen: metres == radius)
        }
    }
}

/// Where somebody is looked for who can bring something, and where it is wanted (`wanted/deliverers-where`).
struct WantedDeliverersPage {
    var form: WantedDeliverersForm
    var back: String
    /// What script makes of one's own position.
    var here: String

    /// The page that asks for it, where too little is said or where it is to be changed.
    /// - Parameter form: as the address says it.
    /// - Returns: nil where all is said.
    static func asking(
        for search: WantedDeliverers, _ form: SubmittedForm, _ visit: Visit
    ) async throws -> Response? {
        if search.isForm, search.errors.isEmpty {
            // The form's own address has all of its fields.
            return visit.redirect(to: WantedNewPage.path(search.pairs))
        }
        guard search.isForm || search.wanted == nil || form["change"] == "yes" else { return nil }
        return try await show(search, visit)
    }

    static func show(
        _ search: WantedDeliverers, _ visit: Visit, refusal: ErrorCode? = nil
    ) async throws -> Response {
        var search = search
        await search.nameRestaurant(in: visit)
        var other = search
        other.source = .around
        other.near = PlaceAnswer()
        let page = WantedDeliverersPage(
            form: WantedDeliverersForm(search, in: visit), back: search.list, here: WantedNewPage.path(other.pairs))
        let frame = PageFrame(
            title: visit.words["wanted.deliverers.title"], tab: .home, scripts: ["combobox", "wantedplace"],
            styles: ["deliveries"])
        let isWrong = refusal != nil || !search.errors.isEmpty
        return try await visit.page(
            "wanted/deliverers-where", page, frame, status: isWrong ? .unprocessableContent : .ok)
    }
}
