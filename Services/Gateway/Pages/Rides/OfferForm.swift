import PlainText
import WireProtocol

/// The fields of a ride, by steps: a step of the wizard shows one part of them, the form of a change all.
struct OfferForm {
    struct Stop {
        var address: PlaceField
        /// What its button says that takes it away.
        var drop: String
        var dropLabel: String
    }

    struct Places {
        var from: PlaceField
        var stops: [Stop]
        var number: String
        var to: PlaceField
        var mayAdd: Bool
    }

    struct Times {
        /// Nil of a commute that is changed.
        var day: Field?
        var time: Field
        var until: Field
        /// By which clocks.
        var zone: String
        /// Nil of a ride that is changed.
        var repeats: Repeats?
        var wayBack: WayBack?
    }

    /// On which days it is driven again (`rides/offer-repeat`).
    struct Repeats {
        struct Box {
            var name: String
            var text: String
            var chosen: Bool
            /// The first one says what is wrong with all of them.
            var isWrong: Bool
            var focus: Bool
        }

        /// Whether it is asked if it is driven again at all: a commute stays one.
        var asks: Bool
        var isOn: Bool
        var days: [Box]
        var error: String?
        var last: Field
        var number: String
        var skips: [Field]
        var mayAdd: Bool
    }

    /// When the way back leaves (`rides/offer-back`).
    struct WayBack {
        var isOn: Bool
        var day: Field?
        var time: Field
        var until: Field
    }

    struct BackTerms {
        var seats: Field
        var cost: Field
    }

    struct Choice {
        var value: String
        var name: String
        var meaning: String
        var chosen: Bool
    }

    struct Terms {
        var seats: Field
        var cost: Field
        var detour: Field
        var luggage: [Choice]
        var accepts: [Choice]
        var notes: Field
        /// Where there is a way back.
        var wayBack: BackTerms?
    }

    var places: Places?
    var times: Times?
    var terms: Terms?

    init(_ values: OfferValues, _ steps: [OfferStep], _ errors: FieldErrors? = nil, in visit: Visit) {
        var fields = OfferFields(values, in: visit).all
        errors?.mark(&fields)
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        func field(_ name: String) -> Field { byName[name] ?? Field(name, name) }
        if steps.contains(.place) { places = Self.places(values, field, in: visit) }
        if steps.contains(.when) { times = Self.times(values, field, in: visit) }
        if steps.contains(.seats) { terms = Self.terms(values, field, in: visit) }
    }

    private static func places(_ values: OfferValues, _ field: (String) -> Field, in visit: Visit) -> Places {
        let near = values.from.chosen?.position ?? visit.community.center
        let stops = values.stops.enumerated().map { index, answer in
            Stop(
                address: PlaceField(field(OfferValues.stopName(index)), answer, near: near, in: visit),
                drop: "drop \(index)", dropLabel: visit.words["offer.dropStop", ["n": String(index + 1)]])
        }
        return Places(
            from: PlaceField(field("from"), values.from, near: visit.community.center, in: visit), stops: stops,
            number: String(stops.count), to: PlaceField(field("to"), values.to, near: near, in: visit),
            mayAdd: stops.count < OfferValues.mostStops)
    }

    private static func times(_ values: OfferValues, _ field: (String) -> Field, in visit: Visit) -> Times {
        let zone = CivilText.city(of: values.zone.nonEmpty ?? visit.community.zone)
        var times = Times(
            time: field("time"), until: field("until"), zone: visit.words["offer.zone", ["zone": zone]])
        if values.subject != .commute { times.day = field("day") }
        guard values.subject != .ride else { return times }
        times.repeats = repeats(values, field, in: visit.words)
        times.wayBack = WayBack(
            isOn: values.wayBack.isOn, day: values.subject == .commute ? nil : field("backDay"),
            time: field("backTime"), until: field("backUntil"))
        return times
    }

    private static func repeats(_ values: OfferValues, _ field: (String) -> Field, in words: Words) -> Repeats {
        let (repeats, wrong) = (values.repeats, field("weekdays"))
        let days = Weekday.inTurn(words).enumerated().map { index, day in
            Repeats.Box(
                name: OfferRepeat.name(of: day), text: day.name(in: words), chosen: repeats.weekdays.contains(day),
                isWrong: index == 0 && wrong.error != nil, focus: index == 0 && wrong.focus)
        }
        let skips = (0...repeats.skips.count).prefix(OfferRepeat.longest).map { field(OfferRepeat.skipName($0)) }
        return Repeats(
            asks: values.subject == .offer, isOn: values.isCommute, days: days, error: wrong.error,
            last: field("last"), number: String(skips.count), skips: skips,
            mayAdd: skips.count < OfferRepeat.longest)
    }

    private static func terms(_ values: OfferValues, _ field: (String) -> Field, in visit: Visit) -> Terms {
        Terms(
            seats: field("seats"), cost: field("cost"), detour: field("detour"),
            luggage: choices(RideLuggage.allCases, values.luggage, "luggage", visit.words),
            accepts: choices(acceptances(values, visit), values.accepts, "accepts", visit.words),
            notes: field("notes"),
            wayBack: values.hasWayBack || values.subject == .commute
                ? BackTerms(seats: field("backSeats"), cost: field("backCost")) : nil)
    }

    /// Where there are no campuses, nobody has shown that they belong to one.
    private static func acceptances(_ values: OfferValues, _ visit: Visit) -> [RideAcceptance] {
        let hasCampuses = !visit.community.campuses.all.isEmpty
        return RideAcceptance.allCases.filter { $0 != .verified || hasCampuses || values.accepts == .verified }
    }

    private static func choices<Value: RawRepresentable<String> & Equatable>(
        _ all: [Value], _ chosen: Value, _ key: String, _ words: Words
    ) -> [Choice] {
        all.map {
            Choice(
                value: $0.rawValue, name: words["offer.\(key).\($0.rawValue).name"],
                meaning: words["offer.\(key).\($0.rawValue).meaning"], chosen: $0 == chosen)
        }
    }
}

extension OfferForm.Repeats {
    /// One goes on with the day that has room for another.
    mutating func beginSkip() {
        if let last = skips.indices.last { skips[last].focus = true }
    }
}
