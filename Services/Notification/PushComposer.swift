import FoundationEssentials
import Sentences
import WireProtocol

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

/// Makes messages of notices: the name of who did it, and a sentence.
struct PushComposer: Sendable {
    let community: String
    let notices: NoticeCatalogue

    /// - Parameter isBrief: Says no more than what kind of thing it is.
    func message(for delivery: PushDelivery, in language: String, isBrief: Bool) -> PushMessage {
        let notice = delivery.notice
        let sentences = notices[language]
        var values: [String: String] = [:]
        if !isBrief {
            values = sentences.places(of: notice.values)
            values["title"] = notice.title
            values["n"] = String(notice.count)
        }
        let body = sentences.text(
            .push, of: notice.kind, isBrief ? nil : notice.variant, values, count: notice.count)
        let title = isBrief ? nil : notice.actor?.name
        return PushMessage(
            id: notice.id, kind: notice.kind, title: title ?? community, body: body, link: notice.link,
            tag: delivery.tag, unread: delivery.unread)
    }
}
