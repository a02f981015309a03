import FoundationEssentials
import Sentences
import WireProtocol

/// A mail of what somebody has not read, as it waits sealed among the others. Names nobody but by their username.
struct InboxMail: Codable, Hashable, Sendable {
    static let template = "inbox"
    /// More than this many are counted, and not listed: the inbox has them.
    static let longest = 20

    /// One notice.
    struct Line: Codable, Hashable, Sendable {
        var notice: InboxNoticeID
        var kind: InboxNoticeKind
        var count: Int
        /// Of the one who did it; nil where they have none.
        var username: String?
        /// A path of the pages.
        var link: String
        /// Which of the things that its kind tells of.
        var variant: String?
        var values: NoticeValues?
        /// The same of mails that were written before there were variants: they wait for a day at the most.
        var rental: String?
        var due: String?
    }

    var to: String
    var language: String
    var person: PersonID
    /// All of them, the newest first: what is seen while the mail waits is taken off, and the number is right then.
    var lines: [Line]
    /// Whether it is the mail of a day.
    var isDigest: Bool

    /// What stands in it, and what its link therefore ends: no kind of which it only counts something.
    var kinds: Set<InboxNoticeKind> { Set(lines.prefix(Self.longest).map(\.kind)) }
}

/// Asks which of a mail's notices are still to be mailed: unread, and wanted.
protocol MailedNotices: Sendable {
    func stillWanted(_ notices: [InboxNoticeID], of person: PersonID) async throws -> Set<InboxNoticeID>
}

extension MailComposer {
    /// - Throws: `MailProblem`.
    func message(for mail: InboxMail, tokens: UnsubscribeTokens, id: UUID, at date: Date) throws(MailProblem)
        -> MailMessage
    {
        guard let recipient = MailAddress(mail.to) else { throw MailProblem("The recipient is no address.") }
        guard let first = mail.lines.first else { throw MailProblem("The mail has nothing to say.") }
        let (number, more) = (mail.lines.count, mail.lines.count - InboxMail.longest)
        let token = tokens.token(for: UnsubscribeTokens.Named(person: mail.person, kinds: mail.kinds))
        let unsubscribe = "\(url)/unsubscribe/\(token)"
        let sentences = notices[mail.language]
        let lines = mail.lines.prefix(InboxMail.longest).map { line in
            [
                "text": sentences.text(.told, line, in: community),
                "link": url + InboxNotice.way(line.notice, to: line.link),
            ]
        }
        var model: [String: Any] = [
            "lines": lines, "several": number > 1, "number": number, "unsubscribe": unsubscribe,
            "inbox": "\(url)/notifications", "settings": "\(url)/notifications/settings", "digest": mail.isDigest,
            "oneKind": mail.kinds.count == 1,
            "community": community, "url": url,
        ]
        if number == 1 { model["only"] = sentences.text(.subject, first, in: community) }
        if more > 0 { model["more"] = more == 1 ? ["one": true] : ["rest": more] as [String: Any] }
        var message = try message(
            template: InboxMail.template, model, to: recipient, language: mail.language, id: id, at: date)
        message.unsubscribe = unsubscribe
        return message
    }
}

extension NoticeSentences {
    fileprivate func text(_ purpose: Purpose, _ line: InboxMail.Line, in community: String) -> String {
        var values = places(of: line.values)
        values["n"] = String(line.count)
        values["community"] = community
        values["name"] = line.username.map { "@\($0)" }
        return text(purpose, of: line.kind, line.variant ?? line.due ?? line.rental, values, count: line.count)
    }
}
