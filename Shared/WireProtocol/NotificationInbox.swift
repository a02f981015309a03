#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The inbox: what people are told of, requests and replies of the notification service. A `Notice` is something else: what auth keeps for
// somebody of what moderators did; the inbox tells of it as `account`.

public typealias InboxNoticeID = ID<InboxNotice>

/// What a notice says besides names, typed so that each language writes it its own way.
public struct NoticeValues: Codable, Hashable, Sendable {
    /// A day or a time of the thing's own, as clocks show it there: `2026-12-01`, `2026-12-01T08:15`.
    public var time: String?
    public var amount: Money?
    public var number: Int?

    public init(time: String? = nil, amount: Money? = nil, number: Int? = nil) {
        self.time = time
        self.amount = amount
        self.number = number
    }
}

/// One thing that somebody is told. Says no word of a message, a review or a moderator.
public struct InboxNotice: Codable, Hashable, Sendable {
    public var id: InboxNoticeID
    public var kind: InboxNoticeKind
    public var subject: Subject
    /// Who did it; absent where nobody of the community did, and "Someone" where they are gone.
    public var actor: PersonSummary?
    /// How many things it stands for: messages of one room are one notice. 1 or more.
    public var count: Int
    /// What the subject is called: the name of a spot, of a thing that is rented.
    public var title: String?
    /// Which of the things that its kind tells of: what a rental has come to, what is due, which notice of auth there is.
    public var variant: String?
    public var values: NoticeValues?
    /// The variant of a rental, of what is due about one (`rentalDue`), and of an `account`, by names of their own.
    public var rental: RentalState?
    public var due: RentalReminder.Occasion?
    public var about: NoticeKind?
    /// Where it leads: a path of the pages, `/messages/{id}`.
    public var link: String
    /// When it happened, or happened again: notices that collapse move up.
    public var at: Date
    /// Whether it was in a list that the person has looked at.
    public var seen: Bool
    public var readAt: Date?

    public init(
        id: InboxNoticeID, kind: InboxNoticeKind, subject: Subject, actor: PersonSummary?, count: Int = 1,
        title: String? = nil, variant: String? = nil, values: NoticeValues? = nil, link: String, at: Date,
        seen: Bool = false, readAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.actor = actor
        self.count = count
        self.title = title
        self.variant = variant
        self.values = values
        if kind == .account { about = variant.flatMap { NoticeKind(rawValue: $0) } }
        if kind == .rentalDue { due = variant.flatMap { RentalReminder.Occasion(rawValue: $0) } }
        if subject.kind == .rental { rental = due?.state ?? variant.flatMap { RentalState(rawValue: $0) } }
        self.link = link
        self.at = at
        self.seen = seen
        self.readAt = readAt
    }
}

/// `GET /v1/notifications`: the caller's, the newest first.
public struct InboxQuery: Codable, Hashable, Sendable {
    /// True for those alone that were not read.
    public var unread: Bool?
    /// 20 where absent, 100 at most.
    public var limit: Int?
    public var cursor: String?

    public init(unread: Bool? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.unread = unread
        self.limit = limit
        self.cursor = cursor
    }
}

/// `GET /v1/notifications/unread`: for the bell.
public struct InboxCount: Codable, Hashable, Sendable {
    public var unread: Int
    /// Of them those that were in no list yet.
    public var unseen: Int

    public init(unread: Int, unseen: Int) {
        self.unread = unread
        self.unseen = unseen
    }
}

/// `PUT /v1/notifications/read` and `…/seen`: those with these ids (100 at the most), or `upTo` and all that are older, or all `about` one
/// subject, for whoever looks at it. Exactly one is given. Ids of others, and what is gone, are passed over.
public struct InboxMark: Codable, Hashable, Sendable {
    public var ids: [InboxNoticeID]?
    public var upTo: InboxNoticeID?
    public var about: Subject?
    /// The `at` of what was looked at: what has happened since, and moved one of them up, was not.
    public var asOf: Date?

    public init(ids: [InboxNoticeID], asOf: Date? = nil) { (self.ids, self.asOf) = (ids, asOf) }
    public init(upTo: InboxNoticeID, asOf: Date? = nil) { (self.upTo, self.asOf) = (upTo, asOf) }
    public init(about subject: Subject) { about = subject }

    private enum CodingKeys: String, CodingKey { case ids, upTo, about, asOf }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        ids = try fields.decodeIfPresent([InboxNoticeID].self, forKey: .ids)
        upTo = try fields.decodeIfPresent(InboxNoticeID.self, forKey: .upTo)
        if try fields.decodeIfPresent(Subject.self, forKey: .about) != nil {
            about = try fields.decodeSubject(for: .notices, forKey: .about)
        }
        asOf = try fields.decodeIfPresent(Date.self, forKey: .asOf)
    }
}

extension NotificationMethods {
    package static let inbox = Method<InboxQuery, Nothing, Page<InboxNotice>>("notification.inbox", .query)
    package static let inboxCount = Method<Nothing, Nothing, InboxCount>("notification.inboxCount", .query)
    package static let markRead = Method<Nothing, InboxMark, InboxCount>("notification.markRead", .command)
    /// When a list was shown, or what is new stood before somebody's eyes for a while: they stay unread.
    package static let markSeen = Method<Nothing, InboxMark, InboxCount>("notification.markSeen", .command)
    /// `PUT /v1/presence`: that the caller looks at a page or the app, and not that one is open behind others. Pages and apps say so once a
    /// minute at the most while they are looked at.
    package static let noteSeen = Method<Nothing, Nothing, Nothing>("notification.noteSeen", .command)
    /// Which of some notices somebody has neither seen nor read.
    package static let unseen = Method<Nothing, UnseenQuery, UnseenKeys>(
        "notification.unseen", .query, peers: [.matching])
}

/// Some notices of somebody, of which is asked whether they were seen.
package struct UnseenQuery: Codable, Hashable, Sendable {
    package static let largest = 100
    package var person: PersonID
    /// At most `largest`.
    package var keys: [NoticeKey]

    package init(of person: PersonID, _ keys: [NoticeKey]) {
        self.person = person
        self.keys = keys
    }
}

/// Those of them that stand in the inbox and were not.
package struct UnseenKeys: Codable, Hashable, Sendable {
    package var keys: [NoticeKey]
    package init(keys: [NoticeKey]) { self.keys = keys }
}

// MARK: Events

/// There is something in somebody's inbox. On that person's live stream.
public struct Noticed: Codable, Hashable, Sendable {
    public var kind: InboxNoticeKind
    /// Absent where many people are told of one thing at once; `unread` is asked for then.
    public var notice: InboxNoticeID?
    /// How many are unread now.
    public var unread: Int?

    public init(kind: InboxNoticeKind, notice: InboxNoticeID?, unread: Int?) {
        self.kind = kind
        self.notice = notice
        self.unread = unread
    }
}

/// Something in somebody's inbox was read, here or by reading what it is about. On that person's live stream.
public struct NoticesRead: Codable, Hashable, Sendable {
    /// Absent where it was everything, or more than a hundred.
    public var notices: [InboxNoticeID]?
    /// How many are unread now.
    public var unread: Int

    public init(notices: [InboxNoticeID]?, unread: Int) {
        self.notices = notices
        self.unread = unread
    }
}

extension Noticed: Event { package static let type = "notification" }
extension NoticesRead: Event { package static let type = "notificationsRead" }

// MARK: Pages

extension InboxNotice {
    /// The page that leads on to what a notice tells of, by which it is read where the one who is told is signed in.
    package static func way(_ notice: InboxNoticeID, to link: String) -> String {
        "/notifications/\(notice)?to=\(link.percentEncoded)"
    }
}

extension String {
    /// As a part of an address; a path stays readable.
    package var percentEncoded: String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        return utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
