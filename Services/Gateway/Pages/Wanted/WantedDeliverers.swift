import FoundationEssentials
import PlainText
import WireProtocol

/// Somebody who can bring something, from one restaurant or from any around a place, as an address or a form says it.
struct WantedDeliverers {
    enum Source: String, CaseIterable { case restaurants, around }

    static let name = "deliverers"
    /// How an address says that it looks until the day is over.
    static let today = "today"
    /// Metres that are offered.
    static let radii = [200, 400, 700, 1000, 2000, 5000]
    static let usual = 400
    /// What may be said, as `/v1` takes it.
    private static let possible = 50...5000

    var source: Source
    var restaurant: RestaurantAnswer
    var near: PlaceAnswer
    var radius: Int
    /// Where it is to be brought.
    var to: PlaceAnswer
    /// When it ends by itself.
    var until: Date?
    /// Whether this is the form as it was sent, whose address says the same in more words.
    let isForm: Bool
    var errors: FieldErrors

    init(_ form: SubmittedForm, in visit: Visit) async {
        isForm = form.fields["source"] != nil
        source = Source(rawValue: form["source"]) ?? (form["near"].isEmpty ? .restaurants : .around)
        restaurant = Self.restaurant(form).map { RestaurantAnswer(of: $0) } ?? RestaurantAnswer(form, "restaurant")
        near = await Self.place("near", form, in: visit)
        radius = Int(form["radius"]).flatMap { Self.possible.contains($0) ? $0 : nil } ?? Self.usual
        to = await Self.place("to", form, in: visit)
        errors = FieldErrors(visit.words)
        until = form["until"] == Self.today ? Self.endOfToday(in: visit) : WireJSON.date(from: form["until"])
        if until == nil, !form["until"].isEmpty { errors.add("until", "malformed", topic: "wantedUntil") }
        await lookUp(in: visit)
    }

    /// As it is kept, with what is named in it.
    init(_ search: DelivererSearch, in visit: Visit) async {
        let names = await visit.placeNames(at: Set([search.near, search.to].compactMap(\.self)))
        await self.init(SubmittedForm(search.pairs(named: names)), in: visit)
        await nameRestaurant(in: visit)
    }

    static func endOfToday(in visit: Visit) -> Date? {
        let zone = visit.community.zone
        return Zone.named(zone)?.start(of: WallTime(at: visit.now, in: zone).day + 1)
    }

    /// Which one is meant where no more than its id is known: in an address, and in a form that nobody could tell its name.
    private static func restaurant(_ form: SubmittedForm) -> PlaceID? {
        if form.fields["restaurant.at"] == nil, let named = PlaceID(form["restaurant"]) { return named }
        let kept = form["restaurant.id"].split(separator: " ", maxSplits: 1).map(String.init)
        // Until something else is said.
        guard form["restaurant.at"].isEmpty, kept.count == 2, kept[1] == form["restaurant"] else { return nil }
        return PlaceID(kept[0])
    }

    /// What goes along in a form with a restaurant whose name nobody knows now: its id, and the words that stand in its place.
    var keptRestaurant: String? {
        guard restaurant.answer.chosen == nil, let place = restaurant.place else { return nil }
        return "\(place) \(restaurant.answer.text)"
    }

    /// A place that was chosen stands in the address with its words, or as a point alone; a form says both apart.
    private static func place(_ name: String, _ form: SubmittedForm, in visit: Visit) async -> PlaceAnswer {
        guard form.fields["\(name).at"] == nil else { return PlaceAnswer(form, name) }
        if let chosen = PlaceChoice(written: form[name]) { return PlaceAnswer(chosen: chosen) }
        guard let point = Position(written: form[name]) else { return PlaceAnswer(form, name) }
        let label = await visit.placeName(at: point) ?? point.shown
        return PlaceAnswer(chosen: PlaceChoice(position: point, label: label))
    }

    /// Looks up what was typed and not chosen, and says what is wrong with it. What belongs to the other source is not read.
    private mutating func lookUp(in visit: Visit) async {
        let center = to.chosen?.position ?? visit.community.center
        switch source {
        case .restaurants:
            await restaurant.lookUp(near: center, in: visit)
            if let trouble = restaurant.answer.trouble {
                errors.add("restaurant", trouble.rawValue, topic: "orderRestaurant")
            } else if isForm, restaurant.place == nil {
                errors.add("restaurant", "required", topic: "orderRestaurant")
            }
        case .around:
            await near.lookUp(near: center, in: visit)
            if let trouble = near.trouble {
                errors.add("near", trouble.rawValue, topic: "orderAround")
            } else if isForm, near.chosen == nil {
                errors.add("near", "required", topic: "orderAround")
            }
        }
        await to.lookUp(near: near.chosen?.position ?? visit.community.center, in: visit)
        if let trouble = to.trouble { errors.add("to", trouble.rawValue, topic: "orderTo") }
    }

    /// Finds out what a restaurant is called of which only the id is known, for a form. Where Places does not say it, it is a restaurant.
    mutating func nameRestaurant(in visit: Visit) async {
        guard restaurant.answer.text.isEmpty, let id = restaurant.place else { return }
        if let place = await visit.place(id) {
            restaurant = RestaurantAnswer(place)
        } else {
            restaurant.answer.text = visit.words["wanted.sentence.aRestaurant"]
        }
    }

    /// Nil where it says too little.
    var wanted: WantedQuery? {
        let point = to.chosen?.position
        switch source {
        case .restaurants:
            return restaurant.place.map {
                WantedQuery(deliverers: DelivererSearch(restaurant: $0, to: point, until: until))
            }
        case .around:
            return near.chosen.map {
                WantedQuery(
                    deliverers: DelivererSearch(near: $0.position, radius: radius, to: point, until: until))
            }
        }
    }

    /// What points are called that it names.
    var names: [Position: String] {
        [near, to].compactMap(\.chosen).reduce(into: [:]) { $0[$1.position] = $1.label }
    }

    // MARK: Its address

    var pairs: [(String, String)] {
        let isAround = source == .around
        return Self.pairs(
            restaurant: isAround ? nil : restaurant.place, near: isAround ? near.chosen : nil,
            radius: isAround ? radius : nil, to: to.chosen, until: until.map { WireJSON.text(of: $0) })
    }

    /// - Parameter until: as a time is written, or `today`.
    static func pairs(
        restaurant: PlaceID? = nil, near: PlaceChoice? = nil, radius: Int? = nil, to: PlaceChoice? = nil,
        until: String? = nil
    ) -> [(String, String)] {
        let pairs: [(String, String?)] = [
            ("of", name), ("restaurant", restaurant?.description), ("near", near?.written),
            ("radius", radius.map { String($0) }), ("to", to?.written), ("until", until),
        ]
        return pairs.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Who is there now: at that restaurant, or at any.
    var list: String {
        if source == .restaurants, let place = restaurant.place {
            return RestaurantPage.path(of: place, to: to.chosen)
        }
        return DeliveriesPage.path(to: to.chosen)
    }

    /// How far may be looked: what is offered, and what was said.
    var reaches: [Int] { (Self.radii + (Self.radii.contains(radius) ? [] : [radius])).sorted() }

    // MARK: What the service says of it

    mutating func refuse(_ refused: [FieldError]) {
        for wrong in refused {
            let (field, topic) = place(of: wrong)
            errors.add(field, wrong.code, topic: topic, otherwise: wrong.message)
        }
    }

    /// At which field it is said, and in whose words. What is wrong with all of it stands at what can be said more exactly.
    private func place(of wrong: FieldError) -> (field: String, topic: String) {
        switch wrong.field {
        case "restaurant": return ("restaurant", "orderRestaurant")
        case "near": return ("near", "orderAround")
        case "radius": return ("radius", "wantedRadius")
        case "to": return ("to", "orderTo")
        case "until": return ("until", "wantedUntil")
        default: break
        }
        let isTooWide = wrong.code == "too_wide"
        switch source {
        case .around: return isTooWide ? ("radius", "wantedRadius") : ("near", "wantedDeliverers")
        case .restaurants: return (isTooWide ? "to" : "restaurant", "wantedDeliverers")
        }
    }

    /// What to do about a search that would find too much.
    func tooWide(in words: Words) -> String {
        words["field.\(source == .around ? "wantedRadius" : "wantedDeliverers").too_wide"]
    }
}

extension DelivererSearch {
    /// What an address says of it.
    /// - Parameter names: what points are called, as far as anybody knows.
    func pairs(named names: [Position: String]) -> [(String, String)] {
        func place(_ point: Position) -> PlaceChoice {
            PlaceChoice(position: point, label: names[point] ?? point.shown)
        }
        return WantedDeliverers.pairs(
            restaurant: restaurant, near: near.map(place),
            radius: near == nil ? nil : radius ?? WantedDeliverers.usual, to: to.map(place),
            until: until.map { WireJSON.text(of: $0) })
    }
}

extension WantedSentence {
    /// - Parameters:
    ///   - names: what points are called, as far as anybody knows.
    ///   - restaurant: what it is called; nil where nobody knows.
    ///   - zone: by whose clocks its end is said.
    static func deliverer(
        _ search: DelivererSearch, _ names: [Position: String], at restaurant: String?, in zone: String, now: Date,
        _ words: Words
    ) -> String {
        var values: [String: String] = [:]
        values["to"] = search.to.map { names[$0] ?? $0.shown }
        if let until = search.until {
            let wall = WallTime(at: until, in: zone)
            if wall != WallTime(wall.day) {
                values["until"] = CivilText.moment(until, in: zone, words)
            } else if wall.day == WallTime(at: now, in: zone).day + 1 {
                values["today"] = ""
            } else {
                // A day that is over at midnight is the last one.
                values["until"] = CivilText.date(wall.day + (-1), in: words)
            }
        }
        guard let near = search.near else {
            values["restaurant"] = restaurant ?? words["wanted.sentence.aRestaurant"]
            return words["wanted.sentence.delivererAt", values]
        }
        values["reach"] = Distance.reach(search.radius ?? WantedDeliverers.usual, in: words)
        values["place"] = names[near] ?? near.shown
        return words["wanted.sentence.delivererAround", values]
    }
}
