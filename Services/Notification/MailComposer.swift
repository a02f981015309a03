import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes mails of orders: the templates of `Templates/<language>`, three for each mail (subject, text, HTML).
struct MailComposer: Sendable {
    let sender: MailSenderName
    /// Where the web pages are, without a slash at the end.
    let url: String
    let community: String
    private let templates: TemplateLibrary

    /// - Parameter folder: with the templates.
    /// - Throws: `MailProblem` where one is missing or cannot be read.
    init(sender: MailSenderName, url: String, community: String, folder: String) throws {
        self.sender = sender
        self.url = url
        self.community = community
        let parts = (MailTemplate.allCases.map(\.rawValue) + [InboxMail.template]).flatMap { template in
            ["subject", "text", "html"].map { "\(template).\($0)" }
        }
        templates = try TemplateLibrary(folder: folder, parts: parts, frame: "frame")
    }

    /// - Throws: `MailProblem`.
    func message(for order: MailOrder, id: UUID, at date: Date) throws(MailProblem) -> MailMessage {
        guard let recipient = MailAddress(order.to) else { throw MailProblem("The recipient is no address.") }
        return try message(
            template: order.template.rawValue, try model(order), to: recipient, language: order.language, id: id,
            at: date)
    }

    /// - Throws: `MailProblem`.
    func message(
        template: String, _ model: [String: Any], to recipient: MailAddress, language wanted: String, id: UUID,
        at date: Date
    ) throws(MailProblem) -> MailMessage {
        let language = templates.language(wanted)
        func render(_ part: String) throws(MailProblem) -> String {
            try templates.render(model, "\(language)/\(template).\(part)")
        }
        let content = try render("html")
        let frame: [String: Any] = ["language": language, "community": community, "content": content, "url": url]
        let html = try templates.render(frame, "frame")
        let subject = try render("subject").split(whereSeparator: \.isNewline).joined(separator: " ")
        return MailMessage(
            id: id, sender: sender, recipient: recipient, date: date, language: language, subject: subject,
            text: try render("text"), html: html)
    }

    /// What a template may name.
    /// - Throws: `MailProblem` where the order lacks what its template is filled with.
    private func model(_ order: MailOrder) throws(MailProblem) -> [String: Any] {
        var model: [String: Any] =
            switch order.template {
            case .passwordReset: order.passwordReset.map(Self.model) ?? [:]
            case .campusCode: order.campusCode.map(Self.model) ?? [:]
            case .emailCode: order.emailCode.map(Self.model) ?? [:]
            case .erasure: order.erasure.map { ["receipt": $0.id.description] } ?? [:]
            case .notice: order.notice.map(Self.model) ?? [:]
            }
        guard !model.isEmpty else { throw MailProblem("The order does not say what the mail is about.") }
        model["community"] = community
        model["url"] = url
        return model
    }

    private static func model(_ mail: PasswordResetMail) -> [String: Any] {
        let accounts = mail.accounts.map { account in
            // What is not there is no key: a template asks for it by a section.
            ["since": account.since, "username": account.username, "token": account.token].compactMapValues(\.self)
        }
        var model = minutes(mail.minutes)
        model["accounts"] = accounts
        model["several"] = accounts.count > 1
        return model
    }

    /// One template for all: each kind is a section of its own.
    private static func model(_ mail: NoticeMail) -> [String: Any] {
        var model: [String: Any] = [mail.kind.rawValue: true]
        for (name, value) in [("text", mail.text), ("until", mail.until)] { model[name] = value }
        return model
    }

    /// For how long something is good, which may be one.
    static func minutes(_ count: Int) -> [String: Any] { ["minutes": count, "oneMinute": count == 1] }

    private static func model(_ mail: EmailCodeMail) -> [String: Any] {
        var model = minutes(mail.minutes)
        model["code"] = mail.code
        return model
    }

    private static func model(_ mail: CampusCodeMail) -> [String: Any] {
        var model = minutes(mail.minutes)
        model["code"] = mail.code
        model["campus"] = mail.campus
        return model
    }
}
