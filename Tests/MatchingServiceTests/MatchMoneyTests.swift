import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("What is spent, tipped and owed")
struct MatchMoneyTests: ActingOnMatches {
    @Test func no_more_is_spent_than_was_agreed() throws {
        func spent(_ money: Money?) -> [String] {
            faults(.pickUp, MatchActDraft(spent: money), on: Example.match(.accepted), as: .deliverer)
        }
        #expect(spent(euros(1200)) == [] && spent(euros(0)) == [])
        #expect(spent(euros(1201)) == ["spent.amount: above_limit"])
        #expect(spent(euros(-1)) == ["spent.amount: out_of_range"] && spent(nil) == ["spent: required"])
        #expect(spent(Money(amount: 5, currency: "USD")) == ["spent.currency: wrong_currency"])
        let prepaid = Example.match(.accepted) { $0.terms = OrderTerms(paidBy: .cash, isPrepaid: true) }
        #expect(try act(.pickUp, on: prepaid, as: .deliverer).spent == nil)
        #expect(
            faults(.pickUp, MatchActDraft(spent: euros(0)), on: prepaid, as: .deliverer) == ["spent: not_allowed"])
    }

    @Test func a_receipt_is_a_picture() throws {
        let photo = String(repeating: "0a", count: 32)
        let draft = MatchActDraft(spent: euros(1000), receipt: photo)
        #expect(try act(.pickUp, draft, on: Example.match(.accepted), as: .deliverer).receipt == photo)
        let wrong = MatchActDraft(spent: euros(9999), receipt: "photo.jpg")
        #expect(
            faults(.pickUp, wrong, on: Example.match(.accepted), as: .deliverer)
                == ["spent.amount: above_limit", "receipt: not_a_photo"])
    }

    @Test func a_limit_is_raised_and_never_lowered() throws {
        func raise(_ amount: Int?) -> [String] {
            faults(
                .raiseLimit, MatchActDraft(amount: amount.map(euros)), on: Example.match(.accepted), as: .orderer)
        }
        #expect(raise(nil) == ["amount: required"] && raise(1200) == ["amount.amount: out_of_range"])
        #expect(raise(50_000) == [] && raise(50_001) == ["amount.amount: out_of_range"])
        let raised = try act(
            .raiseLimit, MatchActDraft(amount: euros(1201)), on: Example.match(.accepted), as: .orderer)
        #expect(raised.terms.limit == euros(1201) && raised.changedAt == noon && raised.reason == nil)
        let most = Example.match(.accepted) { $0.terms.limit = euros(50_000) }
        #expect(
            faults(.raiseLimit, MatchActDraft(amount: euros(50_001)), on: most, as: .orderer)
                == ["amount.amount: out_of_range"])
    }

    @Test func a_tip_is_given_once() throws {
        let completed = Example.match(.completed)
        func tip(_ amount: Int?) -> [String] {
            faults(.tip, MatchActDraft(amount: amount.map(euros)), on: completed, as: .orderer)
        }
        #expect(tip(nil) == ["amount: required"] && tip(0) == ["amount.amount: out_of_range"])
        #expect(tip(10_000) == [] && tip(10_001) == ["amount.amount: out_of_range"])
        let tipped = try act(.tip, MatchActDraft(amount: euros(100)), on: completed, as: .orderer)
        #expect(tipped.tip == euros(100) && tipped.owed == euros(1300) && tipped.state == .completed)
        #expect(throws: DeliveryError.wrongState([.dispute])) {
            try act(.tip, MatchActDraft(amount: euros(100)), on: tipped, as: .orderer)
        }
    }

    @Test func what_is_owed_is_spent_and_fee_and_tip() throws {
        #expect(Example.match().owed == nil && Example.match(.accepted).owed == nil)
        for state in [MatchState.pickedUp, .delivered, .received, .completed, .disputed] {
            #expect(Example.match(state).owed == euros(1200))
        }
        #expect(Example.match(.completed) { $0.terms.fee = nil }.owed == euros(1000))
        let nothing = Example.match(.completed) { ($0.terms, $0.spent) = (OrderTerms(paidBy: .cash), nil) }
        #expect(nothing.owed == nil)
        let picked = Example.match(.pickedUp)
        let late = after(minutes: 50)
        #expect(try act(.reportNoShow, on: picked, as: .deliverer, at: late).owed == euros(1200))
        #expect(try act(.reportNoShow, on: picked, as: .orderer, at: late).owed == euros(0))
        #expect(try act(.giveUp, MatchActDraft(reason: "It fell."), on: picked, as: .deliverer).owed == euros(0))
    }

    @Test func a_moderator_says_which_share_is_owed() throws {
        let disputed = Example.match(.disputed) { $0.spent = euros(1001) }
        let draft = MatchActDraft(reason: "It was half cold.", share: 50)
        let decision = try decide(.settle, draft, on: disputed, as: .moderator)
        #expect(decision.match.owed == euros(600), "1,201 of which half is 600.5")
        #expect(decision.isCompleted && decision.match.changedBy == lin && decision.match.reason == "It was half cold.")
        func share(_ share: Int?) -> [String] {
            faults(.settle, MatchActDraft(reason: "So.", share: share), on: disputed, as: .moderator)
        }
        #expect(share(nil) == ["share: required"] && share(-1) == ["share: out_of_range"] && share(0) == [])
        #expect(share(101) == ["share: out_of_range"] && share(100) == [])
        #expect(
            faults(.settle, MatchActDraft(), on: disputed, as: .moderator) == ["reason: required", "share: required"])
    }
}
