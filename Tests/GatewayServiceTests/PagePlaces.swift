import WireProtocol

/// A few places of a town.
enum PagePlaces {
    static let all = [
        place(1, .town, "Testholm", (60.17, 24.95), region: "North", country: "FI"),
        place(2, .street, "Fabianinkatu", (60.1711, 24.9500), locality: "Testholm"),
        place(3, .address, "Fabianinkatu 33", (60.1712, 24.9501), locality: "Testholm", address: "Fabianinkatu 33"),
        place(4, .restaurant, "Cafe <b>\"Ursula\"</b>", (60.1720, 24.9510), locality: "Testholm", address: "Kai 1"),
        place(5, .parking, "Kluuvi", (60.1730, 24.9520), locality: "Testholm"),
    ]

    /// A town that was found by another name, and what was left out of the question.
    fileprivate static var munich: PlaceSuggestions {
        var town = place(6, .town, "Munich", (48.137, 11.576), region: "Bavaria", country: "DE")
        (town.foundBy, town.match) = ("München <b>", .beginning)
        return PlaceSuggestions(items: [town], leftOut: ["Nowhere <i>"])
    }

    /// For a house that is not known: its street, and another house.
    fileprivate static var beside: PlaceSuggestions {
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

    fileprivate static func measured(_ places: [Place], from point: Position?) -> [Place] {
        places.map { place in
            var place = place
            place.distance = point.map { Int($0.metres(to: place.position).rounded()) }
            return place
        }
    }
}

extension FakeBackend {
    /// From now on these places are known, and where there are any, streets too.
    func know(_ places: [Place]) {
        on(PlacesMethods.search) { request in
            let query = request.parameters
            guard query.q.count >= 2 else {
                throw ServiceError.invalid([FieldError("q", "too_short", "At least two letters or digits.")])
            }
            if query.q == "Mün, Nowhere" { return PagePlaces.munich }
            if query.q == "Kai 12" { return PagePlaces.beside }
            let found = places.filter { $0.name.lowercased().hasPrefix(query.q.lowercased()) }.prefix(query.limit ?? 10)
            return PlaceSuggestions(items: PagePlaces.measured(Array(found), from: query.near))
        }
        on(PlacesMethods.place) { request in
            guard let place = places.first(where: { $0.id == request.parameters.id }) else {
                throw ServiceError.notFound("place")
            }
            return place
        }
        on(PlacesMethods.reverse) { request in
            let near = PagePlaces.measured(places, from: request.parameters.at)
            guard let place = near.min(by: { $0.distance! < $1.distance! }) else {
                throw ServiceError.notFound("place")
            }
            let name = [place.name, place.locality].compactMap(\.self).joined(separator: ", ")
            return PlaceDescription(name: name, place: place, town: places.first)
        }
        on(PlacesMethods.nearby) { request in
            let query = request.parameters
            let near = PagePlaces.measured(places.filter { $0.kind == query.kind }, from: query.at)
                .filter { $0.distance! <= query.radius ?? 1000 }
            return Page(items: near.sorted { $0.distance! < $1.distance! })
        }
        on(PlacesMethods.distances) { request in
            let query = request.parameters
            let items = query.to.map { target in
                // As in a city of square blocks, where there are streets.
                let straight = query.from.metres(to: target)
                let metres = Int((places.isEmpty ? straight : straight * 1.4).rounded())
                return PlaceDistance(
                    metres: metres, seconds: places.isEmpty ? nil : Int(Double(metres) / 1.3),
                    alongStreets: !places.isEmpty)
            }
            let attribution = places.isEmpty ? [] : ["© OpenStreetMap contributors, ODbL 1.0"]
            return PlaceDistances(items: items, attribution: attribution)
        }
    }
}
