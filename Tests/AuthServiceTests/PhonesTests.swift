import Foundation
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// The numbers of people who have dealings with each other, which listings, rides and matching ask for.
@Suite struct PhonesTests {
    @Test func who_has_given_a_number_has_one() async throws {
        try await AuthBench.run { auth in
            var people: [PersonID] = []
            for (name, phone) in [("Ada", "+6591234567"), ("Ben", nil), ("Eve", "+6598765432")] {
                let person = try await auth.signUp("\(name)@example.org", name: name).person.id
                if let phone {
                    _ = try await auth.call(
                        AuthMethods.changeProfile, Nothing(), ProfileChange(phone: .set(phone)),
                        as: Caller(person: person))
                }
                people.append(person)
            }
            func phones() async throws -> [PersonID: String] {
                let page = try await auth.call(
                    AuthMethods.phones, PhonesQuery(people: people + people + [.new(), .nobody]), Nothing())
                return Dictionary(page.items.map { ($0.person, $0.phone) }) { one, _ in one }
            }
            #expect(try await phones() == [people[0]: "+6591234567", people[2]: "+6598765432"])
            let now = auth.clock.read()
            _ = try await auth.pool.query(
                """
                UPDATE accounts SET suspended_at = \(now - 60), suspended_until = \(now + 3600), suspension_reason = 'x'
                WHERE id = \(people[0].uuid)
                """)
            #expect(try await phones() == [people[2]: "+6598765432"])
            auth.clock.advance(by: .seconds(3601))
            #expect(try await phones().count == 2)
        }
    }

    @Test func only_listings_rides_and_matching_may_ask() {
        #expect(AuthMethods.phones.peers == [.listings, .rides, .matching])
    }
}
