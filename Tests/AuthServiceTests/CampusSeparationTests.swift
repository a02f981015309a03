import DurableMessaging
import Foundation
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// A community that keeps its campuses apart, against a real PostgreSQL: Ada and Amy belong to the hill, Ben to the bay, Eve to none.
@Suite struct CampusSeparationTests {
    private struct Village {
        let auth: AuthBench
        let ada: PersonID
        let amy: PersonID
        let ben: PersonID
        let eve: PersonID
        var people: BlockVillage { BlockVillage(auth: auth) }

        init(_ auth: AuthBench) async throws {
            self.auth = auth
            let people = try await auth.newcomers(4)
            (ada, amy, ben, eve) = (people[0], people[1], people[2], people[3])
        }

        func separate() async throws {
            for (person, campus) in [(ada, "hill"), (amy, "hill"), (ben, "bay")] { try await move(person, campus) }
        }

        func move(_ person: PersonID, _ campus: String) async throws {
            _ = try await auth.database.query(
                """
                UPDATE accounts
                SET campus = \(campus), campus_address = uuid_send(id), campus_digest = uuid_send(id), campus_since = joined_at
                WHERE id = \(person.uuid)
                """)
        }

        func review(_ author: PersonID, _ about: PersonID) async throws -> ReviewID {
            let (subject, pair) = (Subject(kind: .spot, id: .new()), BlockedPair(author, about))
            _ = try await auth.database.query(
                """
                INSERT INTO encounters (kind, subject, low, high, title, completed_at)
                VALUES ('spot', \(subject.id.uuid), \(pair.low.uuid), \(pair.high.uuid), 'By the library', \(auth.clock.now))
                """)
            var ids: [ReviewID] = []
            for (one, other) in [(author, about), (about, author)] {
                ids.append(
                    try await auth.call(
                        AuthMethods.writeReview, PersonReference(id: other),
                        ReviewDraft(subject: subject, rating: 5, text: "Kind."), as: Caller(person: one)
                    ).id)
            }
            return ids[0]
        }

        func authors(_ person: PersonID, as viewer: PersonID?) async throws -> Set<PersonID> {
            let page = try await auth.call(
                AuthMethods.reviews, ReviewQuery(id: person), Nothing(), as: Caller(person: viewer))
            return Set(page.items.map(\.author.id))
        }

        func friends(_ person: PersonID) async throws -> Set<PersonID> {
            let page = try await auth.call(
                AuthMethods.friends, FriendQuery(), Nothing(), as: Caller(person: person))
            return Set(page.items.map(\.person.id))
        }
    }

    private func village(_ body: (Village) async throws -> Void) async throws {
        try await AuthBench.run {
            var campuses = try? CampusDirectory(["hill=Hill:hill.example.org", "bay=Bay:bay.example.org"])
            campuses?.areApart = true
            $0.campuses = campuses ?? .none
        } _: {
            try await body(try await Village($0))
        }
    }

    @Test func who_belongs_elsewhere_is_not_there_whatever_is_asked_of_them() async throws {
        try await village { village in
            let (auth, people) = (village.auth, village.people)
            try await village.separate()
            let outsiders: [PersonID?] = [village.ben, village.eve, nil]
            for viewer in outsiders {
                #expect(try await refusal { try await people.person(village.ada, as: viewer) }?.code == .notFound)
                #expect(try await refusal { try await village.authors(village.ada, as: viewer) }?.code == .notFound)
            }
            for viewer in [village.ben, village.eve] {
                let tries = [
                    try await refusal { try await people.state(viewer, village.ada) },
                    try await refusal { try await people.press(viewer, village.ada) },
                    try await refusal { try await people.block(viewer, village.ada) },
                    try await refusal {
                        try await auth.call(
                            AuthMethods.mutualFriends, MutualFriendsQuery(id: village.ada), Nothing(),
                            as: Caller(person: viewer))
                    },
                    try await refusal {
                        try await auth.call(
                            AuthMethods.report, Nothing(),
                            ReportDraft(subject: Subject(kind: .person, id: ID(village.ada.uuid)), reason: .spam),
                            as: Caller(person: viewer))
                    },
                ]
                for refused in tries { #expect(refused?.code == .notFound) }
            }
            #expect(try await people.person(village.ada, as: village.amy).id == village.ada)
            #expect(try await people.person(village.ada, as: village.ada).id == village.ada)
            for viewer in [village.eve, nil] {
                #expect(try await people.person(village.eve, as: viewer).id == village.eve)
            }
            try await people.befriend(village.ada, village.amy)
            // A moderator sees everybody, and services know everybody.
            _ = try await auth.call(
                AuthMethods.changeRole, Nothing(),
                RoleChange(who: village.ben.description, role: .moderator, isGranted: true))
            #expect(try await people.person(village.ada, as: village.ben).id == village.ada)
            let summary = try await auth.call(
                AuthMethods.personSummary, PersonReference(id: village.ada), Nothing())
            #expect(summary.id == village.ada && summary.campus == "hill")
        }
    }

    @Test func what_was_before_rests_and_comes_back() async throws {
        try await village { village in
            let (auth, people) = (village.auth, village.people)
            for other in [village.amy, village.ben] { try await people.befriend(village.ada, other) }
            try await people.befriend(village.amy, village.ben)
            let (amys, bens) = (
                try await village.review(village.amy, village.ada), try await village.review(village.ben, village.ada)
            )
            func mutual() async throws -> MutualFriends {
                try await auth.call(
                    AuthMethods.mutualFriends, MutualFriendsQuery(id: village.amy), Nothing(),
                    as: Caller(person: village.ada))
            }
            func review(_ id: ReviewID, as viewer: PersonID?) async throws -> ErrorCode? {
                try await refusal {
                    try await auth.call(
                        AuthMethods.review, ReviewReference(id: id), Nothing(), as: Caller(person: viewer))
                }?.code
            }
            #expect(try await village.authors(village.ada, as: nil) == [village.amy, village.ben])
            #expect(try await mutual().count == 1)
            try await village.separate()
            #expect(try await village.friends(village.ada) == [village.amy])
            #expect(try await village.friends(village.ben).isEmpty)
            #expect(try await mutual().count == 0)
            #expect(try await mutual().items.isEmpty)
            #expect(try await village.authors(village.ada, as: village.amy) == [village.amy])
            #expect(try await review(amys, as: village.amy) == nil)
            for (id, viewer) in [(bens, village.amy), (bens, village.ada), (amys, village.ben), (amys, nil)] {
                #expect(try await review(id, as: viewer) == .notFound)
            }
            let refused = try await refusal {
                try await auth.call(
                    AuthMethods.replyToReview, ReviewReference(id: bens), ReviewReplyDraft(text: "Thanks."),
                    as: Caller(person: village.ada))
            }
            #expect(refused?.code == .notFound)
            // The archive of one's own keeps what was said, and names nobody who is not there.
            let page = try await auth.parts.ownRecords.page(
                PersonalDataQuery(person: village.ada, cursor: "reviews-about-me/"))
            let records = try page.items.map { String(decoding: try WireJSON.encode($0), as: UTF8.self) }
            #expect(records.count == 2)
            #expect(records.count { $0.contains("Someone") } == 1)
            // A stream begins with where one belongs.
            let apart = try await auth.call(
                AuthMethods.apart, ApartQuery(), Nothing(), as: Caller(person: village.ada))
            #expect(apart == ApartPage(items: [], campus: "hill"))
            // Friendships may be ended, and blocks lifted, wherever the other one is.
            _ = try await auth.call(
                AuthMethods.unfriend, FriendEnding(id: village.ben), Nothing(), as: Caller(person: village.ada))
            try await village.move(village.ben, "hill")
            #expect(try await village.friends(village.ben) == [village.amy])
            #expect(try await village.authors(village.ada, as: village.amy) == [village.amy, village.ben])
            try await people.block(village.ada, village.ben)
            try await village.move(village.ben, "bay")
            #expect(try await people.list(village.ada).map(\.person.id) == [village.ben])
            try await people.unblock(village.ada, village.ben)
            #expect(try await people.list(village.ada).isEmpty)
        }
    }

    /// Hundreds of one's own campus among many more of another: pages stay full and in order.
    @Test func pages_of_friends_have_no_gaps() async throws {
        try await village { village in
            let others = try await village.auth.newcomers(60)
            for (number, other) in others.enumerated() {
                try await village.move(other, number.isMultiple(of: 3) ? "hill" : "bay")
                let pair = BlockedPair(village.ada, other)
                _ = try await village.auth.database.query(
                    """
                    INSERT INTO friendships (low, high, low_asked, accepted, since)
                    VALUES (\(pair.low.uuid), \(pair.high.uuid), true, true, \(village.auth.clock.now))
                    """)
            }
            try await village.separate()
            var (found, cursor): ([PersonID], String?) = ([], nil)
            repeat {
                let page = try await village.auth.call(
                    AuthMethods.friends, FriendQuery(limit: 7, cursor: cursor), Nothing(),
                    as: Caller(person: village.ada))
                if page.next != nil { #expect(page.items.count == 7) }
                found += page.items.map(\.person.id)
                cursor = page.next
            } while cursor != nil
            #expect(found.count == 20 && Set(found).count == 20)
        }
    }
}
