import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// What `/v1/places/route` and `/v1/places/distances` ask of places.
@Suite struct PlaceRouteTests {
    private static let (a, b) = (Position(latitude: 60.17, longitude: 24.94), Position(latitude: 60.2, longitude: 24.9))

    @Test func a_way_goes_through_its_points_in_their_order() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(PlacesMethods.route, PlaceRoute(legs: [], shape: [], attribution: []))
            let path = "/v1/places/route?point=60.17,24.94&point=60.2,24.9"
            #expect(try await door.get(path).status == 200)
            #expect(try await door.get("\(path)&point=60.17,24.94&mode=walking").status == 200)
            #expect(
                try door.backend.asked(PlacesMethods.route).map(\.parameters) == [
                    PlaceRouteQuery(points: [Self.a, Self.b]),
                    PlaceRouteQuery(points: [Self.a, Self.b, Self.a], mode: .walking),
                ])
        }
    }

    @Test func distances_are_asked_for_from_a_point_or_towards_it() async throws {
        try await TestDoor.run { door async throws in
            door.backend.answer(PlacesMethods.distances, PlaceDistances(items: [], attribution: []))
            let path = "/v1/places/distances?from=60.17,24.94&to=60.2,24.9"
            for more in ["", "&to=60.17,24.94&mode=driving&towards=true", "&towards=false"] {
                #expect(try await door.get(path + more).status == 200)
            }
            #expect(
                try door.backend.asked(PlacesMethods.distances).map(\.parameters) == [
                    PlaceDistanceQuery(from: Self.a, to: [Self.b]),
                    PlaceDistanceQuery(from: Self.a, to: [Self.b, Self.a], mode: .driving, towards: true),
                    PlaceDistanceQuery(from: Self.a, to: [Self.b], towards: false),
                ])
        }
    }

    @Test(arguments: [
        ("route", 422, "point"), ("route?point=", 422, "point"), ("route?point=60,24", 422, "point"),
        ("route?point=60,24&point=91,24", 422, "point"), ("route?point=60,24&point=61", 400, "point"),
        ("route?point=60,24&point=", 400, "point"),
        ("route?" + [String](repeating: "point=60,24", count: 9).joined(separator: "&"), 422, "point"),
        ("route?point=60,24&point=61,24&mode=flying", 422, "mode"), ("distances?to=60,24", 422, "from"),
        ("distances?from=60,24&to=61,24&towards=", 400, "towards"),
        ("distances?from=60,24&to=61,24&towards=home", 400, "towards"),
    ])
    func what_is_wrong_with_an_address_is_said_at_its_field(path: String, status: Int, field: String) async throws {
        try await TestDoor.run { door async throws in
            let answer = try await door.get("/v1/places/\(path)")
            #expect(answer.status == status)
            #expect(try answer.problem().errors.map(\.field) == [field])
            #expect(door.backend.asked.isEmpty)
        }
    }
}
