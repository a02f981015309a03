import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Matches")
struct MatchActTests: ActingOnMatches {
    // MARK: When it is there

    @Test func food_takes_its_time_and_so_does_the_way() throws {
        let now = noon + 30
        let accepted = try act(.accept, MatchActDraft(minutes: 12), on: Example.match(), as: .deliverer, at: now)
        #expect(accepted.acceptedAt == now && accepted.expectedAt == now + 12 * 60 + 1000)
        #expect(try act(.accept, on: Example.match(), as: .deliverer, at: now).expectedAt == now + 1000)
        let later = after(minutes: 8)
        let draft = MatchActDraft(spent: euros(900))
        let picked = try act(.pickUp, draft, on: accepted, as: .deliverer, at: later)
        #expect(picked.pickedUpAt == later && picked.expectedAt == later + 1000)
        func minutes(_ minutes: Int?, _ act: MatchAct, _ match: MatchAgreement) -> [String] {
            faults(act, MatchActDraft(minutes: minutes), on: match, as: .deliverer)
        }
        #expect([-1, 0, 180, 181].map { minutes($0, .accept, Example.match()).count } == [1, 0, 0, 1])
        #expect([0, 1, 180, 181].map { minutes($0, .postpone, Example.match(.accepted)).count } == [1, 0, 0, 1])
        #expect(minutes(nil, .postpone, Example.match(.pickedUp)) == ["minutes: required"])
    }

    @Test(arguments: [MatchState.accepted, .pickedUp])
    func only_what_is_much_later_is_told(_ state: MatchState) throws {
        func postpone(_ minutes: Int) throws -> MatchDecision {
            try decide(
                .postpone, MatchActDraft(reason: " A queue ", minutes: minutes), on: Example.match(state),
                as: .deliverer)
        }
        // Expected in twenty.
        #expect(try postpone(29).told == nil && postpone(29).match.expectedAt == after(minutes: 29))
        #expect(try postpone(30).told == .postponed && postpone(30).match.reason == "A queue")
        #expect(try postpone(5).told == nil && postpone(5).match.changedAt == noon)
    }

    // MARK: Completion

    @Test func four_digits_complete_it_for_both() throws {
        for state in [MatchState.pickedUp, .delivered] {
            let decision = try decide(.complete, MatchActDraft(code: "0472"), on: Example.match(state), as: .deliverer)
            #expect(decision.match.state == .completed && decision.isCompleted)
            for code in ["0473", "472", "", "00472"] {
                let draft = MatchActDraft(code: code)
                #expect(faults(.complete, draft, on: Example.match(state), as: .deliverer) == ["code: wrong"])
            }
        }
        #expect(throws: DeliveryError.wrongState([.complete, .undo, .dispute])) {
            try act(.complete, on: Example.match(.delivered), as: .deliverer)
        }
        var chance = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let code = MatchAgreement.code(using: &chance)
            #expect(code.utf8.count == 4 && Int(code) != nil)
        }
    }

    @Test func a_mistaken_tap_is_undone_and_the_clock_goes_on() throws {
        let there = try act(.complete, on: Example.match(.pickedUp), as: .deliverer, at: after(minutes: 15))
        #expect(there.state == .delivered)
        let back = try act(.undo, on: there, as: .deliverer, at: after(minutes: 16))
        #expect(back.isUndone && !there.isUndone && !back.fillsHand)
        #expect(back.state == .pickedUp && back.pickedUpAt == noon && back.dueAt == noon + 12 * 3600)
        #expect(throws: DeliveryError.wrongState([.complete, .dispute])) {
            try act(.undo, on: there, as: .orderer, at: after(minutes: 16))
        }
    }

    // MARK: What was shown, and what is said

    @Test func who_was_shown_something_else_is_asked_again() throws {
        func accept(_ expected: MatchExpectation) throws(DeliveryError) -> MatchState {
            try act(.accept, MatchActDraft(expected: expected), on: Example.match(), as: .deliverer).state
        }
        #expect(try accept(MatchExpectation(state: .offered, fee: 200, limit: 1200)) == .accepted)
        #expect(try accept(MatchExpectation()) == .accepted)
        #expect(
            throws: DeliveryError.termsChanged([
                FieldError("expected.state", "offered", "This has changed."),
                FieldError("expected.fee", "200", "This has changed."),
                FieldError("expected.limit", "1200", "This has changed."),
            ])
        ) { try accept(MatchExpectation(state: .expired, fee: 0, limit: 0)) }
        let free = Example.match { ($0.terms.fee, $0.terms.limit) = (nil, nil) }
        let nothing = MatchActDraft(expected: MatchExpectation(fee: 0, limit: 0))
        #expect(try act(.accept, nothing, on: free, as: .deliverer).state == .accepted)
    }

    @Test func words_are_asked_for_where_somebody_has_to_decide_by_them() throws {
        let (picked, disputed) = (Example.match(.pickedUp), Example.match(.disputed))
        #expect(faults(.giveUp, MatchActDraft(reason: " "), on: picked, as: .deliverer) == ["reason: required"])
        #expect(faults(.dispute, MatchActDraft(), on: picked, as: .orderer) == ["reason: required"])
        #expect(faults(.explain, MatchActDraft(), on: disputed, as: .orderer) == ["reason: required"])
        let long = MatchActDraft(reason: String(repeating: "a", count: 1001))
        #expect(faults(.decline, long, on: Example.match(), as: .deliverer) == ["reason: too_long"])
        let said = MatchActDraft(reason: " Closed ")
        #expect(try act(.giveUp, said, on: Example.match(.accepted), as: .deliverer).reason == "Closed")
        #expect(try act(.cancel, on: Example.match(.accepted) { $0.reason = "A queue" }, as: .orderer).reason == nil)
    }

    @Test func each_says_five_times_what_they_have_to_say() throws {
        var match = try act(.dispute, MatchActDraft(reason: "Cold"), on: Example.match(.completed), as: .orderer)
        #expect(match.reason == "Cold" && match.statements.map(\.text) == ["Cold"])
        for number in 1...5 {
            for party in [MatchParty.orderer, .deliverer] {
                match = try act(.explain, MatchActDraft(reason: "\(number)"), on: match, as: party)
            }
        }
        #expect(match.statements.count == 11 && match.reason == "Cold" && match.state == .disputed)
        for party in [MatchParty.orderer, .deliverer] {
            #expect(match.possible(for: party, at: noon) == [])
            #expect(throws: DeliveryError.wrongState([])) {
                try act(.explain, MatchActDraft(reason: "6"), on: match, as: party)
            }
        }
    }

    // MARK: Ends

    @Test func food_in_hand_is_brought() {
        for state in MatchState.allCases where state != .offered && state != .accepted {
            #expect(Example.match(state).callOff(by: maya, at: noon) == nil)
        }
        #expect(Example.match(.accepted).separate(at: noon) == nil, "it runs to its end")
        #expect(Example.match(.accepted).callOff(by: tom, at: noon)?.match.comesBack == false)
        #expect(Example.match(.accepted).callOff(by: maya, at: noon)?.match.comesBack == true)
    }

    @Test func a_turn_comes_back_where_the_orderer_ends_it() throws {
        let chances = [maya, kim]
        let (offered, accepted) = (
            Example.match { $0.chances = chances }, Example.match(.accepted) { $0.chances = chances }
        )
        #expect(offered.takenBack(at: noon)?.turnsBack == chances)
        #expect(try decide(.cancel, on: accepted, as: .orderer).turnsBack == chances)
        #expect(try decide(.cancel, on: accepted, as: .deliverer).turnsBack == [])
        #expect(try decide(.decline, on: offered, as: .deliverer).turnsBack == [])
        #expect(offered.gone(by: maya, at: noon)?.turnsBack == [] && offered.separate(at: noon)?.turnsBack == [])
        #expect(try act(.accept, on: offered, as: .deliverer).chances == chances)
        let picked = try act(.pickUp, MatchActDraft(spent: euros(1)), on: accepted, as: .deliverer)
        #expect(picked.chances == [], "nobody needs to know it any more")
    }

    // MARK: Where the deliverer is

    @Test func where_somebody_is_can_be_seen_while_they_bring_it() throws {
        let picked = Example.match(.pickedUp)
        let shared = try #require(try picked.share(true, at: noon))
        #expect(shared.match.isShared && shared.told == .shared && shared.by == maya)
        #expect(try shared.match.share(true, at: noon) == nil && picked.share(false, at: noon) == nil)
        #expect(try shared.match.share(false, at: noon)?.told == .hidden)
        #expect(try !act(.complete, on: shared.match, as: .deliverer).isShared)
        for state in MatchState.allCases where state != .pickedUp {
            let match = Example.match(state)
            #expect(throws: DeliveryError.wrongState(match.possible(for: .deliverer, at: noon))) {
                try match.share(true, at: noon)
            }
            #expect(try match.share(false, at: noon) == nil)
        }
    }
}
