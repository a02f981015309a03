import Hummingbird
import WireProtocol

/// `/operator/mails`: what was sent, what waits and what was given up, the latest first; with `of=text` texts.
struct MailsPage {
    struct Row {
        var id: String
        var href: String?
        var what: String
        var to: String?
        var state: String
        var warm: Bool
        var reason: String?
        var when: Moment
        /// The name of the button that tries it again.
        var retry: String?
    }

    struct Choice {
        var href: String
        var text: String
        var current: Bool
    }

    var choices: [Choice]
    var rows: [Row]
    var any: Bool
    var more: String?
    var key = Visit.newKey()
    /// What is wrong with how this is set up.
    var warning: String?

    static func register(on routes: PageRoutes) {
        routes.get("/operator/mails") { visit in
            try visit.context.requirePerson()
            let channel = visit.query("of").flatMap(MailChannel.init) ?? .mail
            let query = KeptMailQuery(channel: channel, limit: 20, cursor: visit.query("cursor"))
            let found = try await visit.ask(NotificationMethods.mails, query, Nothing())
            let frame = PageFrame(title: visit.words["operator.title"], tab: .me, width: "middle")
            return try await visit.page("operator/mails", MailsPage(found, channel, in: visit), frame)
        }
        routes.post("/operator/mails/{id}/retry") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(KeptMailID.self))
            _ = try await visit.command(
                NotificationMethods.retryMail, KeptMailReference(id: id), Nothing(), of: form, doing: id.description)
            return visit.redirect(to: "/operator/mails", done: "mailRetried")
        }
    }

    private init(_ found: Page<KeptMail>, _ channel: MailChannel, in visit: Visit) {
        choices = MailChannel.allCases.map {
            Choice(href: $0.href, text: visit.words["operator.of.\($0.rawValue)"], current: $0 == channel)
        }
        rows = found.items.map { Row($0, in: visit) }
        any = !rows.isEmpty
        warning = visit.setUpWarning
        more = found.next.map { "\(channel.href)\(channel == .mail ? "?" : "&")cursor=\(LocalPath.encoded($0))" }
    }
}

extension MailsPage.Row {
    init(_ mail: KeptMail, in visit: Visit) {
        let words = visit.words
        id = mail.id.description
        // What lies in a folder says to whom it is; what went to a server cannot be read here.
        href = mail.to == nil ? nil : "/operator/mails/\(mail.id)"
        what = words.find("operator.template.\(mail.template)") ?? mail.template
        to = mail.to
        state = words["operator.state.\(mail.state.rawValue)"]
        warm = mail.state != .delivered
        reason = mail.state == .delivered ? nil : mail.reason
        when = visit.moment(mail.acceptedAt, .ago)
        retry = mail.canRetry ? "\(words["operator.retry"]): \(what)" : nil
    }
}

extension MailChannel {
    fileprivate var href: String { self == .mail ? "/operator/mails" : "/operator/mails?of=\(rawValue)" }
}

extension Visit {
    /// What an operator should mend; nil where nothing is known to be wrong.
    var setUpWarning: String? { community.hidesAddresses ? words["operator.proxy"] : nil }
}
