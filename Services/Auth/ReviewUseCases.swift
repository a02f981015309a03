import FoundationEssentials
import Messaging
import WireProtocol

/// What can be asked of reviews: load, decide, save with its events.
struct ReviewUseCases: Sendable {
    let database: any AuthDatabase
    let policy: ReviewPolicy
    let now: @Sendable () -> Date

    // MARK: Queries

    /// What everybody may read of a person, but for what those wrote who are apart from the caller.
    func reviews(_ query: ReviewQuery, for caller: Caller) async throws -> Page<Review> {
        let (limit, after) = (try Paging.limit(query.limit), try Paging.moment(query.cursor))
        let stores = database.stores
        guard try await stores.friends.summary(of: query.id, for: caller.person, at: now()) != nil else {
            throw ServiceError.notFound("person")
        }
        let found = try await stores.reviews.published(
            about: query.id, for: .anybody(caller.person), after: after, limit: limit)
        return Page(try await stores.named(found), of: limit) { review in
            review.publishedAt.map { MomentCursor($0, review.id.uuid) }
        }
    }

    /// One that everybody may read, or that the caller wrote.
    func review(_ id: ReviewID, for caller: Caller) async throws -> Review {
        guard let review = try await database.stores.review(id, for: caller.person) else { throw ReviewError.unknown }
        return review
    }

    /// What the caller may still write.
    func encounters(_ query: EncounterQuery, for caller: Caller) async throws -> Page<Encounter> {
        let me = try caller.requirePerson()
        let (limit, after) = (try Paging.limit(query.limit), try Paging.moment(query.cursor))
        let stores = database.stores
        let found = try await stores.reviews.waiting(
            for: me, with: query.with, since: now() - policy.blind, after: after, limit: limit)
        let people = try await stores.friends.summaries(of: Array(Set(found.map(\.other))))
        let encounters = found.map { waiting in
            let encounter = waiting.encounter
            return Encounter(
                subject: encounter.subject, title: encounter.title,
                with: people[waiting.other] ?? .someone(waiting.other),
                completedAt: encounter.completedAt, reviewsUntil: encounter.end(policy))
        }
        return Page(encounters, of: limit) { MomentCursor($0.completedAt, $0.subject.id.uuid) }
    }

    /// The latest of them, as rows of Home: nobody has to write one, so what is due stays in sight.
    func waiting(for caller: Caller) async throws -> Page<WaitingItem> {
        let found = try await encounters(EncounterQuery(limit: 3), for: caller)
        return Page(
            items: found.items.map {
                WaitingItem(.review, $0.subject, title: $0.title, with: $0.with, at: $0.reviewsUntil)
            }, next: found.next)
    }

    // MARK: Commands

    func write(_ draft: ReviewDraft, about other: PersonID, _ context: RequestContext) async throws -> Review {
        let me = try context.caller.requirePerson()
        let draft = try draft.checked()
        let now = now()
        return try await database.command(context) { transaction in
            let reviews = transaction.stores.reviews
            // The encounter's lock makes the two take turns, so that the second one sees what the first one wrote.
            // Whoever is apart from the other one is told what those are told who ask for nobody.
            guard try await transaction.friends.summary(of: other, for: me, at: now) != nil else {
                throw ServiceError.notFound("person")
            }
            let encounter = try await reviews.lockedEncounter(draft.subject, of: me, and: other)
            let written = try await reviews.reviews(draft.subject, between: me, and: other)
            let decision = try WrittenReview.write(
                .new(at: now), draft, by: me, about: other, after: encounter,
                own: written.first { $0.author == me }, other: written.first { $0.author == other }, at: now,
                within: policy)
            try await reviews.add(decision.review)
            let named = try await transaction.stores.named([decision.review])[0]
            if decision.published.isEmpty {
                let event = ReviewWritten(author: named.author, about: other, subject: draft.subject)
                transaction.publish(event, "person/\(other)", to: .people([other]), concerning: [me])
            }
            try await transaction.publish(decision.published)
            return named
        }
    }

    func reply(_ draft: ReviewReplyDraft, to id: ReviewID, _ context: RequestContext) async throws -> Review {
        let me = try context.caller.requirePerson()
        let text = try draft.checked()
        let now = now()
        return try await database.command(context) { transaction in
            guard let review = try await transaction.stores.reviews.review(id, locked: true),
                try await !transaction.stores.isApart(me, fromOneOf: review)
            else { throw ReviewError.unknown }
            let replied = try review.replied(text, insteadOf: draft.version, by: me, at: now)
            if replied != review {
                try await transaction.stores.reviews.reply(to: replied)
                // Who mends their reply says nothing new.
                if review.reply == nil {
                    transaction.publish(
                        ReviewReplied(review: id, author: review.author, about: review.about, at: now), "review/\(id)",
                        concerning: [review.author, review.about].sorted())
                }
            }
            return try await transaction.stores.named([replied])[0]
        }
    }

    // MARK: From time to time

    /// Publishes what has been hidden for long enough, one batch.
    /// - Returns: How many.
    func publishDue(atMost limit: Int = 100) async throws -> Int {
        let now = now()
        return try await database.transaction { transaction in
            let due = try await transaction.stores.reviews.due(at: now, atMost: limit)
            try await transaction.publish(due.map { $0.published(at: now) })
            return due.count
        }
    }
}

extension AuthTransaction {
    /// Makes reviews public, and what they do to the reputation of those whom they are about.
    fileprivate func publish(_ reviews: [WrittenReview]) async throws {
        // Accounts in the order of their ids, so that nobody waits in a circle.
        let reviews = reviews.sorted { $0.about < $1.about }
        let named = try await stores.named(reviews)
        for (review, shown) in zip(reviews, named) {
            guard let account = try await stores.reviews.publish(review) else { continue }
            publish(PersonChanged(person: account.summary), "person/\(account.id)")
            let both = [review.author, review.about]
            publish(ReviewPublished(review: shown), "person/\(account.id)", to: .people(Set(both)), concerning: both)
        }
    }
}

extension AuthStores {
    /// A review as somebody sees it, if there is one for them.
    /// - Parameter seesAll: for moderators, who see what is hidden too.
    func review(_ id: ReviewID, for viewer: PersonID?, seesAll: Bool = false) async throws -> Review? {
        guard let review = try await reviews.review(id, locked: false) else { return nil }
        if !seesAll {
            guard review.isVisible(to: viewer), try await !isApart(viewer, fromOneOf: review) else { return nil }
        }
        return try await named([review])[0]
    }

    /// Whether the one who wrote a review or the one whom it is about is not there for somebody.
    fileprivate func isApart(_ viewer: PersonID?, fromOneOf review: WrittenReview) async throws -> Bool {
        let others = Set([review.author, review.about]).subtracting(viewer.map { [$0] } ?? [])
        return try await friends.reachable(Array(others), from: viewer) != others
    }

    /// Reviews with their authors as they are now.
    /// - Parameter reader: Who is told, where authors may be apart from them: for them those are "Someone".
    func named(_ reviews: [WrittenReview], for reader: PersonID? = nil) async throws -> [Review] {
        var people = try await friends.summaries(of: Array(Set(reviews.map(\.author))))
        if let reader {
            let reachable = try await friends.reachable(Array(people.keys), from: reader)
            people = people.filter { reachable.contains($0.key) }
        }
        return reviews.map { review in
            Review(
                id: review.id, subject: review.subject, author: people[review.author] ?? .someone(review.author),
                about: review.about, rating: review.rating, text: review.text, writtenAt: review.writtenAt,
                publishedAt: review.publishedAt, reply: review.reply, hidden: review.hidden, version: review.version)
        }
    }
}

extension PersonSummary {
    /// Somebody who has no account any more.
    static func someone(_ id: PersonID) -> PersonSummary {
        PersonSummary(id: id, name: PersonSummary.nameOfUnknown)
    }
}

extension ReviewError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .neverMet: ServiceError(.forbidden, "Only people who have completed something together review each other.")
        case .written: ServiceError(.wrongState, "You have written this review already.")
        case .tooLate: ServiceError(.wrongState, "The time for reviews of this is over.")
        case .unknown: .notFound("review")
        case .notAboutYou: ServiceError(.forbidden, "Only the one whom it is about may reply.")
        case .changedMeanwhile(let version): .changedMeanwhile(version)
        }
    }
}
