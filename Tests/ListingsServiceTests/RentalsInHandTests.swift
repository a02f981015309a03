import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// Who can't leave the community yet.
@Suite struct RentalsInHandTests {
    private static let start = noon + 10 * 86400

    private func kept(_ one: Agreement, at now: Date = Self.start) -> [Bool] {
        [maya, tom, lin].map { one.keeps($0, at: now) }
    }

    @Test func bothStayWhileOneHasWhatIsTheOthersAndWhoRentsFromTheBeginningOn() {
        for state in [RentalState.handedOver, .disputed] { #expect(kept(agreement(state)) == [true, true, false]) }
        for state in [RentalState.requested, .declined, .settled] {
            #expect(kept(agreement(state)) == [false, false, false])
        }
        #expect(kept(agreement(.accepted), at: Self.start - 1) == [false, false, false])
        #expect(kept(agreement(.accepted)) == [false, true, false])
    }

    /// By the renter's own word alone nobody knows that it is back.
    @Test(arguments: [RentalState.returned, .cancelled, .lapsed, .noShow])
    func whoRentsStaysWhileTheOwnerMaySayThatSomethingIsWrong(_ state: RentalState) {
        var one = agreement(state, changedAt: Self.start)
        #expect(kept(one, at: Self.start + 3 * 86400 - 1) == [false, true, false])
        #expect(kept(one, at: Self.start + 3 * 86400) == [false, false, false])
        one.changedBy = nil
        #expect(kept(one) == [false, true, false])
        one.changedBy = maya
        #expect(kept(one) == [false, false, false])
        one.changedBy = tom
        one.evidence = [RentalEvidence(by: .owner, at: .giveBack, photos: [], madeAt: Self.start)]
        #expect(kept(one) == [false, false, false])
    }

    @Test func whatIsCalledOffBeforeItBeginsKeepsNobody() {
        #expect(kept(agreement(.cancelled, changedAt: Self.start - 1)) == [false, false, false])
    }

    @Test func theyAreFoundAndNobodyElses() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            func found(_ person: PersonID) async throws -> [RentalID] {
                try await listings.rentals.commitments(of: person).items.compactMap { $0.subject.id(of: Rental.self) }
            }
            func all() async throws -> [[RentalID]] {
                [try await found(maya), try await found(tom), try await found(lin)]
            }
            #expect(try await all() == [[], [], []])
            listings.clock.advance(by: .seconds(10 * 86400))
            #expect(try await all() == [[], [rental], []])
            try await listings.act(rental, .handOver, by: maya)
            #expect(try await all() == [[rental], [rental], []])
            #expect(try await listings.rentals.commitments(of: tom).items.map(\.title) == ["Jazz for the weekend"])
            try await listings.act(rental, .giveBack, by: tom)
            #expect(try await all() == [[], [rental], []])
            try await listings.act(rental, .giveBack, by: maya)
            #expect(try await all() == [[], [], []])
        }
    }

    @Test func ofOneWhoIsGoneTheOtherIsFree() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft(isInstant: true)).id
            let rental = try await listings.ask(car).id
            listings.clock.advance(by: .seconds(10 * 86400))
            try await listings.act(rental, .handOver, by: maya)
            _ = try await listings.rentals.store.transaction { try await $0.erase(maya) }
            #expect(try await listings.rentals.commitments(of: tom).items.isEmpty)
        }
    }
}
