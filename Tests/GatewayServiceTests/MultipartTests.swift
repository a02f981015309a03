import GatewayService
import Testing
import WireProtocol

@Suite struct MultipartTests {
    private func parse(_ text: String, _ boundary: String = "X") throws -> [Multipart.Part] {
        try Multipart.parse(Array(text.utf8), boundary: boundary)
    }

    @Test func fields_and_files_are_read_byte_for_byte() throws {
        let parts = try parse(
            "ignored preamble\r\n--X\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAt the corner\r\n"
                + "--X \t\r\ncontent-disposition: form-data; filename=\"a \\\"b\\\".jpg\"; name=photo\r\n"
                + "Content-Type: image/jpeg\r\n\r\n\r\n--Xtra\r\n\u{0}--X\r\n\r\n--X--\r\nepilogue")
        #expect(parts.map(\.name) == ["name", "photo"])
        #expect(Array(parts[0].bytes) == Array("At the corner".utf8))
        #expect(parts[0].filename == nil)
        #expect(parts[1].filename == "a \"b\".jpg")
        #expect(parts[1].contentType == "image/jpeg")
    }

    @Test func a_boundary_within_a_line_is_no_boundary() throws {
        let parts = try parse("--X\r\nContent-Disposition: form-data; name=a\r\n\r\n1--X--2\n--X\r\n--X--")
        #expect(Array(parts[0].bytes) == Array("1--X--2\n--X".utf8))
    }

    @Test func an_empty_part_is_empty() throws {
        let parts = try parse("--X\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\"\r\n\r\n\r\n--X--")
        #expect(parts[0].bytes.isEmpty)
        #expect(parts[0].filename == "")
    }

    @Test(arguments: [
        "", "no boundary at all", "--X", "--X\r\n", "--X\r\nContent-Disposition: form-data; name=a\r\n\r\ncut off",
        "--X\r\n\r\nno header\r\n--X--", "--X\r\nContent-Type: a/b\r\n\r\nno name\r\n--X--",
        "--X\r\nContent-Disposition: attachment; name=a\r\n\r\n1\r\n--X--",
        "--X\r\n--X--",
    ])
    func what_is_no_form_is_malformed(text: String) {
        #expect { try parse(text) } throws: { ($0 as? ServiceError)?.code == .malformed }
    }

    @Test func there_are_bounds() {
        let part = "--X\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n"
        #expect { try parse(String(repeating: part, count: 70) + "--X--") } throws: {
            ($0 as? ServiceError)?.code == .tooLarge
        }
        let long =
            "--X\r\nX-Long: \(String(repeating: "x", count: 9000))\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--X--"
        #expect { try parse(long) } throws: { ($0 as? ServiceError)?.code == .malformed }
    }

    @Test(
        arguments: [
            ("multipart/form-data; boundary=abc", "abc"),
            ("Multipart/Form-Data; charset=utf-8; boundary=\"a b\"", "a b"),
            ("multipart/form-data", nil), ("multipart/mixed; boundary=abc", nil), ("image/jpeg", nil),
            ("multipart/form-data; boundary=\(String(repeating: "x", count: 71))", nil),
        ] as [(String, String?)])
    func the_boundary_is_what_the_header_says(type: String, boundary: String?) {
        #expect(Multipart.boundary(ofContentType: type) == boundary)
    }

    @Test func every_cut_of_a_good_form_is_refused_and_none_traps() {
        let bytes = Array(
            "--X\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\n12345\r\n--X--".utf8)
        for length in 0..<bytes.count - 2 {
            #expect(throws: ServiceError.self) { try Multipart.parse(Array(bytes[..<length]), boundary: "X") }
        }
    }
}

@Suite struct FormEncodingTests {
    @Test func pairs_are_decoded() throws {
        let pairs = try FormEncoding.pairs("a=1&b=two+words%21&c&d=%C3%A4&e=100%&=x&f=a%3Db")
        #expect(pairs.map(\.0) == ["a", "b", "c", "d", "e", "", "f"])
        #expect(pairs.map(\.1) == ["1", "two words!", "", "ä", "100%", "x", "a=b"])
    }

    @Test(arguments: [
        ("a=%ff", "a"), ("a=1&b=%c3%28", "b"), ("a=%ed%a0%80", "a"), ("a=%c0%af", "a"), ("a=\u{e4}%a4", "a"),
        ("%ff=1", ""), ("b=%f0%9f%98", "b"),
    ])
    func what_is_no_utf8_is_refused(query: String, field: String) throws {
        let error = #expect(throws: ServiceError.self) { try FormEncoding.pairs(query) }
        #expect(error?.code == .malformed && error?.errors.map(\.field) == [field])
    }

    @Test func a_sign_is_no_digit_and_an_accent_joins_no_separator() throws {
        let pairs = try FormEncoding.pairs("a=%+1%-2&\u{301}b=\u{301}c")
        #expect(pairs.map(\.0) == ["a", "\u{301}b"])
        #expect(pairs.map(\.1) == ["% 1%-2", "\u{301}c"])
    }
}
