import HTTPTypes
import WireProtocol

extension APIRoute {
    /// Where things are, and how one gets there.
    static let places: [APIRoute] = [
        .service(.get, "/v1/places", "searchPlaces", PlacesMethods.search, session: .optional) { read, _ in
            read.exactlyOne(of: ["q"])
            return PlaceQuery(
                q: read.text("q") ?? "", near: read.position("near"), kind: read.choice("kind", of: PlaceKind.allCases),
                limit: read.integer("limit", in: 1...20), language: read.language("language"))
        },
        // Before those that take an id: a router takes what is said in words first, and readers do.
        .service(.get, "/v1/places/reverse", "describePlace", PlacesMethods.reverse, session: .optional) { read, _ in
            read.exactlyOne(of: ["at"])
            return ReversePlaceQuery(
                at: read.position("at") ?? Position(latitude: 0, longitude: 0), language: read.language("language"))
        },
        .service(.get, "/v1/places/nearby", "listNearbyPlaces", PlacesMethods.nearby, session: .optional) { read, _ in
            read.exactlyOne(of: ["at"])
            read.exactlyOne(of: ["kind"])
            return NearbyPlaceQuery(
                at: read.position("at") ?? Position(latitude: 0, longitude: 0),
                kind: read.choice("kind", of: PlaceKind.allCases) ?? .town,
                radius: read.integer("radius", in: 1...50_000), limit: read.integer("limit", in: 1...100),
                cursor: read.text("cursor"), language: read.language("language"))
        },
        .service(.get, "/v1/places/region", "getPlaceRegion", PlacesMethods.region, session: .optional) { read, _ in
            read.exactlyOne(of: ["at"])
            return ReversePlaceQuery(at: read.position("at") ?? Position(latitude: 0, longitude: 0))
        },
        .service(
            .get, "/v1/places/distances", "listPlaceDistances", PlacesMethods.distances, session: .optional
        ) { read, _ in
            read.exactlyOne(of: ["from"])
            return PlaceDistanceQuery(
                from: read.position("from") ?? Position(latitude: 0, longitude: 0), to: read.positions("to", most: 100),
                mode: read.choice("mode", of: TravelMode.allCases), towards: read.flag("towards"))
        },
        .service(.get, "/v1/places/route", "getPlaceRoute", PlacesMethods.route, session: .optional) { read, _ in
            PlaceRouteQuery(
                points: read.positions("point", least: 2, most: 8),
                mode: read.choice("mode", of: TravelMode.allCases))
        },
        .service(.get, "/v1/places/{id}", "getPlace", PlacesMethods.place, session: .optional) { read, _ in
            PlaceReference(id: read.id(), language: read.language("language"))
        },
    ]
}
