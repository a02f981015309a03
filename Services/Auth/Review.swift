import DurableMessaging
import FoundationEssentials
import PlainText
import WireProtocol

// What is true of reviews. No I/O and no clock: the time is an argument.

/// Two people have completed something together.
struct CompletedEncounter: Hashable, Sendable {
    let subject: Subject
    /// What the two know it by.
    let title: String
    /// The smaller id first.
    let low: PersonID
    let high: PersonID
    let completedAt: Date

    /// Nil for what is none: fewer than two people, or more.
    init?(_ event: EncounterCompleted) {
        let people = Set(event.people).sorted()
        guard people.count == 2 else { return nil }
        self.init(
            subject: event.subject, title: event.title, low: people[0], high: people[1],
            completedAt: event.completedAt)
    }

    init(subject: Subject, title: String, low: PersonID, high: PersonID, completedAt: Date) {
        self.subject = subject
        self.title = title
        self.low = low
        self.high = high
        self.completedAt = completedAt
    }

    /// Until when reviews are taken, and hidden from the other one.
    func end(_ policy: ReviewPolicy) -> Date { completedAt + policy.blind }
}

/// What one of the two says of the other; at most one for each encounter and direction.
struct WrittenReview: Hashable, Sendable {
    let id: ReviewID
    let subject: Subject
    let author: PersonID
    let about: PersonID
    let rating: Int
    let text: String
    let writtenAt: Date
    /// When it is published even if the other one writes nothing.
    let opensAt: Date
    var publishedAt: Date?
    var reply: ReviewReply?
    /// Where moderators have hidden it: its author alone sees it, and why.
    var hidden: Hiding?

    /// Names the reply, or that there is none.
    var version: String? { ContentVersion.of(ReviewReplyDraft(text: reply?.text ?? "")) }

    func isVisible(to viewer: PersonID?) -> Bool { publishedAt != nil && hidden == nil || viewer == author }
}

struct ReviewPolicy: Hashable, Sendable {
    /// How long after an encounter each may write without having read what the other wrote. Nobody may afterwards: else the last word
    /// would be worth waiting for.
    var blind: TimeInterval = 14 * 24 * 60 * 60
    static let longestText = 1000
    static let ratings = 1...5
}

/// Why something may not be done.
enum ReviewError: Error, Hashable, Sendable {
    /// They have completed nothing of that kind together.
    case neverMet
    case written
    case tooLate
    case unknown
    /// Only the one whom it is about may reply.
    case notAboutYou
    /// Another reply stands there than the one that was to be replaced: this version holds now.
    case changedMeanwhile(String?)
}

/// What writing a review comes to.
struct ReviewDecision: Hashable, Sendable {
    var review: WrittenReview
    /// Those that everybody may read from here on: both, once both have written.
    var published: [WrittenReview]
}

extension WrittenReview {
    /// - Parameters:
    ///   - own: what the author wrote of this before.
    ///   - other: what the other one wrote of the author.
    static func write(
        _ id: ReviewID, _ draft: ReviewDraft, by author: PersonID, about: PersonID,
        after encounter: CompletedEncounter?, own: WrittenReview?, other: WrittenReview?, at now: Date,
        within policy: ReviewPolicy
    ) throws(ReviewError) -> ReviewDecision {
        guard let encounter else { throw .neverMet }
        guard own == nil else { throw .written }
        guard now < encounter.end(policy) else { throw .tooLate }
        let review = WrittenReview(
            id: id, subject: encounter.subject, author: author, about: about, rating: draft.rating, text: draft.text,
            writtenAt: now, opensAt: encounter.end(policy))
        guard let other else { return ReviewDecision(review: review, published: []) }
        let published = [review, other].map { $0.published(at: now) }
        return ReviewDecision(review: published[0], published: published)
    }

    func published(at now: Date) -> WrittenReview {
        var review = self
        review.publishedAt = publishedAt ?? now
        return review
    }

    /// The right of reply; saying it again replaces it.
    /// - Parameter seen: the version that the reply was made up from; nil of who does not say.
    func replied(
        _ text: String, insteadOf seen: String? = nil, by person: PersonID, at now: Date
    ) throws(ReviewError) -> WrittenReview {
        // Before it is published, nobody but its author knows that it is there.
        guard isVisible(to: nil) else { throw .unknown }
        guard person == about else { throw .notAboutYou }
        if reply?.text == text { return self }
        guard ContentVersion.allows(seen, version) else { throw .changedMeanwhile(version) }
        var review = self
        review.reply = ReviewReply(text: text, at: now)
        return review
    }
}

extension ReviewDraft {
    /// As it will be kept.
    /// - Throws: `invalid` with an error for each field.
    func checked() throws(ServiceError) -> ReviewDraft {
        var errors: [FieldError] = []
        if !ReviewPolicy.ratings.contains(rating) {
            errors.append(FieldError("rating", "out_of_range", "Give one to five stars."))
        }
        var draft = self
        do throws(Objection) {
            draft.text = try TextRule.lines(ReviewPolicy.longestText).written(text, in: "text")
        } catch { errors.append(error.error) }
        guard errors.isEmpty else { throw .invalid(errors) }
        return draft
    }
}

extension ReviewReplyDraft {
    /// - Throws: `invalid` at `text`.
    func checked() throws(ServiceError) -> String {
        do throws(Objection) {
            return try TextRule.lines(ReviewPolicy.longestText).written(text, in: "text")
        } catch { throw .invalid([error.error]) }
    }
}
