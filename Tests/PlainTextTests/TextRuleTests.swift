import PlainText
import Testing

@Suite struct TextRuleTests {
    @Test(
        arguments: [
            ("  Ada ", "Ada"), ("Ada\u{301}", "Adá"), ("\u{2003}\u{A0}Ada\u{3000}", "Ada"),
            ("رحلة\u{200F}", "رحلة\u{200F}"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"),
            ("e\u{323}\u{302}", "\u{1EC7}"), ("", nil), (" \u{2028}\u{A0}\t\r\n", nil),
        ] as [(String, String?)])
    func one_line(written: String, kept: String?) throws {
        let read = try TextRule.line(20).read(written)
        #expect(read.map { Array($0.utf8) } == kept.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\n\rb", "a\n\nb"), ("\r\n a\tb \r\n\r\n", "a\tb"),
        ("a\r\n\u{301}b", "a\n\u{301}b"),
    ])
    func several_lines_end_as_they_do_here(written: String, kept: String) throws {
        #expect(Array(try #require(try TextRule.lines(20).read(written)).utf8) == Array(kept.utf8))
    }

    @Test(arguments: [
        // Nothing that leaves ink.
        "\u{200B}", "\u{AD}", "\u{2800}", "\u{3164}", "\u{115F}", "\u{FFA0}", "\u{E000}", "\u{E0041}", "\u{301}",
        "\u{FE0F}", "\u{2060}\u{200D}", "\u{1D159}", "\u{180E}",
        "\u{2800} \u{2800}", "\u{378}",
        // What breaks the line, steers, or turns.
        "a\nb", "a\rb", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\0b", "a\u{1B}[31m", "a\tb", "a\u{202E}b",
        "\u{2066}a", "a\u{7F}",
        // Accents piled up.
        "a" + String(repeating: "\u{301}", count: 31),
    ])
    func what_is_not_allowed_on_one_line(text: String) {
        #expect(throws: TextRule.Fault.notAllowed) { try TextRule.line(100).read(text) }
    }

    @Test(arguments: ["a\u{2028}b", "a\u{85}b", "a\u{202E}b", "\u{200B}\n\u{AD}", "a\u{C}b"])
    func what_is_not_allowed_on_several(text: String) {
        #expect(throws: TextRule.Fault.notAllowed) { try TextRule.lines(100).read(text) }
    }

    @Test func length_is_of_characters_and_of_bytes() throws {
        let rule = TextRule.line(10)
        #expect(try rule.read(String(repeating: "é", count: 10)) != nil)
        #expect(throws: TextRule.Fault.tooLong) { try rule.read(String(repeating: "a", count: 11)) }
        // Nine characters, of many bytes.
        #expect(throws: TextRule.Fault.tooLong) {
            try rule.read(String(repeating: "a\u{301}\u{302}\u{303}\u{304}", count: 9))
        }
        #expect(throws: TextRule.Fault.tooLong) { try rule.read("a" + String(repeating: " ", count: 70_000) + "b") }
        #expect(throws: TextRule.Fault.missing) { try rule.readRequired(nil) }
        #expect(throws: TextRule.Fault.missing) { try rule.readRequired(" \n ") }
    }

    /// The order in which it is looked at: bytes before anything else.
    @Test(.timeLimit(.minutes(1))) func a_long_text_costs_no_more_than_its_bytes() {
        let text = "a" + String(repeating: "\u{301}", count: 1_000_000) + String(repeating: "\u{316}", count: 1_000_000)
        #expect(throws: TextRule.Fault.tooLong) { try TextRule.line(80).read(text) }
        #expect(throws: TextRule.Fault.self) {
            try TextRule.lines(4_000).read(String(text.unicodeScalars.prefix(15_000)))
        }
    }
}

@Suite struct EntranceTextTests {
    @Test func bytes_are_limited_are_text_and_are_safe() {
        #expect(EntranceText.read(Array("héllo".utf8)) == "héllo")
        #expect(EntranceText.read([]) == "")
        #expect(
            EntranceText.read([0xC3]) == nil && EntranceText.read([0xED, 0xA0, 0x80]) == nil
                && EntranceText.read([0xC0, 0xAF]) == nil)
        #expect(
            EntranceText.read(Array(repeating: 0x61, count: 65_536)) != nil
                && EntranceText.read(Array(repeating: 0x61, count: 65_537)) == nil)
        #expect(EntranceText.read(Array(String(repeating: "\u{316}", count: 31).utf8)) == nil)
    }
}
