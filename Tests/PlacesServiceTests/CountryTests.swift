import Testing
import WireProtocol

@testable import PlacesService

/// In which country a point is, and so which town and which state are its own.
@Suite struct CountryTests {
    /// A border along the parallel of 49° and a town on each side, the northern one nearer to what lies between.
    private static let border = """
        id,name,latitude,longitude,kind,population,country,region
        1,Northtown,49.2,-113.3,town,3585,CA,CA.01
        2,Southtown,48.5569,-113.0134,town,1027,US,US.MT
        3,Inn,48.8597,-113.4360,hotel,,,

        """
    private static let names = "CA\tCanada\nUS\tUnited States\nCA.01\tAlberta\nUS.MT\tMontana\n"

    private static func country(_ name: String, _ code: String, _ ring: String, blur: Int = 0) -> String {
        #"{"type":"Feature","properties":{"name":"\#(name)","country":"\#(code)","blur":\#(blur)},"geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
    }

    private static func world(blur: Int = 0) -> String {
        let north = country("Canada", "CA", "[[-120,49],[-110,49],[-110,55],[-120,55],[-120,49]]", blur: blur)
        let south = country("America", "US", "[[-120,40],[-110,40],[-110,49],[-120,49],[-120,40]]", blur: blur)
        return #"{"type":"FeatureCollection","features":[\#(north),\#(south)]}"#
    }

    private func region(_ gazetteer: Gazetteer, _ latitude: Double, _ longitude: Double) async throws -> String? {
        do {
            return try await gazetteer.places.region(Position(latitude: latitude, longitude: longitude)).name
        } catch PlaceError.notFound { return nil }
    }

    /// Whichever comes first, the towns or the outlines.
    @Test(arguments: [true, false]) func the_nearest_town_of_the_same_country_says_the_region(_ outlinesFirst: Bool)
        async throws
    {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Self.names, as: .regions, from: "names")
            if outlinesFirst { try await gazetteer.bring(Self.world(), as: .drawnCountries, from: "world") }
            try await gazetteer.bring(Self.border, from: "towns")
            if !outlinesFirst {
                #expect(try await region(gazetteer, 48.8597, -113.4360) == "Alberta")
                let summary = try await gazetteer.bring(Self.world(), as: .drawnCountries, from: "world")
                #expect(summary.lines.first?.contains("2 regions") == true)
            }
            #expect(try await region(gazetteer, 48.8597, -113.4360) == "Montana")
            #expect(try await region(gazetteer, 49.01, -113.3) == "Alberta")
            let inn = try #require(try await gazetteer.places.search(PlaceQuery(q: "inn")).items.first)
            #expect(inn.country == "US" && inn.region == "Montana" && inn.locality == "Southtown")
            let here = try await gazetteer.places.reverse(Position(latitude: 48.87, longitude: -113.40))
            #expect(here.name == "Southtown")

            let gone = try await gazetteer.remove("world")
            #expect(gone == (0, 2))
            #expect(try await gazetteer.places.search(PlaceQuery(q: "inn")).items.first?.country == "CA")
        }
    }

    /// Outlines of the whole world are not exact: a town that is nearer than they are counts.
    @Test func a_town_close_by_counts_more_than_a_blurred_outline() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Self.names, as: .regions, from: "names")
            try await gazetteer.bring(
                Self.border + "4,Edge,48.90,-113.30,town,2000,CA,CA.01\n", from: "towns")
            try await gazetteer.bring(Self.world(blur: 20_000), as: .drawnCountries, from: "world")
            #expect(try await region(gazetteer, 48.895, -113.30) == "Alberta")
            #expect(try await region(gazetteer, 48.70, -113.20) == "Montana")
            try await gazetteer.bring(Self.world(), as: .drawnCountries, from: "world")
            #expect(try await region(gazetteer, 48.895, -113.30) == "Montana")
        }
    }

    /// As OpenStreetMap has towns: without their state, and mostly without their country.
    @Test func a_town_that_does_not_know_its_state_is_in_that_of_the_next_one() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring("FI\tFinland\nFI.01\tUusimaa\n", as: .regions, from: "names")
            let node =
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[24.9427,60.1675]},"properties":{"@type":"node","@id":1,"place":"city","name":"Helsinki","population":"600000"}}"#
            try await gazetteer.bring(node + "\n" + Extract.text, as: .osm, from: "extract")
            #expect(try await region(gazetteer, 60.1711, 24.95) == nil)
            try await gazetteer.bring(towns, from: "towns")
            #expect(try await region(gazetteer, 60.1711, 24.95) == "Uusimaa")
            let places = try await gazetteer.places.search(PlaceQuery(q: "helsinki", kind: .town)).items
            #expect(places.count == 2 && places.allSatisfy { $0.region == "Uusimaa" && $0.country == "FI" })
            #expect(try await gazetteer.places.search(PlaceQuery(q: "engel")).items.first?.region == "Uusimaa")
        }
    }

    /// Another country's state is none, however near.
    @Test func a_town_takes_no_state_of_another_country() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Self.names, as: .regions, from: "names")
            try await gazetteer.bring(
                """
                id,name,latitude,longitude,kind,population,country,region
                1,Northtown,49.2,-113.3,town,3585,CA,CA.01
                2,Southtown,48.95,-113.3,town,5000,US,

                """, from: "towns")
            #expect(try await region(gazetteer, 48.95, -113.3) == nil)
            #expect(try await gazetteer.places.search(PlaceQuery(q: "southtown")).items.first?.region == nil)
        }
    }

    @Test(arguments: [
        (country("Nowhere", "", "[[0,0],[1,0],[1,1],[0,0]]"), "no country"),
        (country("Nowhere", "fi", "[[0,0],[1,0],[1,1],[0,0]]"), "no country"),
        (country("Nowhere", "FIN", "[[0,0],[1,0],[1,1],[0,0]]"), "no country"),
        (country("Nowhere", "FI", "[[0,0],[1,0],[1,1],[0,0]]", blur: -1), "blur"),
        (country("Nowhere", "FI", "[[0,0],[2,2],[2,0],[0,2],[0,0]]"), "crosses or touches itself"),
    ]) func what_is_no_country_refuses_the_file(_ feature: String, _ reason: String) async throws {
        try await Gazetteer.with { gazetteer in
            let file = #"{"type":"FeatureCollection","features":[\#(feature)]}"#
            do {
                try await gazetteer.bring(file, as: .drawnCountries, from: "world")
                Issue.record("it was not refused")
            } catch let problem as RegionProblem {
                #expect(problem.description.contains(reason), "\(problem)")
            }
        }
    }
}
