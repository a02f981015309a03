#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What people are to be told, as the services in which it happens say it to notification, which knows none of their things.

/// By what notices of one person replace each other, or are counted together.
package struct NoticeKey: RawRepresentable, Codable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// To whom a notice is.
package enum NoticeAudience: Codable, Hashable, Sendable {
    case people([PersonID])
    /// Whoever moderates when it is told, but for these.
    case moderators(besides: [PersonID])
}

/// People are to be told of something. Every service publishes it with the event that it follows from. For notification.
package struct NoticeRaised: Event, Hashable {
    package static let type = "noticeRaised"
    package var kind: InboxNoticeKind
    package var key: NoticeKey
    package var to: NoticeAudience
    /// Who did it; nil where it was nobody of the community, or whoever did it is not named: then it is told however apart the two are.
    package var actor: PersonID?
    package var subject: Subject
    /// Which of the things that its kind tells of. Each has its own sentence.
    package var variant: String?
    /// What the subject is called.
    package var title: String?
    package var values: NoticeValues?
    /// What comes later under the same key has a greater one; what has the same is the same again.
    package var latest: Int64
    package var at: Date
    /// Until when it is of use, where its kind is of use for a moment and it is known how long that is.
    package var until: Date?

    /// - Parameter latest: The moment, in milliseconds, unless it is given.
    package init(
        _ kind: InboxNoticeKind, _ key: NoticeKey, to audience: NoticeAudience, by actor: PersonID?,
        _ subject: Subject, variant: String? = nil, title: String? = nil,
        values: NoticeValues? = nil, latest: Int64? = nil, at moment: Date, until: Date? = nil
    ) {
        self.kind = kind
        self.key = key
        to = audience
        self.actor = actor
        self.subject = subject
        self.variant = variant
        self.title = title
        self.values = values
        self.latest = latest ?? moment.writtenMilliseconds
        at = moment
        self.until = until
    }
}

extension Date {
    /// Since 1970, rounded as times are written (RFC3339): it is the same for whoever reads them.
    var writtenMilliseconds: Int64 {
        Int64((timeIntervalSinceReferenceDate * 1000).rounded()) + 978_307_200_000
    }
}

/// People have seen to something where it is, or there is no more to be seen to: what was told of it counts as read. For notification.
package struct NoticeSettled: Event, Hashable {
    package static let type = "noticeSettled"
    package var keys: [NoticeKey]
    package var to: NoticeAudience
    /// Of what is counted, the last that was read; nil for all.
    package var upTo: Int64?

    package init(_ keys: [NoticeKey], for audience: NoticeAudience, upTo: Int64? = nil) {
        self.keys = keys
        to = audience
        self.upTo = upTo
    }
}

/// One of the things that are counted under a key is to be told no more, or again. For notification.
package struct NoticeRecounted: Event, Hashable {
    package static let type = "noticeRecounted"
    package var key: NoticeKey
    package var actor: PersonID
    /// Its `latest`.
    package var number: Int64
    package var isTold: Bool

    package init(_ key: NoticeKey, by actor: PersonID, number: Int64, isTold: Bool) {
        self.key = key
        self.actor = actor
        self.number = number
        self.isTold = isTold
    }
}

/// What an event means for people's inboxes.
package enum NoticeNews: Hashable, Sendable {
    case raised(NoticeRaised)
    case settled(NoticeSettled)
    case recounted(NoticeRecounted)

    package var event: any Event {
        switch self {
        case .raised(let event): event
        case .settled(let event): event
        case .recounted(let event): event
        }
    }

    static func settling(_ key: NoticeKey, for person: PersonID) -> NoticeNews {
        .settled(NoticeSettled([key], for: .people([person])))
    }

    /// The types of the events above.
    package static let types = [NoticeRaised.type, NoticeSettled.type, NoticeRecounted.type]
}
