import PlainText
import Sentences
import WireProtocol

/// The fields that sharing and editing a spot have in common: what was typed, read into a draft or shown again.
struct SpotForm {
    struct Kind {
        var value: String
        var text: String
        var chosen: Bool
    }

    /// What was typed, as it was typed.
    struct Values {
        var name = ""
        /// The name that was filled in for the person, from where the spot is; as long as it is still that, it follows the pin.
        var proposed = ""
        var kind = SpotKind.street
        /// An address that says where, in place of the pin and the numbers.
        var address = PlaceAnswer()
        var latitude = ""
        var longitude = ""
        var price = ""
        /// Minutes; empty for as long as possible; `unchanged` for the time that it has.
        var lifetime = ""
        /// Whether there is a time that may stay as it is.
        var changing = false
        /// Of what the form was made; nil of a new spot.
        var version: String?

        init() {}

        init(_ form: SubmittedForm, changing: Bool = false) {
            self.changing = changing
            name = form["name"]
            proposed = form["proposed"]
            address = PlaceAnswer(form, "address")
            kind = SpotKind(rawValue: form["kind"]) ?? .street
            latitude = form["latitude"]
            longitude = form["longitude"]
            if let position = address.chosen?.position { put(at: position) }
            price = form["price"]
            lifetime = form["lifetime"]
            version = form["version"].nonEmpty
        }

        init(_ spot: Spot) {
            name = spot.name
            kind = spot.kind
            put(at: spot.position)
            price = spot.price.map { MoneyText.number($0, separator: ".") } ?? ""
            lifetime = Self.unchanged
            changing = true
            version = spot.version
        }

        static let unchanged = "same"

        mutating func put(at position: Position) {
            (latitude, longitude) = (String(position.latitude), String(position.longitude))
        }

        /// Where the spot is, as far as that can be read.
        var position: Position? {
            var ignored = FieldErrors(Words(code: ""))
            guard let latitude = SpotForm.degrees(latitude, "latitude", limit: 90, &ignored),
                let longitude = SpotForm.degrees(longitude, "longitude", limit: 180, &ignored)
            else { return nil }
            return Position(latitude: latitude, longitude: longitude)
        }

        /// What only places knows: which address is meant, and how a spot without a name is called.
        mutating func complete(in visit: Visit) async {
            await address.lookUp(near: position ?? visit.community.center, in: visit)
            if address.trouble == nil { await propose(in: visit) }
        }

        /// Fills the name in from where the spot is, where it was left empty. It is looked over before it is shared: what a name was
        /// made of may be different a moment later, and the same form must be the same request.
        mutating func propose(in visit: Visit) async {
            guard name.isEmpty, let position,
                let found = try? await PlaceNaming.name(near: position, in: visit)
            else { return }
            (name, proposed) = (found, found)
        }
    }

    private static let lifetimes = [10, 20, 60, 240, 1440]
    static let bodyNames = [
        "position.latitude": "latitude", "position.longitude": "longitude", "position": "latitude",
        "price.amount": "price", "price.currency": "price", "photo": "file",
    ]
    static let topics = ["name": "spotName"]

    /// Reads a draft, or says what is wrong with which field. The same fields make the same draft at any time, so that a form that
    /// is sent twice is one request.
    static func draft(_ values: Values, currency: String, in words: Words) -> (SpotDraft?, FieldErrors) {
        var errors = FieldErrors(words)
        if values.name.isEmpty { errors.add("name", "required", topic: "spotName") }
        if let trouble = values.address.trouble { errors.add("address", trouble.rawValue) }
        // Which address is meant says it, or the numbers do.
        let isAsked = values.address.trouble == .choose && values.latitude.isEmpty && values.longitude.isEmpty
        let latitude = isAsked ? nil : degrees(values.latitude, "latitude", limit: 90, &errors)
        let longitude = isAsked ? nil : degrees(values.longitude, "longitude", limit: 180, &errors)
        var price: Money?
        if !values.price.isEmpty {
            if let amount = Price.amount(values.price, currency: currency) {
                price = amount == 0 ? nil : Money(amount: amount, currency: currency)
            } else {
                errors.add("price", "malformed")
            }
        }
        let lifetime = Self.lifetime(values, &errors)
        guard errors.isEmpty, let latitude, let longitude else { return (nil, errors) }
        let draft = SpotDraft(
            name: values.name, position: Position(latitude: latitude, longitude: longitude), photo: nil, price: price,
            lifetime: lifetime, kind: values.kind)
        return (draft, errors)
    }

    /// Nil where it stays as it is.
    private static func lifetime(_ values: Values, _ errors: inout FieldErrors) -> SpotLifetime? {
        if values.lifetime.isEmpty { return .longest }
        if values.changing, values.lifetime == Values.unchanged { return nil }
        if let minutes = Int(values.lifetime) { return .minutes(minutes) }
        errors.add("lifetime", "malformed")
        return nil
    }

    private static func degrees(
        _ text: String, _ field: String, limit: Double, _ errors: inout FieldErrors
    ) -> Double? {
        if text.isEmpty {
            errors.add(field, "required")
        } else if let value = Double(decimal: text.replacing(",", with: ".")), abs(value) <= limit {
            return value
        } else {
            errors.add(field, "malformed")
        }
        return nil
    }

    var name: Field
    var proposed: String
    var address: PlaceField
    var latitude: Field
    var longitude: Field
    var price: Field
    var lifetime: Field
    var kinds: [Kind]
    var kindError: String?
    var fileError: String?
    var center: String
    var basemap: String?
    var world: String?

    init(_ values: Values, _ errors: FieldErrors?, in visit: Visit) {
        let words = visit.words
        var fields = Self.fields(values, words, currency: visit.community.currency)
        errors?.mark(&fields)
        (name, latitude, longitude, price, lifetime) = (fields[0], fields[2], fields[3], fields[4], fields[5])
        address = PlaceField(
            fields[1], values.address, near: values.position ?? visit.community.center,
            mayKeep: values.position != nil, in: visit)
        proposed = values.proposed
        kinds = SpotKind.allCases.map {
            Kind(value: $0.rawValue, text: words["kind.\($0.rawValue)"], chosen: $0 == values.kind)
        }
        kindError = errors?.messages["kind"]
        fileError = errors?.messages["file"]
        center = visit.community.center.written
        basemap = visit.site.map("basemap.json")
        world = visit.site.map("world.json")
    }

    /// What the form says, field by field. The lifetime is left out: it runs on by itself.
    static func said(_ values: Values, photo: String?, in visit: Visit) -> [Meanwhile.Said] {
        let words = visit.words
        let typed = fields(values, words, currency: visit.community.currency).filter { $0.name != "lifetime" }
        return [
            visit.said(words["form.photo"], pictures: photo.map { [$0] } ?? []),
            Meanwhile.Said(words["form.kind"], words["kind.\(values.kind.rawValue)"]),
        ] + typed.map { Meanwhile.Said($0) }
    }

    private static func fields(_ values: Values, _ words: Words, currency: String) -> [Field] {
        func degrees(_ name: String, _ value: String) -> Field {
            Field(name, words["form.\(name)"]).with {
                $0.value = value
                $0.inputmode = "decimal"
                $0.verbatim = true
                $0.required = true
            }
        }
        return [
            Field("name", words["form.nameSpot"]).with {
                $0.value = values.name
                $0.hint = words["form.nameSpotHint"]
                $0.maxlength = "120"
                $0.required = true
                $0.autocomplete = "off"
            },
            Field("address", words["form.address"]).with {
                $0.hint = words["form.addressHint"]
                $0.optional = true
            },
            degrees("latitude", values.latitude),
            degrees("longitude", values.longitude),
            Field("price", words["form.price", ["currency": currency]]).with {
                $0.value = values.price
                $0.inputmode = "decimal"
                $0.hint = words["form.priceHint"]
                $0.optional = true
            },
            Field("lifetime", words["form.lifetime"]).with { $0.options = lifetimeOptions(values, words) },
        ]
    }

    private static func lifetimeOptions(_ values: Values, _ words: Words) -> [Field.Option] {
        let chosen = values.lifetime
        var options = [Field.Option(value: "", text: words["share.asLong"], chosen: chosen.isEmpty)]
        if values.changing {
            let same = Values.unchanged
            options.append(.init(value: same, text: words["edit.sameTime"], chosen: chosen == same))
        }
        return options
            + lifetimes.map { minutes in
                let text =
                    minutes < 60
                    ? words["share.minutes", count: minutes] : words["share.hours", count: minutes / 60]
                return .init(value: String(minutes), text: text, chosen: chosen == String(minutes))
            }
    }
}
