import WireProtocol

// Places that drafts name by an id. Whoever reads a draft has asked Places for them before.

/// A place, as Places says it.
struct KnownPlace: Hashable, Sendable {
    let id: PlaceID
    var name: String
    var address: String?
    var position: Position

    /// As everybody may know it.
    var shown: DeliveryPlace { DeliveryPlace(place: id, name: name, address: address, position: position) }
}

extension KnownPlace {
    init(_ place: Place) {
        self.init(id: place.id, name: place.name, address: place.address, position: place.position)
    }

    /// By whole metres, so that whoever measures a little otherwise agrees.
    func isInside(_ circle: OrderedAround) -> Bool {
        Int(circle.position.metres(to: position)) <= circle.radius
    }
}

/// What Places has said of what a draft names.
struct KnownPlaces: Hashable, Sendable {
    private let places: [PlaceID: KnownPlace]
    /// Restaurants within the circle of an order, the nearest first.
    let around: [KnownPlace]

    init(_ places: some Sequence<KnownPlace> = [], around: [KnownPlace] = []) {
        self.places = Dictionary(places.map { ($0.id, $0) }) { one, _ in one }
        self.around = around
    }

    subscript(id: PlaceID) -> KnownPlace? { places[id] }

    /// With places that Places has no more, as these orders have them: the first that has one says what it is called.
    func keeping(_ orders: [PlacedOrder]) -> KnownPlaces {
        KnownPlaces(Array(places.values) + orders.flatMap(\.namedPlaces), around: around)
    }
}

extension PlacedOrder {
    /// The places that it has by their ids.
    fileprivate var namedPlaces: [KnownPlace] {
        let goal = dropOff.place.map {
            KnownPlace(id: $0, name: dropOff.name, address: dropOff.address, position: dropOff.position)
        }
        return from.map(\.restaurant) + [goal].compactMap { $0 }
    }
}

extension AvailabilityDraft {
    /// What Places has to be asked for.
    var places: Set<PlaceID> { Set([restaurant, dropOff?.place].compactMap { $0 }) }
}

extension OrderDraft {
    /// What Places has to be asked for, beside what is in `circle`.
    var places: Set<PlaceID> {
        let wanted = (from ?? []).prefix(DeliveryLimits.restaurants.upperBound).map(\.restaurant)
        return Set((wanted + [dropOff?.place]).compactMap { $0 })
    }

    /// In which circle Places has to look for restaurants; nil where in none, or where it is wrong.
    var circle: (middle: Position, radius: Int)? {
        guard let around, let middle = around.position, DeliveryRules.errors(in: middle, at: "").isEmpty else {
            return nil
        }
        let radius = around.radius ?? DeliveryLimits.usualRadius
        return DeliveryLimits.radii.contains(radius) ? (middle, radius) : nil
    }
}
