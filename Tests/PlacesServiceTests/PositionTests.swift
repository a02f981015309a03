import Testing
import WireProtocol

@testable import PlacesService

/// What is at a point, and what is around it.
@Suite struct PositionTests {
    private static func with(_ body: (Gazetteer) async throws -> Void) async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring("FI\tFinland\nFI.01\tUusimaa\n", as: .regions)
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            try await body(gazetteer)
        }
    }

    @Test func a_point_is_called_by_what_is_there() async throws {
        try await Self.with { gazetteer in
            for (latitude, longitude, wanted) in [
                (60.1701, 24.9490, "Fabianinkatu 33, Helsinki"), (60.1705, 24.9500, "Café Engel, Helsinki"),
                // Far from both ends of the street.
                (60.1694, 24.9481, "Fabianinkatu, Helsinki"), (60.17203, 24.9420, "Aleksanterinkatu, Helsinki"),
                (60.30, 24.93, "Helsinki"), (-18.1, 178.8, "Suva"),
            ] {
                let found = try await gazetteer.places.reverse(Position(latitude: latitude, longitude: longitude))
                #expect(found.name == wanted, "\(latitude), \(longitude)")
            }
            let here = try await gazetteer.places.reverse(Position(latitude: 60.1701, longitude: 24.9490))
            #expect(here.place.kind == .address && here.place.distance == 0 && here.town?.name == "Helsinki")
            let away = try await gazetteer.places.reverse(Position(latitude: 60.30, longitude: 24.93))
            #expect(away.place.kind == .town && away.town == nil)
            // Far from everything: at sea, at the pole, where no ship goes.
            for (latitude, longitude) in [(-18.2, -179.9), (90, 0), (0, 0), (59.6, 24.93), (-90, 180)] {
                let point = Position(latitude: latitude, longitude: longitude)
                await #expect(throws: PlaceError.notFound) { try await gazetteer.places.reverse(point) }
                await #expect(throws: PlaceError.notFound) { try await gazetteer.places.region(point) }
            }
            await #expect(throws: PlaceError.self) {
                try await gazetteer.places.reverse(Position(latitude: .nan, longitude: 0))
            }
        }
    }

    @Test func the_date_line_and_the_pole_are_between_no_neighbours() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(
                """
                id,name,latitude,longitude,kind
                1,West Light,-16.8,179.9999,venue
                2,East Light,-16.8,-179.9990,venue
                3,Hut at the top of the world,89.9995,100,venue
                4,On the line,5,180,building

                """)
            for (latitude, longitude, wanted, metres) in [
                (-16.8, -179.9999, "West Light", 21), (-16.8, 179.99985, "West Light", 5),
                (89.9995, -80, "Hut at the top of the world", 111), (5, -180, "On the line", 0),
            ] {
                let found = try await gazetteer.places.reverse(Position(latitude: latitude, longitude: longitude))
                #expect(found.name == wanted && found.place.distance == metres, "\(latitude), \(longitude)")
            }
        }
    }

    @Test func where_nothing_was_imported_nothing_is_near() async throws {
        try await Gazetteer.with { gazetteer in
            await #expect(throws: PlaceError.notFound) { try await gazetteer.places.reverse(helsinki) }
            let near = try await gazetteer.places.nearby(NearbyPlaceQuery(at: helsinki, kind: .town))
            #expect(near.items.isEmpty && near.next == nil)
            await #expect(throws: PlaceError.notFound) { try await gazetteer.places.place(.new()) }
        }
    }

    @Test func pages_of_what_is_near_neither_repeat_nor_miss_any() async throws {
        try await Gazetteer.with { gazetteer in
            // Four at each distance.
            let lines = (0..<40).map { number in
                let (step, side) = (Double(number / 4 + 1) / 10_000, number % 4)
                let (north, east) = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)][side]
                return "\(number),Café \(number),\(north),\(east),restaurant\n"
            }
            try await gazetteer.bring("id,name,latitude,longitude,kind\n" + lines.joined() + "x,Lot,0,0,parking\n")
            let middle = Position(latitude: 0, longitude: 0)
            var (seen, cursor): ([Place], String?) = ([], nil)
            repeat {
                let page = try await gazetteer.places.nearby(
                    NearbyPlaceQuery(at: middle, kind: .restaurant, limit: 7, cursor: cursor))
                seen += page.items
                cursor = page.next
            } while cursor != nil
            #expect(seen.count == 40 && Set(seen.map(\.id)).count == 40)
            #expect(seen.map { $0.distance! } == seen.map { $0.distance! }.sorted())
            let few = try await gazetteer.places.nearby(NearbyPlaceQuery(at: middle, kind: .restaurant, radius: 50))
            #expect(few.items.count == 16)
            let lot = try await gazetteer.places.nearby(NearbyPlaceQuery(at: middle, kind: .parking)).items
            #expect(lot.map(\.name) == ["Lot"])
        }
    }

    @Test func what_is_no_question_is_refused_at_its_field() throws {
        func fields(_ query: NearbyPlaceQuery) -> [String] {
            do throws(PlaceError) { _ = try NearbyPage(query) } catch {
                if case .invalid(let errors) = error { return errors.map(\.field) }
            }
            return []
        }
        let nowhere = Position(latitude: 0, longitude: 181)
        #expect(fields(NearbyPlaceQuery(at: helsinki, kind: .town)) == [])
        #expect(
            fields(NearbyPlaceQuery(at: nowhere, kind: .town, radius: 50_001, limit: 0, cursor: "x"))
                == ["at", "radius", "limit", "cursor"])
    }
}
