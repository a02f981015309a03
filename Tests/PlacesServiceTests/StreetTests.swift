import FoundationEssentials
import Logging
import Postgres
import StreetNetwork
import TestKit
import Testing
import WireProtocol

@testable import PlacesService

/// Distances along the streets of imported extracts, and the straight line wherever there are none.
@Suite struct StreetTests {
    /// Two streets that meet at a right angle, 111 m long each, on the equator at a longitude.
    private func corner(at longitude: Double, kind: String = "residential") -> String {
        let points = [(0.0, 0.0), (0.001, 0), (0.001, 0.001)]
        let nodes = points.enumerated().map { "n\($0.offset + 1) v1 T x\(longitude + $0.element.0) y\($0.element.1)\n" }
        return nodes.joined() + "w1 v1 Thighway=\(kind) Nn1,n2\nw2 v1 Thighway=\(kind) Nn2,n3\n"
    }

    private static let here = Position(latitude: 0, longitude: 10)
    private static let there = Position(latitude: 0.001, longitude: 10.001)

    private struct Atlas {
        var gazetteer: Gazetteer
        var folder: StreetFolder
        var maps: StreetMaps

        func listed() async throws -> [ListedStreets] {
            try await StreetStore(database: gazetteer.database).streets()
        }

        @discardableResult
        func build(_ text: String, source: String) async throws -> StreetNetworkBuilder.Summary {
            let pieces = Pieces(Array(text.utf8), of: 11)
            let summary = try await StreetImport(pool: gazetteer.pool, folder: folder, source: source).run {
                pieces.next()
            }
            try await maps.follow(try await listed())
            return summary
        }

        func ask(from: Position = here, to: Position..., mode: TravelMode? = nil) async throws -> PlaceDistances {
            try await maps.distances(
                DistanceQuestion(PlaceDistanceQuery(from: from, to: to, mode: mode)), before: .distantFuture)
        }

        var files: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        }
    }

    private func withAtlas(_ body: (Atlas) async throws -> Void) async throws {
        let directory = try TemporaryDirectory("streets")
        try await Gazetteer.with { gazetteer in
            let folder = StreetFolder(path: directory.file("streets"))
            let maps = StreetMaps(folder: folder, atOnce: 2, logger: .quiet)
            defer { maps.stop() }
            try await gazetteer.bring("id,name,latitude,longitude,kind\n1,Aa,1,1,town\n", from: "one")
            try await gazetteer.bring("id,name,latitude,longitude,kind\n1,Bb,1,1,town\n", from: "two")
            try await body(Atlas(gazetteer: gazetteer, folder: folder, maps: maps))
        }
    }

    @Test func a_distance_is_along_streets_where_they_are_known_and_straight_elsewhere() async throws {
        try await withAtlas { atlas in
            let before = try await atlas.ask(to: Self.there)
            #expect(before.items.map(\.alongStreets) == [false] && before.attribution == [])
            #expect(before.items[0].seconds == nil && (155...160).contains(before.items[0].metres))
            let summary = try await atlas.build(corner(at: 10), source: "one")
            #expect(summary.walkable == 2 && summary.drivable == 2)
            let far = Position(latitude: 5, longitude: 10)
            let found = try await atlas.ask(to: Self.there, far, Self.here)
            #expect(found.items.map(\.alongStreets) == [true, false, true] && found.attribution == ["Us, CC0"])
            // Around the corner, at 1.3 metres a second.
            #expect((222...223).contains(found.items[0].metres) && found.items[0].seconds == 171)
            #expect(found.items[2].metres == 0)
            let drive = try await atlas.ask(to: Self.there, mode: .driving)
            #expect(drive.items[0].alongStreets && drive.items[0].seconds ?? 1000 < 60)
        }
    }

    @Test func of_two_extracts_each_knows_its_own_and_the_shorter_way_counts() async throws {
        try await withAtlas { atlas in
            try await atlas.build(corner(at: 10), source: "one")
            // The same streets and a short cut, and others far away.
            try await atlas.build(
                corner(at: 10)
                    + "n4 v1 T x20 y0\nn5 v1 T x20.001 y0\nw3 v1 Thighway=path Nn1,n3\nw4 v1 Thighway=path Nn4,n5\n",
                source: "two")
            #expect(atlas.maps.sources == ["one", "two"] && atlas.files.count == 2)
            let short = try await atlas.ask(to: Self.there)
            #expect((157...158).contains(short.items[0].metres) && short.items[0].alongStreets)
            let elsewhere = Position(latitude: 0, longitude: 20)
            let other = try await atlas.ask(from: elsewhere, to: Position(latitude: 0, longitude: 20.001), Self.here)
            #expect(other.items.map(\.alongStreets) == [true, false])
        }
    }

    @Test func a_network_is_replaced_and_goes_with_its_source() async throws {
        try await withAtlas { atlas in
            try await atlas.build(corner(at: 10), source: "one")
            let first = atlas.files
            try await atlas.build(corner(at: 30), source: "one")
            #expect(atlas.files.count == 1 && atlas.files != first)
            #expect(try await atlas.ask(to: Self.there).items[0].alongStreets == false)
            // As before, so that nothing is to be done, unless its file was lost.
            let job = StreetImport(pool: atlas.gazetteer.pool, folder: atlas.folder, source: "one")
            let row = try await atlas.gazetteer.pool.read("SELECT digest FROM streets")[0]
            let digest: String = try row.get("digest")
            #expect(try await job.isBuilt(digest))
            #expect(try await !job.isBuilt("0 \(digest)"))
            // An extract in which there are no streets any more.
            try await atlas.build("n1 v1 T x10 y0\n", source: "one")
            #expect(atlas.files == [] && atlas.maps.sources == [])
            #expect(try await !job.isBuilt(digest))

            try await atlas.build(corner(at: 10), source: "two")
            _ = try await atlas.gazetteer.pool.query(PostgresPlaceImport.forget("source = 'two'"))
            _ = try await atlas.gazetteer.pool.query("DELETE FROM sources WHERE name = 'two'")
            try await StreetImport.sweep(atlas.folder, atlas.gazetteer.pool)
            try await atlas.maps.follow(try await atlas.listed())
            #expect(atlas.files == [] && atlas.maps.sources == [])
            #expect(try await atlas.ask(to: Self.there).items[0].alongStreets == false)
        }
    }

    @Test func a_source_that_is_not_there_gets_no_streets() async throws {
        try await withAtlas { atlas in
            await #expect(throws: ImportProblem.self) { try await atlas.build(corner(at: 10), source: "three") }
            await #expect(throws: StreetNetworkError.self) { try await atlas.build("n1 x181 y0\n", source: "one") }
            #expect(atlas.files == [])
        }
    }

    @Test func while_an_import_is_under_way_nobody_else_writes() async throws {
        try await withAtlas { atlas in
            try await atlas.build(corner(at: 10), source: "one")
            try await atlas.gazetteer.pool.transaction { transaction in
                try await PostgresPlaceImport.lock(transaction)
                await #expect(throws: ImportProblem.self) { try await atlas.build(corner(at: 30), source: "one") }
                await #expect(throws: ImportProblem.self) {
                    try await StreetImport.sweep(atlas.folder, atlas.gazetteer.pool)
                }
            }
            #expect(try await atlas.ask(to: Self.there).items[0].alongStreets)
        }
    }

    /// What may become of a file in the folder.
    enum Damage: CaseIterable {
        case missing, empty, truncated, foreign, older, changed, another

        func apply(to bytes: Data) -> Data? {
            var bytes = bytes
            switch self {
            case .missing: return nil
            case .empty: return Data()
            case .truncated: return bytes.dropLast(100)
            case .foreign: return Data("GIF89a and so on".utf8)
            case .older: bytes[8] = 0
            case .changed: bytes[bytes.count / 2] ^= 1
            case .another: return nil
            }
            return bytes
        }
    }

    @Test(arguments: Damage.allCases) func a_file_that_is_not_what_it_was_is_refused_and_lines_are_straight(
        _ damage: Damage
    ) async throws {
        try await withAtlas { atlas in
            try await atlas.build(corner(at: 10), source: "one")
            let path = "\(atlas.folder.path)/\(atlas.files[0])"
            let whole = try #require(FileManager.default.contents(atPath: path))
            if damage == .another {
                try await atlas.build(corner(at: 30), source: "two")
                let other = try #require(atlas.files.first { !path.hasSuffix($0) })
                try #require(FileManager.default.contents(atPath: "\(atlas.folder.path)/\(other)"))
                    .write(to: URL(filePath: path))
            } else if let bytes = damage.apply(to: whole) {
                try bytes.write(to: URL(filePath: path))
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            // As after a restart.
            let log = LogCapture()
            let maps = StreetMaps(folder: atlas.folder, atOnce: 1, logger: log.logger)
            defer { maps.stop() }
            let listed = try await atlas.listed().filter { $0.source == "one" }
            for _ in 1...3 { try await maps.follow(listed) }
            #expect(maps.sources == [])
            let restarted = Atlas(gazetteer: atlas.gazetteer, folder: atlas.folder, maps: maps)
            #expect(try await restarted.ask(to: Self.there).items[0].alongStreets == false)
            #expect(log.lines.count { $0.message.hasPrefix("streets cannot be read") } == 1)
            // Put back, it is found without a restart.
            try whole.write(to: URL(filePath: path))
            try await maps.follow(listed)
            #expect(maps.sources == ["one"])
            #expect(try await restarted.ask(to: Self.there).items[0].alongStreets)
        }
    }

    @Test func what_is_no_question_is_refused_at_its_field() throws {
        func fields(_ query: PlaceDistanceQuery) -> [String] {
            do throws(PlaceError) { _ = try DistanceQuestion(query) } catch {
                guard case .invalid(let errors) = error else { return [] }
                return errors.map { "\($0.field) \($0.code)" }
            }
            return []
        }
        let nowhere = Position(latitude: 91, longitude: 0)
        #expect(fields(PlaceDistanceQuery(from: Self.here, to: [])) == ["to too_few"])
        let many = Array(repeating: Self.there, count: 101)
        #expect(fields(PlaceDistanceQuery(from: nowhere, to: many)) == ["from out_of_range", "to too_many"])
        #expect(fields(PlaceDistanceQuery(from: Self.here, to: [Self.there, nowhere])) == ["to out_of_range"])
        #expect(fields(PlaceDistanceQuery(from: Self.here, to: Array(many.dropLast()))) == [])
    }

    @Test func from_many_to_one_is_each_of_them_the_other_way() async throws {
        try await withAtlas { atlas in
            try await atlas.build(corner(at: 10, kind: "residential,oneway=yes"), source: "one")
            let far = Position(latitude: 5, longitude: 10)
            let others = [Self.there, far, Self.here]
            func ask(_ query: PlaceDistanceQuery) async throws -> PlaceDistances {
                try await atlas.maps.distances(DistanceQuestion(query), before: .distantFuture)
            }
            let back = try await ask(
                PlaceDistanceQuery(from: Self.there, to: others + [Self.here], mode: .driving, towards: true))
            var oneByOne: [PlaceDistance] = []
            for other in others + [Self.here] {
                oneByOne += try await ask(PlaceDistanceQuery(from: other, to: [Self.there], mode: .driving)).items
            }
            #expect(back.items == oneByOne && back.attribution == ["Us, CC0"])
            #expect(back.items.map(\.alongStreets) == [true, false, true, true])
            let there = try await ask(PlaceDistanceQuery(from: Self.there, to: others, mode: .driving, towards: false))
            #expect(there.items.map(\.alongStreets) == [true, false, false], "against the one-way street")
        }
    }

    @Test func who_would_wait_too_long_is_sent_away() async throws {
        try await withAtlas { atlas in
            try await atlas.build(corner(at: 10), source: "one")
            let question = try DistanceQuestion(PlaceDistanceQuery(from: Self.here, to: [Self.there]))
            await #expect(throws: ServiceError.self) {
                try await atlas.maps.distances(question, before: Date(timeIntervalSinceNow: -1))
            }
            let full = StreetMaps(folder: atlas.folder, atOnce: 1, waiting: -1, logger: .quiet)
            defer { full.stop() }
            try await full.follow(try await atlas.listed())
            await #expect(throws: ServiceError.self) { try await full.distances(question, before: .distantFuture) }
            let route = try RouteQuestion(PlaceRouteQuery(points: [Self.here, Self.there]))
            await #expect(throws: ServiceError.self) { try await full.route(route, before: .distantFuture) }
            await #expect(throws: ServiceError.self) {
                try await atlas.maps.route(route, before: Date(timeIntervalSinceNow: -1))
            }
        }
    }
}
