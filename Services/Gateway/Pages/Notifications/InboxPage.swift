import HTTPTypes
import Hummingbird
import WireProtocol

/// `/notifications`: what one was told, the newest first; with `of=unread` what was not read.
struct InboxPage {
    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    var choices: [Choice]
    var notices: [NoticeView]
    var any: Bool
    /// The newest, up to which everything is read by one button, as it was shown; nil where nothing is new.
    var upTo: NoticeView?
    var more: String?
    var emptyTitle: String
    /// The address of this list, to be loaded anew when something happens; nil for a later page of it.
    var live: String?
    var key = Visit.newKey()

    static func register(on routes: PageRoutes) {
        routes.get("/notifications") { visit in
            try visit.context.requirePerson()
            let page = try await load(visit)
            switch visit.isFragment ? visit.fragmentTarget : nil {
            case "inbox": return visit.fragment("notifications/inbox", page)
            case "more": return visit.fragment("notifications/rows", page)
            default:
                let frame = PageFrame(title: visit.words["inbox.title"], tab: .me, scripts: ["inbox"])
                return try await visit.page("notifications/notifications", page, frame)
            }
        }
        routes.post("/notifications/read") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            guard let id = InboxNoticeID(form["upTo"]) else { throw ServiceError(.malformed, "Up to which one?") }
            // More of the same may have come since, and something else before it: neither was looked at.
            let mark = InboxMark(upTo: id, asOf: WireJSON.date(from: form["asOf"]))
            _ = try await visit.command(NotificationMethods.markRead, Nothing(), mark, of: form)
            return visit.redirect(to: "/notifications", done: "allRead")
        }
        // The way to what somebody is told of: it is read then.
        routes.get("/notifications/{id}") { visit in
            try visit.context.requirePerson()
            let id = try visit.id(InboxNoticeID.self)
            let mark = InboxMark(ids: [id])
            _ = try? await visit.ask(NotificationMethods.markRead, Nothing(), mark, within: 2)
            return visit.redirect(to: LocalPath.from(visit.query("to")) ?? "/notifications")
        }
        // For the toast of a script: nothing where it was read, or is gone.
        routes.get("/notifications/{id}/toast") { visit in
            try visit.context.requirePerson()
            let id = try visit.id(InboxNoticeID.self)
            let query = InboxQuery(unread: true, limit: 20)
            let latest = try await visit.ask(NotificationMethods.inbox, query, Nothing()).items
            guard let notice = latest.first(where: { $0.id == id }) else { return visit.html("", status: .noContent) }
            return visit.fragment("notifications/toast", NoticeView(notice, in: visit))
        }
    }

    private static func load(_ visit: Visit) async throws -> InboxPage {
        let unread = visit.query("of") == "unread"
        let query = InboxQuery(unread: unread ? true : nil, limit: 20, cursor: visit.query("cursor"))
        let found = try await visit.ask(NotificationMethods.inbox, query, Nothing())
        if visit.query("cursor") == nil, let newest = found.items.first, found.items.contains(where: { !$0.seen }) {
            _ = try? await visit.ask(
                NotificationMethods.markSeen, Nothing(), InboxMark(upTo: newest.id, asOf: newest.at), within: 1)
        }
        return InboxPage(found, unread: unread, in: visit)
    }

    private init(_ found: Page<InboxNotice>, unread: Bool, in visit: Visit) {
        let words = visit.words
        let here = unread ? "/notifications?of=unread" : "/notifications"
        choices = [
            Choice(href: "/notifications", text: words["inbox.all"], current: !unread),
            Choice(href: "/notifications?of=unread", text: words["inbox.unread"], current: unread),
        ]
        notices = found.items.map { NoticeView($0, in: visit) }
        any = !notices.isEmpty
        let isFirst = visit.query("cursor") == nil
        upTo = isFirst && notices.contains(where: \.isNew) ? notices.first : nil
        more = found.next.map { "\(here)\(unread ? "&" : "?")cursor=\(LocalPath.encoded($0))" }
        emptyTitle = words[unread ? "inbox.emptyUnread" : "inbox.empty"]
        live = isFirst ? here : nil
    }
}
