import DurableMessaging
import FoundationEssentials
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// One person asks once for the same time of the same thing, and is told of their own request.
@Suite struct RentalAskedOnceTests {
    @Test func whoHasAskedIsToldOfIt() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let first = try await listings.ask(car, "2026-10-01", "2026-10-04").id
            for (from, until) in [
                ("2026-10-01", "2026-10-04"), ("2026-10-04", "2026-10-05"), ("2026-09-30", "2026-10-01"),
            ] {
                let refused = await rentalRefusal { try await listings.ask(car, from, until) }
                #expect(refused == .alreadyAsked(first), "\(from)")
                let error = try #require(refused?.serviceError)
                #expect(error.code == .alreadyAsked)
                #expect(error.errors.map { "\($0.field) \($0.code)" } == ["rental \(first)"])
            }
            // Beside it, of another thing, and by others all may be asked for.
            #expect(try await listings.ask(car, "2026-10-05", "2026-10-05").state == .requested)
            #expect(try await listings.ask(car, by: lin).state == .requested)
            let space = try await listings.posted(spaceDraft()).id
            #expect(try await listings.ask(space).state == .requested)
            try await listings.act(first, .cancel, by: tom)
            #expect(try await listings.ask(car, "2026-10-02", "2026-10-03").state == .requested)
        }
    }

    @Test func whatOneHasIsNotSomebodyElses() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let own = try await listings.ask(car, "2026-09-22", "2026-09-25").id
            func asked() async -> RentalError? {
                await rentalRefusal { try await listings.ask(car, "2026-09-24", "2026-09-26") }
            }
            func quote(_ person: PersonID?) async throws -> RentalQuote {
                try await listings.rentals.quote(
                    RentalQuoteQuery(id: car, from: "2026-09-24", until: "2026-09-26"), for: Caller(person: person))
            }
            #expect(await asked() == .alreadyAsked(own))
            #expect(await rentalRefusal { try await listings.ask(car, "2026-09-24", by: lin) } == .overlaps)
            let (toms, lins) = (try await quote(tom), try await quote(lin))
            #expect(!toms.isFree && toms.rental == own && !lins.isFree && lins.rental == nil)
            #expect(try await quote(nil).rental == nil)
            try await listings.act(own, .handOver, by: maya)
            #expect(await asked() == .alreadyAsked(own))
            try await listings.act(own, .dispute, by: maya)
            #expect(await asked() == .alreadyAsked(own))
            // What is back is free for everybody.
            try await listings.act(own, .giveBack, by: tom)
            #expect(try await quote(tom).rental == nil)
            #expect(await asked() == nil)
        }
    }

    @Test func ofManyAtOnceThereIsOneRequest() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let results = await atOnce(Array(1...20)) { _ in try await listings.ask(car).id }
            let made = results.compactMap { try? $0.get() }
            #expect(made.count == 1)
            #expect(results.count { $0.error as? RentalError == .alreadyAsked(made.first) } == 19)
        }
    }

    /// The look before is no constraint.
    @Test func theDatabaseItselfKeepsNoSecondRequest() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft())
            let first = try await listings.ask(car.id).id
            let columns =
                "thing, kind, title, owner, renter, starts, until, zone, starts_at, ends_at, units, price, currency, unit, "
                + "longest, cancellation, is_instant, requested_at, answer_by, state, changed_at, share, holds, asks_once"
            func copy() async throws {
                _ = try await listings.database.query(
                    """
                    INSERT INTO rentals (id, \(unescaped: columns))
                    SELECT gen_random_uuid(), \(unescaped: columns) FROM rentals WHERE id = \(first)
                    """)
            }
            let error = await #expect(throws: PostgresError.self) { try await copy() }
            #expect(error?.constraint == "rentals_asked_once")
            // What was asked for before this was so may stay.
            _ = try await listings.database.query("UPDATE rentals SET asks_once = false WHERE id = \(first)")
            try await copy()
        }
    }
}
