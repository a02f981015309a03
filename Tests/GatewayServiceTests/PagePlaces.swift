import GatewayService
import WireProtocol

/// Places in memory: found by the beginning of their names, named by the nearest.
extension PageCall {
    static let places = [
        place(1, .town, "Testholm", (60.17, 24.95), region: "North", country: "FI"),
        place(2, .street, "Fabianinkatu", (60.1711, 24.9500), locality: "Testholm"),
        place(3, .address, "Fabianinkatu 33", (60.1712, 24.9501), locality: "Testholm", address: "Fabianinkatu 33"),
        place(4, .restaurant, "Cafe <b>\"Ursula\"</b>", (60.1720, 24.9510), locality: "Testholm", address: "Kai 1"),
        place(5, .parking, "Kluuvi", (60.1730, 24.9520), locality: "Testholm"),
    ]

    /// A town that was found by another name, and what was left out of the question.
    private static var munich: PlaceSuggestions {
        var town = place(6, .town, "Munich", (48.137, 11.576), region: "Bavaria", country: "DE")
        (town.foundBy, town.match) = ("München <b>", .beginning)
        return PlaceSuggestions(items: [town], leftOut: ["Nowhere <i>"])
    }

    /// For a house that is not known: its street, and another house.
    private static var beside: PlaceSuggestions {
        var (street, house) = (place(7, .street, "Kai", (60.17, 24.95)), place(8, .address, "Kai 14", (60.17, 24.95)))
        (street.match, house.match) = (.street, .otherNumber)
        return PlaceSuggestions(items: [street, house])
    }

    private static func place(
        _ number: Int, _ kind: PlaceKind, _ name: String, _ at: (Double, Double), locality: String? = nil,
        region: String? = "North", country: String? = "FI", address: String? = nil
    ) -> Place {
        Place(
            id: PlaceID("00000000-0000-8000-8000-00000000000\(number)")!, kind: kind, name: name,
            names: [PlaceName(language: "sv", name: "\(name) (sv)")], address: address, locality: locality,
            region: region, country: country, position: Position(latitude: at.0, longitude: at.1),
            attribution: kind == .town ? "GeoNames, CC BY 4.0" : "© OpenStreetMap contributors, ODbL 1.0")
    }

    func places(_ method: String, _ state: PageBackend.State) throws -> Outcome {
        let known = state.knowsPlaces ? Self.places : []
        func measured(_ place: Place, from point: Position?) -> Place {
            var place = place
            place.distance = point.map { Int($0.metres(to: place.position).rounded()) }
            return place
        }
        switch method {
        case "places.search":
            let query = try WireJSON.decode(PlaceQuery.self, from: parameters)
            guard query.q.count >= 2 else {
                throw ServiceError.invalid([FieldError("q", "too_short", "At least two letters or digits.")])
            }
            let found = known.filter { $0.name.lowercased().hasPrefix(query.q.lowercased()) }
            let items = found.prefix(query.limit ?? 10).map { measured($0, from: query.near) }
            if query.q == "Mün, Nowhere" { return (try WireJSON.encode(Self.munich), []) }
            if query.q == "Kai 12" { return (try WireJSON.encode(Self.beside), []) }
            return (try WireJSON.encode(PlaceSuggestions(items: items)), [])
        case "places.place":
            let id = try WireJSON.decode(PlaceReference.self, from: parameters).id
            guard let place = known.first(where: { $0.id == id }) else { throw ServiceError.notFound("place") }
            return (try WireJSON.encode(place), [])
        case "places.reverse":
            let point = try WireJSON.decode(ReversePlaceQuery.self, from: parameters).at
            let sorted = known.map { measured($0, from: point) }.sorted { $0.distance! < $1.distance! }
            guard let place = sorted.first else { throw ServiceError.notFound("place") }
            let name = [place.name, place.locality].compactMap(\.self).joined(separator: ", ")
            return (try WireJSON.encode(PlaceDescription(name: name, place: place, town: known.first)), [])
        case "places.distances":
            let query = try WireJSON.decode(PlaceDistanceQuery.self, from: parameters)
            let items = query.to.map { target in
                // As in a city of square blocks, where there are streets.
                let straight = query.from.metres(to: target)
                let metres = Int((state.knowsPlaces ? straight * 1.4 : straight).rounded())
                return PlaceDistance(
                    metres: metres, seconds: state.knowsPlaces ? Int(Double(metres) / 1.3) : nil,
                    alongStreets: state.knowsPlaces)
            }
            let attribution = state.knowsPlaces ? ["© OpenStreetMap contributors, ODbL 1.0"] : []
            return (try WireJSON.encode(PlaceDistances(items: items, attribution: attribution)), [])
        default:
            let query = try WireJSON.decode(NearbyPlaceQuery.self, from: parameters)
            let near = known.filter { $0.kind == query.kind }.map { measured($0, from: query.at) }
                .filter { $0.distance! <= query.radius ?? 1000 }.sorted { $0.distance! < $1.distance! }
            return (try WireJSON.encode(Page(items: near)), [])
        }
    }
}
