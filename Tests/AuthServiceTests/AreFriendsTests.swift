import DurableMessaging
import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Whether two people are friends, which rides asks.
@Suite struct AreFriendsTests {
    private func areFriends(_ one: PersonID, _ other: PersonID, _ auth: AuthBench) async throws -> Bool {
        func ask(_ one: PersonID, _ other: PersonID) async throws -> Bool {
            try await auth.call(AuthMethods.areFriends, FriendshipQuery(one: one, other: other), Nothing()).areFriends
        }
        let answer = try await ask(one, other)
        #expect(try await ask(other, one) == answer, "whoever is named first")
        return answer
    }

    @Test func only_an_accepted_question_makes_friends() async throws {
        try await AuthBench.run { auth in
            let (people, village) = (try await auth.newcomers(3), BlockVillage(auth: auth))
            let (ada, ben, eve) = (people[0], people[1], people[2])
            #expect(try await !areFriends(ada, ben, auth))
            _ = try await village.press(ada, ben)
            #expect(try await !areFriends(ada, ben, auth))
            _ = try await village.press(ben, ada)
            #expect(try await areFriends(ada, ben, auth))
            for other in [eve, ada, .new(), .nobody] { #expect(try await !areFriends(ada, other, auth)) }
            try await village.block(ben, ada)
            #expect(try await !areFriends(ada, ben, auth))
            try await village.unblock(ben, ada)
            #expect(try await !areFriends(ada, ben, auth), "a block ends it")
        }
    }

    @Test func it_rests_while_the_two_belong_to_different_campuses() async throws {
        try await AuthBench.run {
            var campuses = try? CampusDirectory(["hill=Hill:hill.example.org", "bay=Bay:bay.example.org"])
            campuses?.areApart = true
            $0.campuses = campuses ?? .none
        } _: { auth in
            let people = try await auth.newcomers(2)
            try await BlockVillage(auth: auth).befriend(people[0], people[1])
            #expect(try await areFriends(people[0], people[1], auth))
            for (person, campus, together) in [(0, "hill", false), (1, "bay", false), (1, "hill", true)] {
                _ = try await auth.database.query(
                    """
                    UPDATE accounts
                    SET campus = \(campus), campus_address = uuid_send(id), campus_digest = uuid_send(id), campus_since = joined_at
                    WHERE id = \(people[person].uuid)
                    """)
                #expect(try await areFriends(people[0], people[1], auth) == together)
            }
        }
    }

    @Test func only_rides_may_ask() {
        #expect(AuthMethods.areFriends.peers == [.rides])
    }
}
