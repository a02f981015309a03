import PlainText
import WireProtocol

/// The fields of an order (`deliveries/order-fields`).
struct OrderForm {
    struct Choice {
        var value: String
        var name: String
        var meaning: String
        var chosen: Bool
    }

    struct Restaurant {
        var address: PlaceField
        var items: Field
        /// What its button says that takes it away.
        var drop: String
        var dropLabel: String
    }

    var sources: [Choice]
    var restaurants: [Restaurant]
    var number: String
    var mayAdd: Bool
    var mayDrop: Bool
    var around: PlaceField
    var radius: Field
    var aroundItems: Field
    var to: PlaceField
    var door: Field
    var goods: [Choice]
    var limit: Field
    var paidBy: [Choice]
    var code: Field
    var fee: Field
    var minutes: Field
    /// Nil where anybody is asked.
    var asking: Asking?

    /// Somebody who is asked for by name.
    struct Asking {
        var id: String
        var name: String
        var title: String
        var rollsOn: String
        var chosen: Bool
        var error: String?
    }

    init(_ values: OrderValues, _ errors: FieldErrors? = nil, in visit: Visit) {
        let words = visit.words
        var fields = OrderFields(values, in: visit).all
        errors?.mark(&fields)
        let byName = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        func field(_ name: String) -> Field { byName[name] ?? Field(name, name) }
        let near = values.to.chosen?.position ?? visit.community.center
        sources = Self.choices(OrderValues.Source.allCases, values.source, "source", words)
        restaurants = values.wanted.enumerated().map { index, one in
            Restaurant(
                address: PlaceField(
                    field(OrderValues.name("restaurant", index)), one.restaurant.answer, near: near, of: .restaurant,
                    in: visit),
                items: field(OrderValues.name("items", index)), drop: "drop \(index)",
                dropLabel: words["orders.form.dropWhich", ["n": String(index + 1)]])
        }
        number = String(values.wanted.count)
        mayAdd = values.wanted.count < OrderValues.mostRestaurants
        mayDrop = values.wanted.count > 1
        around = PlaceField(field("around"), values.around, near: near, in: visit)
        (radius, aroundItems) = (field("radius"), field("aroundItems"))
        to = PlaceField(field("to"), values.to, near: visit.community.center, in: visit)
        door = field("door")
        goods = Self.choices(OrderValues.Goods.allCases, values.goods, "goods", words)
        (limit, code, fee, minutes) = (field("limit"), field("code"), field("fee"), field("minutes"))
        paidBy = Self.choices(OrderPayment.allCases, values.paidBy, "paidBy", words)
        asking = values.asking.map { id in
            let name = ["name": values.asked.nonEmpty ?? words["inbox.somebody"]]
            return Asking(
                id: id.description, name: values.asked, title: words["orders.form.asking", name],
                rollsOn: words["orders.form.rollsOn", name], chosen: values.rollsOn, error: field("asking").error)
        }
    }

    private static func choices<Value: RawRepresentable<String> & Equatable>(
        _ all: [Value], _ chosen: Value, _ key: String, _ words: Words
    ) -> [Choice] {
        all.map {
            Choice(
                value: $0.rawValue, name: words["orders.form.\(key).\($0.rawValue).name"],
                meaning: words["orders.form.\(key).\($0.rawValue).meaning"], chosen: $0 == chosen)
        }
    }
}

/// The text fields of an order, in the order in which the form shows them.
struct OrderFields {
    private let values: OrderValues
    private let words: Words
    private let currency: String

    init(_ values: OrderValues, in visit: Visit) {
        (self.values, words, currency) = (values, visit.words, visit.community.currency)
    }

    var all: [Field] { [Field("asking", "")] + restaurants + circle + place + money + [minutes] }

    private func text(_ name: String, _ value: String, _ more: (inout Field) -> Void = { _ in }) -> Field {
        Field(name, words["orders.form.\(name)", ["currency": currency]]).with {
            $0.value = value
            $0.hint = words.find("orders.form.\(name)Hint")
            $0.autocomplete = "off"
            more(&$0)
        }
    }

    private var restaurants: [Field] {
        values.wanted.enumerated().flatMap { index, one in
            let number = ["n": String(index + 1)]
            let label = values.wanted.count > 1 ? "Numbered" : ""
            return [
                Field(
                    OrderValues.name("restaurant", index), words["orders.form.restaurant\(label)", number]
                ),
                Field(OrderValues.name("items", index), words["orders.form.items\(label)", number]).with {
                    $0.value = one.items
                    $0.hint = index == 0 ? words["orders.form.itemsHint"] : nil
                },
            ]
        }
    }

    private var circle: [Field] {
        let known = OrderValues.radii.map(String.init)
        let all = known.contains(values.radius) ? known : known + [values.radius]
        return [
            text("around", ""),
            text("radius", values.radius) {
                $0.options = all.map { radius in
                    .init(
                        value: radius, text: Distance.reach(Int(radius) ?? 0, in: words),
                        chosen: radius == values.radius)
                }
            },
            Field("aroundItems", words["orders.form.items"]).with {
                $0.value = values.aroundItems
                $0.hint = words["orders.form.itemsHint"]
            },
        ]
    }

    private var place: [Field] {
        [
            text("to", ""),
            text("door", values.door) {
                $0.optional = true
                $0.maxlength = "200"
            },
        ]
    }

    private var money: [Field] {
        [
            text("limit", values.limit) { $0.inputmode = "decimal" },
            text("code", values.code) {
                $0.verbatim = true
                $0.maxlength = "60"
                if values.wasPrepaid { ($0.optional, $0.hint) = (true, words["orders.form.codeKept"]) }
            },
            text("fee", values.fee) {
                $0.inputmode = "decimal"
                $0.optional = true
            },
        ]
    }

    private var minutes: Field {
        text("minutes", values.minutes) { field in
            let kept =
                values.isChange
                ? [Field.Option(value: "", text: words["orders.form.minutesKept"], chosen: values.minutes.isEmpty)] : []
            field.options =
                kept
                + OrderValues.durations.map {
                    .init(
                        value: String($0), text: words["orders.form.duration", count: $0],
                        chosen: String($0) == values.minutes)
                }
        }
    }
}
