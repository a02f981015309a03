import Foundation
import KampongClient
import Supervisor
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Containers bring the towns of the world along; the private cluster of the other tests begins empty.
    @Suite(
        .enabled(if: ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] != nil, "the stack is one of processes"))
    struct PlacesFromTheBeginningTests {
        @Test func towns_of_the_world_are_found() async throws {
            let client = KampongClient(baseURL: try await Community.address)
            let found = try await client.places("singapore").items
            #expect(found.first?.kind == .town && found.first?.name == "Singapore")
            let helsinki = try await client.place(at: Position(latitude: 60.1699, longitude: 24.9384))
            #expect(helsinki.name == "Helsinki")
        }
    }

    /// An operator brings places in while everything runs, and people find them by HTTP. The command needs the services' database, which containers
    /// keep to themselves.
    @Suite(
        .enabled(if: ProcessInfo.processInfo.environment["KAMPONG_STACK_URL"] == nil, "the stack is one of containers"))
    struct PlaceTests {
        private static let harbour = Position(latitude: -42.8806, longitude: 147.3257)

        @Test func what_an_operator_brings_in_people_find() async throws {
            let stack = try await Community.stack
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).csv")
            defer { try? FileManager.default.removeItem(at: file) }
            let lines = """
                id,name,latitude,longitude,kind,population,country,alternatives
                1,Hobartville,-42.8806,147.3257,town,250000,AU,Nipaluna Town
                2,The Whaler,-42.8810,147.3300,restaurant,,AU,
                """
            try Data(lines.utf8).write(to: file)
            let first = try await stack.run(
                .places, "import", file.path(), "--source", "harbour", "--licence", "CC0", "--attribution",
                "The harbour")
            #expect(first.exit == .status(0) && first.output.contains("2 new"), "\(first.output)")
            let again = try await stack.run(
                .places, "import", file.path(), "--source", "harbour", "--licence", "CC0", "--attribution",
                "The harbour",
                "--if-changed")
            #expect(again.exit == .status(0) && again.output.contains("nothing has changed"), "\(again.output)")

            // Nobody needs an account for it.
            let client = KampongClient(baseURL: try await Community.address)
            let found = try await client.places("nipaluna").items
            #expect(found.map(\.name) == ["Hobartville"] && found[0].foundBy == "Nipaluna Town")
            #expect(try await client.place(found[0].id).attribution == "The harbour, CC0")
            let near = try await client.places(around: Self.harbour, kind: .restaurant).items
            #expect(near.map(\.name) == ["The Whaler"] && near[0].distance.map { (300...400).contains($0) } == true)
            let here = try await client.place(at: Position(latitude: -42.8811, longitude: 147.3301))
            #expect(here.name == "The Whaler, Hobartville")

            await expectRefusal(.invalid, "q") { _ = try await client.places("x") }
            await expectRefusal(.invalid, "radius") {
                _ = try await client.places(around: Self.harbour, kind: .town, radius: 50_001)
            }
            await expectRefusal(.malformed, "at") {
                _ = try await client.place(at: Position(latitude: .nan, longitude: 0))
            }
            await expectRefusal(.notFound, nil) { _ = try await client.place(PlaceID.new()) }

            let gone = try await stack.run(.places, "remove", "harbour")
            #expect(gone.exit == .status(0) && gone.output.contains("2 places removed"), "\(gone.output)")
            #expect(try await client.places("nipaluna").items.isEmpty)
        }

        @Test func a_region_that_an_operator_draws_is_where_it_is_drawn() async throws {
            let stack = try await Community.stack
            let folder = try TemporaryDirectory("regions")
            let north =
                #"{"type":"Feature","properties":{"name":"North"},"geometry":{"type":"Polygon","coordinates":[%@]}}"#
            func file(_ name: String, _ ring: String) throws -> String {
                let feature = north.replacing("%@", with: ring)
                return try folder.write(name, #"{"type":"FeatureCollection","features":[\#(feature)]}"#)
            }
            let good = try file("north.geojson", "[[150,-35],[151,-35],[151,-34],[150,-34],[150,-35]]")
            let crossed = try file("crossed.geojson", "[[150,-35],[151,-34],[151,-35],[150,-34],[150,-35]]")
            func bring(_ path: String) async throws -> (exit: Exit, output: String) {
                try await stack.run(
                    .places, "import", path, "--source", "drawn", "--format", "drawn-regions", "--licence", "CC0",
                    "--attribution", "Us")
            }
            let made = try await bring(good)
            #expect(made.exit == .status(0) && made.output.contains("1 regions: North."), "\(made.output)")
            let refused = try await bring(crossed)
            #expect(
                refused.exit != .status(0) && refused.output.contains("North has an outline that crosses"),
                "\(refused.output)")
            let client = KampongClient(baseURL: try await Community.address)
            let region = try await client.region(at: Position(latitude: -34.5, longitude: 150.5))
            #expect(region == PlaceRegion(name: "North", community: true, attribution: "Us, CC0"))
            await expectRefusal(.notFound, nil) {
                _ = try await client.region(at: Position(latitude: -34.5, longitude: 149.5))
            }
            let listed = try await stack.run(.places, "sources")
            #expect(listed.output.contains("drawn: 0 places, 1 regions, Us"), "\(listed.output)")
            let gone = try await stack.run(.places, "remove", "drawn")
            #expect(gone.exit == .status(0) && gone.output.contains("0 places and 1 regions removed"), "\(gone.output)")
        }

        /// A network that an operator's command makes is known while everything runs.
        @Test func streets_that_an_operator_brings_in_are_known_without_a_restart() async throws {
            let stack = try await Community.stack
            let folder = try TemporaryDirectory("extract")
            let places = try folder.write("corner.csv", "name,latitude,longitude\nCorner,-42.1,147.5\n")
            let streets = try folder.write(
                "corner.opl",
                """
                n1 v1 T x147.5 y-42.1
                n2 v1 T x147.501 y-42.1
                n3 v1 T x147.501 y-42.101
                w1 v1 Thighway=residential Nn1,n2,n3

                """)
            let first = try await stack.run(.places, "streets", streets, "--source", "corner")
            #expect(first.exit != .status(0) && first.output.contains("no source corner"), "\(first.output)")
            let licence = ["--licence", "CC0", "--attribution", "The corner"]
            let brought = try await stack.run(.places, "import", places, licence[0], licence[1], licence[2], licence[3])
            #expect(brought.exit == .status(0), "\(brought.output)")

            let client = KampongClient(baseURL: try await Community.address)
            let (from, to) = (
                Position(latitude: -42.1, longitude: 147.5), Position(latitude: -42.101, longitude: 147.501)
            )
            let straight = try await client.distances(from: from, to: [to, from])
            #expect(straight.items.map(\.alongStreets) == [false, false] && straight.attribution == [])
            #expect(straight.items.map(\.seconds) == [nil, nil] && straight.items[1].metres == 0)

            let made = try await stack.run(.places, "streets", streets, "--source", "corner")
            #expect(made.exit == .status(0) && made.output.contains("1 ways to walk"), "\(made.output)")
            let again = try await stack.run(.places, "streets", streets, "--source", "corner", "--if-changed")
            #expect(again.exit == .status(0) && again.output.contains("have not changed"), "\(again.output)")
            try await eventually("the streets are known", within: .seconds(30)) {
                try await client.distances(from: from, to: [to]).items[0].alongStreets
            }
            let known = try await client.distances(from: from, to: [to], by: .driving)
            #expect(known.attribution == ["The corner, CC0"] && (190...196).contains(known.items[0].metres))
            #expect(known.items[0].seconds.map { $0 > 0 } == true)
            let listed = try await stack.run(.places, "sources")
            #expect(listed.output.contains("corner: 1 places, streets ("), "\(listed.output)")

            await expectRefusal(.invalid, "to") { _ = try await client.distances(from: from, to: []) }
            let many = Array(repeating: to, count: 101)
            await expectRefusal(.invalid, "to") { _ = try await client.distances(from: from, to: many) }
            #expect(try await client.distances(from: from, to: many.dropLast()).items.count == 100)
            await expectRefusal(.malformed, "to") {
                _ = try await client.distances(from: from, to: [to, Position(latitude: .infinity, longitude: 0)])
            }

            let gone = try await stack.run(.places, "remove", "corner")
            #expect(gone.exit == .status(0), "\(gone.output)")
            try await eventually("the streets are gone", within: .seconds(30)) {
                try await !client.distances(from: from, to: [to]).items[0].alongStreets
            }
        }

        private func expectRefusal(_ code: ErrorCode, _ field: String?, _ body: () async throws -> Void) async {
            do {
                try await body()
                Issue.record("nothing was refused")
            } catch let problem as Problem {
                #expect(problem.code == code && problem.errors.first?.field == field)
            } catch {
                Issue.record(error)
            }
        }
    }
}
