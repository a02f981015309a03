import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("Seats")
struct SeatActTests {
    private let ride = Example.ride()

    private func act(
        _ act: SeatAct, _ draft: SeatActDraft = SeatActDraft(), on seat: SeatAgreement, as party: SeatParty,
        in ride: OfferedRide? = nil, at now: Date = noon
    ) throws(RideError) -> SeatDecision {
        let person = party == .driver ? maya : party == .rider ? tom : lin
        return try seat.act(act, draft, by: person, as: party, in: ride ?? self.ride, at: now)
    }

    // MARK: Giving seats

    @Test func an_acceptance_needs_room_on_that_part() throws {
        let load = SeatLoad(marks: [0, 177_597], people: [4, 0])
        let full = Example.ride(load: load)
        #expect(throws: RideError.soldOut(free: 0)) {
            try act(.accept, on: Example.seat(.pending, 0...1), as: .driver, in: full)
        }
        #expect(throws: RideError.soldOut(free: 0)) { try act(.accept, on: Example.seat(), as: .driver, in: full) }
        let decision = try act(.accept, on: Example.seat(.pending, 1...2), as: .driver, in: full)
        #expect(decision.agreement.state == .accepted && decision.agreement.isConfirmed)
        #expect(decision.agreement.answerBy == nil && decision.agreement.changedBy == maya)
        let almost = Example.ride(load: SeatLoad(marks: [0, 177_597], people: [3, 0]))
        #expect(throws: RideError.soldOut(free: 1)) {
            try act(.accept, on: Example.seat(.pending, 0...2, seats: 2), as: .driver, in: almost)
        }
    }

    @Test func an_acceptance_needs_what_is_left_of_the_detour() throws {
        let far = try asked { $0.from = Example.own("King City", Example.kingCity) }
        #expect(far.part.detour == 2470)
        #expect(
            try act(.accept, on: far, as: .driver, in: Example.ride(detourUsed: 17_530)).agreement.state == .accepted)
        let used = Example.ride(detourUsed: 17_531)
        #expect(
            wrong { () throws(RideError) in _ = try act(.accept, on: far, as: .driver, in: used) } == [
                "detour: too_far"
            ])
    }

    @Test func who_acts_upon_another_state_is_told() {
        let shown = SeatActDraft(expected: .waiting)
        #expect(
            throws: RideError.termsChanged([FieldError("expected.state", "pending", "This has changed.")])
        ) { try act(.reject, shown, on: Example.seat(), as: .driver) }
    }

    @Test func words_are_asked_for_where_somebody_has_to_decide_by_them() {
        let (rode, disputed) = (Example.seat(.rode), Example.seat(.disputed))
        func faults(_ act: SeatAct, _ draft: SeatActDraft, _ seat: SeatAgreement, _ party: SeatParty) -> [String] {
            wrong { () throws(RideError) in _ = try self.act(act, draft, on: seat, as: party) }
        }
        #expect(faults(.dispute, SeatActDraft(reason: " "), rode, .rider) == ["reason: required"])
        #expect(faults(.settle, SeatActDraft(rode: true), disputed, .moderator) == ["reason: required"])
        #expect(faults(.settle, SeatActDraft(reason: "Both"), disputed, .moderator) == ["rode: required"])
        #expect(faults(.reject, SeatActDraft(rode: true), Example.seat(), .driver) == ["rode: not_allowed"])
        let long = SeatActDraft(reason: String(repeating: "a", count: 1001))
        #expect(faults(.reject, long, Example.seat(), .driver) == ["reason: too_long"])
    }

    @Test(arguments: [true, false])
    func who_rode_along_as_a_moderator_says_has_completed_it(_ rode: Bool) throws {
        let draft = SeatActDraft(reason: "She was there.", rode: rode)
        let decision = try act(.settle, draft, on: Example.seat(.disputed), as: .moderator)
        #expect(decision.isCompleted == rode && decision.agreement.changedBy == lin)
        #expect(decision.agreement.reason == "She was there.")
    }

    @Test func what_is_said_goes_with_its_state() throws {
        let rejected = try act(.reject, SeatActDraft(reason: " Full of boxes "), on: Example.seat(), as: .driver)
            .agreement
        #expect(rejected.reason == "Full of boxes" && rejected.changedAt == noon)
        let approved = try act(.approve, SeatActDraft(reason: "Soon"), on: Example.seat(.waiting), as: .driver)
            .agreement
        #expect(approved.isApproved && approved.reason == nil && approved.changedBy == tom)
        #expect(throws: RideError.wrongState([.reject])) { try act(.approve, on: approved, as: .driver) }
    }

    // MARK: Asking

    private func asked(
        in ride: OfferedRide? = nil, isVerified: Bool = false, waiting: Int = 0, own: SeatRequestID? = nil,
        at now: Date = noon, _ change: (inout SeatDraft) -> Void = { _ in }
    ) throws(RideError) -> SeatAgreement {
        var draft = SeatDraft()
        change(&draft)
        return try SeatAgreement.ask(
            draft, in: SeenRide(ride: ride ?? self.ride, request: own),
            by: SeatSeeker(person: tom, isVerified: isVerified, waiting: waiting), at: now, within: limits
        ).after
    }

    @Test func who_asks_waits_for_an_answer() throws {
        let seat = try asked { $0.message = " Two bags " }
        #expect(seat.state == .pending && seat.seats == 1 && seat.cost == 2000 && seat.currency == "USD")
        #expect(seat.message == "Two bags" && seat.answerBy == after(hours: 24) && seat.changedBy == tom)
        #expect(seat.part == Example.part(0...2))
    }

    @Test(arguments: [
        (RideAcceptance.nobody, true, SeatState.pending), (.verified, false, .pending), (.verified, true, .accepted),
        (.everybody, false, .accepted),
    ])
    func who_is_let_in_at_once_has_a_seat(_ accepts: RideAcceptance, _ isVerified: Bool, _ state: SeatState) throws {
        var ride = ride
        ride.accepts = accepts
        let seat = try asked(in: ride, isVerified: isVerified)
        #expect(seat.state == state && seat.isConfirmed && (seat.answerBy == nil) == (state == .accepted))
        ride.load = SeatLoad(marks: [0, 317_354], people: [4, 0])
        let waiting = try asked(in: ride, isVerified: isVerified) { $0.waitlist = true }
        #expect(waiting.state == .waiting && waiting.isApproved == (state == .accepted) && waiting.answerBy == nil)
    }

    @Test func without_room_one_waits_or_is_refused() throws {
        let full = Example.ride(load: SeatLoad(marks: [0, 177_597], people: [3, 0]))
        #expect(try asked(in: full).state == .pending)
        #expect(throws: RideError.soldOut(free: 1)) { try asked(in: full) { $0.seats = 2 } }
        #expect(try asked(in: full) { ($0.seats, $0.waitlist) = (2, true) }.state == .waiting)
        #expect(throws: RideError.soldOut(free: 1)) { try asked(in: full) { ($0.seats, $0.waitlist) = (5, true) } }
        #expect(
            try asked(in: full) { ($0.seats, $0.from) = (2, SeatPointDraft(stop: 1)) }.state == .pending,
            "nobody rides along from Salinas on")
    }

    @Test func a_detour_that_others_need_can_be_waited_for() throws {
        let used = Example.ride(detourUsed: 18_000)
        let from = Example.own("King City", Example.kingCity)
        #expect(wrong { () throws(RideError) in _ = try asked(in: used) { $0.from = from } } == ["detour: too_far"])
        #expect(try asked(in: used) { ($0.from, $0.waitlist) = (from, true) }.state == .waiting)
        var near = ride
        near.maxDetour = 2469
        #expect(
            wrong { () throws(RideError) in _ = try asked(in: near) { ($0.from, $0.waitlist) = (from, true) } }
                == ["detour: too_far"])
    }

    @Test(arguments: [
        (SeatDraft(seats: 0), ["seats: out_of_range"]), (SeatDraft(seats: 9), ["seats: out_of_range"]),
        (SeatDraft(riders: ["Ava", "Bo"]), ["riders: too_many"]), (SeatDraft(riders: [" "]), ["riders.0: required"]),
        (SeatDraft(riders: [String(repeating: "a", count: 61)]), ["riders.0: too_long"]),
        (SeatDraft(message: String(repeating: "a", count: 501)), ["message: too_long"]),
        (SeatDraft(answerWithin: 4), ["answerWithin: not_a_choice"]),
        (SeatDraft(seats: -1, answerWithin: 0), ["seats: out_of_range", "answerWithin: not_a_choice"]),
    ])
    func what_is_asked_for_makes_sense(_ draft: SeatDraft, _ errors: [String]) {
        #expect(wrong { () throws(RideError) in _ = try asked { $0 = draft } } == errors)
    }

    @Test func who_may_not_ask_is_told_why() {
        #expect(throws: RideError.yourOwn) {
            try SeatAgreement.ask(
                SeatDraft(), in: SeenRide(ride: ride), by: SeatSeeker(person: maya), at: noon, within: limits)
        }
        #expect(throws: RideError.rideOver([])) { try asked(at: ride.leavesBy) }
        #expect(throws: RideError.rideOver([])) { try asked(in: Example.ride(.departed)) }
        #expect(throws: RideError.tooManyRequests(limit: 10)) { try asked(waiting: 10) }
        let own = SeatRequestID.new(at: noon)
        #expect(throws: RideError.alreadyAsked(own)) { try asked(own: own) }
    }

    @Test func who_was_shown_something_else_is_asked_again() throws {
        let seen = SeatExpectation(cost: 4000, departsAt: ride.departsAt)
        #expect(try asked { ($0.seats, $0.expected) = (2, seen) }.cost == 4000)
        let dear = SeatExpectation(cost: 1000, departsAt: ride.departsAt - 60)
        #expect(
            throws: RideError.termsChanged([
                FieldError("expected.cost", "2000", "This has changed."),
                FieldError("expected.departsAt", WireJSON.text(of: ride.departsAt), "This has changed."),
            ])
        ) { try asked { $0.expected = dear } }
    }

    @Test func what_costs_nothing_has_no_currency() throws {
        var free = ride
        (free.cost, free.currency) = (0, nil)
        #expect(try asked(in: free).currency == nil)
        var cheap = ride
        cheap.cost = 1
        let part = try asked(in: cheap) { $0.from = SeatPointDraft(stop: 1) }
        #expect(part.cost == 0 && part.currency == nil, "0.44 of a cent")
    }
}
