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
        var day: Field
        var time: Field
        var until: Field
        /// By which clocks.
        var zone: String
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
    }

    var places: Places?
    var times: Times?
    var terms: Terms?

    init(_ values: OfferValues, _ steps: [OfferStep], _ errors: FieldErrors? = nil, in visit: Visit) {
        let words = visit.words
        var fields = OfferFields(values, in: visit).all
        errors?.mark(&fields)
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        func field(_ name: String) -> Field { byName[name] ?? Field(name, name) }
        if steps.contains(.place) {
            let near = values.from.chosen?.position ?? visit.community.center
            let stops = values.stops.enumerated().map { index, answer in
                Stop(
                    address: PlaceField(field(OfferValues.stopName(index)), answer, near: near, in: visit),
                    drop: "drop \(index)", dropLabel: words["offer.dropStop", ["n": String(index + 1)]])
            }
            places = Places(
                from: PlaceField(field("from"), values.from, near: visit.community.center, in: visit), stops: stops,
                number: String(stops.count), to: PlaceField(field("to"), values.to, near: near, in: visit),
                mayAdd: stops.count < OfferValues.mostStops)
        }
        if steps.contains(.when) {
            let zone = CivilText.city(of: values.zone.nonEmpty ?? visit.community.zone)
            times = Times(
                day: field("day"), time: field("time"), until: field("until"),
                zone: words["offer.zone", ["zone": zone]])
        }
        if steps.contains(.seats) {
            terms = Terms(
                seats: field("seats"), cost: field("cost"), detour: field("detour"),
                luggage: Self.choices(RideLuggage.allCases, values.luggage, "luggage", words),
                accepts: Self.choices(Self.acceptances(values, visit), values.accepts, "accepts", words),
                notes: field("notes"))
        }
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

/// The text fields of a ride, in the order in which forms show them.
struct OfferFields {
    private let values: OfferValues
    private let words: Words
    private let currency: String

    init(_ values: OfferValues, in visit: Visit) {
        (self.values, words, currency) = (values, visit.words, visit.community.currency)
    }

    var all: [Field] { places + times + terms }

    /// All that the form says, place by place.
    func said(besidesWay isWayOpen: Bool) -> [Meanwhile.Said] {
        let way = values.places.map { $0.answer.text }.joined(separator: " – ")
        return (isWayOpen ? [Meanwhile.Said(words["offer.way"], way, value: values.way)] : [])
            + (times + terms).map { Meanwhile.Said($0) } + [
                Meanwhile.Said(words["offer.luggage.label"], words["offer.luggage.\(values.luggage.rawValue).name"]),
                Meanwhile.Said(words["offer.accepts.label"], words["offer.accepts.\(values.accepts.rawValue).name"]),
            ]
    }

    private func text(_ name: String, _ value: String, hint: String? = nil, _ more: (inout Field) -> Void = { _ in })
        -> Field
    {
        Field(name, words["offer.form.\(name)", ["currency": currency]]).with {
            $0.value = value
            $0.hint = hint.map { words["offer.form.\($0)"] }
            $0.autocomplete = "off"
            more(&$0)
        }
    }

    private var places: [Field] {
        let between = values.stops.indices.map { index in
            Field(OfferValues.stopName(index), words["offer.form.stop", ["n": String(index + 1)]]).with {
                $0.optional = true
            }
        }
        return [text("from", "", hint: "placeHint") { $0.required = true }] + between
            + [text("to", "") { $0.required = true }]
    }

    private var times: [Field] {
        [
            text("day", values.day) {
                $0.type = "date"
                $0.required = true
            },
            text("time", values.time) {
                $0.type = "time"
                $0.required = true
            },
            text("until", values.until, hint: "untilHint") {
                $0.type = "time"
                $0.optional = true
            },
        ]
    }

    private var terms: [Field] {
        [
            text("seats", values.seats, hint: "seatsHint") {
                $0.inputmode = "numeric"
                $0.maxlength = "2"
                $0.required = true
            },
            text("cost", values.cost, hint: "costHint") {
                $0.inputmode = "decimal"
                $0.optional = true
            },
            text("detour", values.detour, hint: "detourHint") {
                $0.inputmode = "decimal"
                $0.maxlength = "6"
                $0.optional = true
            },
            text("notes", values.notes, hint: "notesHint") { $0.optional = true },
        ]
    }
}
