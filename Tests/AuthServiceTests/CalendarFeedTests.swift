import Foundation
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// The addresses of calendars, and whose they are.
@Suite struct CalendarFeedTests {
    private func token(_ feed: CalendarFeed) -> String {
        String(feed.path.dropFirst("/calendar/".count).dropLast(".ics".count))
    }

    private func owner(_ token: String, _ auth: AuthBench) async throws -> PersonID? {
        do {
            return try await auth.call(AuthMethods.calendarOwner, CalendarToken(token: token), Nothing()).person
        } catch let error as ServiceError where error.code == .notFound { return nil }
    }

    private func made(_ person: PersonID, _ auth: AuthBench, id: UUID = .version7()) async throws -> CalendarFeed {
        try await auth.call(
            AuthMethods.renewCalendarFeed, Nothing(), Nothing(), as: try await auth.fresh(person), id: id)
    }

    @Test func an_address_is_somebodys_until_it_is_made_anew_or_ended() async throws {
        try await AuthBench.run { auth in
            let (ada, ben) = (try await auth.newcomer("Ada"), try await auth.newcomer("Ben"))
            await #expect(throws: ServiceError.notFound("calendar")) {
                try await auth.call(AuthMethods.calendarFeed, Nothing(), Nothing(), as: Caller(person: ada))
            }
            let id = UUID.version7()
            let first = try await made(ada, auth, id: id)
            let again = try await made(ada, auth, id: id)
            #expect(first == again, "the same request makes one")
            let shown = try await auth.call(AuthMethods.calendarFeed, Nothing(), Nothing(), as: Caller(person: ada))
            #expect(shown == first && token(first).count == 43)
            let bens = try await made(ben, auth)
            #expect(try await owner(token(first), auth) == ada)
            #expect(try await owner(token(bens), auth) == ben)
            for wrong in [
                "", "x", token(first) + "x", String(token(first).dropLast()), String(repeating: "a", count: 5000),
            ] {
                #expect(try await owner(wrong, auth) == nil)
            }
            let second = try await made(ada, auth)
            #expect(try await owner(token(first), auth) == nil)
            #expect(try await owner(token(second), auth) == ada)
            for _ in 0..<2 {
                _ = try await auth.call(
                    AuthMethods.endCalendarFeed, Nothing(), Nothing(), as: try await auth.fresh(ada))
            }
            #expect(try await owner(token(second), auth) == nil)
            #expect(try await owner(token(bens), auth) == ben)
        }
    }

    @Test func the_database_has_no_address() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.newcomer("Ada")
            let token = token(try await made(ada, auth))
            for table in ["calendar_feeds", "requests"] {
                let row = try await auth.pool.query("SELECT string_agg(t::text, '') AS row FROM \(unescaped: table) t")
                #expect(try row[0].get("row", as: String?.self)?.contains(token) != true)
            }
        }
    }

    @Test func nobody_who_is_suspended_or_erased_has_one() async throws {
        try await AuthBench.run { auth in
            let ada = try await auth.signUp("ada@example.org", name: "Ada").person.id
            let token = token(try await made(ada, auth))
            let now = auth.clock.read()
            _ = try await auth.pool.query(
                """
                UPDATE accounts SET suspended_at = \(now - 60), suspended_until = \(now + 3600), suspension_reason = 'x'
                WHERE id = \(ada.uuid)
                """)
            #expect(try await owner(token, auth) == nil)
            auth.clock.advance(by: .seconds(3601))
            #expect(try await owner(token, auth) == ada)
            var (query, records) = (PersonalDataQuery(person: ada), [PersonalRecord]())
            repeat {
                let page = try await auth.parts.ownRecords.page(query)
                records += page.items
                query.cursor = page.next
            } while query.cursor != nil
            #expect(records.contains { $0.kind == "calendar-feed" })
            #expect(!records.contains { $0.json.contains(token) })
            _ = try await auth.call(
                AuthMethods.eraseMe, LanguageParameters(), ErasureRequest(password: "quiet river stones"),
                as: Caller(person: ada))
            #expect(try await owner(token, auth) == nil)
            #expect(try await auth.count("calendar_feeds") == 0)
        }
    }

    @Test func only_the_gateway_may_ask_whose_one_is() {
        #expect(AuthMethods.calendarOwner.peers == [.gateway])
        #expect(PeerRole.listings.methods.calendarEntries.peers == [.gateway])
    }
}
