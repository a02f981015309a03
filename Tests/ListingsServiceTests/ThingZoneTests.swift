import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A thing's time zone stays while somebody has or asked for it.
@Suite struct ThingZoneTests {
    private static let refusal = RentalError.zoneInUse

    private func move(_ thing: ThingID, to zone: String, on listings: Listings) async -> RentalError? {
        await rentalRefusal { try await listings.rentals.amend(thing, with: ThingDraft(zone: zone), .from(maya)) }
    }

    @Test func itStaysFromTheRequestUntilAllIsOver() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            #expect(await move(car, to: "Europe/Helsinki", on: listings) == nil)
            let asked = try await listings.ask(car)
            #expect(asked.zone == "Europe/Helsinki")
            #expect(await move(car, to: "Asia/Singapore", on: listings) == Self.refusal)
            #expect(Self.refusal.serviceError.errors.map(\.field) == ["zone"])
            // What changes besides is changed.
            #expect(await move(car, to: "Europe/Helsinki", on: listings) == nil)
            try await listings.act(asked.id, .accept, by: maya)
            #expect(await move(car, to: "Asia/Singapore", on: listings) == Self.refusal)
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(asked.id, .handOver, by: maya)
            #expect(await move(car, to: "Asia/Singapore", on: listings) == Self.refusal)
            try await listings.act(asked.id, .giveBack, by: tom)
            #expect(await move(car, to: "Asia/Singapore", on: listings) == nil)
            #expect(try await listings.rentals.rental(asked.id, for: Caller(person: tom)).zone == "Europe/Helsinki")
            let other = try await listings.ask(car, "2026-10-10", "2026-10-11", by: lin)
            #expect(await move(car, to: "Europe/Helsinki", on: listings) == Self.refusal)
            try await listings.act(other.id, .decline, by: maya)
            #expect(await move(car, to: "Europe/Helsinki", on: listings) == nil)
        }
    }

    @Test func itStaysWhileDatesAreBlocked() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            // Later than the database's own now, which is no clock of this test.
            let day = (CivilDay(number: Int(noon.timeIntervalSince1970) / 86400) + 700).text
            let block = try await listings.rentals.block(car, PeriodDraft(from: day, until: day), .from(maya))
            let rows = try await listings.database.query("SELECT zone FROM occupied")
            #expect(try rows.map { try $0.get("zone", as: String.self) } == ["Asia/Singapore"])
            #expect(await move(car, to: "Europe/Helsinki", on: listings) == Self.refusal)
            try await listings.rentals.unblock(block.id, .from(maya))
            #expect(await move(car, to: "Europe/Helsinki", on: listings) == nil)
        }
    }

    /// Whatever statement it is.
    @Test func theDatabaseKeepsIt() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            _ = try await listings.ask(car)
            let moved = await #expect(throws: PostgresError.self) {
                try await listings.database.query("UPDATE things SET zone = 'Europe/Helsinki'")
            }
            #expect(moved?.constraint == ListingsSchema.keptZone)
            _ = try await listings.database.query("UPDATE things SET zone = 'Asia/Singapore', title = 'Jazz'")
            let strange = await #expect(throws: PostgresError.self) {
                try await listings.database.query(
                    """
                    INSERT INTO rentals (id, thing, kind, title, owner, renter, starts, until, zone, starts_at, ends_at, units, price, currency,
                        unit, cancellation, is_instant, requested_at, answer_by, state, changed_at, share, holds)
                    SELECT gen_random_uuid(), thing, kind, title, owner, \(lin), starts, until, 'Europe/Helsinki', ends_at, ends_at + interval '1 day',
                        1, price, currency, unit, cancellation, is_instant, requested_at, answer_by, state, changed_at, share, holds FROM rentals
                    """)
            }
            #expect(strange?.constraint == ListingsSchema.keptZone)
            let rows = try await listings.database.query("SELECT zone FROM occupied")
            #expect(try rows.map { try $0.get("zone", as: String.self) } == ["Asia/Singapore"])
        }
    }

    /// Nobody's last request comes in between.
    @Test func whoAsksAndWhoMovesItTakeTurns() async throws {
        for _ in 0..<5 {
            try await Listings.with { listings in
                let car = try await listings.posted(carDraft(isInstant: true)).id
                _ = await atOnce([true, false]) { asks in
                    if asks {
                        _ = try await listings.ask(car)
                    } else {
                        _ = try await listings.rentals.amend(
                            car, with: ThingDraft(zone: "Europe/Helsinki"), .from(maya))
                    }
                }
                let rows = try await listings.database.query(
                    "SELECT count(*) AS apart FROM rentals JOIN things ON things.id = thing WHERE rentals.zone <> things.zone"
                )
                #expect(try rows[0].get("apart", as: Int.self) == 0)
            }
        }
    }
}
