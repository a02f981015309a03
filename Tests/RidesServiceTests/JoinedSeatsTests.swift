import FoundationEssentials
import People
import Testing
import WireProtocol

@testable import RidesService

@Suite("Both ways or none")
struct JoinedSeatsTests {
    private let ride = Example.ride()
    private let back = Example.back()

    private func asked(
        _ draft: SeatDraft = SeatDraft(), and together: TogetherDraft = TogetherDraft(), in ride: OfferedRide? = nil,
        back: OfferedRide? = Example.back(), waiting: Int = 0, engagements: [SeatEngagement] = [], at now: Date = noon
    ) throws(RideError) -> [SeatAgreement] {
        try SeatAgreement.ask(
            draft, and: together, in: SeenRide(ride: ride ?? self.ride), and: back.map { SeenRide(ride: $0) },
            by: SeatSeeker(person: tom, isVerified: true, waiting: waiting, engagements: engagements), at: now,
            within: limits
        ).map(\.after)
    }

    private func faults(_ draft: SeatDraft, and together: TogetherDraft = TogetherDraft()) -> [String] {
        wrong { () throws(RideError) in _ = try asked(draft, and: together) }
    }

    // MARK: Asking

    @Test func each_knows_the_other_and_both_have_one_time_to_answer() throws {
        let seats = try asked(
            SeatDraft(seats: 2, message: "Hi", answerWithin: 6), and: TogetherDraft(to: SeatPointDraft(stop: 1)))
        #expect(seats.map(\.together) == [seats[1].id, seats[0].id] && seats.map(\.ride) == [ride.id, back.id])
        #expect(seats.allSatisfy { $0.state == .pending && $0.seats == 2 && $0.message == "Hi" })
        #expect(seats.map(\.answerBy) == [after(hours: 6), after(hours: 6)])
        #expect(seats[1].part.leaving.stop == 1 && seats[0].part.leaving.stop == 2)
        let late = Example.departure - 3 * 3600
        #expect(Set(try asked(at: late).map(\.answerBy)) == [Example.departure - 3600], "the earlier")
        let reverse = try asked(in: back, back: ride, at: late)
        #expect(
            reverse.map(\.ride) == [back.id, ride.id] && Set(reverse.map(\.answerBy)) == [Example.departure - 3600])
    }

    @Test(arguments: [
        (RideAcceptance.everybody, RideAcceptance.verified, SeatState.accepted), (.everybody, .nobody, .pending),
        (.nobody, .everybody, .pending), (.everybody, .friends, .pending),
    ])
    func both_are_accepted_at_once_or_neither(
        _ there: RideAcceptance, _ returning: RideAcceptance, _ state: SeatState
    ) throws {
        var (ride, back) = (ride, back)
        (ride.accepts, back.accepts) = (there, returning)
        let seats = try asked(in: ride, back: back)
        #expect(seats.allSatisfy { $0.state == state && ($0.answerBy == nil) == (state == .accepted) })
    }

    @Test func what_cannot_be_asked_for_together_is_refused() {
        #expect(faults(SeatDraft(waitlist: true)) == ["together: not_possible"])
        for other in [nil, Example.back { $0.state = .departed }, Example.back { $0.isWithheld = true }] {
            #expect(
                wrong { () throws(RideError) in _ = try asked(back: other) } == ["together: not_possible"])
        }
        #expect(throws: RideError.tooManyRequests(limit: 10)) { try asked(waiting: 9) }
        #expect(throws: Never.self) { try asked(waiting: 8) }
    }

    @Test func where_either_is_full_neither_is_asked_for() throws {
        let full = SeatLoad(marks: [0, 317_354], people: [4, 0])
        #expect(throws: RideError.soldOut(free: 0)) { try asked(in: Example.ride(load: full)) }
        #expect(throws: RideError.soldOut(free: 0, isOtherWay: true)) {
            try asked(back: Example.back { $0.load = full })
        }
        let refusal = RideError.soldOut(free: 0, isOtherWay: true).serviceError
        #expect(refusal.code == .soldOut && refusal.errors.map(\.field) == ["together.seats"])
    }

    @Test func what_is_wrong_with_the_other_way_is_said_of_it_and_what_is_shared_once() {
        #expect(
            faults(
                SeatDraft(seats: 9, from: SeatPointDraft(stop: 9)),
                and: TogetherDraft(from: SeatPointDraft(stop: 1), to: SeatPointDraft(stop: 1)))
                == faults(SeatDraft(seats: 9, from: SeatPointDraft(stop: 9))) + ["together.to: out_of_order"])
        let far = TogetherDraft(from: Example.own("Far", Position(latitude: 40, longitude: -121)))
        #expect(faults(SeatDraft(), and: far).contains("together.detour: too_far"))
        let seen = SeatExpectation(cost: 1)
        do throws(RideError) {
            _ = try asked(SeatDraft(expected: seen), and: TogetherDraft(expected: seen))
            Issue.record("it costs more")
        } catch {
            guard case .termsChanged(let errors) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(errors.map(\.field) == ["expected.cost", "together.expected.cost"])
        }
    }

    @Test func the_two_are_not_compared_with_each_other() throws {
        let own = SeatEngagement(ride: back.id, from: ride.departsAt, until: ride.departsAt + 60)
        #expect(throws: Never.self) { try asked(engagements: [own]) }
        let other = SeatEngagement(ride: .new(at: noon), from: back.departsAt, until: back.departsAt + 60)
        #expect(throws: RideError.overlaps(other.ride)) { try asked(engagements: [other]) }
    }

    // MARK: Answering

    private func joined(in ride: OfferedRide? = nil, and back: OfferedRide = Example.back()) throws -> JoinedSeats {
        let seats = try asked()
        return JoinedSeats(
            own: LockedSeat(seat: seats[0], ride: ride ?? self.ride), other: LockedSeat(seat: seats[1], ride: back))
    }

    @Test(arguments: [
        (SeatAct.accept, SeatParty.driver, SeatState.accepted), (.reject, .driver, .rejected),
        (.withdraw, .rider, .withdrawn),
    ])
    func what_is_done_to_one_is_done_to_both(_ act: SeatAct, _ party: SeatParty, _ state: SeatState) throws {
        let person = party == .driver ? maya : tom
        let shown = SeatActDraft(reason: "So it is.", expected: .pending)
        let changes = try joined().act(act, shown, by: person, as: party, at: noon + 60)
        #expect(changes.map(\.after.state) == [state, state] && changes.map(\.ride.id) == [ride.id, back.id])
        #expect(changes.allSatisfy { $0.after.reason == "So it is." && $0.decision?.by == person && $0.isAnswered })
    }

    @Test func what_cannot_be_done_to_the_other_is_done_to_neither() throws {
        let full = Example.back { $0.load = SeatLoad(marks: [0, 317_354], people: [4, 0]) }
        #expect(throws: RideError.soldOut(free: 0, isOtherWay: true)) {
            try joined(and: full).act(.accept, SeatActDraft(), by: maya, as: .driver, at: noon)
        }
        let hidden = Example.back { $0.isWithheld = true }
        #expect(throws: RideError.wrongState([.reject])) {
            try joined(and: hidden).act(.accept, SeatActDraft(), by: maya, as: .driver, at: noon)
        }
        #expect(try joined(and: hidden).act(.reject, SeatActDraft(), by: maya, as: .driver, at: noon).count == 2)
    }

    @Test func a_ride_that_moves_takes_the_time_to_answer_of_both_along() throws {
        let (seats, sooner) = (try joined(), Example.ride().leaving(at: after(hours: 5)))
        let own = SeatChange(
            seats.own.seat, in: sooner, seats.own.seat.rideChanged(.large, sooner, by: maya, at: noon))
        let changes = own.answeredWith(seats.other, at: noon)
        #expect(changes.map(\.after.answerBy) == [after(hours: 4), after(hours: 4)])
        #expect(changes.map { $0.decision != nil } == [true, false], "nobody is told of the other one")
        let later = Example.ride().leaving(at: after(hours: 90))
        let moved = try #require(seats.own.seat.rideChanged(.large, later, by: maya, at: noon))
        let alone = SeatChange(seats.own.seat, in: later, moved).answeredWith(nil, at: noon)
        #expect(alone.map(\.after.answerBy) == [after(hours: 24)])
    }

    @Test func each_tells_of_the_other() throws {
        let seats = try asked()
        let (there, returning) = (
            SeatNews(seats[0], in: ride, by: tom, among: .init()), SeatNews(seats[1], in: back, by: tom, among: .init())
        )
        #expect(there.together == seats[1].id && !there.isReturn && returning.together == seats[0].id)
        #expect(returning.isReturn && !SeatNews(Example.seat(), in: back, by: tom, among: .init()).isReturn)
    }
}

extension OfferedRide {
    fileprivate func leaving(at moment: Date) -> OfferedRide {
        var ride = self
        (ride.departsAt, ride.leavesBy) = (moment, moment)
        return ride
    }
}
