import FoundationEssentials
import Subprocess
import SystemPackage
import TestKit
import Testing
import WireProtocol

@testable import GatewayService

/// Uploads through a real libvips.
@Suite struct PhotoTests {
    private static func form(_ picture: [UInt8]) -> (header: (String, String), body: [UInt8]) {
        let head = "--B\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"../../x.sh\"\r\n"
        let body = Array((head + "Content-Type: text/html\r\n\r\n").utf8) + picture + Array("\r\n--B--\r\n".utf8)
        return (("Content-Type", "multipart/form-data; boundary=B"), body)
    }

    @Test func a_photo_is_turned_upright_and_says_nothing_about_where_it_was_taken() async throws {
        let original = Pictures.withMetadata(try await Pictures.noise(1200, 800, "jpg"))
        #expect(String(decoding: original, as: UTF8.self).contains("SecretCam"))
        try await TestDoor.run { door async throws in
            let form = Self.form(original)
            let answer = try await door.send("POST", "/v1/photos", [door.bearer(), form.header], body: form.body)
            #expect(answer.status == 201)
            let photo = try answer.json(Photo.self)
            #expect((photo.width, photo.height) == (800, 1200))
            #expect(answer["Location"] == "/photos/\(photo.id)/full")
            for (size, width, height) in [("thumb", 213, 320), ("medium", 640, 960), ("full", 800, 1200)] {
                let picture = try await door.get("/photos/\(photo.id)/\(size)")
                #expect(picture.status == 200)
                #expect(picture["Content-Type"] == "image/webp")
                #expect(picture["Cache-Control"] == "public, max-age=31536000, immutable")
                #expect(!picture.text.contains("SecretCam"))
                #expect(Set(WebPFile.chunks(picture.body)).isSubset(of: ["VP8X", "VP8 ", "VP8L", "ALPH"]))
                let header = try await Self.header(picture.body)
                #expect(header.contains("\(width)x\(height)"), "\(header)")
                let tag = try #require(picture["ETag"])
                #expect(try await door.get("/photos/\(photo.id)/\(size)", [("If-None-Match", tag)]).status == 304)
            }
            // The same picture is the same photo, also as a bare body.
            let again = try await door.send(
                "POST", "/v1/photos", [door.bearer(), ("Content-Type", "image/jpeg")], body: original)
            #expect(try again.json(Photo.self) == photo)
            #expect(try FileManager.default.contentsOfDirectory(atPath: door.directory + "/photos/.incoming").isEmpty)
        }
    }

    @Test func only_a_photo_that_is_here_may_be_named() async throws {
        let picture = try await Pictures.noise(64, 48, "png")
        try await TestDoor.run { door async throws in
            for method in ["listings.postSpot", "listings.changeSpot", "auth.signUp", "auth.changeProfile"] {
                door.backend.on(method) { _ in ServiceReply(body: Array("{}".utf8)) }
            }
            let sender = door.bearer()
            let answer = try await door.send(
                "POST", "/v1/photos", [sender, ("Content-Type", "image/png")], body: picture)
            let here = try answer.json(Photo.self).id
            let nowhere = String(repeating: "0a", count: 32)
            let spot = #"{"name":"x","position":{"latitude":1,"longitude":2},"photo":"PHOTO"}"#
            for (method, path, body) in [
                ("POST", "/v1/spots", spot), ("PUT", "/v1/spots/\(SpotID.new())", spot),
                ("PATCH", "/v1/me", #"{"photo":"PHOTO"}"#),
                ("POST", "/v1/accounts", #"{"email":"a@b.c","password":"p","name":"n","photo":"PHOTO"}"#),
            ] {
                let before = door.backend.asked.count
                for unknown in [nowhere, nowhere.uppercased()] {
                    let text = body.replacing("PHOTO", with: unknown)
                    let refused = try await door.json(method, path, text, [sender])
                    #expect(refused.status == 422)
                    #expect(try refused.json(Problem.self).errors.map(\.field) == ["photo"])
                }
                #expect(door.backend.asked.count == before, "no service is asked")
                // What is no id at all, or removes the photo, the service decides.
                for known in [here, "", "x"] {
                    let sent = try await door.json(method, path, body.replacing("PHOTO", with: known), [sender])
                    #expect((200...201).contains(sent.status), "\(path) \(known)")
                }
                #expect(door.backend.asked.count == before + 3)
            }
        }
    }

    private static func header(_ bytes: [UInt8]) async throws -> String {
        let path = "/tmp/gateway-tests-\(UUID.version7()).webp"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(filePath: path))
        return try await Subprocess.run(.name("vipsheader"), arguments: [path], output: .string(limit: 4096))
            .standardOutput
    }

    @Test(arguments: ["jpg", "png", "webp", "gif", "avif", "heic"])
    func phones_and_programs_write_many_formats(ending: String) async throws {
        let picture = try await Pictures.noise(64, 48, ending)
        try await TestDoor.run { door async throws in
            let answer = try await door.send(
                "POST", "/v1/photos", [door.bearer(), ("Content-Type", "image/jpeg")], body: picture)
            #expect(answer.status == 201, "\(answer.text)")
            #expect(try answer.json(Photo.self).width == 64)
        }
    }

    @Test func what_is_no_picture_is_refused_by_its_content() async throws {
        let script = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8)
        let jpeg = try await Pictures.noise(600, 600, "jpg")
        let png = try await Pictures.noise(40, 40, "png")
        try await TestDoor.run { door async throws in
            let header = door.bearer()
            let image = ("Content-Type", "image/jpeg")
            func send(_ bytes: [UInt8]) async throws -> RawResponse {
                try await door.send("POST", "/v1/photos", [header, image], body: bytes)
            }
            #expect(try await send(script).status == 415)
            #expect(try await send(Array("%PDF-1.4".utf8)).status == 415)
            #expect(try await send([]).status == 415)
            #expect(try await send(Array(jpeg.prefix(jpeg.count / 2))).status == 422)
            #expect(try await send(Array(png.prefix(30))).status == 422)
            #expect(try await send([0xFF, 0xD8, 0xFF, 0xE0] + script).status == 422)
            #expect(try await send([UInt8](repeating: 0xFF, count: BodyLimits.photo + 1)).status == 413)
            let bare = try await door.send("POST", "/v1/photos", [header, ("Content-Type", "text/plain")], body: jpeg)
            #expect(bare.status == 415)
            let empty = Array("--B\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--B--".utf8)
            let form = ("Content-Type", "multipart/form-data; boundary=B")
            #expect(try await door.send("POST", "/v1/photos", [header, form], body: empty).status == 422)
            #expect(try await door.send("POST", "/v1/photos", [image], body: jpeg).status == 401)
            #expect(try FileManager.default.contentsOfDirectory(atPath: door.directory + "/photos") == [".incoming"])
        }
    }

    @Test func a_picture_with_too_many_pixels_is_refused_by_its_header() async throws {
        // A bomb: few bytes that say they are 100 megapixels, and nothing behind that could be decoded.
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        png += Pictures.chunk("IHDR", [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10, 8, 2, 0, 0, 0])
        png += Pictures.chunk("IDAT", [0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]) + Pictures.chunk("IEND", [])
        let bomb = png
        try await TestDoor.run { door async throws in
            let answer = try await door.send(
                "POST", "/v1/photos", [door.bearer(), ("Content-Type", "image/png")], body: bomb)
            #expect(answer.status == 413)
            #expect(try answer.problem().detail.contains("10000 × 10000"))
        }
    }

    @Test func what_is_squeezed_into_a_picture_is_taken_out_before_anything_unpacks_it() async throws {
        let png = try await Pictures.noise(40, 40, "png")
        let colour = Pictures.chunk("gAMA", [0, 0, 0xB1, 0x8F])
        let ballast = ["zTXt", "iTXt", "tEXt", "prVt"].flatMap {
            Pictures.chunk($0, Array(repeating: 0x61, count: 100))
        }
        let end = png.count - 12
        let stuffed =
            Array(png[..<33]) + ballast + colour + colour + Array(png[33..<end]) + ballast + Array(png[end...])
        let stripped = try #require(PNGFile.stripped(stuffed + [1, 2, 3]))
        let text = String(decoding: stripped, as: UTF8.self)
        for name in ["zTXt", "iTXt", "tEXt", "prVt"] { #expect(!text.contains(name)) }
        #expect(text.split(separator: "gAMA").count == 2)
        #expect(try #require(PNGFile.stripped(png)).count <= png.count)
        for length in [0, 8, 20, 33, end, png.count - 1] { #expect(PNGFile.stripped(Array(png[..<length])) == nil) }
        var lying = png
        lying.replaceSubrange(33..<37, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(PNGFile.stripped(lying) == nil)
        try await TestDoor.run { door async throws in
            let answer = try await door.send(
                "POST", "/v1/photos", [door.bearer(), ("Content-Type", "image/png")], body: stuffed)
            #expect(answer.status == 201)
        }
    }

    @Test func addresses_of_photos_are_digests_and_nothing_else() async throws {
        try await TestDoor.run { door async throws in
            let digest = String(repeating: "a", count: 64)
            for path in [
                "/photos/\(digest)/full", "/photos/..%2f..%2fetc/full", "/photos/\(digest)/huge",
                "/photos/\(String(repeating: "A", count: 64))/full",
            ] {
                #expect(try await door.get(path).status == 404)
            }
        }
    }

    @Test func more_than_can_wait_are_told_to_come_back() async throws {
        let queue = PhotoQueue(atOnce: 2, waiting: 3)
        let (inside, refused) = (Mutable(0), Mutable(0))
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do {
                        return try await queue.enter(for: .new()) {
                            let now = inside.mutate { count in
                                count += 1
                                return count
                            }
                            // Nobody leaves before all have come.
                            try await eventually("five to be refused") { refused.value >= 5 }
                            try await Task.sleep(for: .milliseconds(20))
                            inside.mutate { $0 -= 1 }
                            return now
                        }
                    } catch let error as ServiceError {
                        #expect(error.code == .unavailable)
                        refused.mutate { $0 += 1 }
                        return 0
                    }
                }
            }
            return try await group.reduce(0) { max($0, $1) }
        }
        #expect(most == 2)
        #expect(refused.value == 5)
    }

    @Test func nobody_keeps_the_others_waiting() async throws {
        let (queue, greedy, modest) = (PhotoQueue(atOnce: 2, waiting: 16), PersonID.new(), PersonID.new())
        let refused = Mutable(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in Array(repeating: greedy, count: 10) + [modest] {
                group.addTask {
                    do {
                        try await queue.enter(for: person) {
                            // Nobody leaves before all have come.
                            try await eventually("seven to be refused") { refused.value >= 7 }
                        }
                    } catch let error as ServiceError {
                        #expect(error.code == .unavailable)
                        #expect(person == greedy)
                        refused.mutate { $0 += 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(refused.value == 7)
        try await queue.enter(for: greedy) {}
    }

    @Test func a_gateway_that_starts_leaves_what_another_is_working_on() async throws {
        let directory = "/tmp/gateway-tests-\(UUID.version7())"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for name in ["now", "long-ago"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/.incoming/\(name)", withIntermediateDirectories: true)
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: "\(directory)/.incoming/long-ago")
        _ = try PhotoStore(directory: directory, logger: TestDoor.logger)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/.incoming") == ["now"])
    }

    @Test func a_tool_that_takes_too_much_is_stopped() async throws {
        let directory = "/tmp/gateway-tests-\(UUID.version7())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let slow = VipsTools(seconds: 1)
        await #expect(throws: VipsTools.TimedOut.self) { try await slow.run("sleep", ["20"], in: directory) }
        let small = VipsTools(memory: 64 * 1024 * 1024)
        let outcome = try await small.run("vips", ["black", "x.v", "20000", "20000"], in: directory)
        #expect(!outcome.succeeded)
        // Nobody waits for the end of what it says.
        await #expect(throws: VipsTools.TooMuchSaid.self) {
            try await VipsTools().run("seq", ["1000000"], in: directory)
        }
    }
}

@Suite struct WebPFileTests {
    @Test func only_the_picture_is_left() throws {
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            Array(name.utf8) + [UInt8(data.count), 0, 0, 0] + data + (data.count % 2 == 1 ? [0] : [])
        }
        let chunks =
            chunk("VP8X", [0b0011_1100, 0, 0, 0, 9, 0, 0, 9, 0, 0]) + chunk("ICCP", [1, 2, 3])
            + chunk("ALPH", [7]) + chunk("VP8 ", [4, 5, 6]) + chunk("EXIF", [9]) + chunk("XMP ", [8])
        let file = Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunks
        let clean = try #require(WebPFile.stripped(file))
        #expect(WebPFile.chunks(clean) == ["VP8X", "ALPH", "VP8 "])
        #expect(clean[20] == 0b0001_0000)
        #expect(Int(clean[4]) == clean.count - 8)
        for length in 0..<file.count - 1 { _ = WebPFile.stripped(Array(file[..<length])) }  // none traps
    }
}
