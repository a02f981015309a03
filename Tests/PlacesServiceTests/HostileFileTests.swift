import FoundationEssentials
import Postgres
import Testing
import WireProtocol

@testable import PlacesService

/// Files that are broken, cut off, or no such files at all: a clear word, and what was there before is still there.
@Suite struct HostileFileTests {
    private static let head = "id,name,latitude,longitude,kind\n"

    private static func lines(_ numbers: ClosedRange<Int>) -> String {
        numbers.map { "\($0),Place \($0),\(Double($0) / 100),\(Double($0) / 50),town\n" }.joined()
    }

    /// Brings a hundred places in, and then `bytes` from the same source, which must be refused with `message`.
    private func refuses(
        _ bytes: [UInt8], as format: ImportFormat = .csv, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Self.head + Self.lines(1...100), inPiecesOf: 5000)
            let before = try await gazetteer.everything()
            do {
                try await gazetteer.bring(bytes, as: format, inPiecesOf: 1000)
                Issue.record("was not refused", sourceLocation: sourceLocation)
            } catch let problem as ImportProblem {
                #expect(problem.description.contains(message), sourceLocation: sourceLocation)
            }
            let after = try await gazetteer.everything()
            #expect(before == after && before.count >= 200, sourceLocation: sourceLocation)
        }
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0, 1, 2, 3], "gzip"), ([0x50, 0x4B, 3, 4, 20], "spreadsheet"),
            ([0xFF, 0xFE, 0x6E, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x6E], "UTF-16"),
            ([0x6E, 0, 0x61, 0, 0x6D, 0], "UTF-16"),
            ([0, 0, 0, 13] + Array("\u{0A}\u{09}OSMHeader".utf8), "OpenStreetMap"), ([], "no place"),
            ([0x0A, 0x0A], "no place"),
        ] as [([UInt8], String)])
    func what_is_no_text_is_called_what_it_is(_ bytes: [UInt8], _ message: String) async throws {
        for format in [ImportFormat.csv, .geonames, .geojsonseq] { try await refuses(bytes, as: format, message) }
    }

    @Test func another_encoding_is_refused_and_a_few_broken_lines_are_not() async throws {
        let latin =
            Array((Self.head + Self.lines(1...90)).utf8)
            + (1...10).flatMap { Array("\(90 + $0),Z".utf8) + [0xFC] + Array("rich,1,1,town\n".utf8) }
        try await refuses(latin, "10 lines are not UTF-8")
        try await refuses(
            Array("id,na".utf8) + [0xEF] + Array("me,latitude,longitude\n".utf8) + Array(Self.lines(1...90).utf8),
            "not UTF-8")
        try await Gazetteer.with { gazetteer in
            let bytes =
                Array((Self.head + Self.lines(1...90) + "91,Z").utf8) + [0, 0xFC] + Array("rich,1,1,town\n".utf8)
            let summary = try await gazetteer.bring(bytes, as: .csv, inPiecesOf: 1000)
            #expect(summary.added == 90 && summary.leftOut[.notUTF8] == 1)
        }
    }

    @Test func a_file_that_is_cut_off_is_refused() async throws {
        let whole = Self.head + Self.lines(1...100)
        // In the middle of a line; and where a line ends, so that only what is missing gives it away.
        try await refuses(Array(whole.utf8.dropLast(14)), "ends in the middle")
        try await refuses(Array((Self.head + Self.lines(1...40)).utf8), "--may-shrink")
        let feature = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,1]},"properties":{"name":"A"}}"#
        try await refuses(Array("\(feature)\n\(feature.dropLast(20))".utf8), as: .geojsonseq, "ends in the middle")
        try await refuses(
            Array(#"{"type":"FeatureCollection","features":[\#(feature)"#.utf8), as: .geojson, "ends in the middle")
    }

    @Test func a_source_may_be_said_to_shrink_and_small_ones_do() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Self.head + Self.lines(1...200), inPiecesOf: 5000)
            let pieces = Pieces(Array((Self.head + Self.lines(1...60)).utf8), of: 5000)
            var job = PlaceImport(
                pool: gazetteer.pool, source: PlaceSource(name: "test", licence: "CC0", attribution: "Us", url: nil),
                format: .csv)
            job.mayShrink = true
            let summary = try await job.run { pieces.next() }
            #expect(summary.removed == 140)
            let small = try await gazetteer.bring(Self.head + Self.lines(1...12), inPiecesOf: 5000)
            #expect(small.removed == 48)
        }
    }

    @Test func columns_that_are_missing_or_twice_there_are_named() async throws {
        try await refuses(Array("id,title,latitude,longitude\n1,A,1,1\n".utf8), "no column name")
        try await refuses(Array("id,name,x,y\n1,A,1,1\n".utf8), "no column latitude")
        try await refuses(Array("name,lat,latitude,lng\nA,1,2,3\n".utf8), "column latitude twice")
        try await refuses(Array(Self.lines(1...50).utf8), "no column name")
        // A comma too many moves everything; none of it is a place.
        try await refuses(Array((Self.head + (1...60).map { "\($0),Place, the,1,1,town\n" }.joined()).utf8), "no place")
    }

    @Test func a_file_that_is_written_to_while_it_is_read_is_refused() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("kampong-\(UUID()).csv").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = Self.head + Self.lines(1...100)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let quiet = try InputFile(path)
        while try !quiet.next().isEmpty {}
        let input = try InputFile(path)
        _ = try input.next()
        try Data((text + "101,Late,1,1,town\n").utf8).write(to: URL(fileURLWithPath: path))
        #expect {
            while try !input.next().isEmpty {}
        } throws: { "\($0)".contains("changed while it was read") }
    }

    /// As many as the machine of a test stands; a million were not tried.
    @Test func twenty_thousand_places_of_one_name_hide_no_other() async throws {
        try await Gazetteer.with { gazetteer in
            let many = (1...20_000).map {
                "\($0),Main Street,\(Double($0 % 1700) / 10 - 85),\(Double($0 % 3500) / 10 - 175),street,\n"
            }
            let summary = try await gazetteer.bring(
                "id,name,latitude,longitude,kind,population\n" + many.joined() + "0,Mainz,50,8.27,town,220000\n",
                inPiecesOf: 65_536)
            #expect(summary.added == 20_001)
            let near = Position(latitude: 0, longitude: 0)
            for typed in ["ma", "mai", "main ", "main s", "main stree", "Main Street", "mian street", "street"] {
                let found = try await gazetteer.names(typed, near: near)
                #expect(found.contains("Main Street"), "\(typed)")
            }
            let nowhere = try await gazetteer.places.search(PlaceQuery(q: "main street, nowhere", near: near))
            #expect(nowhere.items.first?.name == "Main Street" && nowhere.leftOut == ["nowhere"])
            for typed in ["ma", "mai", "main", "mainz"] {
                #expect(try await gazetteer.names(typed).contains("Mainz"), "\(typed)")
            }
        }
    }

    @Test func odd_outlines_have_a_point_within_or_are_left_out() async throws {
        func feature(_ name: String, _ type: String, _ coordinates: String, kind: String = "venue") -> String {
            #"{"type":"Feature","geometry":{"type":"\#(type)","coordinates":\#(coordinates)},"properties":{"name":"\#(name)","kind":"\#(kind)"}}"#
                + "\n"
        }
        try await Gazetteer.with { gazetteer in
            let text =
                feature("Bow", "Polygon", "[[[0,0],[2,2],[2,0],[0,2],[0,0]]]")
                + feature("Taveuni", "Polygon", "[[[179,-18],[-179,-18],[-179,-16],[179,-16],[179,-18]]]")
                + feature(
                    "Halves", "MultiPolygon",
                    "[[[[179,10],[180,10],[180,11],[179,10]]],[[[-180,10],[-170,10],[-170,12],[-180,12],[-180,10]]]]")
                + feature("North Pole", "Polygon", "[[[-180,89],[-60,89],[60,89],[180,89],[-180,89]]]")
                + feature("South Pole", "Point", "[0,-90]")
                + feature("Meridian Road", "LineString", "[[179.995,-16.8],[-179.995,-16.8]]", kind: "street")
                + feature("Beyond", "Polygon", "[[[0,0],[200,0],[200,95],[0,95],[0,0]]]")
                + feature("Huge", "LineString", "[[1e308,1e308],[-1e308,-1e308]]", kind: "street")
                + feature("Nothing", "Polygon", "[]") + feature("Less", "Polygon", "[[]]")
                + feature("Flat", "Point", "[1]")
                + feature("Deep", "Point", String(repeating: "[", count: 10_000))
            let summary = try await gazetteer.bring(text, as: .geojsonseq, inPiecesOf: 999)
            #expect(summary.added == 6, "\(summary.lines)")
            let odd = try await gazetteer.places.search(PlaceQuery(q: "taveuni")).items[0].position
            #expect(abs(abs(odd.longitude) - 180) < 0.01 && abs(odd.latitude + 17) < 0.01)
            let bow = try await gazetteer.places.search(PlaceQuery(q: "bow")).items[0].position
            #expect((0...2).contains(bow.latitude) && (0...2).contains(bow.longitude))
            // A street across the date line goes the short way around.
            let anchors = try await gazetteer.pool.read("SELECT count(*) AS count FROM anchors")[0].get(
                "count", as: Int.self)
            let there = try await gazetteer.pool.read(
                "SELECT count(*) AS count FROM anchors WHERE earth_distance(globe, ll_to_earth(-16.8, 180)) < 1000"
            )[0].get("count", as: Int.self)
            #expect(anchors == there && anchors > 20)
            for point in [
                Position(latitude: -16.8, longitude: 180), Position(latitude: 90, longitude: 17),
                Position(latitude: -90, longitude: 0),
            ] {
                // There is no town in these tables.
                do { #expect(try await !gazetteer.places.reverse(point).name.isEmpty) } catch PlaceError.notFound {}
            }
        }
    }
}
