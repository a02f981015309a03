import PlainText
import WireProtocol

/// The fields of a thing, by parts: a form shows all of them, a step of the wizard one.
struct ThingForm {
    struct What {
        var car: CarModelField?
        var plate: Field?
        var title: Field
        var size: Field?
        var description: Field
    }

    struct Whereabouts {
        var find: PlaceField
        var position: String
        /// Of the map on which its pin is put.
        var center: String
        var basemap: String?
        var world: String?
        var place: Field
        var proposed: String
        var address: Field
        var region: Field
        var hasRegions: Bool
    }

    struct Policy {
        var value: String
        var name: String
        var meaning: String
        var chosen: Bool
    }

    struct Terms {
        var price: Field
        var from: Field
        var until: Field
        var longest: Field
        var policies: [Policy]
        var isInstant: Bool
        /// In which its days and hours are counted.
        var zone: Field
    }

    var photos: PicturesField?
    var what: What?
    var whereabouts: Whereabouts?
    var terms: Terms?

    /// - Parameter models: of cars; nil where the catalogue cannot be had.
    init(
        _ values: ThingValues, _ parts: Set<ThingValues.Part> = Set(ThingValues.Part.allCases),
        models: CarModels? = nil,
        errors: FieldErrors? = nil, in visit: Visit
    ) {
        var fields = ThingFields(values, in: visit).all
        errors?.mark(&fields)
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        func field(_ name: String) -> Field { byName[name] ?? Field(name, name) }
        let words = visit.words
        if parts.contains(.photos) {
            photos = PicturesField(
                values.photos, label: words["sharing.form.photos"],
                hint: words["sharing.form.photosHint.\(values.kind.rawValue)"], errors: errors, in: visit)
        }
        if parts.contains(.what) {
            let (car, look) = (field("car"), values.kind.look)
            what = What(
                car: look.isVehicle
                    ? CarModelField(values, models, error: car.error, focus: car.focus, in: words) : nil,
                plate: look.isVehicle ? field("plate") : nil, title: field("title"),
                size: look.hasSize ? field("size") : nil, description: field("description"))
        }
        if parts.contains(.place) {
            let pin = Position(written: values.position)
            let near = pin ?? visit.community.center
            whereabouts = Whereabouts(
                find: PlaceField(field("find"), values.find, near: near, mayKeep: pin != nil, in: visit),
                position: pin == nil ? "" : values.position, center: near.written,
                basemap: visit.site.map("basemap.json"), world: visit.site.map("world.json"), place: field("place"),
                proposed: values.proposed, address: field("address"), region: field("region"),
                hasRegions: !visit.community.regions.isEmpty)
        }
        if parts.contains(.terms) {
            let unit = values.kind.unit.rawValue
            terms = Terms(
                price: field("price"), from: field("from"), until: field("until"), longest: field("longest"),
                policies: CancellationPolicy.allCases.map {
                    Policy(
                        value: $0.rawValue, name: words["sharing.policy.\($0.rawValue).name"],
                        meaning: words["sharing.policy.\($0.rawValue).\(unit)"], chosen: $0 == values.cancellation)
                },
                isInstant: values.isInstant, zone: field("zone"))
        }
    }
}

/// The text fields of a thing, in the order in which forms show them.
struct ThingFields {
    private let values: ThingValues
    private let words: Words
    private let community: Community

    init(_ values: ThingValues, in visit: Visit) {
        self.values = values
        words = visit.words
        community = visit.community
    }

    var all: [Field] { [Field("photos", "")] + what + whereabouts + terms }

    /// All that the form says, place by place; of a step of it, what the step asks for. Of the plate nothing: none has to be typed where there is
    /// one.
    func said(
        _ parts: Set<ThingValues.Part> = Set(ThingValues.Part.allCases), in visit: Visit
    ) -> [Meanwhile.Said] {
        func label(_ name: String) -> String { words["sharing.form.\(name)"] }
        let apart: Set = ["car", "plate", "find"]
        func typed(_ fields: [Field]) -> [Meanwhile.Said] {
            fields.filter { !apart.contains($0.name) }.map { Meanwhile.Said($0) }
        }
        var said: [Meanwhile.Said] = []
        if parts.contains(.photos) { said.append(visit.said(label("photos"), pictures: values.photos.ids)) }
        if parts.contains(.what) {
            said.append(Meanwhile.Said(label("car"), "\(values.brand) \(values.model)".trimmed))
            said += typed(what)
        }
        if parts.contains(.place) {
            said.append(Meanwhile.Said(label("find"), values.position))
            said += typed(whereabouts)
        }
        if parts.contains(.terms) {
            let policy = words["sharing.policy.\(values.cancellation.rawValue).name"]
            said.append(Meanwhile.Said(label("cancellation"), policy))
            said.append(visit.said(label("instant"), values.isInstant))
            said += typed(terms)
        }
        return said
    }

    private func text(_ name: String, _ value: String, hint: String? = nil, _ more: (inout Field) -> Void = { _ in })
        -> Field
    {
        Field(name, words["sharing.form.\(name)"]).with {
            $0.value = value
            $0.hint = hint.map { words["sharing.form.\($0)"] }
            $0.maxlength = "120"
            $0.autocomplete = "off"
            more(&$0)
        }
    }

    private var what: [Field] {
        [
            Field("car", ""),
            text(
                "plate", values.plate,
                hint: values.hasLostPlate ? "plateLost" : values.hasPlate ? "plateStays" : "plateHint"
            ) {
                $0.verbatim = true
                $0.maxlength = "20"
                $0.required = !values.hasPlate
            },
            text("title", values.title, hint: "titleHint.\(values.kind.rawValue)") { $0.required = true },
            text("size", values.size) {
                $0.inputmode = "numeric"
                $0.required = true
                $0.maxlength = "6"
            },
            text("description", values.description, hint: "descriptionHint.\(values.kind.rawValue)") {
                $0.optional = true
            },
        ]
    }

    private var whereabouts: [Field] {
        let regions = [Field.Option(value: "", text: words["sharing.form.chooseRegion"], chosen: values.region.isEmpty)]
        return [
            text("find", "", hint: "findHint") { $0.optional = true },
            text("place", values.place, hint: "placeHint") { $0.required = true },
            text("address", values.address, hint: "addressHint") {
                $0.optional = !values.kind.look.needsAddress
                $0.required = values.kind.look.needsAddress
            },
            Field("region", words["form.region"]).with {
                $0.value = values.region
                $0.maxlength = "120"
                $0.options =
                    regions
                    + community.regions.map { .init(value: $0, text: $0, chosen: $0 == values.region) }
            },
        ]
    }

    private var terms: [Field] {
        let unit = values.kind.unit.rawValue
        func day(_ name: String, _ value: String) -> Field {
            text(name, value) {
                $0.type = "date"
                $0.maxlength = nil
                $0.optional = true
            }
        }
        return [
            Field("price", words["sharing.form.price.\(unit)", ["currency": community.currency]]).with {
                $0.value = values.price
                $0.inputmode = "decimal"
                $0.hint = words["form.priceHint"]
                $0.optional = true
                $0.autocomplete = "off"
            },
            day("from", values.from), day("until", values.until),
            Field("longest", words["sharing.form.longest.\(unit)"]).with {
                $0.value = values.longest
                $0.inputmode = "numeric"
                $0.hint = words["sharing.form.longestHint"]
                $0.maxlength = "4"
                $0.optional = true
                $0.autocomplete = "off"
            },
            text("zone", values.zone, hint: "zoneHint") {
                $0.options = ZoneNames.options(values.zone.nonEmpty ?? community.zone, besides: community.zone)
            },
        ]
    }
}
