import DurableMessaging
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

@Suite("Renting at the same moment", .serialized)
struct RentalRaceTests {
    private func overlaps(_ listings: Listings) async throws -> Int {
        try await listings.database.query(
            """
            SELECT count(*) AS overlaps FROM rentals AS one JOIN rentals AS other
                ON one.thing = other.thing AND one.id < other.id AND one.holds AND other.holds
                AND tstzrange(one.starts_at, one.ends_at) && tstzrange(other.starts_at, other.ends_at)
            """)[0].get("overlaps")
    }

    @Test(.timeLimit(.minutes(5))) func of200WhoAskForTheSameDaysExactlyOneHasThem() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let results = await atOnce(crowd(200)) { person in try await listings.ask(car, by: person) }
            #expect(results.count { $0.isSuccess } == 1)
            let refusals = results.compactMap(\.error)
            // On a machine that is busy with something else, some are told to try again.
            let others = refusals.filter { refusal in
                refusal as? RentalError != .overlaps && (refusal as? ServiceError)?.code != .unavailable
            }
            #expect(others.isEmpty)
            #expect(try await overlaps(listings) == 0)
            #expect(try await listings.events(of: RentalRequested.type).count == 1)
        }
    }

    @Test(.timeLimit(.minutes(5))) func ofManyPeriodsThatOverlapNoTwoAreHeld() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let results = await atOnce(Array(0..<200)) { number in
                let first = 1 + number % 20
                let rental = try await listings.ask(
                    car, "2026-10-\(first < 10 ? "0" : "")\(first)", "2026-10-\(first + 2 < 10 ? "0" : "")\(first + 2)",
                    by: PersonID.new())
                if number % 5 == 0 { try await listings.act(rental.id, .cancel, by: rental.renter.id) }
            }
            #expect(results.count { $0.isSuccess } > 0, "where nobody has anything, nothing overlaps")
            #expect(try await overlaps(listings) == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func anOwnerWhoAcceptsAllOfThemAtOnceHasAcceptedOne() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            var asked: [RentalID] = []
            for person in crowd(30) { asked.append(try await listings.ask(car, by: person).id) }
            let results = await atOnce(asked) { try await listings.act($0, .accept, by: maya) }
            #expect(results.count { $0.isSuccess } == 1)
            #expect(try await overlaps(listings) == 0)
        }
    }
}
