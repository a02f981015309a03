import WireProtocol

/// The form by which things are looked for (`things/filters`).
struct ThingFilters {
    var action: String
    var q: Field
    /// Whether there is something to do in it.
    var isOpen: Bool
    var sort: String?
    var showsMap: Bool
    var brand: Field?
    /// Those of the brand; nothing to choose from before one is chosen.
    var model: ThingModels?
    var region: Field?
    var price: Field
    var from: Field
    var until: Field
    var place: PlaceField
    /// One's own position, where that is what is looked around.
    var here: String?
    var nearText: String?
    /// Seconds that a time may be apart from the next one.
    var step: Int?

    init(_ search: ThingSearch, _ models: CarModels?, in visit: Visit) {
        let (words, kind) = (visit.words, search.kind)
        action = kind.path
        let typed = Field("q", words["things.search.\(kind.rawValue)"]).with {
            $0.value = search.q
            // That of a title, which may be typed whole.
            $0.maxlength = "120"
        }
        let brands = models?.brands.map(\.name) ?? []
        // In the order in which the page shows them: the first that is wrong has the focus.
        var fields: [Field] = [
            typed, Self.choice("brand", search.brand, brands, all: "things.anyBrand", words),
            ThingModels.field(search, models, in: words),
            Self.choice("region", search.region, visit.community.regions, all: "things.anyRegion", words),
            Field("price", words["things.highest.\(kind.unit.rawValue)", ["currency": visit.community.currency]]).with {
                $0.value = search.price
                $0.inputmode = "decimal"
            },
            Self.time("from", search.from, kind.unit, words), Self.time("until", search.until, kind.unit, words),
            Field("place", words["things.near"]).with { $0.hint = words["things.nearHint"] },
        ]
        search.errors.mark(&fields)
        q = fields[0]
        region = visit.community.regions.isEmpty ? nil : fields[3]
        (price, from, until) = (fields[4], fields[5], fields[6])
        place = PlaceField(
            fields[7], search.around, near: search.near?.position ?? visit.community.center, in: visit)
        here = search.near.flatMap { $0.label.isEmpty ? $0.position.written : nil }
        nearText = here == nil ? nil : words["things.nearMe"]
        showsMap = search.showsMap
        sort = search.order == .newest ? nil : search.order.rawValue
        step = kind.unit == .hour ? 3600 : nil
        if kind.look.isVehicle {
            brand = fields[1]
            model = ThingModels(search, fields[2])
        }
        // Where the brand was sent and its models are to be chosen from now; what else narrows the list is said above it.
        isOpen = !search.errors.isEmpty || (!search.brand.isEmpty && search.model.isEmpty)
    }

    /// Something that narrows the list, or all of it.
    static func choice(
        _ name: String, _ chosen: String, _ values: [String], all: String, _ words: Words
    ) -> Field {
        let isKnown = chosen.isEmpty || values.contains(chosen)
        return Field(name, words["things.\(name)"]).with {
            $0.value = chosen
            $0.options =
                [Field.Option(value: "", text: words[all], chosen: chosen.isEmpty)]
                + (values + (isKnown ? [] : [chosen])).map { .init(value: $0, text: $0, chosen: $0 == chosen) }
        }
    }

    private static func time(_ name: String, _ value: String, _ unit: RentalUnit, _ words: Words) -> Field {
        Field(name, words["things.\(name).\(unit.rawValue)"]).with {
            $0.type = unit == .day ? "date" : "datetime-local"
            $0.value = value
        }
    }
}

/// The models of the brand that was chosen (`things/models`).
struct ThingModels {
    var action: String
    var field: Field
    /// Whether it takes the place of what the page has.
    var anew = false
    /// Nothing to choose from yet.
    var isLocked: Bool

    init(_ search: ThingSearch, _ field: Field) {
        action = search.kind.path
        isLocked = search.brand.isEmpty
        self.field = field
    }

    static func field(_ search: ThingSearch, _ models: CarModels?, in words: Words) -> Field {
        let known = models?.brands.first { $0.name == search.brand }?.models ?? []
        return ThingFilters.choice(
            "model", search.model, known, all: search.brand.isEmpty ? "things.brandFirst" : "things.anyModel", words)
    }
}
