import HTMLTemplates
import Mustache
import PlainText
import Testing

@Suite struct HTMLTextTests {
    private static let entities: [(String, String)] = [
        ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;"),
    ]

    /// Before, between and behind each of the five characters that HTML reads stands each scalar that means something; of the million that mean
    /// nothing, every hundredth.
    @Test func whatever_stands_beside_markup_it_is_escaped() throws {
        let marks = Set(Self.entities.flatMap { $0.0.unicodeScalars })
        let scalars = (0...0x10FFFF).compactMap { Unicode.Scalar($0) }.filter { scalar in
            switch scalar.properties.generalCategory {
            case .unassigned, .privateUse: scalar.value % 100 == 0
            default: !marks.contains(scalar)
            }
        }
        #expect(scalars.count > 150_000)
        let escaped = HTMLText.escaped(Self.interleaved(scalars) { $0.0 })
        #expect(escaped.utf8.elementsEqual(Self.interleaved(scalars) { $0.1 }.utf8))
    }

    @Test(arguments: ["\u{301}", "\u{600}", "\u{6DD}", "\u{D4E}", "\u{110BD}", "\u{200D}", "\r"])
    func templates_and_their_parts_escape_so(joiner: String) throws {
        var library = MustacheLibrary()
        try library.register(html: "<p title=\"{{text}}\">{{text}}</p>{{> part}}", named: "page")
        try library.register(html: "<b>{{text}}</b>", named: "part")
        let scalars = Array(joiner.unicodeScalars)
        let page = try #require(library.render(["text": Self.interleaved(scalars) { $0.0 }], withTemplate: "page"))
        let expected = Self.interleaved(scalars) { $0.1 }
        #expect(page.utf8.elementsEqual("<p title=\"\(expected)\">\(expected)</p><b>\(expected)</b>".utf8))
    }

    private static func interleaved(_ scalars: [Unicode.Scalar], _ part: ((String, String)) -> String) -> String {
        let parts = entities.map { Array(part($0).utf8) }
        var bytes: [UInt8] = []
        for scalar in scalars {
            let scalar = Array(UTF8.encode(scalar)!)
            for part in parts {
                bytes += scalar
                bytes += part
            }
            bytes += scalar
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func templates_of_text_are_filled_with_what_is_given() throws {
        var library = MustacheLibrary()
        try library.register(text: "{{name}}: {{> other}}", named: "subject")
        try library.register(text: "{{name}}", named: "other")
        #expect(library.render(["name": "<A & B>"], withTemplate: "subject") == "<A & B>: <A & B>")
    }
}
