import Hummingbird
import Sentences
import WireProtocol

/// `/operator/pushes`: what devices could not be told, the latest first. Nothing of whose device it is, nor of what it was to be told.
struct PushesPage {
    struct Row {
        var id: String
        var what: String
        var device: String
        var reason: String
        var when: Moment
        /// The names of the buttons; nil where there is nothing to be told any more.
        var retry: String?
        var forget: String
    }

    var rows: [Row]
    var any: Bool
    var more: String?
    var key = Visit.newKey()
    /// What is wrong with how this is set up.
    var warning: String?

    static func register(on routes: PageRoutes) {
        routes.get("/operator/pushes") { visit in
            try visit.context.requirePerson()
            let query = DeadPushQuery(limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(NotificationMethods.deadPushes, query, Nothing())
            let frame = PageFrame(title: visit.words["operator.pushes"], tab: .me, width: "middle")
            return try await visit.page("operator/pushes", PushesPage(found, in: visit), frame)
        }
        for (act, method, done) in [
            ("retry", NotificationMethods.retryDeadPush, "mailRetried"),
            ("forget", NotificationMethods.forgetDeadPush, "pushForgotten"),
        ] {
            routes.post("/operator/pushes/{id}/\(act)") { visit in
                try visit.context.requirePerson()
                let (form, id) = (try await visit.form(), try visit.id(DeadPushID.self))
                _ = try await visit.command(
                    method, DeadPushReference(id: id), Nothing(), of: form, doing: id.description)
                return visit.redirect(to: "/operator/pushes", done: done)
            }
        }
    }

    private init(_ found: Page<DeadPush>, in visit: Visit) {
        rows = found.items.map { Row($0, in: visit) }
        warning = visit.setUpWarning
        any = !rows.isEmpty
        more = found.next.map { "/operator/pushes?cursor=\(LocalPath.encoded($0))" }
    }
}

extension PushesPage.Row {
    fileprivate init(_ push: DeadPush, in visit: Visit) {
        let words = visit.words
        id = push.id.description
        what = words.notices.about(push.kind)
        device = words["operator.device.\(push.device.rawValue)"]
        reason = push.reason
        when = visit.moment(push.endedAt, .ago)
        retry = push.canRetry ? "\(words["operator.retry"]): \(what)" : nil
        forget = "\(words["operator.forget"]): \(what)"
    }
}
