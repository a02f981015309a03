#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Reports: what people tell moderators of. Requests and replies of the auth service, and what other services show it.

public typealias ReportID = ID<Report>

/// What may be reported.
public enum ReportKind: String, Codable, CaseIterable, Hashable, Sendable {
    case person
    /// What somebody shares: a parking spot.
    case post
    case review
    /// One of the other's, in a chat of one's own.
    case message
}

public struct ReportSubject: Codable, Hashable, Sendable {
    public var kind: ReportKind
    public var id: ID<ReportSubject>

    public init(kind: ReportKind, id: ID<ReportSubject>) {
        self.kind = kind
        self.id = id
    }
}

public enum ReportReason: String, Codable, CaseIterable, Hashable, Sendable {
    /// Somebody is insulted, threatened or not left alone.
    case harassment
    /// Dangerous, or against the law.
    case dangerous
    /// It is not what it says it is.
    case misleading
    case spam
    /// What the text says.
    case other
}

/// `POST /v1/reports`.
public struct ReportDraft: Codable, Hashable, Sendable {
    public var subject: ReportSubject
    public var reason: ReportReason
    /// Up to 1,000 characters; required where the reason is `other`.
    public var text: String?

    public init(subject: ReportSubject, reason: ReportReason, text: String? = nil) {
        self.subject = subject
        self.reason = reason
        self.text = text
    }
}

/// What somebody reported, as they are told of it themselves.
public struct Report: Codable, Hashable, Sendable {
    public var id: ReportID
    public var subject: ReportSubject
    public var reason: ReportReason
    public var text: String?
    public var reportedAt: Date

    public init(id: ReportID, subject: ReportSubject, reason: ReportReason, text: String? = nil, reportedAt: Date) {
        self.id = id
        self.subject = subject
        self.reason = reason
        self.text = text
        self.reportedAt = reportedAt
    }
}

/// What a subject says at a moment.
public struct SubjectSnapshot: Codable, Hashable, Sendable {
    /// Whose it is: of a person themselves, of a post who shares it, of a review or a message who wrote it.
    public var owner: PersonID
    /// The name of a person or a post; of a review or a message its author's.
    public var title: String
    /// Absent of a message: what two people write to each other stays in their chat, where moderators look at it.
    public var text: String?
    /// A photo's id, shown at `/photos/{id}/{thumb|medium|full}`.
    public var photo: String?
    /// Of a review: one to five.
    public var rating: Int?

    public init(owner: PersonID, title: String, text: String? = nil, photo: String? = nil, rating: Int? = nil) {
        self.owner = owner
        self.title = title
        self.text = text
        self.photo = photo
        self.rating = rating
    }
}

/// Asks the service that has a subject what it says now.
package struct SubjectQuery: Codable, Hashable, Sendable {
    package var subject: ReportSubject
    /// For whom; nil for moderators, who see what is hidden too.
    package var viewer: PersonID?

    package init(subject: ReportSubject, viewer: PersonID?) {
        self.subject = subject
        self.viewer = viewer
    }
}

/// That moderators have hidden something, as its owner is told.
public struct Hiding: Codable, Hashable, Sendable {
    public var at: Date
    /// Why, in the moderator's words.
    public var reason: String

    public init(at: Date, reason: String) {
        self.at = at
        self.reason = reason
    }
}

extension AuthMethods {
    package static let report = Method<Nothing, ReportDraft, Report>("auth.report", .command)
}

extension ListingsMethods {
    /// A post as it is now. Refused where there is none for the viewer.
    package static let subject = Method<SubjectQuery, Nothing, SubjectSnapshot>(
        "listings.subject", .query, peers: [.auth])
}

// MARK: Events

/// Moderators have hidden something. For the service that has it: others no longer see it, its owner sees why.
package struct SubjectHidden: Event {
    package static let type = "subjectHidden"
    package var subject: ReportSubject
    package var hiding: Hiding

    package init(subject: ReportSubject, hiding: Hiding) {
        self.subject = subject
        self.hiding = hiding
    }
}

/// What moderators had hidden can be seen again.
package struct SubjectRestored: Event {
    package static let type = "subjectRestored"
    package var subject: ReportSubject
    package init(subject: ReportSubject) { self.subject = subject }
}
