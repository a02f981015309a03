import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a device gets, as JSON; the service worker and the apps make a notification of it.
struct PushMessage: Codable, Hashable, Sendable {
    let id: InboxNoticeID
    let kind: InboxNoticeKind
    let title: String
    let body: String
    /// A path of the pages.
    let link: String
    let tag: String
    let unread: Int
}

/// Makes messages of notices: two templates, `push.title` and `push.body`, in each of which every kind is a section of its own.
struct PushComposer: Sendable {
    let community: String
    private let templates: TemplateLibrary

    /// - Throws: `MailProblem` where a template is missing or cannot be read.
    init(community: String, folder: String) throws {
        self.community = community
        templates = try TemplateLibrary(folder: folder, parts: ["push.title", "push.body"])
    }

    /// - Parameter isBrief: Says no more than what kind of thing it is.
    /// - Throws: `MailProblem`.
    func message(for delivery: PushDelivery, in language: String, isBrief: Bool) throws(MailProblem) -> PushMessage {
        let notice = delivery.notice
        var model: [String: Any] = [notice.kind.rawValue: true, "community": community]
        model.tell(isBrief ? nil : notice.rental, isBrief ? nil : notice.due)
        if notice.count > 1 { model["many"] = true }
        if !isBrief {
            for (name, value) in [("actor", notice.actor?.name), ("title", notice.title)] { model[name] = value }
            if notice.count > 1 { model["count"] = notice.count }
        }
        let folder = templates.language(language)
        func line(_ part: String) throws(MailProblem) -> String {
            try templates.render(model, "\(folder)/\(part)").split(whereSeparator: \.isNewline).joined(separator: " ")
        }
        return PushMessage(
            id: notice.id, kind: notice.kind, title: try line("push.title"), body: try line("push.body"),
            link: notice.link, tag: delivery.tag, unread: delivery.unread)
    }
}
