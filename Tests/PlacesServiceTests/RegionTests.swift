import Postgres
import Testing
import WireProtocol

@testable import PlacesService

/// Regions that operators draw or list, and which place is in which.
@Suite struct RegionTests {
    private static func feature(_ name: String, _ rings: String, type: String = "Polygon") -> String {
        #"{"type":"Feature","properties":{"name":"\#(name)"},"geometry":{"type":"\#(type)","coordinates":\#(rings)}}"#
    }

    private static func collection(_ features: String...) -> String {
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    }

    /// Uusimaa without the middle of its capital, which is a region of its own.
    private static let drawn = collection(
        feature(
            "Coast",
            "[[[24,60],[26,60],[26,60.5],[24,60.5],[24,60]],[[24.9,60.1],[25,60.1],[25,60.2],[24.9,60.2],[24.9,60.1]]]"),
        feature("Middle", "[[[24.9,60.1],[25,60.1],[25,60.2],[24.9,60.2],[24.9,60.1]]]"))

    private func region(_ gazetteer: Gazetteer, _ latitude: Double, _ longitude: Double) async throws -> String? {
        do {
            return try await gazetteer.places.region(Position(latitude: latitude, longitude: longitude)).name
        } catch PlaceError.notFound { return nil }
    }

    @Test func what_an_import_changes_is_seen_once_somebody_looks() async throws {
        try await Gazetteer.with { gazetteer in
            var places = gazetteer.places
            places.regions = RegionMemory(patience: .seconds(3600))
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring("FI\tFinland\nFI.01\tUusimaa\n", as: .regions, from: "names")
            let open = Position(latitude: 0, longitude: -30)
            for _ in 0..<2 {
                #expect(try await places.region(helsinki).name == "Uusimaa")
                await #expect(throws: PlaceError.notFound) { try await places.region(open) }
            }
            try await gazetteer.bring(Self.drawn, as: .drawnRegions, from: "drawn")
            #expect(try await places.region(helsinki).name == "Uusimaa")
            places.regions.see(try await places.store.imports())
            #expect(try await places.region(helsinki).name == "Middle")
            try await gazetteer.remove("drawn")
            // A point that nobody has asked for shows that there are other files, and the rest is asked for again.
            #expect(try await places.region(Position(latitude: 60.3, longitude: 24.9)).name == "Uusimaa")
            #expect(try await places.region(helsinki).name == "Uusimaa")
        }
    }

    @Test func somebody_looks_now_and_then_and_one_at_a_time() {
        let (memory, start) = (RegionMemory(), ContinuousClock.now)
        #expect(memory.shouldLook(at: start) && !memory.shouldLook(at: start))
        #expect(!memory.shouldLook(at: start + .milliseconds(999)))
        #expect(memory.shouldLook(at: start + .seconds(1)) && !memory.shouldLook(at: start + .seconds(1)))
    }

    @Test func a_full_memory_begins_anew_and_never_grows() {
        let memory = RegionMemory()
        let region = PlaceRegion(name: "Here", community: true, attribution: "Us")
        for number in 0...RegionMemory.most {
            memory.keep(region, of: Position(latitude: 0, longitude: Double(number) / 1000), from: "files")
        }
        #expect(memory.region(of: Position(latitude: 0, longitude: 0)) == nil)
        #expect(memory.region(of: Position(latitude: 0, longitude: Double(RegionMemory.most) / 1000)) == region)
    }

    @Test func a_drawn_region_wins_over_the_name_of_a_state() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring("FI\tFinland\nFI.01\tUusimaa\n", as: .regions, from: "names")
            let state = try await gazetteer.places.region(helsinki)
            #expect(state == PlaceRegion(name: "Uusimaa", community: false, attribution: "Us, CC0"))
            let summary = try await gazetteer.bring(Self.drawn, as: .drawnRegions, from: "drawn")
            #expect(summary.regions.count == 2 && summary.lines.contains { $0.contains("2 regions") })
            let here = try await gazetteer.places.region(helsinki)
            #expect(here == PlaceRegion(name: "Middle", community: true, attribution: "Us, CC0"))
            #expect(try await region(gazetteer, 60.2052, 24.6522) == "Coast")
            #expect(try await gazetteer.places.search(PlaceQuery(q: "helsinki")).items[0].region == "Middle")
            #expect(try await gazetteer.places.search(PlaceQuery(q: "espoo")).items[0].region == "Coast")
            let inRegion = try await gazetteer.names("espoo, coast")
            #expect(inRegion == ["Espoo"])
            #expect(try await gazetteer.places.reverse(helsinki).place.region == "Middle")

            // What comes later knows it too, and what is drawn anew is where it is drawn now.
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            let cafe = try await gazetteer.places.search(PlaceQuery(q: "engel")).items
            #expect(cafe.map(\.region) == ["Middle"])
            try await gazetteer.bring(
                Self.collection(Self.feature("Other", "[[[24,60],[26,60],[26,60.5],[24,60.5],[24,60]]]")),
                as: .drawnRegions, from: "drawn")
            #expect(try await gazetteer.places.search(PlaceQuery(q: "engel")).items[0].region == "Other")
            try await gazetteer.remove("drawn")
            #expect(try await gazetteer.places.search(PlaceQuery(q: "engel")).items[0].region == "Uusimaa")
            #expect(try await region(gazetteer, 60.1695, 24.9354) == "Uusimaa")
        }
    }

    @Test func a_listed_region_has_the_towns_that_it_lists() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            let list =
                "region,town,country,state\nCapital,helsinki,FI,\nPrairie,Springfield,US,US.IL\nCapital,Espoo,,\n"
            let summary = try await gazetteer.bring(list, as: .listedRegions, from: "list")
            #expect(summary.regions.count == 2)
            #expect(try await region(gazetteer, 60.17, 24.94) == "Capital")
            #expect(try await gazetteer.places.search(PlaceQuery(q: "engel")).items[0].region == "Capital")
            let prairie = try await gazetteer.places.search(PlaceQuery(q: "springfield, prairie")).items
            #expect(prairie.count == 1 && prairie[0].region == "Prairie")
            #expect(try await region(gazetteer, 37.2153, -93.2982) == nil)
            // Drawn wins over listed.
            try await gazetteer.bring(Self.drawn, as: .drawnRegions, from: "drawn")
            #expect(try await region(gazetteer, 60.17, 24.94) == "Middle")
        }
    }

    @Test(arguments: [
        ("[[[0,0],[2,2],[2,0],[0,2],[0,0]]]", "crosses or touches itself"),
        ("[[[0,0],[4,0],[4,4],[2,0],[0,4],[0,0]]]", "crosses or touches itself"),
        ("[[[0,0],[4,0],[4,4],[4,-1],[0,0]]]", "crosses or touches itself"),
        ("[[[0,0],[1,0],[1,1]]]", "not closed"), ("[[[0,0],[1,0],[0,0]]]", "fewer than three"),
        ("[[[0,0],[1,1],[2,2],[0,0]]]", "crosses or touches itself"), ("[[]]", "not closed"),
        ("[]", "fewer than three"),
        ("[[[170,0],[-170,0],[-170,10],[170,10],[170,0]]]", "date line"),
        ("[[[0,80],[90,90],[180,80],[0,80]]]", "a pole"), ("[[[0,0],[1,0],[1,91],[0,0]]]", "not on the earth"),
        ("[[[181,0],[182,0],[182,1],[181,0]]]", "not on the earth"),
        ("[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[3,3],[3,1],[1,3],[1,1]]]", "crosses or touches itself"),
    ]) func what_is_no_region_refuses_the_file_and_says_which(_ rings: String, _ reason: String) async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Self.drawn, as: .drawnRegions, from: "drawn")
            do {
                let bad = Self.collection(
                    Self.feature("Good", "[[[0,0],[1,0],[1,1],[0,0]]]"), Self.feature("Bad", rings))
                try await gazetteer.bring(bad, as: .drawnRegions, from: "drawn")
                Issue.record("it was not refused")
            } catch let problem as RegionProblem {
                #expect(problem.name == "Bad" && problem.reason.contains(reason), "\(problem)")
            }
            #expect(try await region(gazetteer, 60.1695, 24.9354) == "Middle")
        }
    }

    @Test func files_that_are_none_are_refused() async throws {
        try await Gazetteer.with { gazetteer in
            for bad in [
                "", "{}", #"{"type":"FeatureCollection","features":[]}"#,
                Self.collection(Self.feature("Line", "[[0,0],[1,1]]", type: "LineString")),
                Self.collection(Self.feature("", "[[[0,0],[1,0],[1,1],[0,0]]]")),
                Self.collection(Self.feature("Deep", "[[[0],[1,0],[1,1],[0,0]]]")),
                String(Self.drawn.dropLast(20)),
            ] {
                await #expect(throws: ImportProblem.self, "\(bad)") {
                    try await gazetteer.bring(bad, as: .drawnRegions, from: "drawn")
                }
            }
            for bad in [
                "", "region\nNorth\n", "town,region\n,North\n", "region,town\n,Aa\n", "region,town\n\"North,Aa\n",
            ] {
                await #expect(throws: (any Error).self, "\(bad)") {
                    try await gazetteer.bring(bad, as: .listedRegions, from: "list")
                }
            }
            let twice = Self.collection(
                Self.feature("One", "[[[0,0],[1,0],[1,1],[0,0]]]"), Self.feature("One", "[[[5,5],[6,5],[6,6],[5,5]]]"))
            await #expect(throws: RegionProblem.self) {
                try await gazetteer.bring(twice, as: .drawnRegions, from: "drawn")
            }
        }
    }

    /// Cut at the date line as RFC 7946 has it, a region is on both sides, and on the line itself, whichever of its two longitudes is said.
    @Test func a_region_on_both_sides_of_the_date_line_is_one() async throws {
        try await Gazetteer.with { gazetteer in
            let rings =
                "[[[[177,-20],[180,-20],[180,-15],[177,-15],[177,-20]]],[[[-180,-20],[-178,-20],[-178,-15],[-180,-15],[-180,-20]]]]"
            try await gazetteer.bring(
                Self.collection(
                    Self.feature("Fiji", rings, type: "MultiPolygon"),
                    Self.feature("East", "[[[178,0],[180,0],[180,5],[178,5],[178,0]]]")),
                as: .drawnRegions, from: "drawn")
            for longitude in [178.4, 180, -180, -179] {
                #expect(try await region(gazetteer, -18, longitude) == "Fiji", "\(longitude)")
            }
            #expect(try await region(gazetteer, 2, -180) == "East")
            #expect(try await region(gazetteer, -18, -177) == nil)
            #expect(try await region(gazetteer, 90, 0) == nil)
            #expect(try await region(gazetteer, -90, 180) == nil)
        }
    }

    /// The polygons of this repository: every point of the bounds is in the region that it should be in, and none is in two.
    @Test(arguments: [
        (
            "singapore",
            [
                ("North", 1.4382, 103.7890), ("South", 1.2494, 103.8303), ("East", 1.3496, 103.9568),
                ("West", 1.3329, 103.7436), ("Central", 1.3343, 103.8563),
            ]
        ),
        (
            "california",
            [
                ("Central Coast", 35.2828, -120.6596), ("Bay Area", 37.7749, -122.4194),
                ("Los Angeles", 34.0522, -118.2437),
                ("San Diego", 32.7157, -117.1611), ("Central Valley", 36.7378, -119.7871),
                ("Sacramento", 38.5816, -121.4944),
                ("Inland Empire", 33.9533, -117.3962), ("North", 40.5865, -122.3917),
                ("Orange County", 33.7455, -117.8677),
                ("Sierra Nevada", 37.6485, -118.9721),
            ]
        ),
    ]) func the_regions_that_come_along_are_sound(_ file: String, _ cities: [(String, Double, Double)]) async throws {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let input = try InputFile("/\(path)/deploy/map/regions/\(file).geojson")
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(try input.next(), as: .drawnRegions, from: file, inPiecesOf: 4096)
            for (name, latitude, longitude) in cities {
                #expect(try await region(gazetteer, latitude, longitude) == name)
            }
            let overlaps = try await gazetteer.pool.read(
                """
                SELECT count(*) AS count FROM generate_series(0, 99) AS x, generate_series(0, 99) AS y,
                    (SELECT min(west) AS w, max(east) - min(west) AS dx, min(south) AS s, max(north) - min(south) AS dy FROM area_shapes) AS b
                WHERE (SELECT count(*) FROM area_shapes
                    WHERE ring @> point(w + dx * (x + 0.37) / 100, s + dy * (y + 0.41) / 100)) > 1
                """)
            #expect(try overlaps[0].get("count", as: Int.self) == 0)
        }
    }
}
