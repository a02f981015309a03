package import Mustache
import PlainText

extension MustacheLibrary {
    /// Adds a template of HTML; what it is filled with is escaped byte by byte (`HTMLText`), where Mustache's own way goes by `Character`.
    package mutating func register(html: String, named name: String) throws {
        MustacheContentTypes.register(EscapedHTML(), named: "ESCAPED_HTML")
        try register("{{% CONTENT_TYPE: ESCAPED_HTML }}" + html, named: name)
    }

    /// Adds a template of plain text, which is filled with what is given, as it is.
    package mutating func register(text: String, named name: String) throws {
        try register("{{% CONTENT_TYPE: TEXT }}" + text, named: name)
    }
}

private struct EscapedHTML: MustacheContentType {
    func escapeText(_ text: String) -> String { HTMLText.escaped(text) }
}
