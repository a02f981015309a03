import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What can be said and done while two are at odds, and what is kept of it.
@Suite struct RentalDisputeTests {
    private let picture = String(repeating: "0d", count: 32)

    /// Handed over by its renter, and disputed by its owner.
    private func disputed(on listings: Listings) async throws -> (car: ThingID, rental: RentalID) {
        let car = try await listings.posted(carDraft()).id
        let rental = try await listings.ask(car).id
        try await listings.act(rental, .accept, by: maya)
        listings.clock.advance(by: .seconds(10 * 86400))
        try await listings.act(rental, .handOver, by: tom)
        listings.clock.advance(by: .seconds(60))
        try await listings.act(rental, .dispute, by: maya, photos: [picture])
        listings.clock.advance(by: .seconds(60))
        return (car, rental)
    }

    private func settle(_ rental: RentalID, on listings: Listings) async throws -> Rental {
        try await listings.rentals.act(
            rental, .settle, RentalActDraft(reason: "Half.", share: 50),
            RequestContext(
                id: .version7(), method: "listings.test", deadline: Date() + 60,
                caller: Caller(person: kim, roles: [.moderator]), peer: .gateway, content: []))
    }

    @Test func whatComesBackInADisputeIsFreeAndCompletedOnce() async throws {
        try await Listings.with { listings in
            let (car, rental) = try await disputed(on: listings)
            #expect(await rentalRefusal { try await listings.ask(car, "2026-10-02", by: lin) } == .overlaps)
            let back = try await listings.act(rental, .giveBack, by: tom, photos: [picture])
            #expect(back.state == .disputed && back.changedBy?.id == maya && back.possible == [.explain])
            #expect(try await listings.ask(car, "2026-10-02", by: lin).state == .requested)
            #expect(
                await rentalRefusal { try await listings.act(rental, .giveBack, by: maya) } == .wrongState([.explain]))
            #expect(try await settle(rental, on: listings).state == .settled)
            #expect(try await listings.told(EncounterCompleted.self).count == 1)
            let told = try await listings.told(RentalChanged.self).map(\.rental)
            #expect(told.map(\.state) == [.handedOver, .disputed, .disputed, .settled])
            #expect(told.map(\.by) == [tom, maya, tom, kim], "who did it, not who brought the state")
        }
    }

    @Test func bothHaveTheirSayAndNothingOfItIsLost() async throws {
        try await Listings.with { listings in
            let (_, rental) = try await disputed(on: listings)
            let request = RequestContext.from(tom, id: .version7())
            for _ in 0..<2 {
                // Sent twice, it is said once.
                _ = try await listings.rentals.act(
                    rental, .explain, RentalActDraft(reason: "It was so before.", photos: [picture]), request)
            }
            for _ in 0..<5 { try await listings.act(rental, .explain, by: maya) }
            #expect(
                await rentalRefusal { try await listings.act(rental, .explain, by: maya) } == .wrongState([.giveBack]))
            #expect(await rentalRefusal { try await listings.act(rental, .explain, by: lin) } == .notFound)
            let settled = try await settle(rental, on: listings)
            #expect(settled.reason == "Half.")
            let seen = try await listings.rentals.rental(rental, for: Caller(person: tom))
            #expect(seen.evidence.prefix(3).map(\.at) == [.accept, .handOver, .dispute])
            #expect(seen.evidence.filter { $0.at == .explain && $0.by == .owner }.count == 5)
            #expect(seen.evidence.filter { $0.by == .renter }.map(\.note) == ["So it was.", "It was so before."])
            #expect(try await listings.rentals.store.photos(among: [picture]) == [picture])
            #expect(
                await rentalRefusal { try await listings.act(rental, .explain, by: tom) } == .wrongState([]))
        }
    }

    /// What one has said goes with them, what the other has said stays.
    @Test func whoIsGoneHasSaidNothing() async throws {
        try await Listings.with { listings in
            let (_, rental) = try await disputed(on: listings)
            try await listings.act(rental, .explain, by: tom, photos: [picture])
            _ = try await settle(rental, on: listings)
            let own = PersonalSections(listings.rentals.ownRecords)
            let kept = try await own.page(PersonalDataQuery(person: tom, cursor: "rentals/")).items
            #expect(kept.contains { $0.kind == "rentals" && $0.photos == [picture] })
            let (_, photos) = try await listings.rentals.store.transaction { try await $0.erase(maya) }
            #expect(photos == [picture])
            let left = try await listings.rentals.rental(rental, for: Caller(person: tom)).evidence
            #expect(left.filter { $0.by == .owner }.allSatisfy { $0.note == nil && $0.photos.isEmpty })
            #expect(left.filter { $0.by == .renter }.allSatisfy { $0.note == "So it was." })
        }
    }

    @Test func theDatabaseItselfKnowsHowMuchMayBeSaid() async throws {
        try await Listings.with { listings in
            let (_, rental) = try await disputed(on: listings)
            for (act, number) in [("explain", 6), ("explain", 0), ("dispute", 2), ("settle", 1)] {
                let error = await #expect(throws: PostgresError.self) {
                    try await listings.database.query(
                        """
                        INSERT INTO rental_evidence (rental, role, act, number, photos, made_at)
                        VALUES (\(rental), 'owner', \(act), \(number), '{}', now())
                        """)
                }
                #expect(error?.constraint?.hasPrefix("rental_evidence_") == true)
            }
        }
    }

    @Test func aDisputeIsSettledByAModeratorWhoIsNoneOfThem() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car)
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(rental.id, .handOver, by: tom)
            try await listings.act(rental.id, .dispute, by: maya)
            let draft = RentalActDraft(reason: "Half.", share: 50)
            func request(_ person: PersonID, _ roles: Set<PersonRole>) -> RequestContext {
                RequestContext(
                    id: .version7(), method: "listings.test", deadline: Date() + 60,
                    caller: Caller(person: person, roles: roles), peer: .gateway, content: [])
            }
            #expect(
                await rentalRefusal { try await listings.rentals.act(rental.id, .settle, draft, request(lin, [])) }
                    == .notFound)
            #expect(
                await rentalRefusal {
                    try await listings.rentals.act(rental.id, .settle, draft, request(maya, [.moderator]))
                }
                    == .wrongState([.giveBack, .explain]))
            let open = try await listings.rentals.rentals(
                RentalQuery(disputed: true), for: Caller(person: lin, roles: [.moderator]))
            #expect(open.items.map(\.id) == [rental.id] && open.items.first?.possible == [.settle])
            #expect(open.items.first?.thing.address == nil)
            let settled = try await listings.rentals.act(rental.id, .settle, draft, request(lin, [.moderator]))
            #expect(settled.state == .settled && settled.owed?.amount == 11000)
        }
    }
}
