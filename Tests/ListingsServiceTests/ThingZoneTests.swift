import DurableMessaging
import FoundationEssentials
import Logging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

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

    /// What was there before says its zone as well: an agreement its own, blocked dates the thing's.
    @Test func whatWasThereBeforeKeepsWhatItMeant() async throws {
        try await TestDatabase.with { test in
            let database = Database(
                pool: test.pool, service: "listings", digestKey: Array("a secret of this test".utf8),
                clock: FixedClock(noon).read, logger: .quiet)
            try await database.migrate(Array(ListingsSchema.migrations.prefix { $0.sql != ListingsSchema.zones }))
            let car = ThingID.new()
            _ = try await database.query(
                """
                INSERT INTO things (id, kind, owner, posted_at, state, title, photos, price, unit, cancellation, is_instant, zone, newness)
                VALUES (\(car), 'car', \(maya), \(noon), 'listed', 'Jazz', '{}', 0, 'day', 'flexible', true, 'Asia/Singapore', 1)
                """)
            _ = try await database.query(
                """
                INSERT INTO rentals (id, thing, kind, title, owner, renter, starts, until, zone, starts_at, ends_at, units, price, unit,
                    cancellation, is_instant, requested_at, answer_by, state, changed_at, share, holds)
                SELECT gen_random_uuid(), id, kind, title, owner, \(tom), '2026-10-01', '2026-10-01', 'Europe/Helsinki', '2026-09-30 21:00Z',
                    '2026-10-01 21:00Z', 1, 0, unit, cancellation, true, \(noon), \(noon), 'accepted', \(noon), 100, true FROM things
                """)
            _ = try await database.query(
                """
                INSERT INTO occupied (id, thing, starts, until, period)
                VALUES (gen_random_uuid(), \(car), '2026-11-01', '2026-11-01', tstzrange('2026-10-31 16:00Z', '2026-11-01 16:00Z'))
                """)
            try await database.migrate(ListingsSchema.migrations)
            let rows = try await database.query("SELECT zone FROM occupied ORDER BY period")
            let zones = try rows.map { try $0.get("zone", as: String.self) }
            #expect(zones == ["Europe/Helsinki", "Asia/Singapore"])
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
