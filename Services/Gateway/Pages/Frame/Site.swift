import FoundationEssentials
import HTMLTemplates
import Logging
import Mustache
import Synchronization

/// What all pages share, read once: templates and catalogues.
struct Site: Sendable {
    let services: PageServices
    let templates: MustacheLibrary
    let catalogues: Catalogues

    private static let known = Mutex<[String: (MustacheLibrary, Catalogues)]>([:])

    /// The site of a running gateway. Templates and catalogues are parsed the first time.
    static func of(_ services: PageServices) -> Site {
        let (templates, catalogues) = known.withLock { known in
            if let found = known[services.resources.directory] { return found }
            let read = (Self.templates(in: services.resources), Catalogues(in: services.resources))
            known[services.resources.directory] = read
            return read
        }
        return Site(services: services, templates: templates, catalogues: catalogues)
    }

    /// A template that does not parse is a mistake in this repository, which the tests find; a page that needs it says so.
    private static func templates(in resources: GatewayResources) -> MustacheLibrary {
        var library = MustacheLibrary()
        for file in resources.files(in: "Templates") where file.hasSuffix(".mustache") {
            guard let bytes = resources.read("Templates/" + file) else { continue }
            let name = String(file.dropLast(".mustache".count))
            try? library.register(html: Icon.writtenOut(in: String(decoding: bytes, as: UTF8.self)), named: name)
        }
        return library
    }

    /// Renders one template, or says in the log what is missing.
    func render(_ template: String, _ model: [String: Any]) -> String {
        if let text = templates.render(model, withTemplate: template) { return text }
        services.logger.critical("a template is missing or broken", metadata: ["template": "\(template)"])
        return ""
    }
}
