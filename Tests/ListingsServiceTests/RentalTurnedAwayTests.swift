import DurableMessaging
import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Who waits for an answer about days that somebody else has now is told so with what gave them away.
@Suite struct RentalTurnedAwayTests {
    private func state(_ rental: RentalID, of person: PersonID, on listings: Listings) async throws -> Rental {
        try await listings.rentals.rental(rental, for: Caller(person: person))
    }

    @Test func whatOverlapsWhatIsAcceptedIsDeclinedAtOnce() async throws {
        try await Listings.with { listings in
            let (car, other) = (
                try await listings.posted(carDraft()).id, try await listings.posted(spaceDraft()).id
            )
            let toms = try await listings.ask(car).id
            let lins = try await listings.ask(car, "2026-10-04", "2026-10-08", by: lin).id
            let after = try await listings.ask(car, "2026-10-05", "2026-10-06", by: kim).id
            let elsewhere = try await listings.ask(other, by: lin).id
            try await listings.act(toms, .accept, by: maya)

            let seen = try await state(lins, of: lin, on: listings)
            #expect(seen.state == .declined && seen.changedBy == nil && seen.reason == nil && seen.possible.isEmpty)
            #expect(seen.owed?.amount == 0 && seen.thing.address == nil)
            #expect(try await state(after, of: kim, on: listings).state == .requested)
            #expect(try await state(elsewhere, of: lin, on: listings).state == .requested)
            let told = try await listings.told(RentalAnswered.self).map(\.rental)
            #expect(told.map(\.id) == [toms, lins] && told.map(\.state) == [.accepted, .declined])
            #expect(told.map(\.by) == [maya, nil])
            let partners = try await listings.rentals.store.partners(of: car, at: listings.clock.read())
            #expect(Set(partners) == [tom, kim])
        }
    }

    @Test func whatIsTakenAtOnceTurnsOthersAwayAsWell() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let toms = try await listings.ask(car).id
            _ = try await listings.rentals.amend(car, as: nil, with: ThingDraft(isInstant: true), .from(maya))
            #expect(try await listings.ask(car, "2026-10-02", by: lin).state == .accepted)
            #expect(try await state(toms, of: tom, on: listings).state == .declined)
        }
    }

    /// Time has the last word about what nobody answered, and what is over is left as it is.
    @Test func whatIsOverdueLapses() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let early = try await listings.ask(car).id
            let called = try await listings.ask(car, by: kim).id
            try await listings.act(called, .cancel, by: kim)
            listings.clock.advance(by: .seconds(86400))
            let late = try await listings.ask(car, by: lin).id
            try await listings.act(late, .accept, by: maya)
            #expect(try await state(early, of: tom, on: listings).state == .requested)
            _ = try await RentalRounds(store: listings.rentals.store, logger: .quiet).round()
            #expect(try await state(early, of: tom, on: listings).state == .lapsed)
            #expect(try await state(called, of: kim, on: listings).state == .cancelled)
        }
    }

    @Test func nobodyHasDeclinedIt() {
        let given = agreement().giveWay(at: noon)
        #expect(given?.agreement.state == .declined && given?.agreement.changedBy == nil)
        #expect(given?.told == .answered && given?.by == nil && given?.agreement.owed?.amount == 0)
        #expect(agreement().giveWay(at: noon + 86400) == nil, "its time is over")
        for state in RentalState.allCases where state != .requested {
            #expect(agreement(state).giveWay(at: noon) == nil)
        }
    }
}
