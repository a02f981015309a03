import FoundationEssentials
import WireProtocol

/// A text for a telephone.
struct TextMessage: Hashable, Sendable {
    let id: UUID
    /// As E.164 writes it.
    let number: String
    let text: String
    let date: Date
}

/// Makes texts of orders: one template for each, `<name>.sms`, in the languages of the mails.
struct TextComposer: Sendable {
    let community: String
    private let templates: TemplateLibrary

    /// - Throws: `MailProblem` where a template is missing or cannot be read.
    init(community: String, folder: String) throws {
        self.community = community
        templates = try TemplateLibrary(folder: folder, parts: TextTemplate.allCases.map { "\($0.rawValue).sms" })
    }

    /// - Throws: `MailProblem`.
    func message(for order: TextOrder, id: UUID, at date: Date) throws(MailProblem) -> TextMessage {
        var model: [String: Any] =
            switch order.template {
            case .phoneCode:
                order.phoneCode.map { MailComposer.minutes($0.minutes).merging(["code": $0.code]) { $1 } } ?? [:]
            }
        guard !model.isEmpty else { throw MailProblem("The order does not say what the text is about.") }
        model["community"] = community
        let name = "\(templates.language(order.language))/\(order.template.rawValue).sms"
        // One line: the file ends with a line break, and gateways do not agree on what that is.
        let text = try templates.render(model, name).split(whereSeparator: \.isNewline).joined(separator: " ")
        return TextMessage(id: id, number: order.to, text: text, date: date)
    }
}
