import FoundationEssentials
import Synchronization
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// How the two of an agreement reach each other.
@Suite struct RentalContactTests {
    private static let numbers: [PersonID: String] = [maya: "+6591234567", tom: "+6598765432"]

    private func phone(_ rental: RentalID, for person: PersonID?, on listings: Listings) async throws -> String? {
        try await listings.rentals.contact(rental, for: Caller(person: person)).phone
    }

    @Test func onlyTheTwoAndOnlyWhileItRuns() async throws {
        try await Listings.with(phone: { Self.numbers[$0] }) { listings in
            let car = try await listings.posted(carDraft()).id
            let rental = try await listings.ask(car).id
            func refused(_ person: PersonID) async -> RentalError? {
                await rentalRefusal { try await phone(rental, for: person, on: listings) }
            }
            func exchanged() async throws -> [String?] {
                [try await phone(rental, for: maya, on: listings), try await phone(rental, for: tom, on: listings)]
            }
            let both = [Self.numbers[tom], Self.numbers[maya]]
            #expect(await refused(maya) == .wrongState([.accept, .decline]))
            #expect(await refused(tom) == .wrongState([.cancel]))
            try await listings.act(rental, .accept, by: maya)
            #expect(try await exchanged() == both)
            #expect(await refused(lin) == .notFound)
            let moderator = Caller(person: lin, roles: [.moderator])
            #expect(await rentalRefusal { try await listings.rentals.contact(rental, for: moderator) } == .notFound)
            await #expect(throws: ServiceError.self) { try await phone(rental, for: nil, on: listings) }
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(rental, .handOver, by: maya)
            #expect(try await exchanged() == both)
            try await listings.act(rental, .dispute, by: tom)
            #expect(try await exchanged() == both)
            #expect(await rentalRefusal { try await listings.rentals.contact(rental, for: moderator) } == .notFound)
        }
    }

    @Test func whenItIsOverItIsOver() async throws {
        try await Listings.with(phone: { Self.numbers[$0] }) { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(rental, .handOver, by: maya)
            try await listings.act(rental, .giveBack, by: tom)
            let late = await rentalRefusal { try await phone(rental, for: tom, on: listings) }
            #expect(late == .wrongState([.dispute]))
        }
    }

    @Test func whoHasNoneAndWhoIsApartIsAskedForNobody() async throws {
        let asked = Mutex<[PersonID]>([])
        try await Listings.with(phone: { person in
            asked.withLock { $0.append(person) }
            return nil
        }) { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            #expect(try await phone(rental, for: tom, on: listings) == nil)
            #expect(asked.withLock { $0 } == [maya])
            try await listings.part(maya, tom)
            #expect(try await phone(rental, for: tom, on: listings) == nil)
            #expect(try await phone(rental, for: maya, on: listings) == nil)
            #expect(asked.withLock { $0 } == [maya])
        }
    }

    @Test func whoHasItInHandIsKnownAndReachedUntilItIsBack() async throws {
        try await Listings.with(
            ask: { PersonSummary(id: $0, name: "Somebody known") }, phone: { Self.numbers[$0] }
        ) { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            listings.clock.advance(by: .seconds(10 * 86400))
            let together = try await listings.rentals.rental(rental, for: Caller(person: maya))
            #expect(together.renter.name == "Somebody known")
            try await listings.part(tom, maya)
            #expect(
                try await listings.rentals.rental(rental, for: Caller(person: maya)).renter.name
                    == PersonSummary.nameOfUnknown)
            try await listings.act(rental, .handOver, by: maya)
            let seen = try await listings.rentals.rental(rental, for: Caller(person: maya))
            #expect(seen.renter.name == "Somebody known")
            #expect(try await phone(rental, for: maya, on: listings) == Self.numbers[tom])
            #expect(try await phone(rental, for: tom, on: listings) == Self.numbers[maya])
            try await listings.act(rental, .giveBack, by: tom)
            let over = try await listings.rentals.rental(rental, for: Caller(person: maya))
            #expect(over.renter.name == PersonSummary.nameOfUnknown)
        }
    }

    @Test func whoIsApartGetsNoMoreOfWhatTheyRentAlready() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            try await listings.part(maya, tom)
            #expect(try await listings.rentals.thing(car, for: Caller(person: tom)).rental == rental)
            let more = await rentalRefusal { try await listings.ask(car, "2026-11-01", "2026-11-04") }
            #expect(more == .notListed)
        }
    }

    @Test func listsAreOfOneThingToo() async throws {
        try await Listings.with { listings in
            let (car, space) = (try await listings.posted(carDraft()).id, try await listings.posted(spaceDraft()).id)
            let (first, second) = (try await listings.ask(car).id, try await listings.ask(space).id)
            for (thing, rental) in [(car, first), (space, second)] {
                for person in [maya, tom] {
                    let page = try await listings.rentals.rentals(
                        RentalQuery(thing: thing), for: Caller(person: person))
                    #expect(page.items.map(\.id) == [rental])
                }
            }
        }
    }
}
