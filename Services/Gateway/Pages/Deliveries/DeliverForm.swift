import PlainText
import WireProtocol

/// The form in which somebody says what they can bring along, from where to where (`matches/deliver-form`).
struct DeliverForm {
    var problem: String?
    var key: String
    var restaurant: PlaceField
    var dropOff: PlaceField
    var capacity: Choices
    var detour: Choices
    var minutes: Field
    var leastFee: Field
    var listed: Choices
    /// Where one goes who leaves all as it is; nil where nothing is offered yet.
    var back: String?
    var title: String
    var lead: String
    var yes: String

    /// Some radio buttons of one name.
    struct Choices {
        var name: String
        var legend: String
        var hint: String?
        var error: String?
        var options: [Field.Option]
        /// Each on a line of its own.
        var isLong = false
    }

    /// Where the catalogue has words of their own for what is wrong with a field.
    static let topics = [
        "restaurant": "deliverRestaurant", "dropOff": "deliverTo", "capacity": "deliverHands",
        "detour": "deliverDetour", "minutes": "deliverMinutes", "leastFee": "deliverFee",
    ]
    private static let names = [
        "dropOff.name": "dropOff", "dropOff.position": "dropOff", "dropOff.place": "dropOff",
        "leastFee.amount": "leastFee", "leastFee.currency": "leastFee",
    ]

    static func errors(_ error: ServiceError, in words: Words) -> FieldErrors {
        FieldErrors(error, words, names: names, topics: topics)
    }

    /// - Parameter availability: what is offered now, and changed by the form.
    init(
        _ values: DeliverValues, insteadOf availability: Availability?, key: String = Visit.newKey(),
        errors: FieldErrors? = nil, in visit: Visit
    ) {
        let words = visit.words
        var fields = Self.fields(values, mayKeep: availability != nil, visit)
        errors?.mark(&fields)
        let near = values.restaurant.answer.chosen?.position ?? availability?.restaurant.position
        let center = near ?? visit.community.center
        restaurant = PlaceField(fields[0], values.restaurant.answer, near: center, of: .restaurant, in: visit)
        dropOff = PlaceField(fields[1], values.dropOff, near: center, in: visit)
        (minutes, leastFee) = (fields[2], fields[3])
        func choices(_ name: String, _ legend: String, _ options: [Field.Option], isLong: Bool = false) -> Choices {
            Choices(
                name: name, legend: words["deliver.form.\(legend)"], hint: words.find("deliver.form.\(legend)Hint"),
                error: errors?.messages[name], options: options, isLong: isLong)
        }
        capacity = choices(
            "capacity", "hands",
            DeliverValues.capacities.map {
                Field.Option(
                    value: String($0), text: words["deliver.hands", count: $0], chosen: values.capacity == String($0))
            })
        detour = choices(
            "detour", "detour",
            DeliverValues.detours.map {
                Field.Option(
                    value: String($0),
                    text: $0 == 0 ? words["deliver.noDetour"] : Distance.reach($0, in: words),
                    chosen: values.detour == String($0))
            })
        listed = choices(
            "listed", "listed",
            [true, false].map { isListed in
                Field.Option(
                    value: isListed ? "yes" : "no", text: words["deliver.\(isListed ? "listed" : "unlisted")"],
                    chosen: values.isListed == isListed)
            }, isLong: true)
        self.key = key
        back = availability == nil ? nil : DeliverPage.path
        let topic = availability == nil ? "begin" : "change"
        title = words["deliver.\(topic).title"]
        lead = words["deliver.\(topic).lead"]
        yes = words["deliver.\(topic).yes"]
    }

    private static func fields(_ values: DeliverValues, mayKeep: Bool, _ visit: Visit) -> [Field] {
        let words = visit.words
        func field(_ name: String, _ change: (inout Field) -> Void) -> Field {
            Field(name, words["deliver.form.\(name)", ["currency": visit.community.currency]]).with(change)
        }
        let kept =
            mayKeep ? [Field.Option(value: "", text: words["deliver.keepTime"], chosen: values.minutes.isEmpty)] : []
        return [
            field("restaurant") {
                $0.required = true
                $0.hint = words["deliver.form.restaurantHint"]
            },
            field("dropOff") {
                $0.required = true
                $0.hint = words["deliver.form.dropOffHint"]
            },
            field("minutes") {
                $0.options =
                    kept
                    + DeliverValues.durations.map {
                        Field.Option(
                            value: String($0), text: words["share.minutes", count: $0],
                            chosen: values.minutes == String($0))
                    }
            },
            field("leastFee") {
                $0.value = values.leastFee
                $0.inputmode = "decimal"
                $0.optional = true
                $0.autocomplete = "off"
                $0.hint = words["deliver.form.leastFeeHint"]
            },
        ]
    }
}
