#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Reviews: requests, replies and events of the auth service.

public typealias ReviewID = ID<Review>

/// What people who dealt with somebody say of them, in short.
public struct Reputation: Codable, Hashable, Sendable {
    /// One to five, in hundredths.
    public var rating: Double
    public var count: Int

    public init(rating: Double, count: Int) {
        self.rating = rating
        self.count = count
    }
}

/// What somebody says of a person with whom they have completed something.
public struct Review: Codable, Hashable, Sendable {
    public var id: ReviewID
    public var subject: Subject
    public var author: PersonSummary
    public var about: PersonID
    /// One to five.
    public var rating: Int
    /// May have several lines.
    public var text: String
    public var writtenAt: Date
    /// When others could first read it; absent as long as nobody but its author can.
    public var publishedAt: Date?
    /// What the one whom it is about says to it.
    public var reply: ReviewReply?
    /// Where moderators have hidden it: nobody but its author finds it then, and it does not count.
    public var hidden: Hiding?
    /// Names the reply, or that there is none.
    public var version: String?

    public init(
        id: ReviewID, subject: Subject, author: PersonSummary, about: PersonID, rating: Int, text: String,
        writtenAt: Date, publishedAt: Date? = nil, reply: ReviewReply? = nil, hidden: Hiding? = nil,
        version: String? = nil
    ) {
        self.id = id
        self.subject = subject
        self.author = author
        self.about = about
        self.rating = rating
        self.text = text
        self.writtenAt = writtenAt
        self.publishedAt = publishedAt
        self.reply = reply
        self.hidden = hidden
        self.version = version
    }
}

public struct ReviewReply: Codable, Hashable, Sendable {
    public var text: String
    public var at: Date

    public init(text: String, at: Date) {
        self.text = text
        self.at = at
    }
}

/// `POST /v1/people/{id}/reviews`.
public struct ReviewDraft: Codable, Hashable, Sendable {
    /// What the two have completed: a spot or a rental.
    public var subject: Subject
    public var rating: Int
    /// 1 to 1,000 characters.
    public var text: String

    public init(subject: Subject, rating: Int, text: String) {
        self.subject = subject
        self.rating = rating
        self.text = text
    }

    private enum CodingKeys: String, CodingKey { case subject, rating, text }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        subject = try fields.decodeSubject(for: .encounters, forKey: .subject)
        rating = try fields.decode(Int.self, forKey: .rating)
        text = try fields.decode(String.self, forKey: .text)
    }
}

/// `PUT /v1/reviews/{id}/reply`; 1 to 1,000 characters.
public struct ReviewReplyDraft: Codable, Hashable, Sendable {
    public var text: String
    /// That of the review as it was when the reply was made up: where there is another reply by now, nothing is changed (`changed_meanwhile`).
    public var version: String?

    public init(text: String, version: String? = nil) {
        self.text = text
        self.version = version
    }
}

public struct ReviewReference: Codable, Hashable, Sendable {
    public var id: ReviewID
    public init(id: ReviewID) { self.id = id }
}

/// `GET /v1/people/{id}/reviews`: what everybody may read of them, the latest first.
public struct ReviewQuery: Codable, Hashable, Sendable {
    public var id: PersonID
    public var limit: Int?
    public var cursor: String?

    public init(id: PersonID, limit: Int? = nil, cursor: String? = nil) {
        self.id = id
        self.limit = limit
        self.cursor = cursor
    }
}

/// Something that the caller has completed with somebody whom they may still review for it.
public struct Encounter: Codable, Hashable, Sendable {
    public var subject: Subject
    /// What the two know it by: the name of the spot.
    public var title: String
    public var with: PersonSummary
    public var completedAt: Date
    /// From here on no reviews are taken, and those that were written can be read.
    public var reviewsUntil: Date

    public init(
        subject: Subject, title: String, with: PersonSummary, completedAt: Date, reviewsUntil: Date
    ) {
        self.subject = subject
        self.title = title
        self.with = with
        self.completedAt = completedAt
        self.reviewsUntil = reviewsUntil
    }
}

/// `GET /v1/encounters`: those for which the caller may still write a review, the latest first.
public struct EncounterQuery: Codable, Hashable, Sendable {
    /// With this person alone.
    public var with: PersonID?
    public var limit: Int?
    public var cursor: String?

    public init(with: PersonID? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.with = with
        self.limit = limit
        self.cursor = cursor
    }
}

extension AuthMethods {
    package static let reviews = Method<ReviewQuery, Nothing, Page<Review>>("auth.reviews", .query)
    package static let review = Method<ReviewReference, Nothing, Review>("auth.review", .query)
    package static let encounters = Method<EncounterQuery, Nothing, Page<Encounter>>("auth.encounters", .query)
    package static let writeReview = Method<PersonReference, ReviewDraft, Review>("auth.writeReview", .command)
    package static let replyToReview = Method<ReviewReference, ReviewReplyDraft, Review>(
        "auth.replyToReview", .command)
}

// MARK: Events

/// Someone has reviewed somebody, who cannot read it yet. On the live stream of the one whom it is about.
package struct ReviewWritten: Event {
    package static let type = "reviewWritten"
    package var author: PersonSummary
    package var about: PersonID
    package var subject: Subject

    package init(author: PersonSummary, about: PersonID, subject: Subject) {
        self.author = author
        self.about = about
        self.subject = subject
    }
}

/// A review can be read by everybody. On the live streams of the two.
package struct ReviewPublished: Event {
    package static let type = "reviewPublished"
    package var review: Review
    package init(review: Review) { self.review = review }
}

/// The one whom a review is about has replied to it. For services: on the pages it stands under the review.
package struct ReviewReplied: Event {
    package static let type = "reviewReplied"
    package var review: ReviewID
    package var author: PersonID
    package var about: PersonID
    package var at: Date

    package init(review: ReviewID, author: PersonID, about: PersonID, at: Date) {
        self.review = review
        self.author = author
        self.about = about
        self.at = at
    }
}
