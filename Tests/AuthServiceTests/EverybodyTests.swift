import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// What services are told of everybody.
@Suite struct EverybodyTests {
    @Test func everybody_comes_page_by_page_with_what_everybody_may_see() async throws {
        try await AuthBench.run { auth in
            var joined: [PersonSummary] = []
            for name in ["Ada", "Ben", "Eve", "Fay", "Gus"] {
                let person = try await auth.signUp("\(name)@example.org", name: name).person
                _ = try await auth.call(
                    AuthMethods.changeProfile, Nothing(), ProfileChange(phone: "+6591234567"),
                    as: Caller(person: person.id))
                joined.append(PersonSummary(id: person.id, name: name))
            }
            joined.sort { $0.id.description < $1.id.description }
            var (found, after, pages): ([PersonSummary], PersonID?, Int) = ([], nil, 0)
            repeat {
                let bytes = try await auth.bytes(AuthMethods.people, PeopleQuery(after: after, limit: 2), Nothing())
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(!text.contains("example.org") && !text.contains("659123"))
                let page = try WireJSON.decode(Page<PersonSummary>.self, from: bytes)
                found += page.items
                after = page.next.flatMap { PersonID($0) }
                pages += 1
            } while after != nil
            #expect(found == joined && pages == 3)
            let most = try await auth.call(AuthMethods.people, PeopleQuery(limit: 1_000_000), Nothing())
            #expect(most.items == joined && most.next == nil)
        }
    }

    @Test func only_services_may_ask() {
        #expect(!AuthMethods.people.peers.contains(.gateway))
        #expect(AuthMethods.people.peers.isSuperset(of: [.listings, .rides, .chat]))
    }
}
