import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import ListingsService

/// What somebody was shown before they act is what comes of it, or nothing does.
@Suite struct RentalExpectationTests {
    @Test(arguments: CancellationPolicy.allCases, RentalUnit.allCases)
    func whatWasShownBeforeAnEdgeIsNotDoneAfterIt(_ policy: CancellationPolicy, _ unit: RentalUnit) throws {
        let accepted = agreement(.accepted, unit: unit, policy: policy)
        var (notice, edges): (TimeInterval, Int) = (1_000_000_000, 0)
        while let edge = policy.edge(notice: notice, unit: unit) {
            let shown = 22000 * policy.share(notice: notice, unit: unit) / 100
            let draft = RentalActDraft(expected: RentalExpectation(state: .accepted, owed: shown, evidence: 0))
            let last = accepted.period.startsAt - edge.notice
            // The moment itself is the last one.
            let kept = try accepted.act(.cancel, draft, by: tom, as: .renter, at: last).agreement
            #expect(kept.owed?.amount == shown && kept.state == .cancelled)
            let now = String(22000 * edge.share / 100)
            #expect(throws: RentalError.termsChanged([FieldError("expected.owed", now, "This has changed.")])) {
                try accepted.act(.cancel, draft, by: tom, as: .renter, at: last + 1)
            }
            (notice, edges) = (edge.notice - 1, edges + 1)
        }
        #expect(edges == (policy == .flexible ? 1 : 2))
    }

    @Test func whoAcceptsOrWasStoodUpKnowsWhatIsOwed() throws {
        let owed = RentalActDraft(expected: RentalExpectation(state: .requested, owed: 22000))
        #expect(try agreement().act(.accept, owed, by: maya, as: .owner, at: noon).agreement.share == 100)
        let less = RentalActDraft(expected: RentalExpectation(owed: 11000))
        #expect(throws: RentalError.termsChanged([FieldError("expected.owed", "22000", "This has changed.")])) {
            try agreement().act(.accept, less, by: maya, as: .owner, at: noon)
        }
        let nothing = RentalActDraft(expected: RentalExpectation(owed: 0))
        let late = agreement(.accepted).period.startsAt + 86400
        #expect(
            try agreement(.accepted).act(.reportNoShow, nothing, by: tom, as: .renter, at: late).agreement.share == 0)
        #expect(throws: RentalError.termsChanged([FieldError("expected.owed", "22000", "This has changed.")])) {
            try agreement(.accepted).act(.reportNoShow, nothing, by: maya, as: .owner, at: late)
        }
    }

    @Test func whoSettlesHasReadWhatWasSaid() throws {
        let said = try agreement(.disputed).act(
            .explain, RentalActDraft(reason: "It was wet."), by: maya, as: .owner, at: noon
        ).agreement
        let draft = RentalActDraft(reason: "Half.", share: 50, expected: RentalExpectation(evidence: 0))
        #expect(throws: RentalError.termsChanged([FieldError("expected.evidence", "1", "This has changed.")])) {
            try said.act(.settle, draft, by: lin, as: .moderator, at: noon + 60)
        }
    }

    @Test func whatWasAcceptedMeanwhileIsNotTakenBackAsARequest() async throws {
        try await Listings.with { listings in
            let car = try await listings.posted(carDraft())
            let rental = try await listings.ask(car.id)
            var draft = RentalActDraft(expected: RentalExpectation(state: .requested, owed: 0))
            try await listings.act(rental.id, .accept, by: maya)
            let refused = await rentalRefusal { try await listings.rentals.act(rental.id, .cancel, draft, .from(tom)) }
            #expect(
                refused == .termsChanged([FieldError("expected.state", "accepted", "This has changed.")])
                    && refused?.serviceError.code == .termsChanged)
            draft.expected?.state = .accepted
            let done = try await listings.rentals.act(rental.id, .cancel, draft, .from(tom))
            #expect(done.state == .cancelled && done.owed?.amount == 0)
        }
    }

    @Test func aSpotIsClaimedForWhatItWasSaidToCost() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            let priced = draft(price: Money(amount: 250, currency: "SGD"))
            _ = try await listings.spots.change(id, to: priced, .from(maya))
            await #expect(throws: SpotError.priceChanged(250)) {
                try await listings.spots.claim(id, expecting: 0, .from(tom))
            }
            #expect(SpotError.priceChanged(250).serviceError.code == .termsChanged)
            #expect(try await listings.spots.claim(id, expecting: 250, .from(tom)).state == .claimed)
        }
    }

    /// The look before it is no lock: the statement that claims it has the last word.
    @Test func theStatementThatClaimsItComparesThePrice() async throws {
        try await Listings.with { listings in
            let id = try await listings.posted().id
            let claimed = try await listings.spots.store.transaction { spots -> Bool in
                guard let spot = try await spots.spot(id, for: .everything) else { return false }
                let decision = try spot.claim(by: tom, holding: 0, at: spots.now, within: limits)
                return try await spots.claim(decision, for: 250) != nil
            }
            #expect(!claimed)
            #expect(try await listings.stored(id)?.state == .free)
        }
    }
}
