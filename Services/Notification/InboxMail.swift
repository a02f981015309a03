import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        /// Of a rental: what it has come to, and what is due.
        var rental: RentalState?
        var due: RentalReminder.Occasion?
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
        let lines = mail.lines.prefix(InboxMail.longest).map { Self.line($0, url) }
        var model: [String: Any] = [
            "lines": lines, "several": number > 1, "number": number, "unsubscribe": unsubscribe,
            "inbox": "\(url)/notifications", "settings": "\(url)/notifications/settings", "digest": mail.isDigest,
            "oneKind": mail.kinds.count == 1,
            "community": community, "url": url,
        ]
        if number == 1 { model["only"] = Self.line(first, url) }
        if more > 0 { model["more"] = more == 1 ? ["one": true] : ["rest": more] as [String: Any] }
        var message = try message(
            template: InboxMail.template, model, to: recipient, language: mail.language, id: id, at: date)
        message.unsubscribe = unsubscribe
        return message
    }

    /// Each kind is a section of its own.
    private static func line(_ line: InboxMail.Line, _ url: String) -> [String: Any] {
        let link = url + InboxNotice.way(line.notice, to: line.link)
        var model: [String: Any] = [line.kind.rawValue: true, "link": link, "count": line.count]
        if line.count > 1 { model["many"] = true }
        model.tell(line.rental, line.due)
        if let username = line.username { model["username"] = username }
        return model
    }
}

extension [String: Any] {
    /// What a rental has come to is a section within that of its kind: what is due, else its state. `untold` where nothing is known of it.
    mutating func tell(_ rental: RentalState?, _ due: RentalReminder.Occasion?) {
        self[due?.rawValue ?? rental?.rawValue ?? "untold"] = true
    }
}
