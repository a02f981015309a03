import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What ended when it had begun: the key may have changed hands without anybody having pressed anything.
@Suite struct RentalBegunTests {
    private func round(on listings: Listings) async throws {
        _ = try await RentalRounds(store: listings.rentals.store, logger: .quiet).round()
    }

    @Test func aDisputeAboutWhatWasCancelledLeavesTheDaysToOthers() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let rental = try await listings.ask(car).id
            try await listings.act(rental, .accept, by: maya)
            listings.clock.advance(by: .seconds(10 * 86400))
            #expect(try await listings.act(rental, .cancel, by: tom).possible == [.dispute])
            let next = try await listings.ask(car, "2026-10-02", "2026-10-04", by: lin).id
            try await listings.act(next, .accept, by: maya)
            #expect(try await listings.act(rental, .dispute, by: maya).state == .disputed)
            let seen = try await listings.rentals.rental(next, for: Caller(person: lin))
            #expect(seen.state == .accepted)
            let held = try await listings.database.query("SELECT rental FROM occupied")
            #expect(try held.map { try $0.get("rental", as: RentalID.self) } == [next])
            let draft = RentalActDraft(reason: "Half.", share: 50)
            let settled = try await listings.rentals.act(
                rental, .settle, draft,
                RequestContext(
                    id: .version7(), method: "listings.test", deadline: Date() + 60,
                    caller: Caller(person: kim, roles: [.moderator]), peer: .gateway, content: []))
            #expect(settled.state == .settled)
        }
    }

    @Test func whatLapsedUnusedIsTalkedAboutAndDisputedForThreeDays() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            func partners() async throws -> [PersonID] {
                try await listings.rentals.store.partners(of: car, at: listings.clock.read())
            }
            listings.clock.advance(by: .seconds(15 * 86400))
            try await round(on: listings)
            let lapsed = try await listings.rentals.rental(rental, for: Caller(person: maya))
            #expect(lapsed.state == .lapsed && lapsed.possible == [.dispute])
            #expect(try await partners() == [tom])
            listings.clock.advance(by: .seconds(3 * 86400))
            try await round(on: listings)
            #expect(try await partners().isEmpty)
            let late = await rentalRefusal { try await listings.act(rental, .dispute, by: maya) }
            #expect(late == .wrongState([]))
        }
    }

    @Test func whatWasNeverAgreedOrHadNotBegunIsOver() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft()).id
            let (asked, agreed) = (
                try await listings.ask(car, "2026-09-21", "2026-09-24").id,
                try await listings.ask(car, "2026-10-01", "2026-10-04", by: lin).id
            )
            try await listings.act(agreed, .accept, by: maya)
            #expect(try await listings.act(agreed, .cancel, by: lin).possible.isEmpty)
            // It would have begun this morning, and nobody had agreed to it.
            #expect(try await listings.act(asked, .cancel, by: tom).possible.isEmpty)
            #expect(try await listings.rentals.store.partners(of: car, at: listings.clock.read()).isEmpty)
        }
    }
}
