import PlainText
import Sentences
import WireProtocol

/// What is to be looked for from now on, as an address or a form says it. A vertical more adds its form here.
enum WantedSearch {
    case spots(WantedSpots)
    case things(ThingSearch)
    case rides(RideSearch)
    case deliverers(WantedDeliverers)

    /// - Throws: `notFound` where nothing of that name can be looked for.
    init(_ form: SubmittedForm, in visit: Visit) async throws {
        let name = form["of"]
        if name == WantedSpots.name {
            self = .spots(await WantedSpots(form, in: visit))
        } else if let kind = ThingKind.allCases.first(where: { $0.wantedName == name }) {
            self = .things(await ThingSearch(wanted: kind, form, in: visit))
        } else if name == RideSearch.wantedName {
            self = .rides(await RideSearch(wanted: form, in: visit))
        } else if name == WantedDeliverers.name {
            self = .deliverers(await WantedDeliverers(form, in: visit))
        } else {
            throw ServiceError.notFound("search")
        }
    }

    /// As it is kept.
    init(_ query: WantedQuery, in visit: Visit) async throws {
        if let rides = query.rides {
            self = .rides(await RideSearch(rides, in: visit))
            return
        }
        if let deliverers = query.deliverers {
            self = .deliverers(await WantedDeliverers(deliverers, in: visit))
            return
        }
        try await self.init(SubmittedForm(query.pairs(currency: visit.community.currency)), in: visit)
        guard case .spots(var spots) = self, let near = spots.near else { return }
        spots.around = PlaceAnswer(
            chosen: PlaceChoice(position: near, label: await visit.placeName(at: near) ?? near.shown))
        self = .spots(spots)
    }

    /// As far as it can be read; nil where it says too little.
    var draft: WantedQuery? {
        switch self {
        case .spots(let spots): spots.near.map { WantedQuery(spots: SpotQuery(near: $0, radius: spots.radius)) }
        case .things(let things): WantedQuery(things: things.wanted)
        case .rides(let rides): rides.wanted
        case .deliverers(let deliverers): deliverers.wanted
        }
    }

    /// Whether others see who seeks this; nil of what nobody else can see.
    var isVisible: Bool? {
        get {
            guard case .rides(let rides) = self else { return nil }
            return rides.isVisible
        }
        set {
            guard case .rides(var rides) = self else { return }
            rides.isVisible = newValue == true
            self = .rides(rides)
        }
    }

    /// Nil where something is wrong with it.
    var query: WantedQuery? { errors.isEmpty ? draft : nil }

    var errors: FieldErrors {
        switch self {
        case .spots(let spots): spots.errors
        case .things(let things): things.errors
        case .rides(let rides): rides.errors
        case .deliverers(let deliverers): deliverers.errors
        }
    }

    /// What points are called that it names.
    var names: [Position: String] {
        switch self {
        case .spots, .things: [:]
        case .rides(let rides): rides.names
        case .deliverers(let deliverers): deliverers.names
        }
    }

    /// What an address or a form says of it.
    var pairs: [(String, String)] {
        switch self {
        case .spots(let spots): spots.pairs
        case .things(let things):
            [("of", things.kind.wantedName)] + things.pairs.filter { ThingSearch.narrowing.contains($0.0) }
        case .rides(let rides): rides.wantedPairs
        case .deliverers(let deliverers): deliverers.pairs
        }
    }

    /// Where one says that they want to be told of it.
    var path: String { WantedNewPage.path(pairs) }

    /// The search that finds what is there now.
    var list: String {
        switch self {
        case .spots(let spots): spots.near == nil ? "/parking" : WantedQuery.address("/parking", pairs)
        case .things(let things): WantedQuery.address(things.kind.path, pairs)
        case .rides(let rides): rides.path()
        case .deliverers(let deliverers): deliverers.list
        }
    }

    /// Takes over what the services say of it, whose fields are those of `WantedQuery`.
    mutating func refuse(_ error: ServiceError) {
        let errors = error.errors.map { wrong in
            let field = wrong.field.split(separator: ".").last.map(String.init) ?? wrong.field
            return FieldError(field, wrong.code, wrong.message)
        }
        switch self {
        case .spots(var spots):
            for wrong in errors {
                // What is wrong with all of it stands at the distance: it is what can be less.
                let name = wrong.field == "near" ? "place" : "radius"
                spots.errors.add(name, wrong.code, topic: name == "place" ? "wantedPlace" : "wantedRadius")
            }
            self = .spots(spots)
        case .things(var things):
            let ofAll = errors.filter { Self.whole.contains($0.field) }
            for wrong in ofAll {
                things.errors.add(
                    "q", wrong.code, topic: wrong.code == "too_wide" ? things.wantedTopic : "wantedThings")
            }
            things.refuse(.invalid(errors.filter { !Self.whole.contains($0.field) }))
            self = .things(things)
        case .rides(var rides):
            for wrong in errors where Self.whole.contains(wrong.field) {
                rides.errors.add(wrong.code == "too_wide" ? "extra" : "day", wrong.code, topic: "wantedRides")
            }
            rides.refuse(.invalid(errors.filter { !Self.whole.contains($0.field) }))
            self = .rides(rides)
        case .deliverers(var deliverers):
            deliverers.refuse(errors)
            self = .deliverers(deliverers)
        }
    }

    private static let whole: Set<String> = ["query", "things", "kind", "rides"]
}

extension WantedQuery {
    /// What an address or a form says of it; of rides and deliverers, whose places have names, no more than that it is one of them (`RideSearchQuery.pairs`,
    /// `DelivererSearch.pairs`).
    func pairs(currency: String) -> [(String, String)] {
        if rides != nil { return [("of", RideSearch.wantedName)] }
        if deliverers != nil { return [("of", WantedDeliverers.name)] }
        if let spots {
            return WantedSpots.pairs(near: spots.near, radius: spots.radius ?? WantedSpots.usual)
        }
        guard let things, let kind = things.kind else { return [] }
        let price = things.highestPrice.map {
            MoneyText.number(Money(amount: $0, currency: currency), separator: ".")
        }
        let pairs: [(String, String?)] = [
            ("of", kind.wantedName), ("q", things.q), ("brand", things.brand), ("model", things.model),
            ("region", things.region), ("price", price), ("from", things.from), ("until", things.until),
        ]
        return pairs.compactMap { name, value in value?.nonEmpty.map { (name, $0) } }
    }

    /// The search that finds what is there now; nil where no page searches for it.
    func list(currency: String) -> String? {
        let path = spots == nil ? things?.kind?.path : "/parking"
        return path.map { Self.address($0, pairs(currency: currency)) }
    }

    fileprivate static func address(_ path: String, _ pairs: [(String, String)]) -> String {
        let named = pairs.filter { $0.0 != "of" }.map { "\($0)=\(LocalPath.encoded($1))" }
        return named.isEmpty ? path : "\(path)?" + named.joined(separator: "&")
    }
}

extension ThingKind {
    /// How addresses call it: as its list.
    var wantedName: String { String(path.dropFirst()) }
}

extension ThingSearch {
    /// What narrows it, and nothing else of what may be typed.
    init(wanted kind: ThingKind, _ form: SubmittedForm, in visit: Visit) async {
        var pairs = form.fields.filter { Self.narrowing.contains($0.key) }.map { ($0.key, $0.value) }
        // Where brand and model are chosen in one list.
        if kind.look.isVehicle, form.fields["car"] != nil {
            let (brand, model) = CarModelField.chosen(form)
            pairs += [("brand", brand), ("model", model)]
        }
        await self.init(kind, SubmittedForm(pairs), in: visit)
    }

    /// Where it stands what can be less of it: vehicles have a brand.
    var wantedTopic: String { kind.look.isVehicle ? "wantedCars" : "wantedThings" }

    fileprivate var wanted: ThingQuery {
        ThingQuery(
            kind: kind, q: q.nonEmpty, region: region.nonEmpty, brand: brand.nonEmpty, model: model.nonEmpty,
            highestPrice: highestPrice, from: from.nonEmpty, until: until.nonEmpty)
    }
}
