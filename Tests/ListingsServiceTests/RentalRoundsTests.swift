import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("What cannot be read keeps nothing else of rentals from being done")
struct RentalRoundsTests {
    private func round(_ listings: Listings) async throws {
        _ = try await RentalRounds(store: listings.rentals.store, logger: .quiet).round()
    }

    @Test func an_agreement_that_cannot_be_read_is_looked_at_again_in_a_minute() async throws {
        try await Listings.with { listings in
            let broken = try await listings.ask(try await listings.posted(carDraft()).id).id
            let whole = try await listings.ask(try await listings.posted(spaceDraft()).id, by: lin).id
            _ = try await listings.database.query("UPDATE rentals SET kind = 'boat' WHERE id = \(broken)")
            listings.clock.advance(by: .seconds(19 * 3600))
            try await round(listings)
            #expect(try await listings.told(RentalReminder.self).map(\.rental.id) == [whole])
            listings.clock.advance(by: .seconds(5 * 3600))
            try await round(listings)
            #expect(try await listings.rentals.rental(whole, for: Caller(person: lin)).state == .lapsed)
            let row = try await listings.database.query(
                "SELECT state, due_at, remind_at FROM rentals WHERE id = \(broken)")[0]
            let (state, due): (String, Date) = (try row.get("state"), try row.get("due_at"))
            #expect(state == "requested" && due == listings.clock.now + 60)
        }
    }

    @Test func a_thing_that_cannot_be_read_keeps_no_other_away() async throws {
        try await Listings.with { listings in
            let broken = try await listings.posted(carDraft()).id
            let back = try await listings.posted(spaceDraft(), by: kim).id
            for owner in [maya, kim] { try await listings.suspend(owner, until: after(60)) }
            let away = try await listings.posted(spaceDraft("Lin's"), by: lin).id
            let asked = try await listings.ask(away).id
            // Known to auth, and not heard of here yet.
            _ = try await listings.database.query(
                """
                INSERT INTO suspensions (person, until, generation)
                SELECT \(lin), \(after(24 * 60)), generation FROM suspensions WHERE person = \(kim)
                """)
            _ = try await listings.database.query(
                "UPDATE things SET photos = ARRAY[NULL]::text[] WHERE id = \(broken)")
            listings.clock.advance(by: .seconds(3601))
            try await round(listings)
            let rows = try await listings.database.query(
                "SELECT id FROM things WHERE withheld ORDER BY owner = \(maya) DESC")
            #expect(try rows.map { try $0.get("id", as: ThingID.self) } == [broken, away])
            #expect(try await listings.found(ThingQuery(), by: tom) == [back])
            #expect(try await listings.rentals.rental(asked, for: Caller(person: tom)).state == .declined)
        }
    }
}
