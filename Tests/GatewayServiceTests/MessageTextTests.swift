import Testing
import WireProtocol

@testable import GatewayService

/// What becomes a link in what people write, and what never does.
@Suite struct MessageTextTests {
    private func links(_ text: String) -> [String] { MessageText.parts(of: text).compactMap(\.href) }

    @Test(
        arguments: [
            ("see https://a.example/x?y=1#z.", ["https://a.example/x?y=1#z"]),
            ("(https://a.example/x_(y)) and HTTP://B.example", ["https://a.example/x_(y)", "HTTP://B.example"]),
            ("https://a.example, https://b.example!", ["https://a.example", "https://b.example"]),
            ("https://a.example\nhttps://münchen.example/ü", ["https://a.example", "https://münchen.example/ü"]),
            ("„https://a.example“", ["https://a.example"]), ("http://[::1]/", ["http://[::1]/"]),
            ("https://a.example/\u{202E}gpj.exe", ["https://a.example/"]),
        ] as [(String, [String])])
    func addresses_become_links(_ text: String, _ expected: [String]) { #expect(links(text) == expected) }

    /// What stands around a link is of the sentence, in whichever script it is written.
    @Test(
        arguments: [
            ("https://example.org/a，好", ["https://example.org/a"]),
            ("看https://example.org/a", ["https://example.org/a"]),
            ("见（https://example.org/a）。", ["https://example.org/a"]),
            ("「https://example.org/a」と『http://example.org/b』", ["https://example.org/a", "http://example.org/b"]),
            ("【https://example.org/a】《https://example.org/b》", ["https://example.org/a", "https://example.org/b"]),
            ("https://example.org/a、https://example.org/b。", ["https://example.org/a", "https://example.org/b"]),
            ("https://example.org/a！真的？https://example.org/b；好：", ["https://example.org/a", "https://example.org/b"]),
            ("https://ja.example/wiki/ジョン・レノン", ["https://ja.example/wiki/ジョン・レノン"]),
            ("ดูhttps://a.example/x", ["https://a.example/x"]), ("여기https://a.example/x", ["https://a.example/x"]),
            ("הנהhttps://a.example/x؟", ["https://a.example/x"]), ("देखो https://a.example/x।", ["https://a.example/x"]),
            ("яhttps://a.example éhttps://a.example e\u{301}https://a.example 7https://a.example", []),
            ("https://en.example/wiki/The_Lord_", ["https://en.example/wiki/The_Lord_"]),
            ("https://en.example/wiki/The_Lord_.", ["https://en.example/wiki/The_Lord_"]),
            ("_https://a.example/x_, *https://a.example/y*", ["https://a.example/x", "https://a.example/y"]),
            ("https://a.example/?x=[1]", ["https://a.example/?x=[1]"]),
            ("[https://a.example/?x=[1]]", ["https://a.example/?x=[1]"]),
            ("[here](https://a.example/b).", ["https://a.example/b"]),
            ("{https://a.example/{id}}", ["https://a.example/{id}"]),
            ("(https://a.example)(https://b.example)", ["https://a.example", "https://b.example"]),
            ("https://a.example/(x", ["https://a.example/(x"]), ("https://a.example/x_(y]", ["https://a.example/x_(y"]),
            ("look: https://a.example/:)", ["https://a.example/"]),
            ("'https://a.example/it's'", ["https://a.example/it's"]),
            ("https://a.example/l’hiver’", ["https://a.example/l’hiver"]),
            ("https://a.example/x…", ["https://a.example/x"]), ("https://a.example/x?!", ["https://a.example/x"]),
            ("https://a.example/x\"\u{301}onclick=", ["https://a.example/x"]),
            ("https://a.example/x\u{600}<b>", ["https://a.example/x"]),
            ("https://bank.example／@evil.example", ["https://bank.example"]),
        ] as [(String, [String])])
    func sentences_end_where_they_do(_ text: String, _ expected: [String]) {
        #expect(links(text) == expected)
        #expect(Array(MessageText.parts(of: text).map(\.text).joined().utf8) == Array(text.utf8))
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "//a.example", "www.a.example", "mailto:a@b.example", "https://",
        "https://.", "https:// a.example", "xhttps://a.example", "https://bank.example@evil.example/",
        "https://a:b@evil.example", "\u{202E}elpmaxe.a//:sptth", "https:/a.example", "http://\"onclick=x",
        "https://bank.example)@evil.example/", "https://bank.example@\u{301}evil.example", "https://(@evil.example",
        "看https://bank.example@evil.example/a，", "https://\u{301}a.example", "https:/\u{301}/a.example",
    ])
    func nothing_else_does(_ text: String) { #expect(links(text).isEmpty) }

    @Test(arguments: [
        "", " ", "https://a.example", "a https://a.example. b https://b.example/(c) d", "<b>https://a.example</b>",
        "https://@ https://a.example", "é\u{301}https://a.example", "https://https://a.example",
    ])
    func nothing_is_lost_on_the_way(_ text: String) {
        #expect(MessageText.parts(of: text).map(\.text).joined() == text)
    }

    /// Far longer than a message may be: what looks at each character once for each is not through with it in five minutes.
    @Test(.timeLimit(.minutes(5))) func long_texts_take_no_time() {
        let text = String(repeating: "https://a.example/) ", count: 200) + String(repeating: "h", count: 4000)
        #expect(links(text).count == 200)
        #expect(links("https://a.example/" + String(repeating: "x", count: 4000)).isEmpty)
        // Which of them belong together is known only from where they begin.
        #expect(MessageText.parts(of: String(repeating: "🇩🇪", count: 200_000)).count == 1)
        #expect(links(String(repeating: "🇩🇪", count: 1000) + "https://a.example") == ["https://a.example"])
        let ends: [(String, isLink: Bool)] = [
            (")", true), (".", true), (").", true), (". ", true), ("(", false), ("(.", false), ("()", false),
            ("http://", false), ("[", false), ("{}", false), ("])", true), ("，", true), ("_", false), ("…", true),
        ]
        for (end, isLink) in ends {
            #expect(links("http://a" + String(repeating: end, count: 200_000)) == (isLink ? ["http://a"] : []))
        }
        // Each begins anew behind what ended the one before.
        #expect(links(String(repeating: "http://a)", count: 50_000)).count == 50_000)
        #expect(links(String(repeating: "看http://a，", count: 50_000)).count == 50_000)
        #expect(links(String(repeating: "http://a@", count: 50_000)).isEmpty)
    }

    @Test(arguments: [
        ("👋", true), ("🏳️‍🌈", true), ("👩‍👩‍👧 ❤️", true), ("🇫🇮🇩🇪", true), ("👍🏽\n", true), ("1️⃣", true),
        ("1", false), ("#", false), ("Hi 👋", false), ("", false), ("👋👋👋👋👋👋👋", false), ("❤", false), ("©", false),
    ])
    func a_few_emoji_alone_are_large(_ text: String, _ large: Bool) {
        #expect(MessageText.isEmojiAlone(text) == large)
    }
}
