import FoundationEssentials
import GatewayService
import HTTPTypes
import NIOCore
import Subprocess
import SystemPackage
import Testing
import WireProtocol

@Suite struct RepresentationTests {
    @Test func what_did_not_change_is_not_sent_again() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("auth.me") { _ in
                ServiceReply(body: Array("{\"age\":\(UInt64.random(in: 0...UInt64.max))}".utf8), tag: "7")
            }
            let header = door.bearer()
            let first = try await door.get("/v1/me", [header])
            let tag = try #require(first["ETag"])
            #expect(first["Cache-Control"] == "private, no-cache")
            let second = try await door.get("/v1/me", [header, ("If-None-Match", "\"x\", \(tag)")])
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            #expect(second["ETag"] == tag)
            #expect(second["Content-Type"] == nil)
            // The service's tag is the same for another person, whose answer is not.
            #expect(try await door.get("/v1/me", [door.bearer(), ("If-None-Match", tag)]).status == 200)
            door.backend.on("auth.me") { _ in ServiceReply(body: Array("{}".utf8), tag: "8") }
            #expect(try await door.get("/v1/me", [header, ("If-None-Match", tag)]).status == 200)
        }
    }

    @Test func without_a_tag_of_the_service_the_bytes_count() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("listings.spots") { _ in ServiceReply(body: Array("{\"items\":[]}".utf8)) }
            let tag = try #require(try await door.get("/v1/spots?near=1,2")["ETag"])
            #expect(try await door.get("/v1/spots?near=1,2", [("If-None-Match", tag)]).status == 304)
            door.backend.on("listings.spots") { _ in ServiceReply(body: Array("{\"items\":[1]}".utf8)) }
            #expect(try await door.get("/v1/spots?near=1,2", [("If-None-Match", tag)]).status == 200)
        }
    }

    @Test func commands_are_never_kept() async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("auth.signIn") { _ in ServiceReply(body: Array("{}".utf8), tag: "1") }
            let answer = try await door.json("POST", "/v1/sessions", "{}")
            #expect(answer["Cache-Control"] == "no-store")
            #expect(answer["ETag"] == nil)
        }
    }

    @Test func long_answers_are_compressed_for_those_who_accept_it() async throws {
        try await TestDoor.run { door async throws in
            let text = "{\"items\":[\(String(repeating: "\"the same again\",", count: 400))1]}"
            door.backend.on("listings.spots") { _ in ServiceReply(body: Array(text.utf8)) }
            let plain = try await door.get("/v1/spots?near=1,2")
            #expect(plain["Content-Encoding"] == nil)
            #expect(plain["Vary"]?.contains("Accept-Encoding") == true)
            #expect(plain.text == text)
            let small = try await door.get("/v1/spots?near=1,2", [("Accept-Encoding", "br, gzip;q=0.5")])
            #expect(small["Content-Encoding"] == "gzip")
            #expect(small.body.count < text.utf8.count / 5)
            #expect(try await Self.gunzip(small.body) == text)
            let refused = try await door.get("/v1/spots?near=1,2", [("Accept-Encoding", "gzip;q=0, *;q=0")])
            #expect(refused["Content-Encoding"] == nil)
        }
    }

    /// By the program that the rest of the world uses.
    static func gunzip(_ bytes: [UInt8]) async throws -> String {
        let result = try await Subprocess.run(
            .name("gzip"), arguments: ["-dc"], input: .array(bytes), output: .string(limit: 1 << 24))
        return result.standardOutput
    }

    @Test(arguments: [0, 1, 1000, 3_000_000]) func gzip_writes_what_gzip_reads(length: Int) async throws {
        let text = String((0..<length).map { _ in "abcdefgh ".randomElement()! })
        let small = try #require(Gzip.compress(Array(text.utf8)))
        #expect(try await Self.gunzip(small) == text)
    }

    @Test func assets_have_their_digest_in_their_address_and_are_kept_for_ever() async throws {
        var options = TestDoor.Options()
        let source = String(repeating: "export const one = 1;\n", count: 100)
        options.assets = ["app.js": source, "dot.png": "not a picture"]
        try await TestDoor.run(options) { door async throws in
            let url = door.parts.pages.assets.url("app.js")
            #expect(url.hasPrefix("/assets/") && url.hasSuffix("/app.js"))
            let script = try await door.get(url, [("Accept-Encoding", "gzip")])
            #expect(script["Content-Type"] == "text/javascript; charset=utf-8")
            #expect(script["Cache-Control"] == "public, max-age=31536000, immutable")
            #expect(script["Content-Encoding"] == "gzip")
            #expect(try await Self.gunzip(script.body) == source)
            let tag = try #require(script["ETag"])
            #expect(try await door.get(url, [("Accept-Encoding", "gzip"), ("If-None-Match", tag)]).status == 304)
            #expect(try await door.get(url)["ETag"] != tag)
            #expect(try await door.get(url).text == source)
            let old = try await door.get("/assets/0123456789abcdef/app.js")
            #expect(old.status == 200)
            #expect(old["Cache-Control"] == "no-cache")
            for path in ["/assets/x/none.js", "/assets/x/../../../etc/passwd", "/assets/x/%2e%2e/%2e%2e/etc/passwd"] {
                #expect(try await door.get(path).status == 404)
            }
        }
    }
}
