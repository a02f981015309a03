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

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "//a.example", "www.a.example", "mailto:a@b.example", "https://",
        "https://.", "https:// a.example", "xhttps://a.example", "https://bank.example@evil.example/",
        "https://a:b@evil.example", "\u{202E}elpmaxe.a//:sptth", "https:/a.example", "http://\"onclick=x",
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
            ("http://", false),
        ]
        for (end, isLink) in ends {
            #expect(links("http://a" + String(repeating: end, count: 200_000)) == (isLink ? ["http://a"] : []))
        }
    }

    @Test(arguments: [
        ("👋", true), ("🏳️‍🌈", true), ("👩‍👩‍👧 ❤️", true), ("🇫🇮🇩🇪", true), ("👍🏽\n", true), ("1️⃣", true),
        ("1", false), ("#", false), ("Hi 👋", false), ("", false), ("👋👋👋👋👋👋👋", false), ("❤", false), ("©", false),
    ])
    func a_few_emoji_alone_are_large(_ text: String, _ large: Bool) {
        #expect(MessageText.isEmojiAlone(text) == large)
    }
}
