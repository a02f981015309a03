#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Suspensions, and what people are told of what moderators did: requests, replies and events of the auth service.

/// That somebody may not take part for a while, or for good.
public struct Suspension: Codable, Hashable, Sendable {
    public var since: Date
    /// Absent where it is for good.
    public var until: Date?
    /// Why, in the moderator's words.
    public var reason: String

    public init(since: Date, until: Date?, reason: String) {
        self.since = since
        self.until = until
        self.reason = reason
    }

    /// It ends by its time: nobody has to do anything.
    public func isActive(at now: Date) -> Bool { until.map { $0 > now } ?? true }
}

extension ServiceError {
    /// The fields under which `suspended` says until when (absent: for good) and why.
    public static let suspendedUntil = "until"
    public static let suspendedWhy = "reason"

    /// The refusal of whoever is suspended.
    package static func suspended(until: Date?, reason: String? = nil) -> ServiceError {
        let end = until.map { WireJSON.text(of: $0) }
        let words = end.map { "Your account is suspended until \($0)." } ?? "Your account is suspended for good."
        return ServiceError(
            .suspended, reason.map { "\(words) Why: \($0)" } ?? words,
            errors: [
                end.map { FieldError(suspendedUntil, "suspended", $0) },
                reason.map { FieldError(suspendedWhy, "suspended", $0) },
            ].compactMap(\.self))
    }

    /// The refusal of what a suspended person's session is not good for.
    package static let notWhileSuspended = ServiceError(
        .suspended, "Your account is suspended: you can't do that now. What is yours you can still download or erase.")
}

// MARK: Notices

public typealias NoticeID = ID<Notice>

public enum NoticeKind: String, Codable, CaseIterable, Hashable, Sendable {
    /// What they did is not all right.
    case warning
    /// Something of theirs is hidden, or can be seen again.
    case hidden, restored
    case suspended, reinstated
    /// Who shares the spot that they hold was suspended.
    case concerned
    /// Nothing that moderators did: somebody else has shown that the telephone number is theirs.
    case phoneMoved
    /// Nor this: a passkey came or went, or all of them did with the old password.
    case passkeyAdded, passkeyRemoved, passkeysReset
    /// Nor these: other ways into the account came, went or changed.
    case passwordChanged, emailChanged, identityLinked, identityUnlinked, calendarMade, calendarEnded
    /// Somebody else has shown that the email address is theirs.
    case emailMoved
    /// Somebody signed in on a device that the account was not signed in on.
    case signedIn
}

/// What somebody is told of what moderators did, or of their number, until they have read it.
public struct Notice: Codable, Hashable, Sendable {
    public var id: NoticeID
    public var kind: NoticeKind
    public var at: Date
    /// What it is about: the name of a spot.
    public var title: String?
    /// In a moderator's words.
    public var text: String?
    /// Until when, of what is for a while.
    public var until: Date?

    public init(id: NoticeID, kind: NoticeKind, at: Date, title: String?, text: String?, until: Date?) {
        self.id = id
        self.kind = kind
        self.at = at
        self.title = title
        self.text = text
        self.until = until
    }
}

public struct NoticeReference: Codable, Hashable, Sendable {
    public var id: NoticeID
    public init(id: NoticeID) { self.id = id }
}

/// Somebody who is suspended, as services need to know it.
package struct SuspendedPerson: Codable, Hashable, Sendable {
    package var person: PersonID
    package var until: Date?

    package init(person: PersonID, until: Date?) {
        self.person = person
        self.until = until
    }
}

extension AuthMethods {
    /// `GET /v1/me/suspension`: why the caller is suspended, and until when; `not_found` where they are not.
    package static let suspension = Method<Nothing, Nothing, Suspension>(
        "auth.suspension", .query, isForSuspended: true)
    /// `GET /v1/me/notices`: what the caller has not read yet, the latest first, twenty at the most.
    package static let notices = Method<Nothing, Nothing, Page<Notice>>("auth.notices", .query)
    package static let readNotice = Method<NoticeReference, Nothing, Nothing>("auth.readNotice", .command)
    /// Services that start later, or anew, learn by it of all suspensions that run. `next` is there while there are more.
    package static let suspendedPeople = Method<PeopleQuery, Nothing, Page<SuspendedPerson>>(
        "auth.suspendedPeople", .query, peers: Capability.people.peers)
}

// MARK: Events

/// Somebody may not take part any more. For services, and on the live stream of that person.
package struct PersonSuspended: Event {
    package static let type = "personSuspended"
    package var person: PersonID
    package var suspension: Suspension

    package init(person: PersonID, suspension: Suspension) {
        self.person = person
        self.suspension = suspension
    }
}

/// A suspension was lifted before its time.
package struct PersonReinstated: Event {
    package static let type = "personReinstated"
    package var person: PersonID
    package init(person: PersonID) { self.person = person }
}

/// Who posted a spot was suspended while somebody holds it. Of listings, for auth, and on the live stream of the one who holds it.
public struct PosterSuspended: Codable, Hashable, Sendable {
    public var spot: SpotID
    public var name: String
    public var claimer: PersonID

    public init(spot: SpotID, name: String, claimer: PersonID) {
        self.spot = spot
        self.name = name
        self.claimer = claimer
    }
}

extension PosterSuspended: Event { package static let type = "posterSuspended" }

/// Auth keeps a notice for somebody, as `auth.notices` tells it. For services.
package struct NoticeGiven: Event {
    package static let type = "noticeGiven"
    package var person: PersonID
    package var notice: NoticeID
    package var kind: NoticeKind
    /// What it is about: the name of a spot.
    package var title: String?

    package init(person: PersonID, notice: NoticeID, kind: NoticeKind, title: String?) {
        self.person = person
        self.notice = notice
        self.kind = kind
        self.title = title
    }
}

/// Somebody has read a notice of auth's. For services.
package struct NoticeRead: Event {
    package static let type = "noticeRead"
    package var person: PersonID
    package var notice: NoticeID

    package init(person: PersonID, notice: NoticeID) {
        self.person = person
        self.notice = notice
    }
}
