import FoundationEssentials
import Testing
import WireProtocol

@testable import RidesService

@Suite("When something of a seat is due")
struct SeatTimesTests {
    private func pending(asked hours: Double, within: Int, in ride: OfferedRide = Example.ride()) throws -> Date? {
        let now = Example.departure - hours * 3600
        return try SeatAgreement.ask(
            SeatDraft(answerWithin: within), in: SeenRide(ride: ride), by: SeatSeeker(person: tom), at: now,
            within: limits
        ).after.answerBy
    }

    /// Hours before the departure: when it is asked, in how many an answer is wanted, until when there is time.
    @Test(arguments: [
        (48.0, 24, 24.0), (48.0, 3, 45.0), (10.0, 24, 1.0), (10.0, 6, 4.0), (2.5, 3, 1.0), (2.001, 24, 1.0),
        (2.0, 24, 0.0), (1.0, 3, 0.0),
    ])
    func an_answer_comes_before_somebody_gets_in(_ asked: Double, _ within: Int, _ until: Double) throws {
        let answerBy = try #require(try pending(asked: asked, within: within))
        #expect(abs(answerBy.timeIntervalSince(Example.departure - until * 3600)) < 1)
    }

    @Test func who_asks_while_it_may_leave_any_moment_is_answered_until_it_does() throws {
        let ride = Example.ride(window: 2)
        #expect(try pending(asked: -0.5, within: 24, in: ride) == ride.leavesBy)
        #expect(try pending(asked: 1, within: 24, in: ride) == ride.departsAt)
    }

    /// Nobody is answered about a ride that has left, wherever they would get in.
    @Test func an_answer_comes_before_the_ride_leaves() throws {
        let (ride, now) = (Example.ride(), Example.departure - 5 * 3600)
        let draft = SeatDraft(from: SeatPointDraft(stop: 1))
        let seat = try SeatAgreement.ask(
            draft, in: SeenRide(ride: ride), by: SeatSeeker(person: tom), at: now, within: limits)
        #expect(seat.after.answerBy == ride.leavesBy)
    }

    // MARK: Who got a seat that came free

    private func zone(_ ride: OfferedRide) throws -> Zone { try #require(Zone.named(ride.zone)) }

    private func moment(_ text: String, of ride: OfferedRide) throws -> Date {
        let time = try #require(WallTime(minutes: text))
        return try #require(try zone(ride).moments(of: time).first)
    }

    /// Two hours, of those of the day.
    @Test(arguments: [
        ("2026-09-21T12:00", "2026-09-21T14:00"), ("2026-09-21T19:59", "2026-09-21T21:59"),
        ("2026-09-21T20:00", "2026-09-21T22:00"), ("2026-09-21T20:01", "2026-09-22T07:01"),
        ("2026-09-21T21:30", "2026-09-22T08:30"), ("2026-09-21T22:00", "2026-09-22T09:00"),
        ("2026-09-21T23:30", "2026-09-22T09:00"), ("2026-09-22T00:30", "2026-09-22T09:00"),
        ("2026-09-22T06:59", "2026-09-22T09:00"), ("2026-09-22T07:00", "2026-09-22T09:00"),
    ])
    func who_got_a_seat_keeps_it_by_day(_ now: String, _ until: String) throws {
        var ride = Example.ride()
        (ride.departsAt, ride.leavesBy) = (after(hours: 240), after(hours: 240))
        let by = SeatDeadline.confirmation(at: 0, in: ride, at: try moment(now, of: ride))
        #expect(by == (try moment(until, of: ride)))
    }

    /// By the clocks of the place: the night in which they are turned is an hour longer, or shorter.
    @Test(arguments: [
        ("America/Los_Angeles", "2026-10-31T21:00", "2026-11-01T08:00"),
        ("Europe/Berlin", "2026-10-24T21:00", "2026-10-25T08:00"),
        ("Europe/Berlin", "2027-03-27T21:00", "2027-03-28T08:00"),
        ("Asia/Kolkata", "2026-10-24T21:00", "2026-10-25T08:00"),
    ])
    func nights_end_by_the_clock(_ name: String, _ now: String, _ until: String) throws {
        var ride = Example.ride()
        (ride.zone, ride.departsAt, ride.leavesBy) = (name, after(hours: 9000), after(hours: 9000))
        let by = SeatDeadline.confirmation(at: 0, in: ride, at: try moment(now, of: ride))
        #expect(by == (try moment(until, of: ride)))
    }

    /// Minutes before one gets in: when the seat came free, and until when it is to be kept.
    @Test(arguments: [
        (151.0, 31.0), (150.0, 30.0), (120.0, 30.0), (46.0, 30.0), (44.0, 29.0), (20.0, 5.0), (15.0, 0.0),
    ])
    func a_seat_is_kept_half_an_hour_before(_ free: Double, _ until: Double) {
        let ride = Example.ride()
        let by = SeatDeadline.confirmation(at: 0, in: ride, at: Example.departure - free * 60)
        #expect(by == Example.departure - until * 60)
    }

    // MARK: Reminders

    @Test func the_driver_is_reminded_an_hour_before() {
        let (seat, ride) = (Example.seat(), Example.ride())
        #expect(seat.remindAt(in: ride, after: noon) == after(hours: 23))
        #expect(seat.occasion(in: ride, at: after(hours: 23) - 1) == nil)
        #expect(seat.occasion(in: ride, at: after(hours: 23)) == .answer)
        #expect(seat.remindAt(in: ride, after: after(hours: 23)) == nil)
        #expect(seat.occasion(in: ride, at: after(hours: 24)) == nil, "it has expired")
    }

    @Test func both_are_reminded_of_the_ride_twice() {
        let (seat, ride) = (Example.seat(.accepted), Example.ride())
        #expect(seat.remindAt(in: ride, after: noon) == after(hours: 24))
        #expect(seat.occasion(in: ride, at: after(hours: 24)) == .tomorrow)
        #expect(seat.remindAt(in: ride, after: after(hours: 24)) == after(hours: 46))
        #expect(seat.occasion(in: ride, at: after(hours: 46)) == .soon)
        #expect(seat.remindAt(in: ride, after: after(hours: 46)) == nil)
        #expect(
            seat.remindAt(in: ride, after: after(hours: 30)) == after(hours: 46), "accepted later than a day before")
        #expect(seat.occasion(in: Example.ride(.departed), at: after(hours: 47)) == nil)
    }

    @Test func who_has_not_kept_a_seat_is_reminded() {
        var (seat, ride) = (Example.seat(.accepted), Example.ride())
        (seat.isConfirmed, seat.confirmBy) = (false, after(hours: 2))
        #expect(seat.remindAt(in: ride, after: noon) == after(hours: 1))
        #expect(seat.occasion(in: ride, at: after(hours: 1)) == .confirm)
        ride.state = .departed
        #expect(seat.remindAt(in: ride, after: noon) == nil && seat.dueAt(in: ride) == nil)
    }

    // MARK: What becomes of seats with their ride

    @Test func who_rides_along_is_told_that_it_has_left() throws {
        let decision = try #require(Example.seat(.accepted).rideEnded(Example.ride(.departed), by: maya, at: noon))
        #expect(decision.agreement == Example.seat(.accepted).with(id: decision.agreement.id))
        #expect(decision.told == .changed(.departed) && decision.by == maya)
        #expect(Example.seat(.rejected).rideEnded(Example.ride(.departed), by: maya, at: noon) == nil)
    }

    @Test func a_ride_that_moves_asks_who_rides_along() throws {
        var later = Example.ride()
        (later.departsAt, later.leavesBy) = (after(hours: 20), after(hours: 20))
        let moved = try #require(Example.seat(.accepted).rideChanged(.large, later, by: maya, at: noon))
        #expect(moved.told == .changed(.rideMoved) && !moved.agreement.isConfirmed && moved.agreement.confirmBy == nil)
        let pending = try #require(Example.seat().rideChanged(.large, later, by: maya, at: noon))
        #expect(pending.told == .changed(.rideChanged) && pending.agreement.answerBy == after(hours: 19))
        let waiting = try #require(Example.seat(.waiting).rideChanged(.large, later, by: maya, at: noon))
        #expect(waiting.told == .changed(.rideChanged) && waiting.agreement.answerBy == nil)
        let small = try #require(Example.seat(.accepted).rideChanged(.small, later, by: maya, at: noon))
        #expect(small.told == .changed(.rideChanged) && small.agreement.isConfirmed)
        #expect(Example.seat(.accepted).rideChanged(.nothing, later, by: maya, at: noon) == nil)
        #expect(Example.seat(.left).rideChanged(.large, later, by: maya, at: noon) == nil)
    }

    @Test func who_goes_ends_what_has_not_begun() throws {
        let ride = Example.ride()
        for (state, person, next) in [
            (SeatState.pending, tom, SeatState.withdrawn), (.waiting, tom, .withdrawn), (.accepted, tom, .removed),
            (.pending, maya, .removed), (.accepted, maya, .removed),
        ] {
            let decision = try #require(Example.seat(state).callOff(by: person, in: ride, at: noon))
            #expect(decision.agreement.state == next && decision.told == .changed(.ended) && decision.by == person)
        }
        #expect(Example.seat(.accepted).callOff(by: tom, in: Example.ride(.departed), at: noon) == nil)
        #expect(Example.seat(.rode).callOff(by: tom, in: Example.ride(.completed), at: noon) == nil)
    }
}

extension SeatAgreement {
    /// The same, by another id.
    func with(id: SeatRequestID) -> SeatAgreement {
        SeatAgreement(
            id: id, ride: ride, driver: driver, rider: rider, seats: seats, riders: riders, part: part, cost: cost,
            currency: currency, message: message, askedAt: askedAt, answerWithin: answerWithin, answerBy: answerBy,
            confirmBy: confirmBy, isConfirmed: isConfirmed, isApproved: isApproved, state: state, changedAt: changedAt,
            changedBy: changedBy, reason: reason)
    }
}
