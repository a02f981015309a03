/// `<icon name="back"/>` in a template is a symbol of `icons.svg`; `class="end"` is one more class of it.
enum Icon {
    /// The template with its icons written out. It is done once, when the template is read.
    static func writtenOut(in template: String) -> String {
        let parts = template.split(separator: "<icon ", omittingEmptySubsequences: false)
        var html = String(parts.first ?? "")
        for part in parts.dropFirst() {
            guard let end = part.firstRange(of: "/>"), let name = value(of: "name", in: part[..<end.lowerBound]) else {
                html += "<icon \(part)"
                continue
            }
            html += svg(name, class: value(of: "class", in: part[..<end.lowerBound]))
            html += part[end.upperBound...]
        }
        return html
    }

    private static func svg(_ name: Substring, class more: Substring?) -> String {
        let classes = more.map { "icon \($0)" } ?? "icon"
        return "<svg class=\"\(classes)\" aria-hidden=\"true\"><use href=\"{{assets}}/icons.svg#\(name)\"/></svg>"
    }

    private static func value(of attribute: String, in attributes: Substring) -> Substring? {
        attributes.firstRange(of: attribute + "=\"").map { attributes[$0.upperBound...].prefix { $0 != "\"" } }
    }
}
