import FoundationEssentials
import HTMLTemplates
import Mustache

/// The templates of `Templates/<language>`: the same parts in each language.
struct TemplateLibrary: Sendable {
    static let otherwise = "en"

    private let library: MustacheLibrary
    private let languages: Set<String>

    /// - Parameters:
    ///   - parts: `name.part`; what ends in `html` is escaped as HTML.
    ///   - frame: an HTML template of all languages.
    /// - Throws: `MailProblem` where one is missing or cannot be read.
    init(folder: String, parts: [String], frame: String? = nil) throws {
        var library = MustacheLibrary()
        var languages: Set<String> = []
        for language in try FileManager.default.contentsOfDirectory(atPath: folder) where !language.contains(".") {
            languages.insert(language)
            for part in parts {
                let name = "\(language)/\(part)"
                let template = try Self.read("\(folder)/\(name).mustache")
                if part.hasSuffix("html") {
                    try library.register(html: template, named: name)
                } else {
                    try library.register(text: template, named: name)
                }
            }
        }
        if let frame { try library.register(html: try Self.read("\(folder)/\(frame).mustache"), named: frame) }
        guard languages.contains(Self.otherwise) else { throw MailProblem("There are no templates in English.") }
        self.library = library
        self.languages = languages
    }

    private static func read(_ path: String) throws(MailProblem) -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw MailProblem("The template \(path) is missing.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The language of ours that comes closest: `de` for `de-at` too.
    func language(_ wanted: String) -> String {
        let choices = [wanted, String(wanted.prefix { $0 != "-" }), Self.otherwise]
        return choices.first { languages.contains($0) } ?? Self.otherwise
    }

    func render(_ model: [String: Any], _ name: String) throws(MailProblem) -> String {
        guard let text = library.render(model, withTemplate: name) else {
            throw MailProblem("The template \(name) is missing.")
        }
        return text
    }
}
