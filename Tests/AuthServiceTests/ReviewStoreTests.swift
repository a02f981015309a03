import DurableMessaging
import Foundation
import Messaging
import Postgres
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Reviews as the bus asks for them, on a real database.
@Suite struct ReviewStoreTests {
    private struct Village {
        let auth: AuthBench
        let consumer: DurableConsumer
        let listings = Listings()

        /// The service that tells of encounters.
        final class Listings: Sendable {
            let epoch = UUID()
            let position = Mutex(Int64(0))
        }

        init(_ auth: AuthBench) {
            self.auth = auth
            consumer = DurableConsumer(database: auth.database)
            auth.stores.follow(on: consumer)
        }

        /// As another service tells it, `days` ago.
        @discardableResult
        func met(_ people: PersonID..., title: String = "By the library", days: Double = 0) async throws
            -> Subject
        {
            let subject = Subject(kind: .spot, id: .new())
            let event = EncounterCompleted(
                subject: subject, title: title, people: people, completedAt: auth.clock.now - days * 86_400)
            // Told twice, as happens when a backup was restored.
            for _ in 0..<2 {
                let position = listings.position.withLock { position in
                    position += 1
                    return position
                }
                try await consumer.hear(
                    event, from: "listings", at: position, of: listings.epoch, on: auth.clock.now)
            }
            return subject
        }

        @discardableResult
        func write(
            _ author: PersonID, _ about: PersonID, _ subject: Subject, _ rating: Int = 5,
            id: UUID = .version7()
        ) async throws -> Review {
            try await auth.call(
                AuthMethods.writeReview, PersonReference(id: about),
                ReviewDraft(subject: subject, rating: rating, text: "\(rating) of five"), as: Caller(person: author),
                id: id)
        }

        func reviews(_ person: PersonID, limit: Int? = nil) async throws -> [Review] {
            var (found, cursor): ([Review], String?) = ([], nil)
            repeat {
                let page = try await auth.call(
                    AuthMethods.reviews, ReviewQuery(id: person, limit: limit, cursor: cursor), Nothing())
                #expect(page.items.count <= limit ?? 20)
                found += page.items
                cursor = page.next
            } while cursor != nil
            return found
        }

        func waiting(_ person: PersonID, with other: PersonID? = nil, limit: Int? = nil) async throws -> [Encounter] {
            var (found, cursor): ([Encounter], String?) = ([], nil)
            repeat {
                let page = try await auth.call(
                    AuthMethods.encounters, EncounterQuery(with: other, limit: limit, cursor: cursor), Nothing(),
                    as: Caller(person: person))
                found += page.items
                cursor = page.next
            } while cursor != nil
            return found
        }

        func reputation(_ person: PersonID) async throws -> Reputation? {
            try await auth.call(AuthMethods.person, PersonReference(id: person), Nothing()).reputation
        }
    }

    private func village(_ body: (Village) async throws -> Void) async throws {
        try await AuthBench.run { try await body(Village($0)) }
    }

    @Test func two_reviews_come_to_light_together_and_count() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            let subject = try await village.met(ada, ben)
            for (person, other) in [(ada, "Ben"), (ben, "Ada")] {
                let waiting = try await village.waiting(person)
                #expect(waiting.map(\.with.name) == [other] && waiting.map(\.title) == ["By the library"])
                let until = try #require(waiting.first?.reviewsUntil)
                #expect(abs(until.timeIntervalSince(village.auth.clock.now) - 14 * 86_400) < 0.001)
            }
            let first = try await village.write(ada, ben, subject, 3)
            #expect(first.publishedAt == nil && first.author.name == "Ada")
            #expect(try await village.reviews(ben).isEmpty)
            #expect(try await village.reputation(ben) == nil)
            #expect(try await village.waiting(ada).isEmpty)
            #expect(try await village.waiting(ben).count == 1)
            let invitations = try await village.auth.events(ReviewWritten.self)
            #expect(invitations.map(\.event.about) == [ben])
            #expect(invitations.map(\.header.audience) == [.people([ben])])
            #expect(try await village.auth.events(ReviewPublished.self).isEmpty)

            village.auth.clock.advance(by: .seconds(60))
            let second = try await village.write(ben, ada, subject, 4)
            #expect(second.publishedAt != nil)
            #expect(try await village.reviews(ben).map(\.rating) == [3])
            #expect(try await village.reviews(ada).map(\.rating) == [4])
            #expect(try await village.reputation(ben) == Reputation(rating: 3, count: 1))
            #expect(try await village.reputation(ada) == Reputation(rating: 4, count: 1))
            let told = try await village.auth.events(PersonChanged.self).map(\.event.person).filter {
                $0.reputation != nil
            }
            #expect(Set(told.map(\.id)) == [ada, ben])
            let published = try await village.auth.events(ReviewPublished.self)
            #expect(Set(published.map(\.event.review.author.id)) == [ada, ben])
            #expect(published.allSatisfy { $0.header.audience == .people([ada, ben]) })
        }
    }

    @Test func one_that_nobody_answers_comes_to_light_after_fourteen_days() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            let subject = try await village.met(ada, ben)
            let review = try await village.write(ada, ben, subject, 2)
            let hidden = try await refusal {
                _ = try await village.auth.call(
                    AuthMethods.review, ReviewReference(id: review.id), Nothing(), as: Caller(person: ben))
            }
            #expect(hidden?.code == .notFound)
            let own = try await village.auth.call(
                AuthMethods.review, ReviewReference(id: review.id), Nothing(), as: Caller(person: ada))
            #expect(own == review)

            village.auth.clock.advance(by: .seconds(14 * 86_400 - 1))
            #expect(try await village.auth.parts.reviews.publishDue() == 0)
            village.auth.clock.advance(by: .seconds(1))
            let late = try await refusal { try await village.write(ben, ada, subject) }
            #expect(late?.code == .wrongState)
            #expect(try await village.waiting(ben).isEmpty)
            async let one = village.auth.parts.reviews.publishDue()
            async let two = village.auth.parts.reviews.publishDue()
            let done = try await one + two
            #expect(done == 1)
            #expect(try await village.auth.parts.reviews.publishDue() == 0)
            #expect(try await village.reputation(ben) == Reputation(rating: 2, count: 1))
            #expect(try await village.reviews(ben).map(\.id) == [review.id])
        }
    }

    @Test func both_at_the_same_moment_are_both_published_once() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            for round in 1...5 {
                let subject = try await village.met(ada, ben)
                async let one = village.write(ada, ben, subject, 5)
                async let two = village.write(ben, ada, subject, 1)
                _ = try await (one, two)
                #expect(try await village.reputation(ben) == Reputation(rating: 5, count: round))
                #expect(try await village.reputation(ada) == Reputation(rating: 1, count: round))
            }
            #expect(try await village.auth.events(ReviewPublished.self).count == 10)
        }
    }

    @Test func once_for_each_encounter_and_direction() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            let subject = try await village.met(ada, ben)
            let id = UUID.version7()
            let review = try await village.write(ada, ben, subject, 5, id: id)
            #expect(try await village.write(ada, ben, subject, 5, id: id) == review)
            #expect(try await refusal { try await village.write(ada, ben, subject, 1) }?.code == .wrongState)
            let rows = try await village.auth.database.query("SELECT FROM reviews")
            #expect(rows.count == 1)
        }
    }

    @Test func who_never_dealt_with_somebody_does_not_review_them() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            let eve = try await village.auth.newcomer("Eve")
            let subject = try await village.met(ada, ben)
            for (author, about) in [(eve, ben), (eve, ada), (ada, eve), (ada, ada)] {
                #expect(try await refusal { try await village.write(author, about, subject) }?.code == .forbidden)
            }
            let nobody = PersonID.new()
            #expect(try await refusal { try await village.write(ada, nobody, subject) }?.code == .notFound)
            let other = Subject(kind: .spot, id: .new())
            #expect(try await refusal { try await village.write(ada, ben, other) }?.code == .forbidden)
            // Somebody who is not here, as after a backup was restored.
            try await village.met(ada, .new())
            #expect(try await village.waiting(ada).map(\.with.id) == [ben])
            let anonymous = try await refusal {
                _ = try await village.auth.call(AuthMethods.encounters, EncounterQuery(), Nothing())
            }
            #expect(anonymous?.code == .unauthenticated)
        }
    }

    @Test func a_reply_stands_below_what_it_answers() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            let subject = try await village.met(ada, ben)
            let review = try await village.write(ada, ben, subject, 2)
            func reply(_ text: String, as person: PersonID, seen: String? = nil) async throws -> Review {
                try await village.auth.call(
                    AuthMethods.replyToReview, ReviewReference(id: review.id),
                    ReviewReplyDraft(text: text, version: seen), as: Caller(person: person))
            }
            #expect(try await refusal { _ = try await reply("Too early.", as: ben) }?.code == .notFound)
            try await village.write(ben, ada, subject)
            #expect(try await refusal { _ = try await reply("Not mine.", as: ada) }?.code == .forbidden)
            #expect(try await refusal { _ = try await reply(" ", as: ben) }?.errors.map(\.field) == ["text"])
            #expect(try await reply("I was late, sorry.", as: ben).reply?.text == "I was late, sorry.")
            #expect(try await reply("Sorry.", as: ben).reply?.text == "Sorry.")
            let read = try await village.reviews(ben)
            #expect(read.map(\.reply?.text) == ["Sorry."])
            // Another window knows of no reply, and is told; the version that holds is there to be read.
            let late = try await refusal { _ = try await reply("Late.", as: ben, seen: review.version) }
            #expect(late == .changedMeanwhile(read[0].version) && review.version != read[0].version)
            #expect(try await reply("Late.", as: ben, seen: read[0].version).reply?.text == "Late.")
        }
    }

    @Test func lists_have_pages_in_which_nothing_is_lost_or_twice() async throws {
        try await village { village in
            let (ada, ben) = (try await village.auth.newcomer("Ada"), try await village.auth.newcomer("Ben"))
            let eve = try await village.auth.newcomer("Eve")
            var subjects: [Subject] = []
            for number in 0..<7 {
                subjects.append(try await village.met(ada, ben, title: "Spot \(number)", days: Double(number / 2)))
            }
            try await village.met(ada, eve)
            let all = try await village.waiting(ada)
            #expect(all.count == 8)
            #expect(try await village.waiting(ada, limit: 3) == all)
            #expect(all.map(\.completedAt) == all.map(\.completedAt).sorted(by: >))
            #expect(try await village.waiting(ada, with: eve).map(\.with.name) == ["Eve"])
            for subject in subjects {
                try await village.write(ada, ben, subject)
                try await village.write(ben, ada, subject)
            }
            let read = try await village.reviews(ben)
            #expect(read.count == 7 && Set(read.map(\.subject.id)) == Set(subjects.map(\.id)))
            #expect(try await village.reviews(ben, limit: 2) == read)
            #expect(try await refusal { _ = try await village.reviews(.new()) }?.code == .notFound)
        }
    }
}
