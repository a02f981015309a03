#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Reports: what people tell moderators of. Requests and replies of the auth service, and what other services show it.

public typealias ReportID = ID<Report>

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
    /// A person, a spot, a thing, a ride, a review; of one's own a delivery, or a message of the other one's in a chat.
    public var subject: Subject
    public var reason: ReportReason
    /// Up to 1,000 characters; required where the reason is `other`.
    public var text: String?

    public init(subject: Subject, reason: ReportReason, text: String? = nil) {
        self.subject = subject
        self.reason = reason
        self.text = text
    }

    private enum CodingKeys: String, CodingKey { case subject, reason, text }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        subject = try fields.decodeSubject(for: .reports, forKey: .subject)
        reason = try fields.decode(ReportReason.self, forKey: .reason)
        text = try fields.decodeIfPresent(String.self, forKey: .text)
    }
}

/// What somebody reported, as they are told of it themselves.
public struct Report: Codable, Hashable, Sendable {
    public var id: ReportID
    public var subject: Subject
    public var reason: ReportReason
    public var text: String?
    public var reportedAt: Date

    public init(id: ReportID, subject: Subject, reason: ReportReason, text: String? = nil, reportedAt: Date) {
        self.id = id
        self.subject = subject
        self.reason = reason
        self.text = text
        self.reportedAt = reportedAt
    }
}

/// What a subject says at a moment.
public struct SubjectSnapshot: Codable, Hashable, Sendable {
    /// Whose it is: of a person themselves, of a spot or a thing who shares it, of a review or a message who wrote it; of a delivery the other one.
    public var owner: PersonID
    /// The name of a person, a spot or a thing; of a review or a message its author's.
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
    package var subject: Subject
    /// For whom; nil for moderators, who see what is hidden too.
    package var viewer: PersonID?

    package init(subject: Subject, viewer: PersonID?) {
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

extension CommonMethods {
    /// What there is to report of a subject as it is now. `not_found` where there is none for the viewer; for moderators (no viewer) there is any.
    package var subject: Method<SubjectQuery, Nothing, SubjectSnapshot> {
        Method("\(service).subject", .query, peers: [.auth])
    }
}

// MARK: Events

/// Moderators have hidden something. For the service that has it: others no longer see it, its owner sees why.
package struct SubjectHidden: Event {
    package static let type = "subjectHidden"
    package var subject: Subject
    package var hiding: Hiding

    package init(subject: Subject, hiding: Hiding) {
        self.subject = subject
        self.hiding = hiding
    }
}

/// What moderators had hidden can be seen again.
package struct SubjectRestored: Event {
    package static let type = "subjectRestored"
    package var subject: Subject
    package init(subject: Subject) { self.subject = subject }
}
