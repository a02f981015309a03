import Hummingbird
import PlainText
import WireProtocol

/// What is looked for among the things of a kind, as the page's address says it, or the form that was sent.
struct ThingSearch {
    static let limit = 24
    /// What narrows the list.
    static let narrowing: Set<String> = ["q", "brand", "model", "region", "price", "from", "until"]

    let kind: ThingKind
    var q: String
    var order: ThingOrder
    var region: String
    var brand: String
    var model: String
    /// As it was typed, and in minor units.
    var price: String
    var highestPrice: Int?
    var from: String
    var until: String
    /// Whether the list has a map beside it.
    var showsMap: Bool
    /// Where distances are measured from. One's own position has no label.
    var near: PlaceChoice?
    /// The address that was typed, and what became of it.
    var around: PlaceAnswer
    /// Whether this is the form as it was sent, whose address says the same in more words.
    let isForm: Bool
    var errors: FieldErrors

    init(_ kind: ThingKind, in visit: Visit) async {
        await self.init(kind, SubmittedForm((try? visit.asked.get()) ?? []), in: visit)
    }

    init(_ kind: ThingKind, _ form: SubmittedForm, in visit: Visit) async {
        self.kind = kind
        q = form["q"]
        order = ThingOrder(rawValue: form["sort"]) ?? .newest
        (region, brand, model) = (form["region"], form["brand"], form["model"])
        if !kind.look.isVehicle { brand = "" }
        if brand.isEmpty { model = "" }
        showsMap = form["map"] == "yes"
        (price, from, until) = (form["price"], form["from"], form["until"])
        isForm = form.fields["place"] != nil
        around = PlaceAnswer(form, "place")
        let known = PlaceChoice(written: form["near"]) ?? Position(written: form["near"]).map { .here($0) }
        // One's own position stays as long as no place is typed; a place goes with its words.
        near = isForm ? around.chosen ?? (form["place"].isEmpty && known?.label == "" ? known : nil) : known
        if !isForm, let near, !near.label.isEmpty { around = PlaceAnswer(chosen: near) }
        errors = FieldErrors(visit.words)
        if isForm { await around.lookUp(near: near?.position ?? visit.community.center, in: visit) }
        check(currency: visit.community.currency, regions: visit.community.regions)
    }

    private mutating func check(currency: String, regions: [String]) {
        if let trouble = around.trouble { errors.add("place", trouble.rawValue, topic: "things") }
        if order == .nearest, near == nil, around.trouble == nil { errors.add("place", "nearest", topic: "things") }
        if !region.isEmpty, !regions.contains(region) { errors.add("region", "unknown") }
        if !price.isEmpty {
            highestPrice = Price.amount(price, currency: currency)
            if highestPrice == nil { errors.add("price", "malformed") }
        }
        if from.isEmpty != until.isEmpty { errors.add(from.isEmpty ? "from" : "until", "both", topic: "things") }
    }

    /// Takes over what the service says of it.
    mutating func refuse(_ error: ServiceError) {
        for wrong in error.errors {
            let name = ["highestPrice": "price", "near": "place"][wrong.field] ?? wrong.field
            let isHour = wrong.code == "not_a_day" && kind.unit == .hour
            // When one wants it is read as it is where one asks for it, and said in the same words.
            let topic = ["from", "until"].contains(name) ? "rental" : "things"
            errors.add(name, isHour ? "not_an_hour" : wrong.code, topic: topic)
        }
    }

    func question(cursor: String?) -> ThingQuery {
        ThingQuery(
            kind: kind, q: q.nonEmpty, region: region.nonEmpty, brand: brand.nonEmpty, model: model.nonEmpty,
            highestPrice: highestPrice, from: from.nonEmpty, until: until.nonEmpty, sort: order,
            near: near?.position, limit: Self.limit, cursor: cursor)
    }

    /// What the page's address says of it, and of nothing else.
    var pairs: [(String, String)] {
        [
            ("q", q), ("sort", order == .newest ? "" : order.rawValue), ("brand", brand), ("model", model),
            ("region", region), ("price", price), ("from", from), ("until", until),
            ("near", near?.written.trimmed ?? ""), ("map", showsMap ? "yes" : ""),
        ].filter { !$0.1.isEmpty }
    }

    var query: String { Self.written(pairs) }

    func path(cursor: String? = nil) -> String { path(pairs + (cursor.map { [("cursor", $0)] } ?? [])) }

    /// The same search without one of what narrows it.
    func path(without names: Set<String>) -> String { path(pairs.filter { !names.contains($0.0) }) }

    private func path(_ pairs: [(String, String)]) -> String {
        pairs.isEmpty ? kind.path : "\(kind.path)?\(Self.written(pairs))"
    }

    /// When one wants it, for the page of a thing.
    var period: String {
        from.isEmpty || until.isEmpty ? "" : "?" + Self.written([("from", from), ("until", until)])
    }

    private static func written(_ pairs: [(String, String)]) -> String {
        pairs.map { "\($0)=\(LocalPath.encoded($1))" }.joined(separator: "&")
    }
}

extension PlaceChoice {
    /// Where the one is who looks.
    fileprivate static func here(_ position: Position) -> PlaceChoice { PlaceChoice(position: position, label: "") }
}
