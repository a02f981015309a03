import Hummingbird
import WireProtocol

/// What moderators did, and what became of one's number, on one's own page until one says that one has read it.
struct NoticesPanel {
    struct Row {
        var id: String
        var heading: String
        var text: String?
        var when: Moment
        var readLabel: String
    }

    var title: String
    var rows: [Row]
    var key = Visit.newKey()

    static func register(on routes: PageRoutes) {
        routes.post("/me/notices/{id}/read") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(NoticeID.self))
            _ = try await visit.command(
                AuthMethods.readNotice, NoticeReference(id: id), Nothing(), of: form, doing: id.description)
            return visit.redirect(to: "/me", done: "noticeRead")
        }
    }

    /// Nil where there is nothing to read.
    init?(_ found: Page<Notice>?, in visit: Visit) {
        guard let notices = found?.items, !notices.isEmpty else { return nil }
        let words = visit.words
        let moderators: Set<NoticeKind> = [.warning, .hidden, .restored, .suspended, .reinstated, .concerned]
        title = words[notices.allSatisfy { !moderators.contains($0.kind) } ? "notice.others" : "notice.title"]
        rows = notices.map { notice in
            let end = notice.until.map { visit.moment($0, .date).text }
            let kind = notice.kind == .suspended && end == nil ? "suspendedForGood" : notice.kind.rawValue
            let heading = words["notice.\(kind)", ["title": notice.title ?? words["notice.yours"], "date": end ?? ""]]
            return Row(
                id: notice.id.description, heading: heading, text: notice.text, when: visit.moment(notice.at, .ago),
                readLabel: "\(words["notice.read"]): \(heading)")
        }
    }
}
