import PlainText
import Testing

@Suite struct StreamSafeTests {
    private static func marks(_ count: Int, _ mark: String = "\u{301}") -> String {
        String(repeating: mark, count: count)
    }

    @Test(arguments: [
        "", "plain", "Zażółć gęślą jaźń", "𝔸👩‍👩‍👧‍👦", "ཧཱུྃ", "\(marks(30))", "a\(marks(30))b\(marks(30))",
        "e\(marks(29, "\u{316}"))\u{301}",
        "\u{200D}\u{200D}\u{200B}",
    ])
    func what_people_write_is_safe(text: String) {
        #expect(StreamSafe.isSafe(text))
        #expect(StreamSafe.isSafe(json: Array("{\"a\":\"\(text)\"}".utf8)))
    }

    @Test(arguments: [
        "\(marks(31))", "a\(marks(31))", "a\(marks(16))\(marks(16, "\u{316}"))", "\u{1D165}\(marks(31, "\u{1D165}"))",
        "\u{F71}\(marks(31, "\u{F71}"))",
    ])
    func accents_piled_up_are_not(text: String) {
        #expect(!StreamSafe.isSafe(text))
        #expect(!StreamSafe.isSafe(json: Array("{\"a\":\"\(text)\"}".utf8)))
        let escaped = text.utf16.map { unit in "\\u" + "000\(String(unit, radix: 16))".suffix(4) }.joined()
        #expect(!StreamSafe.isSafe(json: Array("[\"\(escaped)\"]".utf8)))
        #expect(!StreamSafe.isSafe(json: Array("[\"\(escaped.uppercased().replacing("\\U", with: "\\u"))\"]".utf8)))
    }

    @Test func an_escape_and_a_mark_by_itself_are_one_run() {
        let mixed = String(repeating: "\\u0301\u{316}", count: 16)
        #expect(!StreamSafe.isSafe(json: Array("\"\(mixed)\"".utf8)))
        // A backslash that is escaped itself begins nothing: these are letters.
        #expect(StreamSafe.isSafe(json: Array("\"\(String(repeating: "\\\\u0301", count: 40))\"".utf8)))
    }

    @Test(
        arguments: [
            [0x22, 0xCC], [0xF0, 0x9F], [0xFF, 0xFE, 0xCC, 0x81], [0x5C], [0x5C, 0x75], [0x5C, 0x75, 0x30, 0x33],
            Array(#"\ud800\ud800\u"#.utf8),
            Array(#"\u+301\u-301"#.utf8), Array(repeating: 0x80, count: 100),
        ] as [[UInt8]])
    func what_is_no_text_is_read_to_its_end(bytes: [UInt8]) {
        #expect(StreamSafe.isSafe(json: bytes))
    }

    /// Quadratic, this were 5 s and more: it is refused in the time that reading it takes.
    @Test(.timeLimit(.minutes(1))) func the_length_of_a_run_costs_nothing() {
        for count in [20_000, 2_000_000] {
            #expect(!StreamSafe.isSafe("a" + Self.marks(count) + Self.marks(count, "\u{316}")))
        }
    }
}
