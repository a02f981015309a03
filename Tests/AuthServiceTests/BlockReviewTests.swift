import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Reviews are no way around a block: what one wrote of somebody is not there for the other, nor may they review each other.
@Suite struct BlockReviewTests {
    private func met(_ one: PersonID, _ other: PersonID, _ auth: AuthBench) async throws -> Subject {
        let (subject, pair) = (Subject(kind: .spot, id: .new()), BlockedPair(one, other))
        _ = try await auth.database.query(
            """
            INSERT INTO encounters (kind, subject, low, high, title, completed_at)
            VALUES ('spot', \(subject.id.uuid), \(pair.low.uuid), \(pair.high.uuid), 'By the library', \(auth.clock.now))
            """)
        return subject
    }

    private func write(_ author: PersonID, _ about: PersonID, _ subject: Subject, _ auth: AuthBench)
        async throws -> Review
    {
        try await auth.call(
            AuthMethods.writeReview, PersonReference(id: about),
            ReviewDraft(subject: subject, rating: 5, text: "Kind."),
            as: Caller(person: author))
    }

    private func authors(_ person: PersonID, as viewer: PersonID?, _ auth: AuthBench) async throws -> Set<PersonID> {
        let page = try await auth.call(
            AuthMethods.reviews, ReviewQuery(id: person), Nothing(), as: Caller(person: viewer))
        return Set(page.items.map(\.author.id))
    }

    @Test func what_was_written_is_not_there_for_who_is_apart_and_nothing_more_is_written() async throws {
        try await AuthBench.run { auth in
            let village = BlockVillage(auth: auth)
            let (ada, ben, eve) = try await village.three()
            var ids: [PersonID: ReviewID] = [:]
            for author in [ada, ben] {
                let subject = try await met(author, eve, auth)
                ids[author] = try await write(author, eve, subject, auth).id
                _ = try await write(eve, author, subject, auth)
            }
            let (one, two) = (try await met(ada, ben, auth), try await met(ada, ben, auth))
            _ = try await write(ben, ada, one, auth)
            try await village.block(ada, ben)

            #expect(try await authors(eve, as: ada, auth) == [ada])
            #expect(try await authors(eve, as: ben, auth) == [ben])
            for viewer in [eve, nil] { #expect(try await authors(eve, as: viewer, auth) == [ada, ben]) }
            func review(_ author: PersonID, as viewer: PersonID) async throws -> ErrorCode? {
                let id = try #require(ids[author])
                return try await refusal {
                    try await auth.call(
                        AuthMethods.review, ReviewReference(id: id), Nothing(), as: Caller(person: viewer))
                }?.code
            }
            #expect(try await review(ada, as: ben) == .notFound)
            #expect(try await review(ben, as: ada) == .notFound)
            #expect(try await review(ada, as: eve) == nil)
            for (person, other) in [(ada, ben), (ben, ada)] {
                #expect(try await refusal { try await authors(other, as: person, auth) }?.code == .notFound)
                let waiting = try await auth.call(
                    AuthMethods.encounters, EncounterQuery(), Nothing(), as: Caller(person: person))
                #expect(waiting.items.isEmpty)
                for subject in [one, two] {
                    let refused = try await refusal { try await write(person, other, subject, auth) }
                    let never = try await refusal { try await write(person, .new(), subject, auth) }
                    #expect(refused == never && refused?.code == .notFound)
                }
            }
            try await village.unblock(ada, ben)
            #expect(try await write(ada, ben, two, auth).rating == 5)
            #expect(try await authors(eve, as: ben, auth) == [ada, ben])
        }
    }
}
