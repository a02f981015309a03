import FoundationEssentials
import GatewayService
import ServiceKit
import Testing
import WireProtocol

/// Maps as folders of squares: what is said of them, how they are served, and what happens when they come and go.
@Suite struct MapTests {
    /// Writes a map of one square (14/9326/4741) as deploy/map writes it.
    private static func write(
        _ digest: String, box: String = "[24.9,60.1,25.0,60.2]", content: String = #"{"building":[[1,2,3,4,5,6]]}"#,
        in folder: String
    ) throws {
        let work = folder + "/.new-\(digest)"
        try FileManager.default.createDirectory(atPath: work + "/14/9326", withIntermediateDirectories: true)
        let manifest = """
            {"source":"town","digest":"\(digest)","box":\(box),
             "attribution":{"text":"© OpenStreetMap contributors","licence":"ODbL 1.0","link":"https://www.openstreetmap.org/copyright"},
             "levels":[{"zoom":14,"first":15,"last":19,"extent":4096,"rows":{"4741":[9326,9326]}}]}
            """
        try Data(manifest.utf8).write(to: URL(filePath: work + "/manifest.json"))
        let packed = try #require(Gzip.compress(Array(content.utf8)))
        try Data(packed).write(to: URL(filePath: work + "/14/9326/4741.json.gz"))
        try FileManager.default.moveItem(atPath: work, toPath: folder + "/" + digest)
    }

    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = "/tmp/gateway-maps-\(UUID.version7())"
        for name in ["along", "imported"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test func squares_go_out_as_they_lie_and_are_kept_for_ever() async throws {
        try await Self.withFolder { folder in
            let content = #"{"building":[[1,2,3,4,5,6]]}"#
            try Self.write("00ff00ff00ff00ff", content: content, in: folder + "/along")
            var options = TestDoor.Options()
            options.maps = MapCatalog(along: folder + "/along")
            try await TestDoor.run(options) { door async throws in
                let path = "/map/squares/00ff00ff00ff00ff/14/9326/4741.json"
                let packed = try await door.get(path, [("Accept-Encoding", "gzip")])
                #expect(packed["Content-Encoding"] == "gzip")
                #expect(packed["Content-Type"] == "application/json")
                #expect(packed["Cache-Control"] == "public, max-age=31536000, immutable")
                let file = try #require(
                    FileManager.default.contents(atPath: folder + "/along/00ff00ff00ff00ff/14/9326/4741.json.gz"))
                #expect(packed.body == Array(file))
                let plain = try await door.get(path)
                #expect(plain.text == content)
                #expect(plain["Content-Encoding"] == nil)
                #expect(plain["ETag"] != packed["ETag"])
                let tag = try #require(packed["ETag"])
                #expect(try await door.get(path, [("Accept-Encoding", "gzip"), ("If-None-Match", tag)]).status == 304)
                for other in [
                    "14/9327/4741.json", "13/9326/4741.json", "14/9326/4741", "14/9326/..%2f4741.json",
                    "14/x/4741.json",
                ] {
                    #expect(try await door.get("/map/squares/00ff00ff00ff00ff/" + other).status == 404, "\(other)")
                }
                #expect(try await door.get("/map/squares/manifest.json/14/9326/4741.json").status == 404)
            }
        }
    }

    @Test func the_index_changes_its_address_with_what_there_is() async throws {
        try await Self.withFolder { folder in
            var options = TestDoor.Options()
            options.maps = MapCatalog(along: folder + "/along", imported: folder + "/imported")
            try await TestDoor.run(options) { [options] door async throws in
                let empty = options.maps.indexURL
                #expect(try await door.get(empty).text == #"{"sets":[]}"#)
                try Self.write("0a0a0a0a0a0a0a0a", in: folder + "/imported")
                let one = options.maps.indexURL
                #expect(one != empty)
                let index = try await door.get(one)
                #expect(index["Cache-Control"] == "public, max-age=31536000, immutable")
                #expect(index.text.contains(#""squares":"/map/squares/0a0a0a0a0a0a0a0a""#))
                #expect(index.text.contains("OpenStreetMap contributors"))
                #expect(try await door.get("/map/squares/0a0a0a0a0a0a0a0a/14/9326/4741.json").status == 200)
                // A page that was opened before asks under the former address, and anybody without one.
                for path in [empty, "/map/index.json"] {
                    let answer = try await door.get(path)
                    #expect(answer.text == index.text && answer["Cache-Control"] == "no-cache", "\(path)")
                }
                try FileManager.default.removeItem(atPath: folder + "/imported/0a0a0a0a0a0a0a0a")
                #expect(options.maps.indexURL == empty)
                #expect(try await door.get("/map/squares/0a0a0a0a0a0a0a0a/14/9326/4741.json").status == 404)
            }
        }
    }

    @Test func an_imported_map_takes_the_place_of_the_one_that_came_along_where_both_show_the_same() async throws {
        try await Self.withFolder { folder in
            try Self.write("0a", in: folder + "/along")
            let maps = MapCatalog(along: folder + "/along", imported: folder + "/imported")
            var options = TestDoor.Options()
            options.maps = maps
            try await TestDoor.run(options) { door async throws in
                try Self.write("0b", box: "[103.8,1.2,103.9,1.3]", in: folder + "/imported")
                let apart = try await door.get("/map/index.json").text
                #expect(apart.contains("/map/squares/0a") && apart.contains("/map/squares/0b"))
                try Self.write("0c", box: "[24.95,60.15,25.2,60.3]", in: folder + "/imported")
                let over = try await door.get("/map/index.json").text
                #expect(
                    !over.contains("/map/squares/0a") && over.contains("/map/squares/0b")
                        && over.contains("/map/squares/0c"))
            }
        }
    }

    @Test func what_is_no_map_is_left_out() async throws {
        try await Self.withFolder { folder in
            for (name, text) in [
                ("torn", #"{"source":"#),
                ("path", #"{"source":"a","digest":"../x","box":[0,0,1,1],"attribution":{"text":"x"},"levels":[]}"#),
            ] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/along/\(name)", withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/along/\(name)/manifest.json"))
            }
            var options = TestDoor.Options()
            options.maps = MapCatalog(along: folder + "/along")
            try await TestDoor.run(options) { door async throws in
                #expect(try await door.get("/map/index.json").text == #"{"sets":[]}"#)
            }
        }
    }

    @Test func what_was_compressed_is_unpacked_and_nothing_else() throws {
        let text = Array(String(repeating: "a street, ", count: 10_000).utf8)
        let packed = try #require(Gzip.compress(text))
        #expect(Gzip.decompress(packed) == text)
        #expect(Gzip.decompress(packed, most: 1000) == nil)
        #expect(Gzip.decompress(Array(packed.dropLast(9))) == nil)
        #expect(Gzip.decompress([1, 2, 3]) == nil)
        #expect(Gzip.decompress(text) == nil)
    }
}

/// The operator's tile server, in place of our own maps.
@Suite struct TileServerTests {
    private func server(_ url: String?, secure: Bool = false, _ more: [String: String] = [:]) async throws
        -> TileServer?
    {
        var environment = ["KAMPONG_MAP_TILES_ATTRIBUTION": "© Somebody"].merging(more) { _, new in new }
        environment["KAMPONG_MAP_TILES_URL"] = url
        return try TileServer(try await Settings.load(arguments: [], environment: environment).config, isSecure: secure)
    }

    @Test func where_none_is_named_there_is_none() async throws {
        #expect(try await server(nil) == nil)
        #expect(try await server("") == nil)
    }

    @Test func the_policy_lets_its_pictures_in_and_nobody_elses() async throws {
        for (url, origin) in [
            ("https://tiles.example.org/{z}/{x}/{y}{r}.png", "https://tiles.example.org"),
            ("http://127.0.0.1:8081/a/{z}/{x}/{y}.png?key=1", "http://127.0.0.1:8081"), ("/tiles/{z}/{x}/{y}.png", nil),
        ] {
            let tiles = try #require(try await server(url))
            #expect(tiles.origin == origin)
            var options = TestDoor.Options()
            options.maps = MapCatalog(along: nil, tileServer: tiles)
            try await TestDoor.run(options) { door async throws in
                let policy = try #require(try await door.get("/v1/about")["Content-Security-Policy"])
                #expect(policy.contains("img-src 'self' data: blob:\(origin.map { " " + $0 } ?? "");"))
                #expect(try await door.get("/map/index.json").text.contains("\"url\":\"\(url)\""))
            }
        }
    }

    @Test(arguments: [
        "tiles.example.org/{z}/{x}/{y}.png", "https://tiles.example.org/{z}/{x}.png",
        "https://{s}.example.org/{z}/{x}/{y}.png",
        "https://{x}.example.org/{z}/{x}/{y}.png", "https://a:b@tiles.example.org/{z}/{x}/{y}.png",
        "ftp://tiles.example.org/{z}/{x}/{y}.png",
        "//tiles.example.org/{z}/{x}/{y}.png", "https:///{z}/{x}/{y}.png",
        "https://tiles.example.org;script-src/{z}/{x}/{y}.png",
        "https://tiles.example.org/{z}/{x}/{y}.png other", "javascript:{z}{x}{y}",
    ]) func an_address_that_will_not_do_is_refused_at_start(url: String) async throws {
        await #expect(throws: ConfigurationProblem.self, "\(url)") { try await server(url) }
    }

    @Test func what_goes_with_it_is_looked_at_too() async throws {
        let url = "https://tiles.example.org/{z}/{x}/{y}.png"
        for more in [
            ["KAMPONG_MAP_TILES_ATTRIBUTION": ""], ["KAMPONG_MAP_TILES_LINK": "javascript:alert(1)"],
            ["KAMPONG_MAP_TILES_MAXZOOM": "0"], ["KAMPONG_MAP_TILES_ATTRIBUTION": String(repeating: "a", count: 201)],
        ] {
            await #expect(throws: ConfigurationProblem.self, "\(more)") { try await server(url, more) }
        }
        await #expect(throws: ConfigurationProblem.self) {
            try await server("http://tiles.example.org/{z}/{x}/{y}.png", secure: true)
        }
        #expect(
            try await server(url, secure: true, ["KAMPONG_MAP_TILES_LINK": "https://tiles.example.org/terms"]) != nil)
    }
}
