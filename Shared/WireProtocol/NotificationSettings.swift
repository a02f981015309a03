// Who wants to hear what, by which way and when: requests and replies of the notification service.

/// Whether somebody wants to be told of a kind of thing outside of the pages. The inbox has it in any case.
public struct NoticeChoice: Codable, Hashable, Sendable {
    public var kind: InboxNoticeKind
    /// Never true of a kind without mails (`InboxNoticeKind.hasMail`).
    public var mail: Bool
    public var push: Bool

    public init(kind: InboxNoticeKind, mail: Bool, push: Bool) {
        self.kind = kind
        self.mail = mail
        self.push = push
    }
}

/// When somebody who is away gets mails of what they have not read.
public enum NoticeMailMode: String, Codable, CaseIterable, Hashable, Sendable {
    /// A little later, unless it was read meanwhile.
    case atOnce
    /// Once a day, all in one.
    case daily
    case never
}

/// When nothing rings: neither mail nor push; what comes then waits for the end. Times of day as `22:00`; they may span midnight.
public struct QuietHours: Codable, Hashable, Sendable {
    public var from: String
    public var to: String

    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

/// `GET`, `PUT /v1/notification-settings`.
public struct NoticeSettings: Codable, Hashable, Sendable {
    /// In an answer all kinds, in the order of `InboxNoticeKind`. Kinds that a change leaves out stay as they are.
    public var kinds: [NoticeChoice]
    public var mail: NoticeMailMode
    /// At which hour of the day `daily` mails come, 0…23.
    public var digestHour: Int
    /// Absent: none.
    public var quiet: QuietHours?
    /// As IANA names it: `Europe/Berlin`. The hours above are of this zone.
    public var timeZone: String
    /// In an answer it names what is kept; in a change it is that of the settings as they were when it was made up. Where it is another one by
    /// now, nothing is changed (`changed_meanwhile`).
    public var version: String?

    public init(
        kinds: [NoticeChoice], mail: NoticeMailMode, digestHour: Int, quiet: QuietHours? = nil, timeZone: String,
        version: String? = nil
    ) {
        self.kinds = kinds
        self.mail = mail
        self.digestHour = digestHour
        self.quiet = quiet
        self.timeZone = timeZone
        self.version = version
    }
}

/// What a link in a mail carries; whoever has it may end what it names, signed in or not (RFC 8058). `/unsubscribe/{token}`: a GET asks, a
/// POST does it, without a cookie and without any other proof.
public struct UnsubscribeToken: Codable, Hashable, Sendable {
    public var token: String
    public init(token: String) { self.token = token }
}

/// What a token ends.
public struct Unsubscription: Codable, Hashable, Sendable {
    /// Mails of this kind; absent: of several, or all of the inbox's.
    public var kind: InboxNoticeKind?
    /// Mails of these kinds, those that stood in the mail; absent: all of the inbox's.
    public var kinds: [InboxNoticeKind]?
    /// Whether it has ended already: of several, all of them.
    public var ended: Bool
    /// Whose mails they are: `@username`, else a name. Absent where nobody can tell.
    public var account: String?

    public init(kinds: [InboxNoticeKind]?, ended: Bool, account: String? = nil) {
        kind = kinds?.count == 1 ? kinds?.first : nil
        self.kinds = kinds
        self.ended = ended
        self.account = account
    }
}

extension NotificationMethods {
    package static let settings = Method<Nothing, Nothing, NoticeSettings>("notification.settings", .query)
    /// Answers with what is kept then.
    package static let changeSettings = Method<Nothing, NoticeSettings, NoticeSettings>(
        "notification.changeSettings", .command)
    // Of anybody: the token is the proof. `not_found` where it is none of ours.
    package static let unsubscription = Method<UnsubscribeToken, Nothing, Unsubscription>(
        "notification.unsubscription", .query)
    package static let unsubscribe = Method<UnsubscribeToken, Nothing, Unsubscription>(
        "notification.unsubscribe", .command)
}
