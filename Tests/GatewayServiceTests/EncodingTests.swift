import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

/// Text that is no UTF-8 is refused wherever it may come from, rather than kept with marks in it that nobody has typed.
@Suite struct EncodingTests {
    private static let queries = ["q=%ff", "region=%c3%28", "q=%ed%a0%80", "near=%ff", "%ff=1", "q=a&region=%e4"]

    @Test(arguments: queries) func what_a_call_says_in_its_address_is_text(query: String) async throws {
        try await TestDoor.run { door async throws in
            for path in ["/v1/cars", "/v1/spots", "/v1/stream"] {
                let answer = try await door.get("\(path)?\(query)")
                #expect(answer.status == 400, "\(path)")
                #expect(try answer.problem().code == .malformed)
            }
            #expect(door.backend.asked.isEmpty)
        }
    }

    @Test func the_parameter_that_is_no_text_is_named() async throws {
        try await TestDoor.run { door async throws in
            #expect(try await door.get("/v1/cars?q=a&region=%c3%28").problem().errors.map(\.field) == ["region"])
        }
    }

    @Test(arguments: queries) func what_a_page_says_in_its_address_is_text(query: String) async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            for path in ["/cars", "/parking", "/messages", "/me"] {
                let answer = try await maya.get("\(path)?\(query)")
                #expect(answer.status == 400 && answer.text.contains("<html"), "\(path)")
            }
        }
    }

    @Test(arguments: [false, true]) func what_a_form_says_is_text(asMultipart: Bool) async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            _ = try await maya.get("/me")
            let before = door.services.commands
            for name: [UInt8] in [[0xFF], [0x61, 0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98]] {
                #expect(try await Self.share(name, asMultipart, maya).status == 400, "\(name)")
            }
            #expect(door.spots().isEmpty && door.services.commands == before)
            #expect(try await Self.share(Array("Ä".utf8), asMultipart, maya).status == 303)
            #expect(door.spots().map(\.name) == ["Ä"])
        }
    }

    /// A form as browsers send it, but for the bytes of its name.
    private static func share(
        _ name: [UInt8], _ asMultipart: Bool, _ visitor: PageVisitor
    ) async throws -> RawResponse {
        let texts = PageFlowTests.place.merging(["csrf": visitor.token, "key": UUID.version7().uuidString]) { $1 }
        let fields = texts.mapValues { Array($0.utf8) }.merging(["name": name]) { $1 }
        var (type, body) = ("application/x-www-form-urlencoded", [UInt8]())
        if asMultipart {
            type = "multipart/form-data; boundary=b"
            for (name, value) in fields {
                body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + value
                body += Array("\r\n".utf8)
            }
            body += Array("--b--\r\n".utf8)
        } else {
            let pairs = fields.map { name, value in
                "\(name)=" + value.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            body = Array(pairs.joined(separator: "&").utf8)
        }
        return try await visitor.send(
            "POST", "/share", [("Content-Type", type), ("Sec-Fetch-Site", "same-origin")], body)
    }
}
